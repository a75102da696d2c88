import { describe, expect, it } from '@jest/globals';
import { toQuota } from '../../../common/quota.js';
import type { FinishedCall } from '../../../relay-core/model/call.js';
import type { PriceSnapshot } from '../../../relay-core/model/price-snapshot.js';
import { formatLogContent, formatLogOther } from './format-log-row.js';

const CALL: FinishedCall = {
  callId: '01a1fec7-da8a-755e-b260-8dcc4a3b0382',
  caller: {
    userId: 12,
    username: 'alice',
    tokenId: 5,
    tokenName: 't',
    tokenLimited: false,
    group: 'default',
    modelLimits: null,
    acceptsUnsetPrice: false,
    pinnedChannelId: null,
  },
  shape: { operation: 'chat', model: 'm', stream: false },
  channelId: 2,
  upstreamModel: 'm',
  isModelMapped: false,
  usage: { input: { total: 1_000, cacheRead: 600, cacheWrite: 300 }, output: { total: 70 } },
  evidence: 'reported',
  outcome: 'ok',
  snapshot: {
    mode: 'ratio',
    model: 'm',
    group: 'default',
    groupRatio: '1',
    modelRatio: '1.5',
    completionRatio: '5',
    cacheRatio: '0.1',
    cacheWriteRatio: '1.25',
    imageRatio: '1',
    audioRatio: '20',
    audioCompletionRatio: '2',
    quotaPerUnit: 500_000,
    revision: 1,
  },
  priced: toQuota(1),
  startedAtMs: 1_700_000_000_000,
  firstByteMs: undefined,
  durationMs: 1_400,
  attempts: [],
  path: '/v1/chat/completions',
  note: '',
};

const otherOf = (changes: Partial<FinishedCall>): Record<string, unknown> =>
  JSON.parse(formatLogOther({ ...CALL, ...changes })) as Record<string, unknown>;

describe('the `other` document of a call', () => {
  it('has its common members always', () => {
    expect(otherOf({ usage: { input: { total: 1 }, output: { total: 1 } } })).toMatchObject({
      model_ratio: 1.5,
      group_ratio: 1,
      completion_ratio: 5,
      model_price: -1,
      cache_tokens: 0,
      cache_ratio: 0.1,
      frt: -1000,
      admin_info: { use_channel: [] },
    });
  });

  it('marks calls of the Messages dialect, and shows the use of the cache', () => {
    const path = '/v1/messages';
    expect(otherOf({ path })).toMatchObject({
      claude: true,
      cache_tokens: 600,
      cache_creation_tokens: 300,
      cache_creation_ratio: 1.25,
    });
    const plain = otherOf({ path, usage: { input: { total: 9 }, output: { total: 1 } } });
    expect(plain).toMatchObject({ claude: true, cache_creation_tokens: 0, cache_creation_ratio: 1.25 });
    expect(otherOf({})).not.toHaveProperty('claude');
  });

  it.each([
    ['o3-mini-high', 'high'],
    ['gpt-5.1-none', 'none'],
    ['grok-3-mini-low', 'low'],
    ['claude-opus-4-6-medium', 'medium'],
    ['gpt-4o', undefined],
    ['stable-diffusion-medium', undefined],
  ])('shows the effort in the name %s: %s', (upstreamModel, effort) => {
    expect(otherOf({ upstreamModel })['reasoning_effort']).toBe(effort);
  });

  it('shows the effort in the caller’s model name, and before that the one of the request', () => {
    const shape = { operation: 'chat', model: 'o3-mini-high', stream: false } as const;
    expect(otherOf({ shape, upstreamModel: 'o3-mini' })['reasoning_effort']).toBe('high');
    expect(otherOf({ upstreamModel: 'o3-mini', effort: 'low' })['reasoning_effort']).toBe('low');
    expect(otherOf({ shape, upstreamModel: 'o3-mini', effort: 'low' })['reasoning_effort']).toBe('low');
  });

  it('lists all six token counts of a realtime session without audio', () => {
    expect(otherOf({ path: '/v1/realtime' })).toMatchObject({
      ws: true,
      audio_input: 0,
      audio_output: 0,
      text_input: 1_000,
      text_output: 70,
      audio_ratio: 20,
      audio_completion_ratio: 2,
    });
  });
});

describe('pictures and tools in the log', () => {
  const perPicture: PriceSnapshot = {
    mode: 'call',
    model: 'dall-e-3',
    group: 'default',
    groupRatio: '1',
    price: '0.04',
    quotaPerUnit: 500_000,
    revision: 1,
    factor: '3',
    factorName: 'hd 1024x1792',
  };
  const shape = {
    ...({ operation: 'image', model: 'dall-e-3', stream: false } as const),
    pictureTerms: 'size 1024x1792, quality hd',
  };

  it('names size and quality, and the factor they made', () => {
    expect(formatLogContent({ ...CALL, shape, snapshot: perPicture })).toBe(
      'model price 0.04, group ratio 1.00; size 1024x1792, quality hd; factor 3 (hd 1024x1792)',
    );
    expect(otherOf({ shape, snapshot: perPicture })).toMatchObject({
      price_factor: 3,
      price_factor_name: 'hd 1024x1792',
    });
  });

  it('names size and quality of images priced by tokens, and factors that were stored without a name', () => {
    expect(formatLogContent({ ...CALL, shape })).toContain('; size 1024x1792, quality hd');
    const { factorName: _, ...nameless } = perPicture as PriceSnapshot & { mode: 'call' };
    expect(formatLogContent({ ...CALL, snapshot: nameless })).toMatch(/; factor 3$/);
  });

  it('spells tools as their prices do', () => {
    const snapshot = { ...CALL.snapshot, tools: { 'web-search': '25', 'code-execution': '1' } };
    const usage = { ...CALL.usage, tools: { 'web-search': 2, 'code-execution': 1 } };
    const call = { ...CALL, snapshot, usage };
    expect(formatLogContent(call)).toContain('web_search 2 × 25 dollars per thousand');
    expect(otherOf({ snapshot, usage })).toMatchObject({
      web_search: true,
      web_search_call_count: 2,
      web_search_price: 25,
      tool_surcharges: [
        { name: 'web_search', count: 2, price: 25 },
        { name: 'code_interpreter', count: 1, price: 1 },
      ],
    });
    const google = { ...snapshot, model: 'gemini-2.5-pro' };
    expect(formatLogContent({ ...call, snapshot: google })).toContain('google_search 2 × 25');
    const preview = { ...snapshot, toolTerms: { 'web-search': 'web_search_preview@high' } };
    expect(formatLogContent({ ...call, snapshot: preview })).toContain('web_search_preview 2 × 25');
  });
});
