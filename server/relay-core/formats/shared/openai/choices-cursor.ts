import { JsonCursor } from '../../../framing/json-cursor.js';
import { ASSISTANT } from './choices-keys.js';
import { parseSpan } from '../metering/json-event-meter.js';

const QUOTE = 0x22;
const ZERO = 0x30;

/** Shared by all meters of choices: a document is walked in one go, so no two meters ever stand on it. */
export const cursor = new JsonCursor();

/** A text that is not the one role of who answers. */
export function isForeignRole(): boolean {
  const isText = cursor.peek() === QUOTE;
  const from = cursor.at + 1;
  if (!cursor.skipValue() || !isText) return false;
  return cursor.bytes.compare(ASSISTANT, 0, ASSISTANT.length, from, cursor.at - 1) !== 0;
}

/** Most are one digit. */
export function takeIndex(): unknown {
  const digit = cursor.peek() - ZERO;
  const from = cursor.at;
  if (!cursor.skipValue()) return undefined;
  return cursor.at - from === 1 && digit >= 0 && digit <= 9
    ? digit
    : parseSpan(cursor.bytes, from, cursor.at);
}

export function takeValue(): unknown {
  cursor.peek();
  const from = cursor.at;
  return cursor.skipValue() ? parseSpan(cursor.bytes, from, cursor.at) : undefined;
}

/** False = it is something else, and was passed. */
export function entersObject(): boolean {
  cursor.peek();
  return cursor.enterObject() || passes();
}

export function entersArray(): boolean {
  cursor.peek();
  return cursor.enterArray() || passes();
}

function passes(): false {
  cursor.skipValue();
  return false;
}
