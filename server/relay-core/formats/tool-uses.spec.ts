import { describe, expect, it } from '@jest/globals';
import { MemoryPorts } from '../../../test/support/memory-ports.js';
import { aProviderCall, someRequestFacts } from '../../../test/support/relay-calls.js';
import { measureReply } from '../pipeline/reply/measure-reply.js';
import { MessagesMeter } from './anthropic-messages/meter.js';
import { ResponsesMeter } from './openai-responses/meter.js';
import type { ReplyMeter } from './contract/reply-meter.js';

function read<One extends ReplyMeter>(meter: One, ...events: readonly object[]): One {
  for (const event of events) {
    const bytes = Buffer.from(JSON.stringify(event));
    meter.readEvent(bytes, 0, bytes.length, '');
  }
  return meter;
}

function settle(meter: ReplyMeter, outcome: 'ok' | 'client_abort') {
  return measureReply(new MemoryPorts().counter, {
    meter,
    shape: { ...aProviderCall().shape, promptTokens: 5 },
    model: 'm',
    outcome,
    request: someRequestFacts({
      shape: {
        model: 'm',
        promptTokens: 5,
        vendorTools: [{ name: 'web-search' }, { name: 'image-generation' }],
      },
    }),
  });
}

describe('pictures of a response', () => {
  const partial = (output_index: number, partial_image_index = 0) => ({
    type: 'response.image_generation_call.partial_image',
    output_index,
    partial_image_index,
    partial_image_b64: 'QUJD',
  });
  const item = { type: 'image_generation_call', id: 'ig', status: 'completed', result: 'QUJD' };
  const done = (output_index: number) => ({ type: 'response.output_item.done', output_index, item });
  const usage = { input_tokens: 5, output_tokens: 9, total_tokens: 14 };
  const completed = { type: 'response.completed', response: { status: 'completed', output: [item], usage } };

  it.each<[string, readonly object[], number]>([
    ['shown in part, when the client leaves', [partial(0)], 1],
    ['shown in several parts', [partial(0), partial(0, 1), partial(0, 2)], 1],
    ['shown in part and then whole', [partial(0), done(0)], 1],
    ['whole at once', [done(0)], 1],
    ['two of them, one in part', [done(0), partial(1)], 2],
  ])('%s', async (_what, events, pictures) => {
    const { usage: charged } = await settle(read(new ResponsesMeter(), ...events), 'client_abort');
    expect(charged.tools).toEqual({ 'image-generation': pictures });
  });

  it.each<[string, readonly object[]]>([
    ['whole', [done(0)]],
    ['in part first', [partial(0), done(0)]],
    ['only with the last event', []],
  ])('charges those that came %s once, though the last event repeats them', async (_what, events) => {
    const { usage: charged } = await settle(read(new ResponsesMeter(), ...events, completed), 'ok');
    expect(charged.tools).toEqual({ 'image-generation': 1 });
  });

  it('charges them and its sound when the client leaves', async () => {
    const delta = Buffer.alloc(48_000).toString('base64');
    const sound = { type: 'response.output_audio.delta', output_index: 0, delta };
    const { usage: charged } = await settle(read(new ResponsesMeter(), sound, sound), 'client_abort');
    expect(charged.output).toEqual({ total: 34, audio: 34 });
  });
});

describe('searches of a message', () => {
  const start = {
    type: 'message_start',
    message: { id: 'm', content: [], usage: { input_tokens: 10, output_tokens: 1 } },
  };
  const block = (content_block: object) => ({ type: 'content_block_start', index: 0, content_block });
  const asked = block({ type: 'server_tool_use', id: 's', name: 'web_search', input: {} });
  const found = block({
    type: 'web_search_tool_result',
    tool_use_id: 's',
    content: [{ type: 'web_search_result' }],
  });
  const failed = block({
    type: 'web_search_tool_result',
    tool_use_id: 's',
    content: { type: 'web_search_tool_result_error', error_code: 'unavailable' },
  });
  const ended = (server_tool_use: unknown) => ({
    type: 'message_delta',
    delta: { stop_reason: 'end_turn' },
    usage: { output_tokens: 9, server_tool_use },
  });

  it.each<[string, readonly object[], object | undefined]>([
    [
      'that found something are charged when the client leaves',
      [asked, found, asked, found],
      { 'web-search': 2 },
    ],
    ['that failed are not', [asked, failed], undefined],
    ['that were only asked for are not', [asked], undefined],
  ])('%s', async (_what, events, tools) => {
    const { usage } = await settle(read(new MessagesMeter(), start, ...events), 'client_abort');
    expect(usage.tools).toEqual(tools);
  });

  it.each([-100, '3', 1.5, 1e12])('counts them here when their number is reported as %j', async (count) => {
    const meter = read(new MessagesMeter(), start, asked, found, ended({ web_search_requests: count }));
    const { usage, evidence } = await settle(meter, 'ok');
    expect(usage.tools).toEqual({ 'web-search': 1 });
    expect(evidence).toBe('counted');
  });

  it.each([
    [{ web_search_requests: 2 }, { 'web-search': 2 }],
    [{ web_search_requests: 0 }, undefined],
    [null, undefined],
  ])('takes the number of the vendor when it tells %j', async (told, tools) => {
    const { usage, evidence } = await settle(
      read(new MessagesMeter(), start, asked, found, ended(told)),
      'ok',
    );
    expect(usage.tools).toEqual(tools);
    expect(evidence).toBe('reported');
  });
});
