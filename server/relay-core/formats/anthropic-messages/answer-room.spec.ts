import { describe, expect, it } from '@jest/globals';
import { apiNamed, callCore } from '../../../../test/support/core-calls.js';
import { MemoryPorts, someOptions } from '../../../../test/support/memory-ports.js';

interface Sent {
  readonly max_tokens: number;
  readonly thinking?: { readonly type: string; readonly budget_tokens?: number };
}

/** The request that reaches Claude. */
async function sentTo(
  upstreamModel: string,
  body: object,
  defaultMaxTokens: Readonly<Record<string, number>> = {},
  ports = new MemoryPorts(),
): Promise<Sent> {
  const options = someOptions();
  ports.options.value = { ...options, claude: { ...options.claude, defaultMaxTokens } };
  const { dialect, path } = apiNamed('chat');
  let sent: unknown;
  await callCore(ports, {
    dialect,
    path,
    body: { model: 'gpt-test', messages: [{ role: 'user', content: 'q' }], ...body },
    route: { channelType: 14, upstreamModel },
    script: (upstream) => {
      sent = upstream.body;
      upstream.json(400, { error: { message: 'no' } });
    },
  });
  return sent as Sent;
}

describe('the cap of a call to Claude without one', () => {
  it.each([
    ['claude-opus-4-8', 64_000],
    ['claude-sonnet-4-5', 64_000],
    ['claude-opus-4-1', 32_000],
    ['claude-3-5-sonnet-20241022', 8_192],
    ['claude-3-opus-20240229', 4_096],
    ['a-model-like-claude-s', 8_192],
  ])('follows the model: %s %d', async (model, cap) => {
    expect((await sentTo(model, {})).max_tokens).toBe(cap);
  });

  it('follows the option where the operator set it', async () => {
    expect((await sentTo('claude-opus-4-8', {}, { default: 1_000 })).max_tokens).toBe(1_000);
  });
});

describe('a budget for thinking', () => {
  it.each([
    ['low', 1_280],
    ['high', 4_096],
    ['xhigh', 16_384],
    ['max', 32_000],
  ])('leaves room for the answer: %s', async (effort, budget) => {
    const sent = await sentTo('claude-sonnet-4-5', { reasoning_effort: effort });
    expect(sent.thinking?.budget_tokens).toBe(budget);
    expect(sent.max_tokens).toBe(64_000);
  });

  it('stands on top of the room that the operator set', async () => {
    const sent = await sentTo('claude-sonnet-4-5', { reasoning_effort: 'high' }, { default: 2_000 });
    expect([sent.max_tokens, sent.thinking?.budget_tokens]).toEqual([6_096, 4_096]);
  });

  it('stands inside the cap that the caller names', async () => {
    const sent = await sentTo('claude-sonnet-4-5', { reasoning_effort: 'high', max_tokens: 3_000 });
    expect([sent.max_tokens, sent.thinking?.budget_tokens]).toEqual([3_000, 2_744]);
  });
});

describe('the hold of a streamed call to Claude without a cap', () => {
  it('leaves a caller who cannot pay for the largest answer the call', async () => {
    const ports = new MemoryPorts();
    ports.quota.balance = 20_000;
    const sent = await sentTo('claude-sonnet-4-5', { stream: true }, {}, ports);
    expect(sent.max_tokens).toBe(64_000);
  });
});
