import { describe, expect, it } from '@jest/globals';
import { aClientCall, clientRouteOf } from '../../../../test/support/relay-calls.js';
import { aRoute, MemoryPorts } from '../../../../test/support/memory-ports.js';
import { MemoryReply } from '../../../../test/support/memory-sides.js';
import { formatLogOther } from '../../../base/billing/records/format-log-row.js';
import { anthropic } from '../../dialects/anthropic.js';
import { openai } from '../../dialects/openai.js';
import { knownWarnings, warningHeader } from '../../model/warning.js';
import { runCall } from '../run-call.js';

const MESSAGE = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  content: [{ type: 'text', text: 'hi' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 8, output_tokens: 2 },
};

const USAGE = { prompt_tokens: 8, completion_tokens: 2, total_tokens: 10 };

async function ask(more: object) {
  const ports = new MemoryPorts();
  ports.channels.routes[0] = aRoute({ channelType: 14, upstreamModel: 'claude-sonnet-4-5' });
  ports.sender.scripts = [
    (upstream) => {
      upstream.head(200, { 'content-type': 'application/json' });
      upstream.bytes(JSON.stringify(MESSAGE)).end();
    },
  ];
  const reply = new MemoryReply();
  const body = { model: 'gpt-test', messages: [{ role: 'user', content: 'hello' }], ...more };
  const call = aClientCall({
    headers: { authorization: 'Bearer sk-test' },
    body: Buffer.from(JSON.stringify(body)),
    receivedAtMs: ports.clock.nowMs(),
  });
  await runCall(ports, call, openai, clientRouteOf(openai, 'chat'), reply);
  return { reply, finished: ports.quota.settled[0] };
}

describe('members not sent upstream', () => {
  it('stands on the record, in the log line, and in the answer to the caller', async () => {
    const { reply, finished } = await ask({ seed: 7, presence_penalty: 0.5 });
    expect(reply.status).toBe(200);
    expect(reply.headers).toMatchObject({ 'x-tollgate-warnings': 'presence_penalty, seed' });
    const settings = finished?.warnings?.map(({ setting }) => setting);
    expect(settings).toEqual(['presence_penalty', 'seed']);
    if (finished === undefined) throw new Error('nothing was charged');
    expect(JSON.parse(formatLogOther(finished))).toMatchObject({ warnings: finished.warnings });
  });

  it('adds no header without warnings', async () => {
    const { reply, finished } = await ask({});
    expect(reply.status).toBe(200);
    expect(reply.headers).not.toHaveProperty('x-tollgate-warnings');
    expect(finished).not.toHaveProperty('warnings');
  });

  it('reaches callers of another API than the vendor too', async () => {
    const ports = new MemoryPorts();
    ports.channels.routes[0] = aRoute({ channelType: 1, upstreamModel: 'gpt-5' });
    ports.sender.scripts = [
      (upstream) => {
        upstream.head(200, { 'content-type': 'application/json' });
        const choices = [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }];
        upstream.bytes(JSON.stringify({ id: 'c', model: 'gpt-5', choices, usage: USAGE })).end();
      },
    ];
    const reply = new MemoryReply();
    const messages = [{ role: 'user', content: 'hello' }];
    const body = { model: 'gpt-test', max_tokens: 100, temperature: 0.5, messages };
    const call = aClientCall({
      headers: { 'x-api-key': 'sk-test' },
      body: Buffer.from(JSON.stringify(body)),
      receivedAtMs: ports.clock.nowMs(),
    });
    await runCall(ports, call, anthropic, clientRouteOf(anthropic, 'chat'), reply);
    expect(reply.headers).toMatchObject({ 'x-tollgate-warnings': 'temperature' });
    const [sent] = ports.sender.exchanges;
    expect(JSON.parse(sent?.request.body?.toString() ?? '{}')).not.toHaveProperty('temperature');
  });

  it('warns once each, a hundred times at most, and in a header by plain words only', () => {
    const many = Array.from({ length: 600 }, (_, index) => ({ setting: `s${index % 300}`, reason: 'none' }));
    expect(knownWarnings(many)).toHaveLength(100);
    const odd = [
      { setting: 'a\r\nset-cookie: b', reason: '' },
      { setting: 'seed', reason: '' },
      { setting: 'seed', reason: 'other' },
    ];
    expect(warningHeader(odd)).toEqual({ 'x-tollgate-warnings': 'seed' });
    expect(warningHeader(odd.slice(0, 1))).toEqual({});
  });
});

describe('events of an answer that could not be read', () => {
  it('leaves them out, and puts them on record', async () => {
    const ports = new MemoryPorts();
    ports.sender.scripts = [
      (upstream) => {
        upstream.head(200, { 'content-type': 'text/event-stream' });
        for (const data of [CHUNK('one '), '{"choices":', CHUNK('two'), ENDING, '[DONE]'])
          upstream.bytes(`data: ${data}\n\n`);
        upstream.end();
      },
    ];
    const reply = new MemoryReply();
    const body = { model: 'gpt-test', stream: true, messages: [{ role: 'user', content: 'hello' }] };
    const call = aClientCall({
      headers: { authorization: 'Bearer sk-test' },
      body: Buffer.from(JSON.stringify(body)),
      receivedAtMs: ports.clock.nowMs(),
    });
    await runCall(ports, call, openai, clientRouteOf(openai, 'chat'), reply);
    expect(reply.status).toBe(200);
    expect(ports.quota.settled[0]?.outcome).toBe('ok');
    expect(ports.quota.settled[0]?.warnings).toEqual([
      { setting: 'stream', reason: 'events that could not be read: 1' },
    ]);
  });
});

const CHUNK = (content: string): string =>
  JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content } }] });
const ENDING = JSON.stringify({
  id: 'c',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
  usage: { prompt_tokens: 8, completion_tokens: 2, total_tokens: 10 },
});
