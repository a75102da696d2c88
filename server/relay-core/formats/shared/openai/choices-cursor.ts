import { JsonCursor } from '../../../framing/json-cursor.js';
import { ASSISTANT } from './choices-keys.js';
import { spanIs, parseSpan } from '../metering/json-event-meter.js';

const QUOTE = 0x22;

/** Shared by all meters of choices: a document is walked in one go, so no two meters ever stand on it. */
export const cursor = new JsonCursor();

/** A text that is not the one role of who answers. */
export function isOtherRole(): boolean {
  const isText = cursor.peek() === QUOTE;
  const from = cursor.at + 1;
  if (!cursor.skipValue() || !isText) return false;
  return !spanIs(cursor.bytes, from, cursor.at - 1, ASSISTANT);
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
