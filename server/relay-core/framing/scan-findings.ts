import { MARKS, SCAN_FLAGS, TURN_MARKS, USUAL_ID } from './scan-flags.js';

const QUOTE = 0x22;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const SPACE = 0x20;
const BANG = 0x21;
const SMALL_N = 0x6e;
const CONTENT = Buffer.from('content');
const CALLS = ['tool_calls', 'function_call'].map((name) => Buffer.from(name));

const SMALL_A = 0x61;
const SMALL_S = 0x73;
const SMALL_D = 0x64;
const SMALL_T = 0x74;
const BACKSLASH = 0x5c;

/** Findings in one object of a document, kept while the scan is inside of it. */
const TURN = { assistant: 1, content: 2, calls: 4 } as const;

/** The place of a member: its key without quotes, and the start of its value. */
interface MemberPlace {
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly at: number;
}

/** The findings in an object behind a member with marks of turns. */
export function withTurnMark(bytes: Buffer, turn: number, place: MemberPlace, marks: number): number {
  const found =
    (marks & TURN_MARKS.content) !== 0 && isNamed(bytes, place, CONTENT)
      ? TURN.content
      : (marks & TURN_MARKS.calls) !== 0 && CALLS.some((name) => isNamed(bytes, place, name))
        ? TURN.calls
        : 0;
  // A key that is given twice counts as its last one.
  return isFilledAt(bytes, place.at) ? turn | found : turn & ~found;
}

/** Compares bytes by itself: a call into Node costs more than seven bytes. */
function isNamed(bytes: Buffer, { keyStart, keyEnd }: MemberPlace, name: Buffer): boolean {
  if (keyEnd - keyStart !== name.length) return false;
  for (let index = 0; index < name.length; index += 1)
    if (bytes[keyStart + index] !== name[index]) return false;
  return true;
}

/** True when a role whose value begins at `at` may be the assistant's. */
export const isAssistantAt = (bytes: Buffer, at: number): boolean =>
  bytes[at + 1] === SMALL_A || bytes[at + 1] === BACKSLASH;

/** The findings in an object that has the assistant's role. */
export const asAssistant = (turn: number): number => turn | TURN.assistant;

/** The flags of a document by the findings in an object that ends. */
export const flagsOfTurn = (turn: number): number =>
  (turn & (TURN.assistant | TURN.content)) !== TURN.assistant
    ? 0
    : (turn & TURN.calls) === 0
      ? SCAN_FLAGS.textlessTurn | SCAN_FLAGS.bareTurn
      : SCAN_FLAGS.textlessTurn;

/** The flags of a text whose value begins at `at`: a content of empty texts alone holds nothing. */
export function flagsOfText(bytes: Buffer, at: number): number {
  if (!isFilledAt(bytes, at)) return SCAN_FLAGS.textlessTurn | SCAN_FLAGS.bareTurn | SCAN_FLAGS.blankText;
  return isBlankAt(bytes, at) ? SCAN_FLAGS.blankText : 0;
}

/** The flags of a content whose value begins at `at`. */
export const flagsOfContent = (bytes: Buffer, at: number): number =>
  isBlankAt(bytes, at) ? SCAN_FLAGS.blankText : 0;

/** True of a string of blanks and of the escapes of line ends and tabs. */
function isBlankAt(bytes: Buffer, at: number): boolean {
  if (bytes[at] !== QUOTE) return false;
  let next = at + 1;
  while (bytes[next] === SPACE || (bytes[next] === BACKSLASH && WHITE_ESCAPES.has(bytes[next + 1] as number)))
    next += bytes[next] === SPACE ? 1 : 2;
  return bytes[next] === QUOTE;
}
/** `n`, `r` and `t`. */
const WHITE_ESCAPES: ReadonlySet<number> = new Set([0x6e, 0x72, 0x74]);

/** False of `null`, an empty text and an empty list. */
function isFilledAt(bytes: Buffer, at: number): boolean {
  const first = bytes[at];
  if (first === QUOTE) return bytes[at + 1] !== QUOTE;
  if (first !== OPEN_ARRAY) return first !== SMALL_N;
  let next = at + 1;
  while ((bytes[next] ?? CLOSE_ARRAY) <= SPACE) next += 1;
  return bytes[next] !== CLOSE_ARRAY;
}

/** The flags of a document, and of a role whose value begins at `at`, by its first letter. @param flags  of the document so far */
export function withFlagsOfRole(bytes: Buffer, at: number, flags: number): number {
  const letter = bytes[at + 1];
  if (letter === SMALL_A) {
    const answering = flags | SCAN_FLAGS.assistant;
    return (flags & SCAN_FLAGS.answered) === 0
      ? (answering & ~SCAN_FLAGS.bareRound) | SCAN_FLAGS.unsigned
      : answering & ~SCAN_FLAGS.answered;
  }
  if (letter === SMALL_T) return flags | SCAN_FLAGS.toolTurn;
  if (letter === SMALL_D) return flags | SCAN_FLAGS.developer;
  if (letter === BACKSLASH) return flags | SCAN_FLAGS.assistant | SCAN_FLAGS.toolTurn;
  if (letter !== SMALL_S) return flags;
  return flags | ((flags & SCAN_FLAGS.system) === 0 ? SCAN_FLAGS.system : SCAN_FLAGS.systems);
}

/** The flags of a document behind a key with marks. */
export function withFlagsOfMarks(bytes: Buffer, flags: number, { at }: MemberPlace, marks: number): number {
  if ((marks & MARKS.text) !== 0)
    return bytes[at + 1] === BANG && beginsPicture(bytes, at + 1) ? flags | SCAN_FLAGS.markdownImage : flags;
  if ((marks & MARKS.agent) !== 0) return flags | SCAN_FLAGS.agent;
  if ((marks & MARKS.signed) !== 0) return flags & ~SCAN_FLAGS.unsigned;
  if ((marks & MARKS.result) !== 0)
    return flags | SCAN_FLAGS.answered | ((flags & SCAN_FLAGS.unsigned) === 0 ? 0 : SCAN_FLAGS.bareRound);
  const found = isLongId(bytes, at) ? flags | SCAN_FLAGS.longId : flags;
  return (marks & SCAN_FLAGS.id) !== 0 && isOtherItemId(bytes, at) ? found | SCAN_FLAGS.otherItemId : found;
}

const OWN_ITEM_IDS = ['"msg', '"fc', '"rs', '"ctc'].map((text) => Buffer.from(text));
const isOtherItemId = (bytes: Buffer, at: number): boolean =>
  bytes[at] === QUOTE &&
  !OWN_ITEM_IDS.some((start) => start.every((byte, index) => bytes[at + index] === byte));

const PICTURE = Buffer.from('![image](data:');
const beginsPicture = (bytes: Buffer, at: number): boolean =>
  PICTURE.every((byte, index) => bytes[at + index] === byte);

/** True when the text that begins at `at` is longer than an id that every vendor takes. */
function isLongId(bytes: Buffer, at: number): boolean {
  if (bytes[at] !== QUOTE) return false;
  const end = at + USUAL_ID + 1;
  for (let index = at + 1; index <= end; index += 1) if (bytes[index] === QUOTE) return false;
  return end < bytes.length;
}
