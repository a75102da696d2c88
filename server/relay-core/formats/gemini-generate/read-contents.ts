import type { Message } from '../../model/chat.js';
import type { ContentPart } from '../../model/content.js';
import { keepUnknown } from '../../model/vendor-options.js';
import { isOrphanedSignature } from '../shared/fields/portable-signature.js';
import { documentOf, isDocument, listOf, textOf, type Document } from '../shared/fields/json-fields.js';
import { historicCallId } from './call-ids.js';
import { camelled, camelFields } from '../shared/fields/proto-names.js';
import { GENERATE_FORMAT } from './id.js';
import { readPart, readSignature } from './read-part.js';

interface GeminiContent {
  readonly role?: string | null;
  readonly parts?: readonly Document[] | null;
}

/** Vendor option of a tool's result: its structure as it came. */
export const RESPONSE_AS_SENT = 'response (as sent)';

/**
 * Turns → messages. Results of functions become messages of their own; where neither call nor result has an id, a
 * result answers the first call of its name that has none yet.
 */
export function readContents(contents: readonly GeminiContent[]): readonly Message[] {
  const messages: Message[] = [];
  const unanswered: { readonly callId: string; readonly name: string }[] = [];
  for (const [at, content] of contents.entries()) {
    const role = content.role === 'model' ? 'assistant' : content.role === 'system' ? 'system' : 'user';
    let parts: ContentPart[] = [];
    for (const [position, sent] of (content.parts ?? []).entries()) {
      const result = camelled(camelFields(sent)['functionResponse']);
      if (isDocument(result)) {
        if (parts.length > 0) messages.push({ role, content: parts });
        parts = [];
        messages.push(readResult(result, unanswered));
        continue;
      }
      const part = readPart(sent, () => historicCallId(at, position));
      if (part.type === 'tool-call') unanswered.push(part);
      if (part.type !== 'reasoning') addPart(parts, part, false);
      else {
        const words = readSignature(camelFields(sent))?.words;
        addPart(parts, { ...part, text: words ?? part.text }, words !== undefined);
      }
    }
    if (parts.length > 0) messages.push({ role, content: parts });
  }
  return messages;
}

/**
 * Streams give thoughts in pieces and their signature with the last, often empty, one; histories are kept that way. The
 * pieces up to the signature are one.
 * @param isWhole  the part brings all the words of its thought
 */
function addPart(parts: ContentPart[], part: ContentPart, isWhole: boolean): void {
  const before = parts.at(-1);
  const joins =
    before !== undefined &&
    (before.type === 'reasoning' || before.type === 'text') &&
    before.type === part.type &&
    before.signature === undefined &&
    before.vendorOptions === undefined &&
    part.vendorOptions === undefined;
  if (joins && (part.type === 'reasoning' || part.text === '')) {
    parts[parts.length - 1] = isWhole ? part : { ...part, text: before.text + part.text };
  } else if (isWhole || part.type !== 'reasoning' || !isUnproven(part)) parts.push(part);
}

/** A thought that is only a signature of words that are gone. */
const isUnproven = ({ text, signature, isRedacted }: Extract<ContentPart, { type: 'reasoning' }>): boolean =>
  signature !== undefined && isOrphanedSignature({ signature, isRedacted: isRedacted === true }, text);

const KNOWN_RESULT_FIELDS: ReadonlySet<string> = new Set(['id', 'name', 'response', 'parts']);

/** A function's response, as the message it is elsewhere. */
export function readResult(
  result: Document,
  unanswered: { readonly callId: string; readonly name: string }[],
): Message {
  const name = textOf(result['name']);
  const givenId = textOf(result['id']);
  const position = unanswered.findIndex((call) =>
    givenId === undefined ? call.name === name : call.callId === givenId,
  );
  const call = position === -1 ? undefined : unanswered.splice(position, 1)[0];
  const response = documentOf(result['response']);
  const content: ContentPart[] = [{ type: 'text', text: textOfResponse(response, name) }];
  for (const item of listOf(result['parts'])) content.push(readPart(documentOf(item), () => ''));
  const rest = keepUnknown(GENERATE_FORMAT, result, KNOWN_RESULT_FIELDS)?.[GENERATE_FORMAT];
  return {
    role: 'tool',
    callId: givenId ?? call?.callId ?? '',
    content,
    ...(name === undefined ? {} : { name }),
    ...('error' in response && Object.keys(response).length === 1 ? { isError: true } : {}),
    vendorOptions: { [GENERATE_FORMAT]: { ...rest, [RESPONSE_AS_SENT]: response } },
  };
}

/** Results are text in other formats: words stand by themselves, structures as JSON. */
function textOfResponse(sent: Document, name: string | undefined): string {
  const { name: named, ...unnamed } = sent;
  // Vercel's AI SDK puts the function's name beside the words.
  const response = named !== undefined && named === name && 'content' in unnamed ? unnamed : sent;
  const names = Object.keys(response);
  const [only] = names;
  if (names.length === 1 && only !== undefined && WRAPPERS.has(only)) {
    const inside = response[only];
    return typeof inside === 'string' ? inside : JSON.stringify(inside);
  }
  return JSON.stringify(response);
}

/** Names under which words and lists are put to make an object of them. */
const WRAPPERS: ReadonlySet<string> = new Set(['content', 'result', 'output', 'error']);

/** The system's instruction, which may be a plain text, as the first message. */
export function systemMessage(instruction: string | GeminiContent | null | undefined): Message | undefined {
  if (instruction === null || instruction === undefined) return undefined;
  const content: ContentPart[] =
    typeof instruction === 'string'
      ? [{ type: 'text', text: instruction }]
      : (instruction.parts ?? []).map((part) => readPart(part, () => ''));
  return content.length === 0 ? undefined : { role: 'system', content };
}
