import { describe, expect, it } from '@jest/globals';
import { apiNamed, callCore, eventsIn } from '../../../../test/support/core-calls.js';
import { MemoryPorts, someOptions } from '../../../../test/support/memory-ports.js';
import type { Json } from '../../../../test/support/strict-vendors/story.js';

const MESSAGE_EVENTS: readonly Json[] = [
  {
    type: 'message_start',
    message: { id: 'msg_1', model: 'm', content: [], container: { id: 'c1' }, usage: { input_tokens: 1 } },
  },
  {
    type: 'content_block_start',
    index: 0,
    content_block: {
      type: 'tool_use',
      id: 'toolu_1',
      name: 'f',
      input: {},
      caller: { type: 'code_execution_20250825', tool_id: 'srv_1' },
    },
  },
  { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"a":1}' } },
  { type: 'content_block_stop', index: 0 },
  {
    type: 'message_delta',
    delta: { stop_reason: 'tool_use', container: { id: 'c1', expires_at: 'later' } },
    context_management: { applied_edits: [] },
    usage: { output_tokens: 3 },
  },
  { type: 'message_stop' },
];

const CALL: Json = {
  type: 'function_call',
  id: 'fc_1',
  call_id: 'c1',
  namespace: 'mcp__fs',
  name: 'read',
  arguments: '{}',
  status: 'completed',
};
const RESPONSE: Json = { id: 'resp_1', object: 'response', created_at: 1, model: 'm', output: [] };
const RESPONSE_EVENTS: readonly Json[] = [
  { type: 'response.created', response: { ...RESPONSE, status: 'in_progress', moderation: 'begun' } },
  { type: 'response.output_item.added', output_index: 0, item: { ...CALL, arguments: '' } },
  { type: 'response.function_call_arguments.delta', output_index: 0, item_id: 'fc_1', delta: '{}' },
  { type: 'response.output_item.done', output_index: 0, item: CALL },
  {
    type: 'response.completed',
    response: { ...RESPONSE, status: 'completed', output: [CALL], moderation: 'passed' },
  },
];
const CHUNK: Json = {
  id: 'x',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  system_fingerprint: 'fp_1',
};
const CHAT_EVENTS: readonly Json[] = [
  { ...CHUNK, choices: [{ index: 0, delta: { role: 'assistant', content: 'Hi' }, finish_reason: null }] },
  { ...CHUNK, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
];

/** A stream of the vendor that is written anew for a caller of the same API. */
async function rewritten(
  api: string,
  route: { readonly channelType: number; readonly baseUrl: string },
  events: readonly Json[],
  more: { readonly stream: boolean; readonly body?: Json },
): Promise<string> {
  const { dialect, path, body } = apiNamed(api);
  const ports = new MemoryPorts();
  ports.options.value = someOptions({ retryTimes: 0 });
  const reply = await callCore(ports, {
    dialect,
    path,
    body: { ...body(more.stream), ...more.body },
    route: { ...route, settings: { thinkingToContent: true } },
    script: (exchange) => {
      const frames = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
      const end = api === 'chat' ? 'data: [DONE]\n\n' : '';
      exchange
        .head(200, { 'content-type': 'text/event-stream' })
        .bytes(frames + end)
        .end();
    },
  });
  expect(reply.status).toBe(200);
  return reply.text;
}

describe('members that one API has survive a stream that is written anew', () => {
  const anthropic = { channelType: 14, baseUrl: 'https://vendor.example' };
  const responses = { channelType: 8, baseUrl: 'https://vendor.example/v1/responses' };
  const tools = [{ type: 'namespace', name: 'mcp__fs', tools: [{ type: 'function', name: 'read' }] }];
  const named = { name: 'read', namespace: 'mcp__fs', id: 'fc_1', call_id: 'c1' };

  it('keeps caller, container and context management of a message', async () => {
    const events = eventsIn(await rewritten('messages', anthropic, MESSAGE_EVENTS, { stream: true }));
    expect(events[0]).toMatchObject({ message: { container: { id: 'c1' } } });
    expect(events[1]).toMatchObject({ content_block: { caller: { tool_id: 'srv_1' } } });
    expect(events.find(({ type }) => type === 'message_delta')).toMatchObject({
      delta: { container: { expires_at: 'later' } },
      context_management: { applied_edits: [] },
    });
  });

  it('keeps them where the stream is collected to a whole message', async () => {
    const whole = await rewritten('messages', anthropic, MESSAGE_EVENTS, { stream: false });
    expect(JSON.parse(whole)).toMatchObject({
      container: { id: 'c1', expires_at: 'later' },
      context_management: { applied_edits: [] },
      content: [{ type: 'tool_use', caller: { tool_id: 'srv_1' }, input: { a: 1 } }],
    });
  });

  it('keeps the namespace and id of a call of Responses, and what stands beside the output', async () => {
    const more = { stream: true, body: { tools } };
    const events = eventsIn(await rewritten('responses', responses, RESPONSE_EVENTS, more));
    expect(events[0]).toMatchObject({ response: { moderation: 'begun' } });
    expect(events.at(-1)).toMatchObject({ response: { moderation: 'passed', output: [named] } });
    const whole = await rewritten('responses', responses, RESPONSE_EVENTS, { ...more, stream: false });
    expect(JSON.parse(whole)).toMatchObject({ moderation: 'passed', output: [named] });
  });

  it('keeps the fingerprint of a chat in every chunk, and of a whole one', async () => {
    const chat = { channelType: 1, baseUrl: 'https://vendor.example' };
    const chunks = eventsIn(await rewritten('chat', chat, CHAT_EVENTS, { stream: true }));
    expect(new Set(chunks.map(({ system_fingerprint: mark }) => mark))).toEqual(new Set(['fp_1']));
    const whole = await rewritten('chat', chat, CHAT_EVENTS, { stream: false });
    expect(JSON.parse(whole)).toMatchObject({ system_fingerprint: 'fp_1' });
  });
});
