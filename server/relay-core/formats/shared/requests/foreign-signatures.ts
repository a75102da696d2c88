import { isDocument, listOf, parseDocument } from '../fields/json-fields.js';

const QUOTE = 0x22;
const COLON = 0x3a;
const MAX_BLANKS = 64;
/** As many bytes of a value as the longest mark has. */
const MARK_BYTES = 20;
/** How a signature of another family begins where one of our answers carried it (portable-signature.ts), also in base64. */
const MARK =
  /^(?:(?:next|previous)#|(?:anthropic|google|openai)(?:-redacted|-words)?#|YW50aHJvcGlj|Z29vZ2xl|b3BlbmFp)/;

/** Whether a member of one of these names has a text that begins with a mark of ours. */
export const holdsMark = (bytes: Buffer, names: readonly string[]): boolean =>
  names.some((name) => someText(bytes, name, (begin) => MARK.test(begin)));

/** Whether a member of the name has an empty text. */
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

/** A turn of the model whose first call bears no signature: another vendor made it. */
export function holdsUnsignedCall(bytes: Buffer): boolean {
  if (!bytes.includes('"functionCall"') && !bytes.includes('"function_call"')) return false;
  const contents = listOf(parseDocument(bytes.toString('utf8'))?.['contents']);
  return contents.some((content) => {
    if (!isDocument(content) || content['role'] !== 'model') return false;
    const parts = listOf(content['parts']).filter(isDocument);
    const first = parts.find((part) => isDocument(part['functionCall'] ?? part['function_call']));
    const signature = first?.['thoughtSignature'] ?? first?.['thought_signature'];
    return first !== undefined && (typeof signature !== 'string' || signature === '');
  });
}
