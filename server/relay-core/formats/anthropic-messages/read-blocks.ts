import type { ContentPart, MediaSource } from '../../model/content.js';
import { keepUnknown, type VendorOptions } from '../../model/vendor-options.js';
import { documentOf, listOf, textOf, type Document } from '../shared/fields/json-fields.js';
import { readMediaAddress } from '../shared/fields/media-address.js';
import { bytesSource, kindOfSource } from '../shared/fields/media-bytes.js';
import { readCitation } from './citations.js';
import { MESSAGES_FORMAT } from './id.js';
import { readSignature } from './signatures.js';
import { readCacheMark } from '../shared/fields/cache-marks.js';

/** Vendor option of a part that stands for a block other formats know no counterpart of: the block as it was sent. */
export const BLOCK_AS_SENT = 'block (as sent)';

/** Vendor option of a text that this format has inside another block: only other formats get it. */
export const IN_NEXT_BLOCK = 'in the next block';

const TEXT_FIELDS = new Set(['type', 'text', 'cache_control', 'citations']);
const MEDIA_FIELDS = new Set(['type', 'source', 'cache_control', 'title']);
export const TOOL_USE_FIELDS = new Set(['type', 'id', 'name', 'input', 'cache_control']);

/**
 * Content of a message, or of a reply, as parts. Signatures that an earlier reply of ours put beside the piece they belong
 * to (signatures.ts) find their place again. `tool_result` blocks are not parts: read-request.ts makes messages of them.
 */
export function readBlocks(blocks: string | readonly Document[]): ContentPart[] {
  if (typeof blocks === 'string') return [{ type: 'text', text: blocks }];
  const parts: ContentPart[] = [];
  let next: Pick<PartWithSignature, 'signature'> | undefined;
  for (const block of blocks) {
    const carried =
      block['type'] === 'thinking' ? readSignature(textOf(block['signature']) ?? '') : undefined;
    if (carried !== undefined && carried.of !== 'itself') {
      if (carried.of === 'next') next = { signature: carried.signature };
      else attachToLast(parts, carried.signature);
      continue;
    }
    const from = parts.length;
    parts.push(...readBlock(block));
    const first = parts[from];
    if (next !== undefined && first !== undefined && mayHoldSignature(first)) {
      parts[from] = { ...first, ...next };
      next = undefined;
    }
  }
  return parts;
}

type PartWithSignature = Exclude<ContentPart, { type: 'vendor' }>;
const mayHoldSignature = (part: ContentPart): part is PartWithSignature =>
  part.type === 'tool-call' || part.type === 'text' || part.type === 'reasoning';

function attachToLast(parts: ContentPart[], signature: NonNullable<PartWithSignature['signature']>): void {
  const last = parts.at(-1);
  if (last !== undefined && mayHoldSignature(last)) parts[parts.length - 1] = { ...last, signature };
}

function readBlock(block: Document): readonly ContentPart[] {
  switch (block['type']) {
    case 'text':
      return readText(block);
    case 'thinking': {
      const signature = textOf(block['signature']);
      const carried = signature === undefined ? undefined : readSignature(signature);
      return [
        {
          type: 'reasoning',
          text: textOf(block['thinking']) ?? '',
          ...(carried === undefined ? {} : { signature: carried.signature }),
          ...(carried?.isRedacted === true ? { isRedacted: true } : {}),
        },
      ];
    }
    case 'redacted_thinking': {
      const signature = { by: 'anthropic', data: textOf(block['data']) ?? '' } as const;
      return [{ type: 'reasoning', text: '', isRedacted: true, signature }];
    }
    case 'image':
      return [readMedia('image', block)];
    case 'document':
      return readDocument(block);
    case 'search_result':
      return [readSearchResult(block)];
    case 'tool_use':
      return [
        {
          type: 'tool-call',
          callId: textOf(block['id']) ?? '',
          name: textOf(block['name']) ?? '',
          json: JSON.stringify(block['input'] ?? {}),
          ...readCacheMark(block),
          ...optionsOf(block, TOOL_USE_FIELDS),
        },
      ];
    case 'tool_reference':
      return [asSent(block, `Loaded tool: ${textOf(block['tool_name']) ?? ''}`)];
    default:
      return [vendorPart(block)];
  }
}

function readText(block: Document): ContentPart[] {
  // A block without its text holds something else: it is refused by its place, not taken for an empty one.
  if (typeof block['text'] !== 'string' && block['text'] !== null) return [vendorPart(block)];
  const text = block['text'] ?? '';
  const citations = listOf(block['citations']);
  return [
    { type: 'text', text, ...readCacheMark(block), ...optionsOf(block, TEXT_FIELDS) },
    ...citations.map((citation): ContentPart => {
      const source = readCitation(citation);
      return { type: 'source', source: { ...source, start: 0, end: text.length } };
    }),
  ];
}

function readMedia(type: 'image' | 'file', block: Document): ContentPart {
  const fileName = textOf(block['title']);
  const source = readSource(block['source'], fileName);
  if (source === undefined) return vendorPart(block);
  return {
    type: kindOfSource(source, type),
    source,
    ...(fileName === undefined ? {} : { fileName }),
    ...readCacheMark(block),
    ...optionsOf(block, MEDIA_FIELDS),
  };
}

function readSource(value: unknown, fileName: string | undefined): MediaSource | undefined {
  const source = documentOf(value);
  switch (source['type']) {
    case 'base64': {
      const base64 = textOf(source['data']);
      return base64 === undefined ? undefined : bytesSource(base64, textOf(source['media_type']), fileName);
    }
    case 'url': {
      const url = textOf(source['url']);
      return url === undefined ? undefined : readMediaAddress(url);
    }
    case 'file': {
      const fileId = textOf(source['file_id']);
      return fileId === undefined ? undefined : { kind: 'vendor-file', fileId };
    }
    default:
      return undefined;
  }
}

/** A document; one given as text or as blocks of text is text to every other format. */
function readDocument(block: Document): readonly ContentPart[] {
  const source = documentOf(block['source']);
  if (source['type'] === 'text') return [asSent(block, textOf(source['data']) ?? '')];
  if (source['type'] === 'content') return [asSent(block, plainText(source['content']))];
  const file = readMedia('file', block);
  const context = textOf(block['context']);
  if (context === undefined || file.type === 'vendor') return [file];
  const vendorOptions = { [MESSAGES_FORMAT]: { [IN_NEXT_BLOCK]: true } };
  return [{ type: 'text', text: context, vendorOptions }, file];
}

function readSearchResult(block: Document): ContentPart {
  const heading = [block['title'], block['source']].map(textOf).filter((line) => line !== undefined);
  return asSent(block, [...heading, plainText(block['content'])].join('\n'));
}

/** A text for other formats that is a block of its own kind on this one. */
function asSent(block: Document, text: string): ContentPart {
  const title = textOf(block['title']);
  const isDocumentBlock = block['type'] === 'document';
  // The context of a document is text for the model, whatever the vendor.
  const about = isDocumentBlock ? [title, textOf(block['context'])].flatMap((line) => line ?? []) : [];
  return {
    type: 'text',
    text: [...about, text].join('\n'),
    ...readCacheMark(block),
    vendorOptions: { [MESSAGES_FORMAT]: { [BLOCK_AS_SENT]: block } },
  };
}

function plainText(content: unknown): string {
  if (typeof content === 'string') return content;
  return listOf(content)
    .map((item) => textOf(documentOf(item)['text']) ?? '')
    .filter((text) => text !== '')
    .join('\n');
}

export function optionsOf(
  holder: Document,
  known: ReadonlySet<string>,
): { readonly vendorOptions?: VendorOptions } {
  const vendorOptions = keepUnknown(MESSAGES_FORMAT, holder, known);
  return vendorOptions === undefined ? {} : { vendorOptions };
}

const vendorPart = (value: Document): ContentPart => ({ type: 'vendor', apiFormat: MESSAGES_FORMAT, value });
