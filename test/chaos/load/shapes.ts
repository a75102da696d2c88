import { MODEL_SCRIPTS, type ModelName } from '../rig/upstream-models.js';

export type Dialect = 'chat' | 'anthropic' | 'responses' | 'gemini';

/** One kind of call in the mix. */
export interface Shape {
  readonly name: string;
  readonly dialect: Dialect;
  readonly model: ModelName;
  readonly isStreamed: boolean;
  /** Hangs up after so many chunks at most; undefined = stays to the end. */
  readonly leavesWithin?: number;
  /** Frequency beside the others. */
  readonly weight: number;
}

/** A usual day: plain, streamed and translated calls, and clients that leave. */
export const MIXED_SHAPES: readonly Shape[] = [
  { name: 'stream', dialect: 'chat', model: 'fx-std', isStreamed: true, weight: 30 },
  { name: 'long stream', dialect: 'chat', model: 'fx-long', isStreamed: true, weight: 5 },
  { name: 'stream without usage', dialect: 'chat', model: 'fx-nousage', isStreamed: true, weight: 8 },
  { name: 'whole', dialect: 'chat', model: 'fx-json', isStreamed: false, weight: 10 },
  { name: 'priced per call', dialect: 'chat', model: 'fx-price', isStreamed: false, weight: 5 },
  { name: 'free', dialect: 'chat', model: 'fx-free', isStreamed: false, weight: 4 },
  { name: 'messages', dialect: 'anthropic', model: 'fx-std', isStreamed: true, weight: 10 },
  { name: 'message', dialect: 'anthropic', model: 'fx-json', isStreamed: false, weight: 4 },
  { name: 'responses', dialect: 'responses', model: 'fx-std', isStreamed: true, weight: 8 },
  { name: 'generated', dialect: 'gemini', model: 'fx-std', isStreamed: true, weight: 6 },
  { name: 'left', dialect: 'chat', model: 'fx-std', isStreamed: true, leavesWithin: 40, weight: 8 },
  { name: 'left early', dialect: 'chat', model: 'fx-long', isStreamed: true, leavesWithin: 3, weight: 2 },
];

export interface Question {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const TEXT = 'Say tok 50 times';

/** The gateway's own count of the prompts below, used when a vendor breaks off without a report. */
export const COUNTED_PROMPT: Readonly<Record<Dialect, number>> = {
  chat: 10,
  anthropic: 15,
  responses: 9,
  gemini: 15,
};

/** The request of a shape; the upstream finds `marker` in it again. */
export function questionOf(shape: Shape, marker: number, key: string): Question {
  const mark = `mark-${String(marker).padStart(9, '0')}`;
  const cap = MODEL_SCRIPTS[shape.model].tokens;
  const { model, isStreamed: stream } = shape;
  const bearer = { authorization: `Bearer ${key}` };
  const marked = `${TEXT} ${mark}`;
  switch (shape.dialect) {
    case 'chat': {
      // The marker stands where it is not counted: what the gateway counts by itself stays 10 tokens.
      const messages = [{ role: 'user', content: TEXT }];
      const body = { model, stream, messages, max_tokens: cap, user: mark };
      return { path: '/v1/chat/completions', headers: bearer, body: JSON.stringify(body) };
    }
    case 'anthropic': {
      const body = { model, stream, max_tokens: cap, messages: [{ role: 'user', content: marked }] };
      const headers = { 'x-api-key': key, 'anthropic-version': '2023-06-01' };
      return { path: '/v1/messages', headers, body: JSON.stringify(body) };
    }
    case 'responses': {
      const body = { model, stream, input: marked, max_output_tokens: cap };
      return { path: '/v1/responses', headers: bearer, body: JSON.stringify(body) };
    }
    case 'gemini': {
      const contents = [{ role: 'user', parts: [{ text: marked }] }];
      const body = { contents, generationConfig: { maxOutputTokens: cap } };
      const path = `/v1beta/models/${model}:streamGenerateContent?alt=sse`;
      return { path, headers: { 'x-goog-api-key': key }, body: JSON.stringify(body) };
    }
  }
}

/** End marker of a stream in each dialect; the reply must also be whole. */
const END_MARKERS: Readonly<Record<Dialect, string>> = {
  chat: 'data: [DONE]',
  anthropic: 'event: message_stop',
  responses: 'event: response.completed',
  gemini: '"finishReason":"STOP"',
};

export const endMarkerOf = (shape: Shape): string => END_MARKERS[shape.dialect];
