import { onTheWire } from '../replay/replay-upstream.mjs';
import type { Answer } from './matrix-answer.js';
import { CHAT_ANSWERS } from './matrix-chat-answers.js';
import { MEDIA_ANSWERS, PICTURE } from './matrix-other-answers.js';

/** Keys are the vendor's formats. */
export const ANSWERS: Readonly<Record<string, Answer>> = {
  ...CHAT_ANSWERS,
  ...MEDIA_ANSWERS,
  'spark-chat': CHAT_ANSWERS['openai-chat'] ?? {},
};

/** Content every caller of an operation must find in the answer. */
export const PIECES: Readonly<Record<string, readonly string[]>> = {
  chat: ['Looking.', 'Hm.', 'weather', 'Oslo'],
  embed: ['[1,0]'],
  rerank: ['0.75'],
  image: [PICTURE],
  speak: ['ID3 sound'],
  transcribe: ['Hello there.'],
  moderate: ['0.001'],
  submit: ['task-of-the-vendor'],
};

/**
 * The bytes of an answer and their type.
 * @param isInvoked  events lie in AWS frames of their own
 * @param change  of the JSON of a whole answer, or of an event
 */
export function answerBytes(
  apiFormat: string,
  stream: boolean,
  isInvoked: boolean,
  change: (json: string) => string = (json) => json,
): { readonly type: string; readonly body: Buffer } {
  const answer = ANSWERS[apiFormat];
  if (answer === undefined) throw new Error(`nobody wrote an answer of ${apiFormat}`);
  if (answer.bytes !== undefined) return answer.bytes;
  if (!stream && answer.whole !== undefined)
    return { type: 'application/json', body: Buffer.from(change(JSON.stringify(answer.whole))) };
  const events = (answer.events ?? []).map((event) => {
    const text = change(JSON.stringify(event));
    return isInvoked ? JSON.stringify({ chunk: { bytes: Buffer.from(text).toString('base64') } }) : text;
  });
  const recording = {
    name: apiFormat,
    vendor: apiFormat,
    api: '',
    form: 'chunks' as const,
    bytes: Buffer.from(events.join('\n')),
  };
  return onTheWire(recording, isInvoked ? 'aws' : (answer.framing ?? 'sse'));
}
