import { describe, expect, it } from '@jest/globals';
import { apiNamed, chatCore } from '../../../../test/support/core-calls.js';
import { MemoryPorts } from '../../../../test/support/memory-ports.js';
import type { MemoryExchange, MemoryReply } from '../../../../test/support/memory-sides.js';

const BILLED = 171;

const geminiEmpty = (finishReason: string) => ({
  candidates: [{ content: { role: 'model', parts: [{ text: '' }] }, finishReason }],
  usageMetadata: { promptTokenCount: BILLED, totalTokenCount: BILLED },
});
const messagesEmpty = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude',
  content: [],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: BILLED, output_tokens: 0 },
};
const chatEmpty = {
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: '' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: BILLED, completion_tokens: 0, total_tokens: BILLED },
};
const ANSWERS: Readonly<Record<string, object>> = {
  gemini: geminiEmpty('STOP'),
  messages: messagesEmpty,
  chat: chatEmpty,
};

async function answered(
  ports: MemoryPorts,
  api: string,
  format: string,
  script: (upstream: MemoryExchange) => void,
  stream = false,
): Promise<MemoryReply> {
  return chatCore(ports, apiNamed(api), stream, format, script);
}

describe('a reply without content that its vendor bills', () => {
  it.each(['gemini', 'messages', 'chat'])(
    'passes with the status of the vendor on its own API (%s), free of charge [UP-09]',
    async (api) => {
      const ports = new MemoryPorts();
      const sent = ANSWERS[api] as object;
      const reply = await answered(ports, api, api, (upstream) => void upstream.json(200, sent));
      expect(reply.status).toBe(200);
      expect(JSON.parse(reply.text)).toMatchObject(JSON.parse(JSON.stringify(sent)) as object);
      expect(ports.quota.settled).toEqual([]);
      expect(ports.quota.released).toHaveLength(1);
      const [failure] = ports.journal.failures;
      expect(failure?.status).toBe(200);
      expect(new Set(failure?.attempts.map(({ billedUsage }) => billedUsage?.input.total))).toEqual(
        new Set([BILLED]),
      );
    },
  );

  it('passes as the stream it is', async () => {
    const ports = new MemoryPorts();
    const event = JSON.stringify(geminiEmpty('STOP'));
    const reply = await answered(
      ports,
      'gemini',
      'gemini',
      (upstream) => void upstream.head().events(event).end(),
      true,
    );
    expect(reply.status).toBe(200);
    expect(reply.text).toBe(`data: ${event}\n\n`);
    expect(ports.quota.settled).toEqual([]);
  });

  it('passes with the reason of its end where the model called no tool', async () => {
    const ports = new MemoryPorts();
    const sent = geminiEmpty('MALFORMED_FUNCTION_CALL');
    const reply = await answered(ports, 'gemini', 'gemini', (upstream) => void upstream.json(200, sent));
    expect(reply.status).toBe(200);
    expect(JSON.parse(reply.text)).toEqual(sent);
  });

  it.each(['chat', 'messages', 'responses'])('fails for callers of another API (%s)', async (api) => {
    const ports = new MemoryPorts();
    const sent = geminiEmpty('STOP');
    const reply = await answered(ports, api, 'gemini', (upstream) => void upstream.json(200, sent));
    expect(reply.status).toBe(502);
    expect(ports.journal.failures[0]?.attempts.at(-1)?.billedUsage).toMatchObject({
      input: { total: BILLED },
    });
  });

  it('fails where the vendor billed nothing', async () => {
    const ports = new MemoryPorts();
    const { usage: _usage, ...unbilled } = chatEmpty;
    const reply = await answered(ports, 'chat', 'chat', (upstream) => void upstream.json(200, unbilled));
    expect(reply.status).toBe(502);
    expect(ports.journal.failures[0]?.attempts.at(-1)).not.toHaveProperty('billedUsage');
  });

  it('fails where the stream broke off', async () => {
    const ports = new MemoryPorts();
    const { candidates: _candidates, ...report } = geminiEmpty('STOP');
    const script = (upstream: MemoryExchange) => void upstream.head().events(JSON.stringify(report)).end();
    expect((await answered(ports, 'gemini', 'gemini', script, true)).status).toBe(502);
  });

  it('fails where the body broke off behind its figures', async () => {
    const ports = new MemoryPorts();
    const body = JSON.stringify(chatEmpty).slice(0, -1);
    const script = (upstream: MemoryExchange) =>
      void upstream.head(200, { 'content-type': 'application/json' }).bytes(body).end();
    expect((await answered(ports, 'chat', 'chat', script)).status).toBe(502);
  });

  it('gives way to the answer of the next attempt', async () => {
    const ports = new MemoryPorts();
    let calls = 0;
    const reply = await answered(ports, 'chat', 'chat', (upstream) => {
      calls += 1;
      const message = { role: 'assistant', content: 'hi' };
      const full = { ...chatEmpty, choices: [{ index: 0, message, finish_reason: 'stop' }] };
      upstream.json(200, calls === 1 ? chatEmpty : full);
    });
    expect(reply.text).toContain('hi');
    expect(ports.quota.settled[0]?.attempts[0]?.billedUsage).toMatchObject({ input: { total: BILLED } });
  });

  it('gives way to the refusal of the last attempt', async () => {
    const ports = new MemoryPorts();
    let calls = 0;
    const reply = await answered(ports, 'chat', 'chat', (upstream) => {
      calls += 1;
      if (calls === 1) upstream.json(200, chatEmpty);
      else upstream.json(400, { error: { message: 'no', type: 'invalid_request_error' } });
    });
    expect(reply.status).toBe(400);
  });
});
