import { isDocument, listOf, parseDocument, type Document } from '../fields/json-fields.js';

const QUOTE = 0x22;
const COLON = 0x3a;
const MAX_BLANKS = 64;
/** Length of the longest mark: as many bytes of a value are read. */
const MARK_BYTES = 20;
/** Start of a signature of another family in one of our answers (portable-signature.ts), also in base64. */
const MARK =
  /^(?:(?:next|previous)#|(?:anthropic|google|openai)(?:-redacted|-words)?#|tollgate-(?:words|summary)#|YW50aHJvcGlj|Z29vZ2xl|b3BlbmFp)/;

/** Returns true when a member of one of these names has a text that begins with a mark of ours. */
export const holdsMark = (bytes: Buffer, names: readonly string[]): boolean =>
  names.some((name) => someText(bytes, name, (begin) => MARK.test(begin)));

/** Returns true when a member of the name has an empty text. */
export const holdsEmpty = (bytes: Buffer, name: string): boolean =>
  someText(bytes, name, (begin) => begin.startsWith('"'));

/** Texts of a member, looked for in the bytes: what is no member of a history costs a translation at most. */
function someText(bytes: Buffer, name: string, isMeant: (begin: string) => boolean): boolean {
  const key = `"${name}"`;
  for (let at = bytes.indexOf(key); at !== -1; at = bytes.indexOf(key, at + key.length)) {
    const colon = afterBlanks(bytes, at + key.length);
    const quote = bytes[colon] === COLON ? afterBlanks(bytes, colon + 1) : -1;
    if (quote !== -1 && bytes[quote] === QUOTE) {
      if (isMeant(bytes.toString('latin1', quote + 1, quote + 1 + MARK_BYTES))) return true;
    }
  }
  return false;
}

function afterBlanks(bytes: Buffer, from: number): number {
  let at = from;
  while (
    at < from + MAX_BLANKS &&
    (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09)
  )
    at += 1;
  return at;
}

/** A summary of reasoning that no signature comes with, where the vendor keeps nothing itself: it does not know the item. */
export function holdsUnsignedReasoning(bytes: Buffer): boolean {
  if (!someText(bytes, 'type', (begin) => begin.startsWith('reasoning"'))) return false;
  const document = parseDocument(bytes.toString('utf8'));
  if (document?.['store'] !== false) return false;
  return listOf(document['input']).some(
    (item) =>
      isDocument(item) &&
      item['type'] === 'reasoning' &&
      listOf(item['content']).length === 0 &&
      (typeof item['encrypted_content'] !== 'string' || item['encrypted_content'] === ''),
  );
}

/**
 * A turn of the model whose first call bears no signature: another vendor made it.
 * @param alsoImages  the model signs its images too
 */
export function holdsUnsignedCall(bytes: Buffer, alsoImages = false): boolean {
  const signed = alsoImages ? [...CALL_NAMES, ...IMAGE_NAMES] : CALL_NAMES;
  if (!signed.some((name) => bytes.includes(`"${name}"`))) return false;
  const contents = listOf(parseDocument(bytes.toString('utf8'))?.['contents']);
  return contents.some((content) => {
    if (!isDocument(content) || content['role'] !== 'model') return false;
    const parts = listOf(content['parts']).filter(isDocument);
    const isUnsigned = (part: Document): boolean => {
      const signature = part['thoughtSignature'] ?? part['thought_signature'];
      return typeof signature !== 'string' || signature === '';
    };
    const holds = (part: Document, names: readonly string[]): boolean =>
      names.some((name) => isDocument(part[name]));
    const first = parts.find((part) => holds(part, CALL_NAMES));
    if (first !== undefined && isUnsigned(first)) return true;
    return alsoImages && parts.some((part) => holds(part, IMAGE_NAMES) && isUnsigned(part));
  });
}
const CALL_NAMES = ['functionCall', 'function_call'] as const;
const IMAGE_NAMES = ['inlineData', 'inline_data'] as const;
