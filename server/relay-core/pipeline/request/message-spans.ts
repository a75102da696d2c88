import { JsonCursor, MAX_JSON_NODES } from '../../framing/json-cursor.js';
import type { FieldSpan } from '../../framing/json-splice.js';

/** One message, or item, of a list in a caller's bytes. */
export interface MessageSpan {
  readonly start: number;
  readonly end: number;
  /** Empty = it names none. */
  readonly role: string;
}

const ROLE = Buffer.from('role');
const QUOTE = 0x22;
const cursor = new JsonCursor(MAX_JSON_NODES);

/** Messages of the list at `span`, in order; empty when it is no list of objects. */
export function messageSpans(
  bytes: Buffer,
  { start, end }: Pick<FieldSpan, 'start' | 'end'>,
): readonly MessageSpan[] {
  const found: MessageSpan[] = [];
  cursor.reset(bytes, start, end);
  if (!cursor.enterArray()) return found;
  while (cursor.nextElement()) {
    cursor.peek();
    const from = cursor.at;
    const role = roleAtCursor();
    if (role === undefined) return [];
    found.push({ start: from, end: cursor.at, role });
  }
  return cursor.fault === null ? found : [];
}

/** Undefined = no object, or a fault. */
function roleAtCursor(): string | undefined {
  let role = '';
  if (!cursor.enterObject()) return undefined;
  while (cursor.nextMember()) {
    const first = cursor.peek();
    const from = cursor.at;
    const isRole = !cursor.keyEscaped && cursor.keyIs(ROLE) && first === QUOTE;
    if (!cursor.skipValue()) return undefined;
    if (isRole) role = cursor.bytes.toString('latin1', from + 1, cursor.at - 1);
  }
  return cursor.fault === null ? role : undefined;
}

/** One past the first message of the list; the list's end when it has none. */
export function endOfFirstMessage(bytes: Buffer, { start, end }: Pick<FieldSpan, 'start' | 'end'>): number {
  cursor.reset(bytes, start, end);
  if (!cursor.enterArray() || !cursor.nextElement() || !cursor.skipValue()) return end;
  return cursor.at;
}
