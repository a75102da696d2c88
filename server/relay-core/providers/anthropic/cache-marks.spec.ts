import { describe, expect, it, jest } from '@jest/globals';
import { apiNamed, callCore } from '../../../../test/support/core-calls.js';
import { MemoryPorts } from '../../../../test/support/memory-ports.js';
import { oneCall } from '../../../../test/support/one-answer.js';
import type { OutputLimits } from '../../model/call.js';
import type { Route } from '../../ports/channel-picker.js';

const MARKS = { vendor: { claude_cache_marks: true } };
const CHANNEL: Partial<Route> = { channelType: 14, settings: MARKS };
const MARK = { type: 'ephemeral' };
const marked = (text: string) => [{ type: 'text', text, cache_control: MARK }];
const ANSWER = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [{ type: 'text', text: 'a3' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 5, output_tokens: 1 },
};
const TURNS = [
  { role: 'user', content: 'q1' },
  { role: 'assistant', content: 'a1' },
  { role: 'user', content: 'q2' },
  { role: 'assistant', content: 'a2' },
  { role: 'user', content: 'q3' },
];
const SYSTEM = { role: 'system', content: 'be brief' };
const CHAT = { messages: [SYSTEM, ...TURNS] };
const GEMINI = {
  systemInstruction: { parts: [{ text: 'be brief' }] },
  contents: TURNS.map(({ role, content }) => ({
    role: role === 'user' ? 'user' : 'model',
    parts: [{ text: content }],
  })),
};

describe('the switch claude_cache_marks', () => {
  it.each([
    ['chat', CHAT],
    ['responses', { instructions: 'be brief', input: TURNS }],
    ['gemini', GEMINI],
  ])('marks instructions and the last two turns of the user for callers of %s', async (api, more) => {
    const { status, sent } = await oneCall({ api, over: CHANNEL, more, answer: ANSWER });
    expect(status).toBe(200);
    expect(sent['system']).toEqual(marked('be brief'));
    expect(sent['messages']).toEqual([
      TURNS[0],
      TURNS[1],
      { role: 'user', content: marked('q2') },
      TURNS[3],
      { role: 'user', content: marked('q3') },
    ]);
  });

  it.each<[string, string, Partial<Route>, Record<string, unknown>]>([
    ['while it is off', 'chat', { channelType: 14 }, CHAT],
    ['in the first turn', 'chat', CHANNEL, { messages: [SYSTEM, TURNS[0]] }],
    ['for callers of Messages', 'messages', CHANNEL, { system: 'be brief', messages: TURNS }],
    [
      'for callers of Messages whose request is written anew',
      'messages',
      { ...CHANNEL, settings: { ...MARKS, systemPrompt: 'stay calm' } },
      { messages: TURNS },
    ],
  ])('marks nothing %s', async (_, api, over, more) => {
    const { status, sent } = await oneCall({ api, over, more, answer: ANSWER });
    expect(status).toBe(200);
    expect(JSON.stringify(sent)).not.toContain('cache_control');
  });

  it('leaves the marks of a caller as they are', async () => {
    const messages = [{ role: 'system', content: marked('be brief') }, ...TURNS];
    const { sent } = await oneCall({ api: 'chat', over: CHANNEL, more: { messages }, answer: ANSWER });
    expect(JSON.stringify(sent).match(/cache_control/g)).toHaveLength(1);
  });

  it('marks for Claude at Vertex and Bedrock, and for no other model there', async () => {
    const sentTo = async (route: Partial<Route>): Promise<string> => {
      const over = { settings: MARKS, ...route };
      return JSON.stringify((await oneCall({ api: 'chat', over, more: CHAT, answer: ANSWER })).sent);
    };
    const vertex = { channelType: 41, credential: 'key' };
    const bedrock = { channelType: 33, credential: 'key|us-east-1' };
    const claude = await sentTo({ ...vertex, upstreamModel: 'claude-sonnet-4-6' });
    expect(claude.match(/"cache_control":\{"type":"ephemeral"\}/g)).toHaveLength(3);
    const converse = await sentTo({ ...bedrock, upstreamModel: 'anthropic.claude-sonnet-4-6' });
    expect(converse.match(/"cachePoint":\{"type":"default"\}/g)).toHaveLength(3);
    const nova = await sentTo({ ...bedrock, upstreamModel: 'amazon.nova-pro-v1:0' });
    expect(nova).toContain('q3');
    expect(nova).not.toContain('cachePoint');
  });

  it.each([
    ['marks', CHAT, true],
    ['does not mark', { messages: [SYSTEM, TURNS[0]] }, undefined],
  ])('holds for writes of the cache where the gateway %s', async (_, more, writesCache) => {
    const ports = new MemoryPorts();
    const quote = ports.prices.quote.bind(ports.prices);
    const held: OutputLimits[] = [];
    jest.spyOn(ports.prices, 'quote').mockImplementation((caller, shape) => {
      const quoted = quote(caller, shape);
      if (!quoted.ok) return quoted;
      const { worstCaseOf } = quoted.value;
      return {
        ok: true,
        value: {
          ...quoted.value,
          worstCaseOf: (sent, model) => {
            held.push(sent);
            return worstCaseOf(sent, model);
          },
        },
      };
    });
    const { dialect, path, body } = apiNamed('chat');
    await callCore(ports, {
      dialect,
      path,
      body: { ...body(false), ...more },
      route: CHANNEL,
      script: (exchange) =>
        exchange.head(200, { 'content-type': 'application/json' }).bytes(JSON.stringify(ANSWER)).end(),
    });
    expect(held.map((sent) => sent.writesCache)).toEqual([writesCache]);
  });
});
