import { describe, expect, it } from '@jest/globals';
import { MessagesMeter } from '../../anthropic-messages/meter.js';
import { ConverseMeter } from '../../../providers/bedrock/converse/index.js';
import { CohereChatMeter } from '../../../providers/cohere/chat/meter.js';
import { DifyMeter } from '../../../providers/dify/chat/meter.js';
import { GenerateMeter } from '../../gemini-generate/meter.js';
import { OllamaChatMeter } from '../../../providers/ollama/chat/index.js';
import { ChoicesMeter } from '../openai/openai-choices-meter.js';
import { ResponsesMeter } from '../../openai-responses/meter.js';
import type { ReplyMeter } from '../../contract/reply-meter.js';

/** One format's way to end an answer as complete with nothing in it. */
interface Silence {
  readonly meter: () => ReplyMeter;
  readonly whole: (input: number, output: number) => object;
  /** Events from the first to the last; `text` undefined = nothing comes before the end. */
  readonly events: (text: string | undefined, output: number) => readonly object[];
}

const maybe = (text: string | undefined, event: (text: string) => object): readonly object[] =>
  text === undefined ? [] : [event(text)];

const FORMATS: Readonly<Record<string, Silence>> = {
  'openai-chat': {
    meter: () => new ChoicesMeter(),
    whole: (input, output) => ({
      choices: [{ message: { content: '' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: input, completion_tokens: output },
    }),
    events: (text, output) => [
      ...maybe(text, (content) => ({ choices: [{ delta: { content } }] })),
      { choices: [{ delta: {}, finish_reason: 'stop' }] },
      { choices: [], usage: { prompt_tokens: 9, completion_tokens: output } },
    ],
  },
  'openai-responses': {
    meter: () => new ResponsesMeter(),
    whole: (input, output) => ({
      status: 'completed',
      output: [{ type: 'message', content: [{ type: 'output_text', text: '' }] }],
      usage: { input_tokens: input, output_tokens: output },
    }),
    events: (text, output) => [
      ...maybe(text, (delta) => ({ type: 'response.output_text.delta', output_index: 0, delta })),
      {
        type: 'response.completed',
        response: { output: [], usage: { input_tokens: 9, output_tokens: output } },
      },
    ],
  },
  'anthropic-messages': {
    meter: () => new MessagesMeter(),
    whole: (input, output) => ({
      type: 'message',
      content: [],
      stop_reason: 'end_turn',
      usage: { input_tokens: input, output_tokens: output },
    }),
    events: (text, output) => [
      { type: 'message_start', message: { id: 'a', content: [], usage: { input_tokens: 9 } } },
      ...maybe(text, (piece) => ({ type: 'content_block_delta', delta: { text: piece } })),
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: output } },
    ],
  },
  'gemini-generate': {
    meter: () => new GenerateMeter(),
    whole: (input, output) => ({
      candidates: [{ content: { parts: [{ text: '' }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: input, candidatesTokenCount: output },
    }),
    events: (text, output) => [
      ...maybe(text, (piece) => ({ candidates: [{ content: { parts: [{ text: piece }] } }] })),
      {
        candidates: [{ finishReason: 'STOP' }],
        usageMetadata: { promptTokenCount: 9, candidatesTokenCount: output },
      },
    ],
  },
  'bedrock-converse': {
    meter: () => new ConverseMeter(),
    whole: (input, output) => ({
      output: { message: { content: [] } },
      stopReason: 'end_turn',
      usage: { inputTokens: input, outputTokens: output },
    }),
    events: (text, output) => [
      ...maybe(text, (piece) => ({ delta: { text: piece } })),
      { stopReason: 'end_turn' },
      { usage: { inputTokens: 9, outputTokens: output } },
    ],
  },
  'cohere-chat': {
    meter: () => new CohereChatMeter(),
    whole: (input, output) => ({
      message: { content: [] },
      finish_reason: 'COMPLETE',
      usage: { billed_units: { input_tokens: input, output_tokens: output } },
    }),
    events: (text, output) => [
      ...maybe(text, (piece) => ({
        type: 'content-delta',
        delta: { message: { content: { text: piece } } },
      })),
      {
        type: 'message-end',
        delta: {
          finish_reason: 'COMPLETE',
          usage: { billed_units: { input_tokens: 9, output_tokens: output } },
        },
      },
    ],
  },
  'ollama-chat': {
    meter: () => new OllamaChatMeter(),
    whole: (input, output) => ({
      message: { content: '' },
      done: true,
      done_reason: 'stop',
      prompt_eval_count: input,
      eval_count: output,
    }),
    events: (text, output) => [
      ...maybe(text, (content) => ({ message: { content }, done: false })),
      { message: { content: '' }, done: true, prompt_eval_count: 9, eval_count: output },
    ],
  },
  'dify-chat': {
    meter: () => new DifyMeter(),
    whole: (input, output) => ({
      answer: '',
      metadata: { usage: { prompt_tokens: input, completion_tokens: output } },
    }),
    events: (text, output) => [
      ...maybe(text, (answer) => ({ event: 'message', answer })),
      {
        event: 'message_end',
        metadata: { usage: { prompt_tokens: 9, completion_tokens: output } },
      },
    ],
  },
};

function feed(meter: ReplyMeter, events: readonly object[]): readonly string[] {
  return events.map((event) => {
    const bytes = Buffer.from(JSON.stringify(event));
    return meter.readEvent(bytes, 0, bytes.length, '');
  });
}

describe.each(Object.entries(FORMATS))(
  'an answer that ends as complete over %s [UP-09]',
  (name, apiFormat) => {
    const zeroVerdict = name === 'ollama-chat' ? 'empty' : 'answer';

    it.each([
      ['is empty when nothing is in it', 9, 0, 'empty'],
      ['is an answer when output was made', 9, 2, 'answer'],
      // Ollama leaves a prompt uncounted that lay in its cache: zero is not "nothing was used" there.
      ['is an answer that costs nothing when nothing was used (BIL-07)', 0, 0, zeroVerdict],
    ] as const)('%s', (_what, input, output, verdict) => {
      expect(apiFormat.meter().readWhole(Buffer.from(JSON.stringify(apiFormat.whole(input, output))))).toBe(
        verdict,
      );
    });

    it('proves nothing in a stream when nothing came before it', () => {
      const meter = apiFormat.meter();
      expect(feed(meter, apiFormat.events(undefined, 0))).not.toContain('content');
      expect([meter.hasFinish, meter.endedInSilence]).toEqual([true, true]);
    });

    it('ends an answer when something came, or was made', () => {
      const spoken = apiFormat.meter();
      expect(feed(spoken, apiFormat.events('hi', 0))).toContain('content');
      expect([spoken.hasFinish, spoken.endedInSilence]).toEqual([true, false]);
      const made = apiFormat.meter();
      feed(made, apiFormat.events(undefined, 2));
      expect(made.endedInSilence).toBe(false);
    });
  },
);
