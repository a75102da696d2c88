import { describe, expect, it } from '@jest/globals';
import type { DialectRoute } from '../../../../server/relay-core/dialects/dialect.js';
import { openai } from '../../../../server/relay-core/dialects/openai.js';
import { runCall } from '../../../../server/relay-core/pipeline/run-call.js';
import { aRoute, MemoryPorts, someOptions } from '../../../support/memory-ports.js';
import { MemoryReply } from '../../../support/memory-sides.js';
import { aClientCall } from '../../../support/relay-calls.js';

/** A short streamed response with everything a charge depends on, cut and broken off at every byte. */
const event = (type: string, members: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;
const RESPONSE = { id: 'resp_1', object: 'response', created_at: 5, model: 'gpt-test' };
const USAGE = {
  input_tokens: 30,
  input_tokens_details: { cached_tokens: 10 },
  output_tokens: 12,
  output_tokens_details: { reasoning_tokens: 4 },
  total_tokens: 42,
};
const STREAM = Buffer.from(
  event('response.created', { response: { ...RESPONSE, status: 'in_progress', output: [] } }) +
    event('response.output_item.added', { output_index: 0, item: { id: 'm', type: 'message' } }) +
    event('response.output_text.delta', { output_index: 0, content_index: 0, delta: 'Grüß ' }) +
    event('response.output_text.delta', { output_index: 0, content_index: 0, delta: '🙂' }) +
    event('response.output_item.done', { output_index: 0, item: { id: 'm', type: 'message' } }) +
    event('response.output_item.added', {
      output_index: 1,
      item: { id: 'f', type: 'function_call', call_id: 'c', name: 'f' },
    }) +
    event('response.function_call_arguments.delta', { output_index: 1, delta: '{"a":1}' }) +
    event('response.output_item.done', {
      output_index: 1,
      item: { id: 'f', type: 'function_call', call_id: 'c', name: 'f', arguments: '{"a":1}' },
    }) +
    event('response.completed', { response: { ...RESPONSE, status: 'completed', output: [], usage: USAGE } }),
);

const doorWith = (apiFormat: string): DialectRoute => {
  const route = openai.routes.find((one) => one.apiFormat.id === apiFormat);
  if (route === undefined) throw new Error(`no route speaks ${apiFormat}`);
  return route;
};

/** Plays chunks of the stream to one caller; time stands still. */
async function play(apiFormat: string, chunks: readonly Buffer[], forceFormat = false, breaks = false) {
  const ports = new MemoryPorts();
  ports.options.value = someOptions({ retryTimes: 0 });
  // A gateway with the dialect of its caller, or a model that lives at this endpoint only.
  const isOwn = apiFormat === 'openai-responses';
  ports.channels.routes[0] = aRoute({
    channelType: isOwn ? 59 : 1,
    upstreamModel: isOwn ? 'gpt-test' : 'o1-pro',
    settings: { forceFormat },
  });
  ports.sender.scripts = [
    (upstream) => {
      upstream.head(200, { 'content-type': 'text/event-stream' });
      for (const chunk of chunks) upstream.bytes(chunk);
      if (breaks) upstream.breakWith({ kind: 'reset' });
      else upstream.end();
    },
  ];
  const reply = new MemoryReply();
  const question = isOwn ? { input: 'hello' } : { messages: [{ role: 'user', content: 'hello' }] };
  const body = Buffer.from(JSON.stringify({ model: 'gpt-test', stream: true, ...question }));
  await runCall(
    ports,
    aClientCall({ body, receivedAtMs: ports.clock.nowMs() }),
    openai,
    doorWith(apiFormat),
    reply,
  );
  expect(ports.quota.holds.size).toBe(0);
  const [settled] = ports.quota.settled;
  return {
    text: reply.text,
    status: reply.status,
    charge: settled && { usage: settled.usage, outcome: settled.outcome, evidence: settled.evidence },
  };
}

const WAYS: readonly [string, string, boolean][] = [
  ['as it came', 'openai-responses', false],
  ['written anew', 'openai-responses', true],
  ['for a chat', 'openai-chat', false],
];

describe.each(WAYS)('a streamed response %s', (_name, apiFormat, forceFormat) => {
  it('stays the same, and costs the same, wherever its bytes are cut', async () => {
    const whole = await play(apiFormat, [STREAM], forceFormat);
    expect(whole.charge).toEqual({
      usage: { input: { total: 30, cacheRead: 10 }, output: { total: 12, reasoning: 4 } },
      outcome: 'ok',
      evidence: 'reported',
    });
    if (apiFormat === 'openai-responses' && !forceFormat) expect(whole.text).toBe(STREAM.toString());
    for (let cut = 1; cut < STREAM.length; cut += 1) {
      expect(await play(apiFormat, [STREAM.subarray(0, cut), STREAM.subarray(cut)], forceFormat)).toEqual(
        whole,
      );
    }
  });

  it('makes a stream broken off anywhere never whole, never free and never dearer than what came', async () => {
    for (let cut = 0; cut < STREAM.length - 1; cut += 1) {
      const { status, text, charge } = await play(apiFormat, [STREAM.subarray(0, cut)], forceFormat, true);
      if (charge === undefined) {
        expect(status).toBe(502);
        continue;
      }
      expect(charge.outcome === 'partial' || charge.usage.output.total === 12).toBe(true);
      expect(charge.usage.output.total ?? 0).toBeLessThanOrEqual(20);
      if (charge.outcome === 'partial') {
        expect(text).toContain('broke off');
        expect(text).not.toContain('"type":"response.completed"');
        expect(text).not.toContain('[DONE]');
      }
    }
  });
});
