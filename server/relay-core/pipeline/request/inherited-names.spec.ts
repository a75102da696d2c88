import { describe, expect, it } from '@jest/globals';
import { callCore } from '../../../../test/support/core-calls.js';
import { MemoryPorts } from '../../../../test/support/memory-ports.js';
import { openai } from '../../dialects/openai.js';
import type { Route } from '../../ports/channel-picker.js';

/** A word no table has; those after it are members of every object of JavaScript. */
const UNKNOWN = 'quizzical';
const INHERITED = ['constructor', 'valueOf', '__proto__'];

/** Body that leaves for a channel, the word taken out of it. */
async function leaves(body: object, route: Partial<Route>, word: string): Promise<string> {
  const ports = new MemoryPorts();
  const reply = await callCore(ports, {
    dialect: openai,
    path: '/v1/chat/completions',
    body,
    route: { credential: 'key|secret-of-aws|us-east-1', ...route },
    script: (upstream) => upstream.head(500, {}).end(),
  });
  const sent = ports.sender.exchanges[0]?.request.body;
  if (sent === undefined) throw new Error(reply.text);
  return sent.toString('utf8').replaceAll(RegExp(word, 'gi'), '*');
}

const chat = { model: 'gpt-test', messages: [{ role: 'user', content: 'q' }], max_tokens: 20_000 };

const REASONING: readonly Partial<Route>[] = [
  { channelType: 14, upstreamModel: 'claude-sonnet-4-5' },
  { channelType: 24, upstreamModel: 'gemini-2.5-pro' },
  { channelType: 25, upstreamModel: 'kimi-k3' },
  { channelType: 33, upstreamModel: 'anthropic.claude-sonnet-4-5-20250929-v1:0' },
  { channelType: 33, upstreamModel: 'amazon.nova-2-lite-v1:0' },
  { channelType: 34, upstreamModel: 'command-a-reasoning-08-2025' },
];

describe.each(INHERITED)('the word %j in a request', (word) => {
  it.each(REASONING)('counts as an unknown effort for %j', async (route) => {
    const asked = (effort: string) => leaves({ ...chat, reasoning_effort: effort }, route, effort);
    expect(await asked(word)).toBe(await asked(UNKNOWN));
  });

  it('counts as an unknown type in the schema of a tool', async () => {
    const asked = (type: string) => {
      const parameters = { type: 'object', properties: { a: { type: ['string', type] } } };
      const tools = [{ type: 'function', function: { name: 'f', parameters } }];
      return leaves({ ...chat, tools }, { channelType: 24, upstreamModel: 'gemini-2.5-pro' }, type);
    };
    expect(await asked(word)).toBe(await asked(UNKNOWN));
  });
});
