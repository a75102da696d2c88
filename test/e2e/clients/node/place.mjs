/** Address, scenario and verdict of a client's call. */
import { isDeepStrictEqual } from 'node:util';

export const SETTINGS = JSON.parse(process.env.CLIENT_SETTINGS);
export const { answer: ANSWER, thought: THOUGHT, toolResult: TOOL_RESULT, source: SOURCE } = SETTINGS;
export const { picture: PICTURE, pdf: PDF, longHistory: LONG_HISTORY } = SETTINGS;
export const CAP = 9_000;

export const LOOKUP_SCHEMA = {
  type: 'object',
  properties: { city: { type: 'string', description: 'Name of the city' }, days: { type: 'integer' } },
  required: ['city'],
};
export const NO_ARGUMENTS = { type: 'object', properties: {} };
export const FORM_SCHEMA = {
  type: 'object',
  properties: { city: { type: 'string' }, degrees: { type: 'integer' } },
  required: ['city', 'degrees'],
  additionalProperties: false,
};
export const FORM = { city: 'Zürich', degrees: 21 };
const LOOKUP_CALL = ['lookup', { city: 'Zürich', days: 3 }];
const NOW_CALL = ['now', {}];

/** Calls that the vendor asks for in a scenario: name and arguments. */
export const callsOf = (name) => (name.startsWith('parallel') ? [LOOKUP_CALL, NOW_CALL] : [LOOKUP_CALL]);

/** The answer is not the one that the vendor gave. */
class Wrong extends Error {
  name = 'Wrong';
}

export const question = (name) => `[${name}] How is the weather in Zürich?`;

export function same(actual, wanted, what = 'answer') {
  if (!isDeepStrictEqual(actual, wanted))
    throw new Wrong(`${what}: ${JSON.stringify(actual)} instead of ${JSON.stringify(wanted)}`);
}

export function holds(value, what) {
  if (!value) throw new Wrong(what);
}

/** The error that a call ends with. */
export async function raised(call) {
  let answer;
  try {
    answer = await call();
  } catch (error) {
    return error;
  }
  throw new Wrong(`no error was raised, but ${JSON.stringify(answer)?.slice(0, 200)}`);
}

/** Reads a stream to its end. */
export async function drain(stream) {
  const pieces = [];
  for await (const piece of stream) pieces.push(piece);
  return pieces;
}

/** Questions and answers of a long conversation, the last one open. */
export function history() {
  const turns = [];
  for (let at = 0; at < LONG_HISTORY; at += 1) {
    turns.push({ role: 'user', text: at === 0 ? question('long-history') : `Question ${at}?` });
    turns.push({ role: 'assistant', text: `Answer ${at}.` });
  }
  return [...turns, { role: 'user', text: 'And now?' }];
}

/** Every package must report an error at once, without a retry. */
export const noRetries = { maxRetries: 0 };
