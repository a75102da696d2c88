import { SCAN_FLAGS } from '../../framing/scan-flags.js';
import { readField, scanObject, spliceFields, type ScannedObject } from '../../framing/json-splice.js';
import {
  documentOf,
  isDocument,
  listOf,
  textOf,
  type Document,
} from '../../formats/shared/fields/json-fields.js';
import { mayHoldToolsItem } from '../../formats/shared/openai/additional-tools.js';
import type { InstructionRules } from '../../model/vendor-description.js';
import { BLANK_LINE } from './join-instructions.js';
import { endOfFirstMessage, type MessageSpan, messageSpans } from './message-spans.js';

/** Members of a client API with its turns, and with the instructions outside of them. */
interface InstructionPlaces {
  readonly list: string;
  /** Absent = the first message of the list. */
  readonly head?: 'instructions' | 'system';
}

const PLACES: Readonly<Record<string, InstructionPlaces>> = {
  'openai-chat': { list: 'messages' },
  'openai-responses': { list: 'input', head: 'instructions' },
  'anthropic-messages': { list: 'messages', head: 'system' },
};

const SYSTEM = Buffer.from('"system"');

/**
 * True when a caller's bytes may hold instructions that the vendor does not take where they stand: by the roles that the scan of the body
 * found. The messages are not parsed.
 */
export function mayMisplaceInstructions(
  { bytes, members, scanFlags = ANY_ROLE }: ScannedObject,
  format: string,
  { developer, place }: InstructionRules,
): boolean {
  const places = PLACES[format];
  const span = places === undefined ? undefined : members.get(places.list);
  if (places === undefined || span === undefined) return false;
  if (!developer && (scanFlags & SCAN_FLAGS.developer) !== 0) return true;
  if (place === 'anywhere' || (scanFlags & SCAN_FLAGS.system) === 0) return false;
  if ((scanFlags & SCAN_FLAGS.systems) !== 0 || places.head === 'system' || members.has(places.head ?? ''))
    return true;
  return !bytes.subarray(span.start, endOfFirstMessage(bytes, span)).includes(SYSTEM);
}

/** Flags of a document whose roles nothing is known of. */
const ANY_ROLE = SCAN_FLAGS.system | SCAN_FLAGS.systems | SCAN_FLAGS.developer;

/**
 * A caller's body with its instructions as the vendor takes them; all other messages keep their bytes.
 * @returns the same buffer when nothing changes, and the first message that left its place between turns
 */
export function placeInstructions(
  body: Buffer,
  format: string,
  rules: InstructionRules,
): { readonly body: Buffer; readonly moved: string | undefined } {
  const unchanged = { body, moved: undefined };
  const places = PLACES[format];
  const document = scanObject(body);
  if (places === undefined || typeof document === 'string') return unchanged;
  const span = document.members.get(places.list);
  if (span === undefined) return unchanged;
  const spans = messageSpans(document.bytes, span);
  const isInstruction = ({ role, start, end }: MessageSpan): boolean =>
    (role === 'system' || role === 'developer') && !mayHoldToolsItem(document.bytes.subarray(start, end));
  const instructions = spans.filter(isInstruction);
  if (instructions.length === 0) return unchanged;
  const kept = spans.filter((turn) => !isInstruction(turn));
  const parsed = instructions.map((turn) => parsedAt(document.bytes, turn));
  if (rules.place === 'anywhere') {
    if (rules.developer || !instructions.some(({ role }) => role === 'developer')) return unchanged;
    const texts = spans.map((turn) =>
      turn.role === 'developer'
        ? Buffer.from(JSON.stringify({ ...parsedAt(document.bytes, turn), role: 'system' }))
        : document.bytes.subarray(turn.start, turn.end),
    );
    return { body: withList(document, places.list, texts), moved: undefined };
  }
  const isAtHead = instructions.length === 1 && spans[0] === instructions[0];
  if (isAtHead && spans[0]?.role === 'system' && isHeadFree(document, places)) return unchanged;
  const firstTurn = spans.findIndex((turn) => !isInstruction(turn));
  const movedAt =
    firstTurn === -1 ? -1 : spans.findIndex((turn, at) => at > firstTurn && isInstruction(turn));
  const moved = movedAt === -1 ? undefined : `${places.list}.${movedAt}`;
  const rest = kept.map(({ start, end }) => document.bytes.subarray(start, end));
  if (places.head === undefined) {
    const head = {
      ...oneOrNone(parsed),
      role: 'system',
      content: joinContents(parsed.map((one) => one['content'])),
    };
    return { body: withList(document, places.list, [Buffer.from(JSON.stringify(head)), ...rest]), moved };
  }
  const before = readField(document, places.head);
  const contents = [before, ...parsed.map((one) => one['content'])].filter(isFilled);
  const outside = places.head === 'instructions' ? textOfAll(contents) : joinContents(contents);
  const listed = scanObject(withList(document, places.list, rest));
  if (typeof listed === 'string') return unchanged;
  return { body: spliceFields(listed, new Map([[places.head, outside]])), moved };
}

/** Items of the Responses API may be instructions without a member outside; the Messages API has no such role. */
const isHeadFree = ({ members }: ScannedObject, { head }: InstructionPlaces): boolean =>
  head === undefined || (head === 'instructions' && !members.has(head));

const isFilled = (content: unknown): boolean => content !== undefined && content !== null && content !== '';

const parsedAt = (bytes: Buffer, { start, end }: MessageSpan): Document =>
  documentOf(JSON.parse(bytes.toString('utf8', start, end)) as unknown);

/** Members of a single message, a speaker's name for one; of several they would contradict each other. */
const oneOrNone = (messages: readonly Document[]): Document =>
  messages.length === 1 ? (messages[0] ?? {}) : {};

function withList(document: ScannedObject, list: string, texts: readonly Buffer[]): Buffer {
  const { bytes } = document;
  const span = document.members.get(list);
  if (span === undefined) return bytes;
  const parts: Buffer[] = [bytes.subarray(0, span.start), Buffer.from('[')];
  for (const [index, text] of texts.entries()) {
    if (index > 0) parts.push(COMMA);
    parts.push(text);
  }
  parts.push(Buffer.from(']'), bytes.subarray(span.end));
  return Buffer.concat(parts);
}
const COMMA = Buffer.from(',');

/** One text where all are texts, or lists of one plain text; else a list of their parts, so that marks of the cache stay. */
function joinContents(contents: readonly unknown[]): unknown {
  const filled = contents.filter(isFilled);
  const texts = filled.map(plainText);
  if (texts.every((text) => text !== undefined)) return texts.join(BLANK_LINE);
  return filled.flatMap((content, index) => {
    const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content);
    const [first, ...rest] = parts;
    const text = isDocument(first) ? textOf(first['text']) : undefined;
    if (index === 0 || text === undefined) return parts;
    return [{ ...documentOf(first), text: `${BLANK_LINE}${text}` }, ...rest];
  });
}

function plainText(content: unknown): string | undefined {
  if (typeof content === 'string') return content;
  const [only, ...others] = listOf(content);
  if (!isDocument(only) || others.length > 0) return undefined;
  const isPlain = Object.keys(only).every((name) => name === 'type' || name === 'text');
  return isPlain ? textOf(only['text']) : undefined;
}

/** Texts of items of the Responses API, in order. */
const textOfAll = (contents: readonly unknown[]): string =>
  contents
    .flatMap((content) =>
      typeof content === 'string'
        ? [content]
        : listOf(content).flatMap((part) => textOf(documentOf(part)['text']) ?? []),
    )
    .join(BLANK_LINE);
