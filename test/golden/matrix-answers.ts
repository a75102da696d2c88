import { onTheWire } from '../replay/replay-upstream.mjs';
import type { Answer } from './matrix-answer.js';
import { CHAT_ANSWERS } from './matrix-chat-answers.js';
import { MEDIA_ANSWERS, PICTURE } from './matrix-other-answers.js';

/** By the vendor's wire. */
export const ANSWERS: Readonly<Record<string, Answer>> = { ...CHAT_ANSWERS, ...MEDIA_ANSWERS };

/** What every caller of an operation must find in the answer. */
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

/** The bytes of an answer and their type. @param isInvoked  events lie in AWS frames of their own */
export function answerBytes(
  wire: string,
  stream: boolean,
  isInvoked: boolean,
): { readonly type: string; readonly body: Buffer } {
  const answer = ANSWERS[wire];
  if (answer === undefined) throw new Error(`nobody wrote an answer of ${wire}`);
  if (answer.bytes !== undefined) return answer.bytes;
  if (!stream) return { type: 'application/json', body: Buffer.from(JSON.stringify(answer.whole)) };
  const events = (answer.events ?? []).map((event) =>
    isInvoked ? { chunk: { bytes: Buffer.from(JSON.stringify(event)).toString('base64') } } : event,
  );
  const recording = {
    ...{ name: wire, vendor: wire, api: '', form: 'chunks' as const },
    bytes: Buffer.from(events.map((event) => JSON.stringify(event)).join('\n')),
  };
  return onTheWire(recording, isInvoked ? 'aws' : (answer.framing ?? 'sse'));
}
