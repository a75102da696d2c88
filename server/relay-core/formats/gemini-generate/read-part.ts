import type { ContentPart, MediaKind, MediaSource } from '../../model/content.js';
import { keepUnknown, type VendorOptions } from '../../model/vendor-options.js';
import { readPortableSignature, type PortableSignature } from '../shared/fields/portable-signature.js';
import { given, isDocument, textOf, type Document } from '../shared/fields/json-fields.js';
import { readMediaAddress } from '../shared/fields/media-address.js';
import { bytesSource, kindOfSource } from '../shared/fields/media-bytes.js';
import { camelled, camelFields } from '../shared/fields/proto-names.js';
import { GENERATE_FORMAT } from './id.js';

/** Vendor option of a piece that other formats get as text: the part as it came. */
export const PART_AS_SENT = 'part (as sent)';

const KNOWN_PART_FIELDS: ReadonlySet<string> = new Set([
  'text',
  'thought',
  'thoughtSignature',
  'inlineData',
  'fileData',
  'functionCall',
]);

/**
 * One part of a message or of an answer. Kinds this format alone knows are kept as they are; code that was run is also
 * written as text, which is all other formats have for it.
 * @param idOf  id of a call whose part has none
 */
export function readPart(sent: Document, idOf: () => string): ContentPart {
  const part = camelFields(sent);
  const signature = readSignature(part);
  const extras = {
    ...(signature === undefined ? {} : { signature: signature.signature }),
    ...optionsOf(keepUnknown(GENERATE_FORMAT, part, KNOWN_PART_FIELDS)),
  };
  if (isDocument(part['functionCall'])) {
    return { ...readCall(camelFields(part['functionCall']), idOf), ...extras };
  }
  if (isDocument(part['inlineData'])) {
    const blob = camelFields(part['inlineData']);
    const fileName = textOf(blob['displayName']);
    const source = bytesSource(textOf(blob['data']) ?? '', textOf(blob['mimeType']), fileName);
    return {
      type: kindOfSource(source, 'file'),
      source,
      ...given('fileName', fileName),
      ...extras,
    };
  }
  if (isDocument(part['fileData'])) {
    const file = camelFields(part['fileData']);
    const mediaType = textOf(file['mimeType']);
    const source = readFileAddress(textOf(file['fileUri']) ?? '', mediaType);
    return {
      type: kindOf(mediaType ?? guessedType(source)),
      source,
      ...given('fileName', textOf(file['displayName'])),
      ...extras,
    };
  }
  const code = codeText(part);
  if (code !== undefined) {
    return { type: 'text', text: code, vendorOptions: { [GENERATE_FORMAT]: { [PART_AS_SENT]: sent } } };
  }
  const kind = { isThought: part['thought'] === true, isRedacted: signature?.isRedacted === true };
  if (typeof part['text'] !== 'string') {
    // Google's package for Go sends an empty text as a part without members; and a signature without a piece still opens one.
    if (Object.keys(part).every((name) => name.startsWith('thought'))) {
      return readText('', kind, extras);
    }
    return { type: 'vendor', apiFormat: GENERATE_FORMAT, value: sent };
  }
  return readText(part['text'], kind, extras);
}

function readText(
  text: string,
  { isThought, isRedacted }: { readonly isThought: boolean; readonly isRedacted: boolean },
  extras: object,
): ContentPart {
  if (!isThought) return { type: 'text', text, ...extras };
  return { type: 'reasoning', text, ...(isRedacted ? { isRedacted } : {}), ...extras };
}

/** Google's signature, or another family's that travels in its place. */
export function readSignature(part: Document): PortableSignature | undefined {
  const signature = textOf(part['thoughtSignature']);
  return signature === undefined ? undefined : readPortableSignature(signature, 'google');
}

const KNOWN_CALL_FIELDS: ReadonlySet<string> = new Set(['id', 'name', 'args']);

function readCall(call: Document, idOf: () => string): ContentPart {
  return {
    type: 'tool-call',
    callId: textOf(call['id']) ?? idOf(),
    name: textOf(call['name']) ?? '',
    json: argumentsJson(call['args']),
    ...optionsOf(keepUnknown(GENERATE_FORMAT, call, KNOWN_CALL_FIELDS)),
  };
}

/** Arguments as other formats have them: JSON text. Absent = a call without arguments. */
const argumentsJson = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? {});

/** Code the vendor ran and what came of it, fenced; undefined = another kind of part. */
function codeText(part: Document): string | undefined {
  const code = camelled(part['executableCode']);
  if (isDocument(code)) {
    const language = textOf(code['language'])?.toLowerCase() ?? '';
    return `\n\`\`\`${language === 'language_unspecified' ? '' : language}\n${textOf(code['code']) ?? ''}\n\`\`\`\n`;
  }
  const result = camelled(part['codeExecutionResult']);
  if (!isDocument(result)) return undefined;
  return `\n\`\`\`output\n${textOf(result['output']) ?? textOf(result['outcome']) ?? ''}\n\`\`\`\n`;
}

/** Files in the vendor's own stores can be read there only. */
const VENDOR_STORE = /^gs:\/\/|^https:\/\/generativelanguage\.googleapis\.com\//i;

function readFileAddress(uri: string, mediaType: string | undefined): MediaSource {
  if (VENDOR_STORE.test(uri)) return { kind: 'vendor-file', fileId: uri };
  const source = readMediaAddress(uri);
  return source.kind === 'url' ? { ...source, ...given('mediaType', mediaType) } : source;
}

/** Videos of this site are read from their page. */
const VIDEO_PAGE = /^https?:\/\/(www\.|m\.)?(youtube\.com|youtu\.be)\//i;
export const isVideoPage = (url: string): boolean => VIDEO_PAGE.test(url);

const guessedType = (source: MediaSource): string | undefined =>
  source.kind === 'url' && isVideoPage(source.url) ? 'video/webm' : undefined;

function kindOf(mediaType: string | undefined): MediaKind {
  const family = mediaType?.split('/', 1)[0]?.toLowerCase();
  return family === 'image' || family === 'audio' || family === 'video' ? family : 'file';
}

const optionsOf = (vendorOptions: VendorOptions | undefined) =>
  vendorOptions === undefined ? {} : { vendorOptions };
