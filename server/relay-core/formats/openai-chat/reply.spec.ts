import { describe, expect, it } from '@jest/globals';
import { parsedBy } from '../../../../test/support/relay-calls.js';
import type { StreamEvent } from '../../model/stream-event.js';
import type { ReplyContext } from '../contract/api-format.js';
import { openaiChat } from './index.js';
import { ChoicesMeter } from '../shared/openai/openai-choices-meter.js';
import { ChatReplyReader } from './reply-reader.js';
import { ChatReplyWriter } from './reply-writer.js';

const CONTEXT: ReplyContext = {
  callId: 'call-1',
  createdAtSeconds: 1_700,
  model: 'asked',
  wantsStreamUsage: true,
};

const readAll = (...chunks: readonly unknown[]): StreamEvent[] => {
  const reader = new ChatReplyReader();
  return [
    ...chunks.flatMap((chunk) => reader.read(typeof chunk === 'string' ? chunk : JSON.stringify(chunk))),
    ...reader.finish(),
  ];
};
const delta = (value: object, more: object = {}) => ({
  id: 'x',
  choices: [{ index: 0, delta: value, ...more }],
});
const toolsOf = (events: readonly StreamEvent[]) => {
  const calls = new Map<number, { id: string; name: string; json: string }>();
  for (const event of events) {
    if (event.type === 'tool-input-start')
      calls.set(event.block, { id: event.callId, name: event.name, json: '' });
    if (event.type === 'tool-input-delta') {
      const call = calls.get(event.block);
      if (call !== undefined) call.json += event.json;
    }
  }
  return [...calls.values()];
};

describe('ChatReplyReader', () => {
  it('skips frames that cannot be read and nothing else', () => {
    expect(
      readAll('{', '5', '[]', delta({ content: 'a' })).filter(({ type }) => type === 'text-delta'),
    ).toHaveLength(1);
  });

  it.each([
    [
      'one index for several calls',
      [
        delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{' } }] }),
        delta({ tool_calls: [{ index: 0, function: { arguments: '}' } }] }),
        delta({ tool_calls: [{ index: 0, id: 'b', function: { name: 'g', arguments: '{}' } }] }),
      ],
    ],
    [
      'no index at all',
      [
        delta({ tool_calls: [{ id: 'a', function: { name: 'f', arguments: '{' } }] }),
        delta({ tool_calls: [{ function: { arguments: '}' } }] }),
        delta({ tool_calls: [{ id: 'b', function: { name: 'g', arguments: '{}' } }] }),
      ],
    ],
    [
      'both in one chunk, arguments as an object',
      [
        delta({
          tool_calls: [
            { index: 0, id: 'a', function: { name: 'f', arguments: {} } },
            { index: 1, id: 'b', function: { name: 'g', arguments: {} } },
          ],
        }),
      ],
    ],
    [
      'the id on every chunk',
      [
        delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{' } }] }),
        delta({ tool_calls: [{ index: 0, id: 'a', function: { arguments: '}' } }] }),
        delta({ tool_calls: [{ index: 1, id: 'b', function: { name: 'g', arguments: '{}' } }] }),
      ],
    ],
  ])('distinguishes parallel tool calls: %s', (_name, chunks) => {
    expect(toolsOf(readAll(...chunks))).toEqual([
      { id: 'a', name: 'f', json: '{}' },
      { id: 'b', name: 'g', json: '{}' },
    ]);
  });

  it('opens and closes blocks in order: reasoning, text, tool', () => {
    const events = readAll(
      delta({ reasoning: 'r' }),
      delta({ content: 't' }),
      delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }] }),
      delta({}, { finish_reason: 'tool_calls' }),
    );
    expect(events.map((event) => ('block' in event ? `${event.type} ${event.block}` : event.type))).toEqual([
      'reply-start',
      'reasoning-delta 0',
      'block-end 0',
      'text-delta 1',
      'block-end 1',
      'tool-input-start 2',
      'tool-input-delta 2',
      'block-end 2',
      'choice-end',
      'reply-end',
    ]);
  });

  it('reads nothing after the end marker', () => {
    const reader = new ChatReplyReader();
    reader.read('[DONE]');
    expect(reader.read(JSON.stringify(delta({ content: 'late' })))).toEqual([]);
  });
});

describe('ChatReplyWriter', () => {
  it('writes what the reader read: role once, indexes by order, finish, usage, end marker', () => {
    const reader = new ChatReplyReader();
    const writer = new ChatReplyWriter(CONTEXT);
    const chunks = [
      {
        id: 'x',
        created: 5,
        model: 'm',
        choices: [{ index: 0, delta: { role: 'assistant', content: 'Hi' } }],
      },
      delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }] }),
      delta({}, { finish_reason: 'tool_calls' }),
      { id: 'x', choices: [], usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } },
    ];
    let frames = '';
    for (const chunk of chunks)
      for (const event of reader.read(JSON.stringify(chunk))) frames += writer.write(event);
    frames += writer.end();
    const written = frames.split('\n\n').filter((frame) => frame !== '');
    expect(written.at(-1)).toBe('data: [DONE]');
    const documents = written
      .slice(0, -1)
      .map((frame) => JSON.parse(frame.slice(6)) as { choices: unknown[]; usage?: unknown });
    for (const document of documents)
      expect(document).toMatchObject({ id: 'x', created: 5, model: 'm', object: 'chat.completion.chunk' });
    expect(documents.map(({ choices }) => choices)).toEqual([
      [{ index: 0, delta: { role: 'assistant', content: 'Hi' }, logprobs: null, finish_reason: null }],
      [
        {
          index: 0,
          delta: {
            tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '' } }],
          },
          logprobs: null,
          finish_reason: null,
        },
      ],
      [
        {
          index: 0,
          delta: { tool_calls: [{ index: 0, function: { arguments: '{}' } }] },
          logprobs: null,
          finish_reason: null,
        },
      ],
      [{ index: 0, delta: {}, logprobs: null, finish_reason: 'tool_calls' }],
      [],
    ]);
    expect(documents.at(-1)?.usage).toMatchObject({
      prompt_tokens: 3,
      completion_tokens: 2,
      total_tokens: 5,
    });
  });

  it('keeps the usage frame from callers who did not ask', () => {
    const writer = new ChatReplyWriter({ ...CONTEXT, wantsStreamUsage: false });
    writer.write({ type: 'usage', usage: { input: { total: 1 }, output: { total: 1 } } });
    expect(writer.end()).toBe('data: [DONE]\n\n');
  });
});

const ASKED = parsedBy(openaiChat, { model: 'asked', messages: [{ role: 'user', content: 'hi' }] });

describe('whole replies', () => {
  const reply = (document: unknown) => openaiChat.readReply(Buffer.from(JSON.stringify(document)), ASKED);

  it.each(['<html>', '{}', '{"choices":null}', '[]', '{"choices":[]'])(
    'refuses malformed ones: %s',
    (text) => {
      expect(openaiChat.readReply(Buffer.from(text), ASKED)).toMatchObject({
        ok: false,
        error: { kind: 'upstream-malformed' },
      });
    },
  );

  it('carries them through the neutral model with everything they hold', () => {
    const document = {
      id: 'x',
      object: 'chat.completion',
      created: 5,
      model: 'm',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: 'text',
            reasoning_content: 'thought',
            refusal: 'no',
            tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
            audio: { id: 'au', data: 'QUJD', transcript: 'hi' },
            annotations: [{ type: 'url_citation' }],
          },
          logprobs: { content: [] },
          finish_reason: 'tool_calls',
          content_filter_results: { hate: { filtered: false } },
        },
      ],
      usage: {
        prompt_tokens: 10,
        completion_tokens: 6,
        total_tokens: 16,
        prompt_tokens_details: { cached_tokens: 2, audio_tokens: 1 },
        completion_tokens_details: { reasoning_tokens: 3, audio_tokens: 1 },
      },
      system_fingerprint: 'fp',
      citations: ['https://a.example'],
    };
    const neutral = reply(document);
    if (!neutral.ok) throw new Error(neutral.error.message);
    expect(JSON.parse(openaiChat.writeReply(neutral.value, CONTEXT, ASKED).toString())).toEqual(document);
  });

  it('gives an id, a time and a model where the vendor gave none', () => {
    const neutral = reply({ choices: [{ message: { content: 'hi' }, finish_reason: 'stop' }] });
    if (!neutral.ok) throw new Error(neutral.error.message);
    expect(JSON.parse(openaiChat.writeReply(neutral.value, CONTEXT, ASKED).toString())).toMatchObject({
      id: 'chatcmpl-call-1',
      created: 1_700,
      model: 'asked',
    });
  });
});

describe('ChoicesMeter', () => {
  const verdictOf = (data: unknown) => {
    const meter = new ChoicesMeter();
    const bytes = Buffer.from(typeof data === 'string' ? data : JSON.stringify(data));
    return { verdict: meter.readEvent(bytes, 0, bytes.length), meter };
  };

  it.each([
    ['', 'silent'],
    ['[DONE]', 'end'],
    ['[DONE] ', 'end'],
    ['{', 'malformed'],
    ['[]', 'malformed'],
    [{ choices: [{ delta: { role: 'assistant', content: '' } }] }, 'setup'],
    [{ choices: [] }, 'setup'],
    [{ choices: [], usage: null }, 'setup'],
    [{ choices: [{ delta: { content: 'a' } }] }, 'content'],
    [{ choices: [{ delta: { reasoning: 'a' } }] }, 'content'],
    [{ choices: [{ delta: { reasoning_details: [{ text: 'a' }] } }] }, 'content'],
    [{ choices: [{ delta: { reasoning_details: [] } }] }, 'setup'],
    [{ choices: [{ delta: { refusal: 'a' } }] }, 'content'],
    [{ choices: [{ delta: { audio: { data: 'QQ==' } } }] }, 'content'],
    [{ choices: [{ delta: {}, finish_reason: 'stop' }] }, 'setup'],
    [{ choices: [{ finish_reason: 'stop', delta: { content: 'a' } }] }, 'content'],
    [{ choices: [{ delta: {}, finish_reason: 'length' }] }, 'content'],
    [{ choices: [{ delta: {}, finish_reason: '' }] }, 'setup'],
    [{ choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } }, 'usage-only'],
    [{ error: { message: 'x' } }, 'error'],
    [{ error: 'x' }, 'error'],
    [{ code: 'no', error: 'x' }, 'error'],
    [{ error: null, choices: [{ delta: { content: 'a' } }] }, 'content'],
    [{ error: {}, choices: [{ delta: { content: 'a' } }] }, 'content'],
    [{ choices: [{ error: { code: 502, message: 'x' }, finish_reason: 'error' }] }, 'error'],
    [{ choices: [{ delta: {}, finish_reason: 'insufficient_system_resource' }] }, 'error'],
    [{ base_resp: { status_code: 1002, status_msg: 'busy' } }, 'error'],
    [{ base_resp: { status_code: 0 }, choices: [{ delta: { content: 'a' } }] }, 'content'],
  ])('%j is %s', (data, expected) => {
    expect(verdictOf(data).verdict).toBe(expected);
  });

  const stopped = { choices: [{ message: { content: '' }, finish_reason: 'stop' }] };
  it.each([
    ['without a report', stopped, 'empty'],
    [
      'of which only the prompt was used',
      { ...stopped, usage: { prompt_tokens: 3, completion_tokens: 0 } },
      'empty',
    ],
    ['that cost output', { ...stopped, usage: { prompt_tokens: 3, completion_tokens: 2 } }, 'answer'],
    [
      'that cost nothing (BIL-07)',
      { ...stopped, usage: { prompt_tokens: 0, completion_tokens: 0 } },
      'answer',
    ],
  ])('a stop with nothing in it, %s', (_name, document, expected) => {
    expect(new ChoicesMeter().readWhole(Buffer.from(JSON.stringify(document)))).toBe(expected);
  });

  it('an end proves what came before it', () => {
    const meter = new ChoicesMeter();
    const verdicts = [{ delta: { content: 'a' } }, { delta: {}, finish_reason: 'stop' }].map((choice) => {
      const bytes = Buffer.from(JSON.stringify({ choices: [choice] }));
      return meter.readEvent(bytes, 0, bytes.length);
    });
    expect(verdicts).toEqual(['content', 'content']);
    expect(meter.endedInSilence).toBe(false);
  });

  it.each([
    { message: 'late failure with sk-key', code: 500 },
    { object: 'error', message: 'late', type: 'BadRequest' },
    { detail: 'late' },
    { code: 1301, msg: 'late' },
  ])('takes %j for the failure it is, and forwards none of it [UP-06]', (document) => {
    const { verdict, meter } = verdictOf(document);
    expect(verdict).toBe('error');
    expect(meter.errorDocument).toEqual(document);
  });

  it('does not read more choices than a caller can ask for [UP-04]', () => {
    const choices = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ index, delta: { content: 'x' } }));
    expect(verdictOf({ choices: choices(128) }).verdict).toBe('content');
    expect(verdictOf({ choices: choices(129) }).verdict).toBe('malformed');
  });

  it('takes nothing for a failure that has choices or usage, or whose message is empty [UP-06]', () => {
    expect(verdictOf({ choices: [], message: 'note' }).verdict).toBe('setup');
    expect(verdictOf({ usage: { prompt_tokens: 1, completion_tokens: 1 }, message: 'ok' }).verdict).toBe(
      'usage-only',
    );
    expect(verdictOf({ id: 'x', message: '', detail: null, errors: [] }).verdict).toBe('setup');
  });

  it('counts text once where a vendor writes it twice', () => {
    const { meter } = verdictOf({
      choices: [{ delta: { reasoning: 'same', reasoning_content: 'same', content: 'x' } }],
    });
    expect(meter.produced.keptText()).toBe('samex');
  });

  it('joins an emoji whose halves came as two escapes in two events', () => {
    const meter = new ChoicesMeter();
    for (const half of ['\\ud83d', '\\ude00']) {
      const bytes = Buffer.from(`{"choices":[{"delta":{"content":"${half}"}}]}`);
      meter.readEvent(bytes, 0, bytes.length);
    }
    expect(meter.produced.keptText()).toBe('😀');
  });

  it('keeps a bounded part of an endless text, and counts the rest by estimate', () => {
    const meter = new ChoicesMeter();
    const event = Buffer.from(
      JSON.stringify({ choices: [{ delta: { content: `${'word '.repeat(200)}` } }] }),
    );
    const words = (text: string) => text.split(' ').filter((word) => word !== '').length;
    for (let round = 0; round < 2_000; round += 1) {
      meter.readEvent(event, 0, event.length);
      if (round % 50 === 0) meter.produced.running(words);
    }
    // 2,000 × 200 words, of 1 MB each half is forgotten
    expect(meter.produced.running(words)).toBe(400_000);
    expect(meter.produced.keptText().length).toBeLessThan(400_000);
    expect(words(meter.produced.keptText()) + meter.produced.uncountable).toBe(400_000);
  });
});
