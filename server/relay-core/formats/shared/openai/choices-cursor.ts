import { JsonCursor } from '../../../framing/json-cursor.js';
import { spanIs, parseSpan } from '../metering/json-event-meter.js';

const DONE = Buffer.from('[DONE]');

/** Returns true when data is the marker that ends a stream, spaces behind it passed over. */
export function isDone(data: Buffer, start: number, end: number): boolean {
  let last = end;
  while (last > start && (data[last - 1] as number) <= 0x20) last -= 1;
  return last - start === DONE.length && data.compare(DONE, 0, DONE.length, start, last) === 0;
}

/** An `error` member that is empty is a vendor's way of saying "none". */
export function hasContent(error: unknown): boolean {
  if (typeof error === 'string') return error !== '';
  if (typeof error !== 'object' || error === null) return false;
  return Object.values(error).some((value) => value !== null && value !== '' && value !== 0);
}

const key = (name: string): Buffer => Buffer.from(name);
export const CHOICES = key('choices');
export const USAGE = key('usage');
export const ERROR = key('error');
export const X_GROQ = key('x_groq');
export const SERVICE_TIER = key('service_tier');
export const CREATED = key('created');
export const BASE_RESP = key('base_resp');
export const DELTA = key('delta');
export const MESSAGE = key('message');
export const FINISH_REASON = key('finish_reason');
export const ROLE = key('role');
export const ASSISTANT = key('assistant');
export const CONTENT = key('content');
export const REASONING_CONTENT = key('reasoning_content');
export const REASONING = key('reasoning');
export const REASONING_DETAILS = key('reasoning_details');
export const REFUSAL = key('refusal');
export const TOOL_CALLS = key('tool_calls');
export const FUNCTION_CALL = key('function_call');
export const FUNCTION = key('function');
export const INDEX = key('index');
export const CUSTOM = key('custom');
export const NAME = key('name');
export const ARGUMENTS = key('arguments');
export const INPUT = key('input');
export const AUDIO = key('audio');
export const TRANSCRIPT = key('transcript');
export const TEXT = key('text');
export const THINKING = key('thinking');
export const IMAGES = key('images');
export const DATA = key('data');
/** Further names of reasoning, at servers that took them from other APIs. */
export const MORE_REASONING = ['thinking', 'thoughts', 'thought', 'reasoning_text', 'thinking_content'].map(
  key,
);
/** Members with the sentence of a failure at vendors without an `error` member. */
export const SENTENCES = ['message', 'detail', 'msg', 'err', 'error_msg', 'error_message', 'errors'].map(key);
/** Members of a message that are about it and not part of it. */
export const ABOUT_MESSAGE = ['name', 'id', 'index', 'type', 'tool_call_id', 'obfuscation', 'padding'].map(
  key,
);
/** Members of a piece of reasoning that is not shown. */
export const SEALS = ['data', 'signature'].map(key);
export const ABOUT_PART = ['type', 'id', 'index', 'signature', 'format', 'cache_control'].map(key);

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
