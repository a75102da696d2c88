import { describe, expect, it } from '@jest/globals';
import { callCore, CHAT_APIS, chatCore, eventsIn } from '../../../../test/support/core-calls.js';
import { MemoryPorts, someOptions } from '../../../../test/support/memory-ports.js';
import type { MemoryExchange } from '../../../../test/support/memory-sides.js';
import { oneSecondForm } from '../../../../test/support/sound-form.js';
import { openai } from '../../dialects/openai.js';
import type { ChannelSettings } from '../../ports/channel-picker.js';

const chunk = (choices: unknown, more: object = {}): string =>
  JSON.stringify({ id: 'trsc-1', object: 'transcription.chunk', created: 1, model: 'm', choices, ...more });
const said = (content: string) => chunk([{ delta: { content } }]);
const LAST = chunk([{ delta: { content: '' }, finish_reason: 'stop', stop_reason: null }]);
const FIGURES = chunk([], { usage: { prompt_tokens: 40, completion_tokens: 3, total_tokens: 43 } });

async function transcribe(
  script: (exchange: MemoryExchange) => void,
  path = '/v1/audio/transcriptions',
  settings: ChannelSettings = {},
) {
  const ports = new MemoryPorts();
  ports.options.value = someOptions({ retryTimes: 2 });
  const { body, headers } = oneSecondForm('gpt-test', { stream: 'true' });
  const route = { channelType: 1, settings };
  const reply = await callCore(ports, {
    dialect: openai,
    path,
    operation: 'transcribe',
    body,
    headers,
    route,
    script,
  });
  return { ports, reply };
}

describe.each(['/v1/audio/transcriptions', '/v1/audio/translations'])(
  '%s of a vendor that streams chat chunks',
  (path) => {
    it.each([
      ['with figures and a mark at the end', [FIGURES, '[DONE]'], { input: 40, output: 3 }],
      ['with a mark only', ['[DONE]'], undefined],
      ['without any mark', [], undefined],
    ])('%s is given as events of transcripts, and counted', async (_what, end, figures) => {
      const { ports, reply } = await transcribe(
        (upstream) =>
          void upstream
            .head()
            .events(said(' Hel'), said('lo.'), LAST, ...end)
            .end(),
        path,
      );
      const events = eventsIn(reply.text);
      expect(events.map(({ type }) => type)).toEqual([
        'transcript.text.delta',
        'transcript.text.delta',
        'transcript.text.done',
      ]);
      expect(events.map(({ delta }) => delta)).toEqual([' Hel', 'lo.', undefined]);
      expect(events.at(-1)).toMatchObject({
        text: ' Hello.',
        ...(figures === undefined
          ? {}
          : { usage: { input_tokens: figures.input, output_tokens: figures.output, total_tokens: 43 } }),
      });
      expect(reply.text).not.toContain('choices');
      const [settled] = ports.quota.settled;
      expect(ports.quota.settled).toHaveLength(1);
      if (figures === undefined) expect(settled).toMatchObject({ evidence: 'counted' });
      else
        expect(settled).toMatchObject({
          evidence: 'reported',
          usage: { input: { total: 40 }, output: { total: 3 } },
        });
      expect(settled?.usage.output.total).toBeGreaterThan(0);
    });

    it('ends one that breaks off with an error event and charges for what came', async () => {
      const { ports, reply } = await transcribe(
        (upstream) => void upstream.head().events(said('Hel')).end(),
        path,
      );
      const [delta, failure, ...more] = eventsIn(reply.text);
      expect([delta?.['type'], more]).toEqual(['transcript.text.delta', []]);
      expect(failure).toHaveProperty('error.message');
      expect(ports.quota.settled).toMatchObject([{ outcome: 'partial', evidence: 'counted' }]);
    });

    it('passes as it is where the operator wants the bytes', async () => {
      const { reply } = await transcribe(
        (upstream) => void upstream.head().events(said('Hello'), LAST, '[DONE]').end(),
        path,
        { passThrough: true },
      );
      expect(reply.text).toContain('transcription.chunk');
      expect(reply.text).not.toContain('transcript.text');
    });
  },
);

/** Answers of each format with an unknown part, and figures. */
const UNKNOWN: Readonly<Record<string, { readonly whole: object; readonly event: object }>> = {
  chat: {
    whole: {
      id: 'c',
      object: 'chat.completion',
      created: 1,
      model: 'm',
      choices: [
        { index: 0, message: { role: 'assistant', content: null, hologram: 'AAAA' }, finish_reason: 'stop' },
      ],
    },
    event: { id: 'c', choices: [{ index: 0, delta: { hologram: 'AAAA' }, finish_reason: 'stop' }] },
  },
  messages: {
    whole: {
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'm',
      stop_reason: 'end_turn',
      content: [{ type: 'hologram', data: 'AAAA' }],
    },
    event: { type: 'content_block_start', index: 0, content_block: { type: 'hologram', data: 'AAAA' } },
  },
  gemini: {
    whole: {
      candidates: [
        { content: { role: 'model', parts: [{ hologram: { data: 'AAAA' } }] }, finishReason: 'STOP' },
      ],
    },
    event: { candidates: [{ content: { parts: [{ hologram: { data: 'AAAA' } }] }, finishReason: 'STOP' }] },
  },
  responses: {
    whole: {
      id: 'r',
      object: 'response',
      status: 'completed',
      model: 'm',
      output: [{ type: 'message', role: 'assistant', content: [{ type: 'hologram', data: 'AAAA' }] }],
    },
    event: { type: 'response.hologram.delta', output_index: 0, delta: { data: 'AAAA' } },
  },
};
const FIGURES_OF: Readonly<Record<string, object>> = {
  chat: { usage: { prompt_tokens: 9, completion_tokens: 5, total_tokens: 14 } },
  messages: { usage: { input_tokens: 9, output_tokens: 5 } },
  gemini: { usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 5, totalTokenCount: 14 } },
  responses: { usage: { input_tokens: 9, output_tokens: 5, total_tokens: 14 } },
};
const NOTE = 'content that cannot be counted';

describe('an answer that holds only what nobody here knows', () => {
  it.each(CHAT_APIS)('$name: passes, is asked for once and charged by the vendor', async (api) => {
    const ports = new MemoryPorts();
    ports.options.value = someOptions({ retryTimes: 3 });
    const whole = { ...UNKNOWN[api.name]?.whole, ...FIGURES_OF[api.name] };
    const reply = await chatCore(ports, api, false, api.name, (upstream) => void upstream.json(200, whole));
    expect(reply.status).toBe(200);
    expect(reply.text).toContain('AAAA');
    expect(ports.sender.exchanges).toHaveLength(1);
    expect(ports.quota.settled).toMatchObject([
      { evidence: 'reported', usage: { input: { total: 9 }, output: { total: 5 } } },
    ]);
  });

  it.each(CHAT_APIS)('$name: marks the log of an answer without figures as not counted', async (api) => {
    const ports = new MemoryPorts();
    ports.options.value = someOptions({ retryTimes: 3 });
    const whole = UNKNOWN[api.name]?.whole;
    const reply = await chatCore(ports, api, false, api.name, (upstream) => void upstream.json(200, whole));
    expect(reply.status).toBe(200);
    expect(ports.sender.exchanges).toHaveLength(1);
    expect(ports.quota.settled).toMatchObject([{ evidence: 'counted', note: expect.stringContaining(NOTE) }]);
  });

  it.each(CHAT_APIS)('$name: passes in a stream as well', async (api) => {
    const ports = new MemoryPorts();
    ports.options.value = someOptions({ retryTimes: 3 });
    const event = JSON.stringify(UNKNOWN[api.name]?.event);
    const reply = await chatCore(
      ports,
      api,
      true,
      api.name,
      (upstream) => void upstream.head().events(event).end(),
    );
    expect(reply.text).toContain('AAAA');
    expect(ports.sender.exchanges).toHaveLength(1);
    expect(ports.quota.settled).toMatchObject([{ note: expect.stringContaining(NOTE) }]);
  });
});
