import { describe, expect, it } from '@jest/globals';
import type { Caller, CallShape } from '../../relay-core/model/call.js';
import * as defaults from './defaults/default-prices.js';
import { OptionPriceBook } from './option-price-book.js';
import { PriceDocumentError, PriceTable, type PriceDocuments } from './price-table.js';

const documents = (changes: Partial<PriceDocuments> = {}): PriceDocuments => ({
  ModelRatio: defaults.DEFAULT_MODEL_RATIO,
  CompletionRatio: defaults.DEFAULT_COMPLETION_RATIO,
  CacheRatio: defaults.DEFAULT_CACHE_RATIO,
  CreateCacheRatio: defaults.DEFAULT_CREATE_CACHE_RATIO,
  ImageRatio: defaults.DEFAULT_IMAGE_RATIO,
  AudioRatio: defaults.DEFAULT_AUDIO_RATIO,
  AudioCompletionRatio: defaults.DEFAULT_AUDIO_COMPLETION_RATIO,
  ModelPrice: defaults.DEFAULT_MODEL_PRICE,
  GroupRatio: { default: 1, vip: 0.8 },
  SelfUseModeEnabled: false,
  PreConsumedQuota: 500,
  QuotaPerUnit: 500_000,
  ...changes,
});
const caller = (changes: Partial<Caller> = {}): Caller => ({
  userId: 1,
  username: 'u',
  tokenId: 1,
  tokenName: 't',
  tokenLimited: false,
  group: 'default',
  modelLimits: null,
  acceptsUnsetPrice: false,
  pinnedChannelId: null,
  ...changes,
});
const shape = (changes: Partial<CallShape> = {}): CallShape => ({
  operation: 'chat',
  model: 'gpt-4o',
  stream: true,
  outputCap: 100,
  choices: 1,
  promptTokens: 40,
  wantsStreamUsage: false,
  ...changes,
});
const book = (changes: Partial<PriceDocuments> = {}): OptionPriceBook =>
  new OptionPriceBook({ revision: 3, values: () => documents(changes) });
const quoteOf = (prices: OptionPriceBook, by: Caller, call: CallShape) => {
  const result = prices.quote(by, call);
  if (!result.ok) throw new Error(result.error.kind);
  return result.value;
};

describe('OptionPriceBook', () => {
  it('freezes the prices of a call and holds its worst case', () => {
    const quote = quoteOf(book(), caller(), shape());
    expect(quote.snapshot).toMatchObject({
      mode: 'ratio',
      modelRatio: '1.25',
      completionRatio: '4',
      revision: 3,
    });
    expect(quote.estimate).toBe(550); // (40 + 100 × 4) × 1.25
    expect(quote.promptEstimate).toBe(50); // 40 × 1.25
    expect(quote.promptTokens).toBe(40);
  });

  it('refuses a model without a price, by its name [BIL-04]', () => {
    const result = book().quote(caller(), shape({ model: 'home-made' }));
    expect(result).toMatchObject({ ok: false, error: { kind: 'price-missing', blame: 'gateway' } });
    if (!result.ok) expect(result.error.message).toContain('home-made');
  });

  it('uses the fallback ratio in self-use mode and for callers who accept it, and marks it', () => {
    const expected = { mode: 'ratio', modelRatio: '37.5', unset: true };
    expect(
      quoteOf(book({ SelfUseModeEnabled: true }), caller(), shape({ model: 'x' })).snapshot,
    ).toMatchObject(expected);
    expect(
      quoteOf(book(), caller({ acceptsUnsetPrice: true }), shape({ model: 'x' })).snapshot,
    ).toMatchObject(expected);
  });

  it.each(['valueOf', 'hasOwnProperty', '__proto__', 'constructor'])('%s is not a model', (model) => {
    expect(book().quote(caller(), shape({ model })).ok).toBe(false);
  });

  it('a price per call beats every ratio', () => {
    const quote = quoteOf(book({ ModelPrice: { 'gpt-4o': 0.002 } }), caller({ group: 'vip' }), shape());
    expect(quote.estimate).toBe(800); // 0.002 × 500,000 × 0.8
  });

  it('prices a family of names under its star name', () => {
    expect(quoteOf(book(), caller(), shape({ model: 'gpt-4-gizmo-g-abc' })).snapshot).toMatchObject({
      modelRatio: '15',
      completionRatio: '2',
    });
    expect(quoteOf(book(), caller(), shape({ model: 'gpt-4o-gizmo-g-abc' })).snapshot).toMatchObject({
      modelRatio: '2.5',
      completionRatio: '3',
    });
  });

  it('bounds the hold by what the model can produce, whatever cap the caller writes', () => {
    const cap = defaults.DEFAULT_MODEL_OUTPUT_CAP['gpt-4o'] ?? 0;
    expect(quoteOf(book(), caller(), shape({ outputCap: 10_000_000 })).heldOutputTokens).toBe(cap);
    expect(quoteOf(book(), caller(), shape({ outputCap: undefined, stream: false })).heldOutputTokens).toBe(
      cap,
    );
    expect(quoteOf(book(), caller(), shape({ outputCap: undefined })).heldOutputTokens).toBe(500);
    expect(quoteOf(book(), caller(), shape({ choices: 3 })).heldOutputTokens).toBe(300);
    expect(
      quoteOf(book(), caller(), shape({ operation: 'embed', outputCap: undefined })).heldOutputTokens,
    ).toBe(0);
  });

  it.each(['o3-mini', 'gpt-5', 'openai/gpt-5', 'gemini-2.5-pro', 'grok-4-0709'])(
    'holds a stream without a cap like a whole answer where %s hides its reasoning, offered by its name or behind another',
    (model) => {
      const prices = book({ ModelRatio: { ...defaults.DEFAULT_MODEL_RATIO, 'gpt-4o': 1.25, [model]: 1 } });
      const stream = quoteOf(prices, caller(), shape({ model, outputCap: undefined }));
      const whole = quoteOf(prices, caller(), shape({ model, outputCap: undefined, stream: false }));
      expect(stream.heldOutputTokens).toBe(whole.heldOutputTokens);
      expect(stream.heldOutputTokens).toBeGreaterThanOrEqual(4_096);
      expect(quoteOf(prices, caller(), shape({ model })).heldOutputTokens).toBe(100);
      const seen = quoteOf(prices, caller(), shape({ outputCap: undefined }));
      const mapped = seen.worstCaseOf({ outputCap: undefined, choices: 1 }, model);
      expect(mapped.outputTokens).toBeGreaterThanOrEqual(whole.heldOutputTokens);
    },
  );

  it('an unknown group counts 1, and audio without audio prices costs what text costs', () => {
    expect(quoteOf(book(), caller({ group: 'strange' }), shape()).snapshot.groupRatio).toBe('1');
    expect(quoteOf(book(), caller(), shape({ model: 'gpt-4.1' })).snapshot).toMatchObject({
      audioRatio: '1',
      audioCompletionRatio: '4',
    });
  });

  it('holds for the tools a call may use, as often as it allows [BIL-02]', () => {
    const prices = book({ 'tool_price_setting.prices': { web_search: 10, 'web_search@high': 20 } });
    const estimate = (tools: CallShape['vendorTools']): number =>
      quoteOf(prices, caller(), shape(tools === undefined ? {} : { vendorTools: tools })).estimate;
    expect(estimate(undefined)).toBe(550);
    expect(estimate([{ name: 'web-search', mostUses: 2 }])).toBe(10_550); // + 2 × 10 ÷ 1000 × 500,000
    expect(estimate([{ name: 'web-search', mostUses: 1, contextSize: 'high' }])).toBe(10_550);
    expect(estimate([{ name: 'web-search' }])).toBe(20_550); // four are assumed
    expect(estimate([{ name: 'web-search', mostUses: 1_000_000 }])).toBe(160_550); // 32 are held for
    expect(estimate([{ name: 'code-execution' }])).toBe(550);
  });

  it('holds for a prompt that the vendor writes to its cache whole, if that is more expensive [BIL-02]', () => {
    const sent = { outputCap: 100, choices: 1, writesCache: true } as const;
    const estimate = (ratio: number): number =>
      quoteOf(book({ CreateCacheRatio: { 'gpt-4o': ratio } }), caller(), shape()).worstCaseOf(sent, 'gpt-4o')
        .estimate;
    expect(estimate(1)).toBe(550); // (40 + 100 × 4) × 1.25
    expect(estimate(1.5)).toBe(575); // (40 × 1.5 + 100 × 4) × 1.25
    expect(estimate(0.5)).toBe(550);
  });

  it('holds for the requested service tier, if it is more expensive [BIL-02]', () => {
    const prices = book({ ServiceTierRatio: { flex: 0.5, priority: 2, 'priority:gpt-4o*': 1.75 } });
    const estimate = (serviceTier?: string): number =>
      quoteOf(prices, caller(), shape(serviceTier === undefined ? {} : { serviceTier })).estimate;
    // 550 × 1.75 = 962.5, rounded half up
    const asked = [undefined, 'priority', 'fast', 'auto', 'flex', 'x'];
    expect(asked.map(estimate)).toEqual([550, 963, 963, 963, 550, 550]);
    expect(quoteOf(book(), caller(), shape({ serviceTier: 'priority' })).snapshot).not.toHaveProperty(
      'serviceTiers',
    );
  });

  it('has no tool prices for calls that cannot use any', () => {
    const prices = book({ 'tool_price_setting.prices': { web_search: 10 } });
    expect(quoteOf(prices, caller(), shape()).snapshot.tools).toEqual({ 'web-search': '10' });
    expect(quoteOf(prices, caller(), shape({ operation: 'embed' })).snapshot.tools).toBeUndefined();
  });

  it('replaces the factor of a group by the one agreed for the group of the account', () => {
    const prices = book({ GroupGroupRatio: { partner: { vip: 0.1, default: 0.3 } } });
    const of = (group: string, userGroup?: string) => {
      const by = caller({ group, ...(userGroup === undefined ? {} : { userGroup }) });
      const { groupRatio, userGroup: agreed } = quoteOf(prices, by, shape()).snapshot;
      return [groupRatio, agreed];
    };
    expect(of('vip')).toEqual(['0.8', undefined]);
    expect(of('vip', 'partner')).toEqual(['0.1', 'partner']);
    expect(of('default', 'partner')).toEqual(['0.3', 'partner']);
    expect(of('other', 'partner')).toEqual(['1', undefined]);
    expect(of('partner')).toEqual(['1', undefined]);
  });

  it('freezes the factor agreed for the account’s group and the model, for hold and charge alike', () => {
    const prices = book({
      GroupModelRatio: { partner: { 'gpt-4o*': 0.5, 'dall-e-3': 0.25 } },
      GroupGroupRatio: { partner: { vip: 0.1 } },
    });
    const quotes = (by: Caller, call: CallShape) => {
      const quote = quoteOf(prices, by, call);
      const { groupRatio, userGroup, modelPattern } = quote.snapshot;
      const charge = quote.charge({ input: { total: 40 }, output: { total: 100 } });
      return [quote.estimate, charge, groupRatio, userGroup, modelPattern];
    };
    const partner = caller({ group: 'vip', userGroup: 'partner' });
    // (40 + 100 × 4) × 1.25 = 550
    expect(quotes(partner, shape())).toEqual([275, 275, '0.5', 'partner', 'gpt-4o*']);
    expect(quotes(caller({ group: 'partner' }), shape())).toEqual([275, 275, '0.5', 'partner', 'gpt-4o*']);
    expect(quotes(caller({ group: 'vip' }), shape())).toEqual([440, 440, '0.8', undefined, undefined]);
    expect(quotes(partner, shape({ model: 'gpt-4.1' })).slice(2)).toEqual(['0.1', 'partner', undefined]);
    expect(quotes(partner, shape({ operation: 'image', model: 'dall-e-3' }))).toEqual([
      5_000,
      5_000,
      '0.25',
      'partner',
      'dall-e-3', // 0.04 × 500,000 × 0.25
    ]);
    expect(quoteOf(prices, partner, shape()).snapshot).toBe(quoteOf(prices, partner, shape()).snapshot);
  });

  it('derives the completion ratio from the name of a model without one, the operator’s figure first', () => {
    const prices = book({ ModelRatio: { 'claude-next': 1, other: 1 }, CompletionRatio: {} });
    expect(quoteOf(prices, caller(), shape({ model: 'claude-next' })).snapshot).toMatchObject({
      completionRatio: '5',
    });
    const own = book({ ModelRatio: { 'claude-next': 1 }, CompletionRatio: { 'claude-next': 2 } });
    expect(quoteOf(own, caller(), shape({ model: 'claude-next' })).snapshot).toMatchObject({
      completionRatio: '2',
    });
  });

  it('prices the output of an image call as images, reported as such or not', () => {
    const prices = book({ ImageCompletionRatio: { 'gpt-4o': 16 } });
    expect(quoteOf(prices, caller(), shape({ operation: 'image' })).snapshot).toMatchObject({
      completionRatio: '16',
      makesPictures: true,
    });
    expect(quoteOf(prices, caller(), shape()).snapshot).toMatchObject({
      completionRatio: '4',
      imageOutputRatio: '16',
    });
  });

  it('holds a call as if all of its answer were thought, if thinking is more expensive [BIL-02]', () => {
    const held = (ratios: Record<string, number>) => {
      const quote = quoteOf(book({ ReasoningRatio: ratios }), caller(), shape());
      return Number(quote.estimate) - Number(quote.promptEstimate);
    };
    // 100 tokens × 1.25 × 4, or × 40; cheaper thought changes nothing.
    expect(held({})).toBe(500);
    expect(held({ 'gpt-4o': 40 })).toBe(5_000);
    expect(held({ 'gpt-4o': 2 })).toBe(500);
  });

  it('keeps the last good prices when stored ones cannot be compiled, and logs it once [OPT-02]', () => {
    const source = { revision: 1, values: () => documents({ ModelRatio: { 'gpt-4o': 2 } }) };
    const heard: unknown[] = [];
    const prices = new OptionPriceBook(source, (error) => heard.push(error));
    expect(quoteOf(prices, caller(), shape()).snapshot).toMatchObject({ modelRatio: '2' });
    source.revision = 2;
    source.values = () => documents({ ModelRatio: { 'gpt-4o': -1 } });
    expect(quoteOf(prices, caller(), shape()).snapshot).toMatchObject({ modelRatio: '2', revision: 1 });
    expect(quoteOf(prices, caller(), shape()).snapshot).toMatchObject({ modelRatio: '2' });
    expect(heard).toHaveLength(1);
    source.revision = 3;
    source.values = () => documents({ ModelRatio: { 'gpt-4o': 3 } });
    expect(quoteOf(prices, caller(), shape()).snapshot).toMatchObject({ modelRatio: '3', revision: 3 });
  });

  it('compiles once per revision and shares the snapshot of a model and group', () => {
    let revision = 1;
    const prices = new OptionPriceBook({
      get revision() {
        return revision;
      },
      values: () => documents(),
    });
    const first = quoteOf(prices, caller(), shape()).snapshot;
    expect(quoteOf(prices, caller(), shape()).snapshot).toBe(first);
    revision = 2;
    expect(quoteOf(prices, caller(), shape()).snapshot).toMatchObject({ revision: 2 });
  });

  it.each([
    [{ ModelRatio: { x: Number.NaN } }, 'ModelRatio'],
    [{ CacheRatio: { x: -1 } }, 'CacheRatio'],
    [{ GroupRatio: { x: 1e9 } }, 'GroupRatio'],
    [{ ModelPrice: { x: '5' as never } }, 'ModelPrice'],
    [{ QuotaPerUnit: 0 }, 'QuotaPerUnit'],
    [{ PreConsumedQuota: -1 }, 'PreConsumedQuota'],
  ])('a document with %j cannot be compiled [OPT-101]', (changes, name) => {
    const compile = (): PriceTable => new PriceTable(documents(changes), 1);
    expect(compile).toThrow(PriceDocumentError);
    expect(compile).toThrow(name);
  });
});

describe('default prices', () => {
  it('follows from the list prices', () => {
    expect(defaults.DEFAULT_MODEL_RATIO['gpt-4o']).toBe(1.25); // 2.5 ÷ 2
    expect(defaults.DEFAULT_COMPLETION_RATIO['gpt-4o']).toBe(4); // 10 ÷ 2.5
    expect(defaults.DEFAULT_CACHE_RATIO['gpt-4o']).toBe(0.5); // 1.25 ÷ 2.5
    expect(defaults.DEFAULT_MODEL_RATIO['whisper-1']).toBe(3); // 0.006 a minute = 1,000 tokens
    expect(defaults.DEFAULT_COMPLETION_RATIO['gpt-image-1']).toBe(8); // 40 ÷ 5
    expect(defaults.DEFAULT_MODEL_PRICE['dall-e-3']).toBe(0.04);
  });

  it('returns prices of long calls as factors of the usual ones', () => {
    // 6 ÷ 3, 22.5 ÷ 15; cached 0.6 ÷ 0.3 as the input
    expect(defaults.DEFAULT_LONG_CONTEXT_RATIO['claude-sonnet-4-5']).toEqual([
      { above: 200_000, input: 2, output: 1.5 },
    ]);
    expect(Object.keys(defaults.DEFAULT_LONG_CONTEXT_RATIO).length).toBeGreaterThan(25);
  });

  it('names more than 400 models and compiles', () => {
    expect(Object.keys(defaults.DEFAULT_MODEL_RATIO).length).toBeGreaterThan(400);
    expect(() => new PriceTable(documents(), 1)).not.toThrow();
  });
});
