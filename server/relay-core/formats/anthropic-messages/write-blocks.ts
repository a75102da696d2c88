import type { ContentPart } from '../../model/content.js';
import type { Warning } from '../../model/warning.js';
import { isDocument, parseDocument } from '../shared/fields/json-fields.js';
import { writeCitation } from './citations.js';
import { MESSAGES_FORMAT } from './id.js';
import { writeMedia } from './media.js';
import type { OutgoingBlock } from './outgoing-block.js';
import { BLOCK_AS_SENT } from './read-blocks.js';
import { writeCache } from './write-tools.js';
import { otherFormatValue } from '../shared/fields/dropped-fields.js';

/**
 * Parts of a request's message as blocks. Thoughts leave with this family's signature only; blank texts, which the vendor
 * refuses, are left out.
 */
export function writeBlocks(
  parts: readonly ContentPart[],
  callIdOf: (callId: string) => string,
  warnings: Warning[],
): OutgoingBlock[] {
  const blocks: OutgoingBlock[] = [];
  for (const part of parts) {
    if (part.type === 'source') {
      cite(blocks.at(-1), part);
      continue;
    }
    const block = writeBlock(part, callIdOf, warnings);
    if (block === undefined) continue;
    if (part.type !== 'vendor' && part.cache !== undefined && mayBeMarked(block)) {
      block['cache_control'] = writeCache(part.cache);
    }
    blocks.push(block);
  }
  return blocks;
}

/** The vendor takes no mark on thoughts. */
const mayBeMarked = (block: OutgoingBlock): boolean =>
  block.type !== 'thinking' && block.type !== 'redacted_thinking';

function cite(block: OutgoingBlock | undefined, part: Extract<ContentPart, { type: 'source' }>): void {
  if (block?.type !== 'text' || part.source.vendorOptions?.[MESSAGES_FORMAT] === undefined) return;
  const citation = writeCitation(part.source);
  const before = Array.isArray(block['citations']) ? (block['citations'] as readonly unknown[]) : [];
  if (citation !== undefined) block['citations'] = [...before, citation];
}

function writeBlock(
  part: Exclude<ContentPart, { type: 'source' }>,
  callIdOf: (callId: string) => string,
  warnings: Warning[],
): OutgoingBlock | undefined {
  switch (part.type) {
    case 'text': {
      const { [BLOCK_AS_SENT]: asSent, ...own } = part.vendorOptions?.[MESSAGES_FORMAT] ?? {};
      if (isDocument(asSent)) return { ...asSent, type: asSent['type'] };
      return part.text.trim() === '' ? undefined : { ...own, type: 'text', text: part.text };
    }
    case 'refusal':
      return part.text.trim() === '' ? undefined : { type: 'text', text: part.text };
    case 'reasoning':
      return writeThought(part, warnings);
    case 'tool-call':
      return {
        ...part.vendorOptions?.[MESSAGES_FORMAT],
        type: 'tool_use',
        id: callIdOf(part.callId),
        name: part.name,
        input: readArguments(part.json, warnings),
      };
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
      return writeMedia(part, warnings);
    case 'vendor':
      if (part.apiFormat === MESSAGES_FORMAT && isDocument(part.value))
        return { ...part.value, type: part.value['type'] };
      warnings.push(otherFormatValue('messages', 'part', part));
      return undefined;
  }
}

function writeThought(
  part: Extract<ContentPart, { type: 'reasoning' }>,
  warnings: Warning[],
): OutgoingBlock | undefined {
  if (part.signature?.by !== 'anthropic') {
    const reason = 'thoughts without this vendor’s signature were left out';
    if (part.text !== '' && !warnings.some((warning) => warning.reason === reason)) {
      warnings.push({ setting: 'messages', reason });
    }
    return undefined;
  }
  const { data } = part.signature;
  return part.isRedacted === true
    ? { type: 'redacted_thinking', data }
    : { type: 'thinking', thinking: part.text, signature: data };
}

/** Arguments as the object this format wants. What is no object cannot be said here. */
function readArguments(json: string, warnings: Warning[]): unknown {
  if (json.trim() === '') return {};
  const value = parseDocument(json);
  if (value !== undefined) return value;
  warnings.push({
    setting: 'messages',
    reason: 'arguments of a tool call that are no JSON object were left out',
  });
  return {};
}
