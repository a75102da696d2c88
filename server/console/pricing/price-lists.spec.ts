import { describe, expect, it } from '@jest/globals';
import * as defaults from '../../base/pricing/defaults/default-prices.js';
import { LIST_PRICES } from '../../base/pricing/defaults/list-prices.js';
import { LONG_CONTEXT_PRICES } from '../../base/pricing/defaults/long-context-prices.js';
import { OPTION_FALLBACKS } from '../../base/options/option-catalogue.js';
import { chooseListings } from './price-sync.service.js';
import { comparePrices } from './compare-prices.js';
import { optionsOfPrice } from './options-of-price.js';
import { readLiteLlm } from './read-litellm.js';
import { readModelsDev } from './read-models-dev.js';

const MODELS_DEV = {
  openai: {
    id: 'openai',
    models: {
      'gpt-x': {
        id: 'gpt-x',
        cost: { input: 2.5, output: 10, cache_read: 1.25, context_over_200k: { input: 5, output: 15 } },
        limit: { context: 400_000, output: 16_384 },
      },
      'gpt-free': { cost: { input: 0, output: 0 } },
      'gpt-nothing': { name: 'no cost' },
    },
  },
  reseller: {
    models: { 'gpt-x': { cost: { input: 99, output: 99 } }, odd: { cost: { input: 1, output: 2 } } },
  },
};

const LITELLM = {
  sample_spec: { litellm_provider: 'one of …', input_cost_per_token: 0 },
  'gpt-x': {
    litellm_provider: 'openai',
    mode: 'chat',
    max_output_tokens: 16_384,
    input_cost_per_token: 2.5e-6,
    output_cost_per_token: 1e-5,
    cache_read_input_token_cost: 1.25e-6,
    input_cost_per_token_above_200k_tokens: 5e-6,
    output_cost_per_token_above_200k_tokens: 1.5e-5,
  },
  'azure/gpt-x': { litellm_provider: 'azure', input_cost_per_token: 9e-6 },
  'claude-x': {
    litellm_provider: 'anthropic',
    input_cost_per_token: 3e-6,
    output_cost_per_token: 1.5e-5,
    cache_creation_input_token_cost: 3.75e-6,
    cache_creation_input_token_cost_above_1hr: 6e-6,
    cache_read_input_token_cost: 3e-7,
  },
  'dall-e-x': { litellm_provider: 'openai', mode: 'image_generation', input_cost_per_image: 0.04 },
  'whisper-x': { litellm_provider: 'openai', mode: 'audio_transcription', input_cost_per_second: 0.0001 },
  'tts-x': { litellm_provider: 'openai', mode: 'audio_speech', input_cost_per_character: 1.5e-5 },
  'sora-x': { litellm_provider: 'openai', mode: 'video_generation', output_cost_per_second: 0.1 },
  'gpt-nameless': { litellm_provider: 'openai', mode: 'chat' },
};

describe('published price lists', () => {
  it('reads models.dev: dollars per million tokens, long calls, limits', () => {
    expect(readModelsDev(MODELS_DEV)?.slice(0, 3)).toEqual([
      {
        model: 'gpt-x',
        provider: 'openai',
        input: 2.5,
        output: 10,
        cacheRead: 1.25,
        maxOutput: 16_384,
        tiers: [{ above: 200_000, input: 5, output: 15 }],
      },
      { model: 'gpt-free', provider: 'openai', input: 0, output: 0 },
      { model: 'gpt-nothing', provider: 'openai', unsupported: 'the list has no price of input' },
    ]);
  });

  it('reads LiteLLM: dollars per token, exactly; images, minutes, characters', () => {
    const list = new Map(readLiteLlm(LITELLM)?.map((price) => [`${price.provider} ${price.model}`, price]));
    expect(list.has('one of … sample_spec')).toBe(false);
    expect(list.get('openai gpt-x')).toEqual({
      model: 'gpt-x',
      provider: 'openai',
      input: 2.5,
      output: 10,
      cacheRead: 1.25,
      maxOutput: 16_384,
      tiers: [{ above: 200_000, input: 5, output: 15 }],
    });
    expect(list.get('azure gpt-x')).toMatchObject({ input: 9 });
    expect(list.get('openai dall-e-x')).toMatchObject({ perCall: 0.04 });
    expect(list.get('openai whisper-x')).toMatchObject({ perAudioMinute: 0.006 }); // 60 × 0.0001
    expect(list.get('openai tts-x')).toMatchObject({ input: 15 }); // a million characters
    expect(list.get('openai sora-x')?.unsupported).toContain('output_cost_per_second');
    expect(list.get('openai gpt-nameless')?.unsupported).toBe('the list has no price');
  });

  it('takes the price of reasoning over where a list has one', () => {
    const entry = {
      input_cost_per_token: 4e-7,
      output_cost_per_token: 1.2e-6,
      litellm_provider: 'dashscope',
    };
    const [plus] = readLiteLlm({ 'qwen-plus': { ...entry, output_cost_per_reasoning_token: 4e-6 } }) ?? [];
    expect(plus).toMatchObject({ input: 0.4, output: 1.2, reasoning: 4 });
    const cost = { input: 0.4, output: 1.2, reasoning: 4 };
    const [same] = readModelsDev({ alibaba: { models: { 'qwen-plus': { cost } } } }) ?? [];
    expect(optionsOfPrice(same ?? { model: '', provider: '' })).toMatchObject({
      CompletionRatio: 3,
      ReasoningRatio: 10,
    });
  });

  it('takes over what classes of service cost, long calls included, as factors of the usual prices', () => {
    const usual = { litellm_provider: 'openai', input_cost_per_token: 2e-6, output_cost_per_token: 8e-6 };
    const factors = (members: Readonly<Record<string, unknown>>) =>
      readLiteLlm({ 'gpt-x': { ...usual, ...members } })?.[0]?.serviceTiers;
    expect(
      factors({
        input_cost_per_token_priority: 3.5e-6,
        output_cost_per_token_priority: 1.4e-5,
        input_cost_per_token_flex: 1e-6,
        output_cost_per_token_flex: 4e-6,
        input_cost_per_token_batches: 1e-6,
        output_cost_per_token_batches: 4e-6,
        cache_read_input_token_cost_priority: 9e-6,
      }),
    ).toEqual({ priority: 1.75, flex: 0.5, batch: 0.5 });
    // Only long calls have a price in this class; where they differ, no call costs less than at the vendor's.
    const long = { input_cost_per_token_above_200k_tokens: 4e-6 };
    expect(factors({ ...long, input_cost_per_token_above_200k_tokens_priority: 7e-6 })).toEqual({
      priority: 1.75,
    });
    expect(
      factors({
        ...long,
        input_cost_per_token_flex: 1e-6,
        input_cost_per_token_above_200k_tokens_flex: 3e-6,
      }),
    ).toEqual({ flex: 0.75 });
    expect(factors({ input_cost_per_token_flex: 1e-6, output_cost_per_token_flex: 5e-6 })).toEqual({
      flex: 0.625,
    });
    expect(factors({ provider_specific_entry: { us: 1.1, fast: 6 } })).toEqual({ fast: 6 });
    expect(factors({ input_cost_per_token_flex: 'free', input_cost_per_audio_token_flex: 1e-6 })).toBe(
      undefined,
    );
    expect(
      factors({ input_cost_per_token: 0, output_cost_per_token: 0, input_cost_per_token_flex: 1e-6 }),
    ).toBe(undefined);
  });

  it('takes over the modes of models.dev by the member that turns them on, at the larger factor', () => {
    const factors = (modes: unknown, cost: unknown = { input: 2.5, output: 10 }) =>
      readModelsDev({ openai: { models: { 'gpt-x': { cost, experimental: { modes } } } } })?.[0]
        ?.serviceTiers;
    const mode = (cost: unknown, body?: unknown) => ({ cost, provider: { body } });
    const priority = { service_tier: 'priority' };
    expect(factors({ fast: mode({ input: 5, output: 20, cache_read: 9 }, priority) })).toEqual({
      priority: 2,
    });
    // OpenAI's two names of one class.
    const fast = mode({ input: 5, output: 25 }, { service_tier: 'fast' });
    expect(factors({ fast })).toEqual({ fast: 2.5, priority: 2.5 });
    // Anthropic's fast mode is no class of service; neither is a mode without members of a request.
    expect(factors({ fast: mode({ input: 15, output: 60 }, { speed: 'fast' }) })).toEqual({ fast: 6 });
    expect(factors({ flex: mode({ input: 1.25 }) })).toEqual({ flex: 0.5 });
    expect(factors({ flex: mode({ input: 1.25 }, { service_tier: 'flex' }), fast })).toMatchObject({
      flex: 0.5,
    });
    for (const modes of [
      undefined,
      'fast',
      [],
      { fast: null },
      { fast: mode({}, priority) },
      { fast: mode({ input: -1 }, priority) },
      { fast: mode({ input: 5 }, { service_tier: 7 }) },
      { fast: mode({ input: 5 }, { service_tier: 'a b' }) },
    ])
      expect(factors(modes)).toBeUndefined();
    expect(
      factors({ fast: mode({ input: 5, output: 5 }, priority) }, { input: 0, output: 0 }),
    ).toBeUndefined();
  });

  it('reads prices of long calls from the tiers of models.dev, beside the form it had before', () => {
    const tiers = (cost: object) =>
      readModelsDev({ openai: { models: { 'gpt-x': { cost: { input: 1, output: 4, ...cost } } } } })?.[0]
        ?.tiers;
    const before = { context_over_200k: { input: 2, output: 8 } };
    expect(tiers(before)).toEqual([{ above: 200_000, input: 2, output: 8 }]);
    expect(
      tiers({
        ...before,
        tiers: [
          { tier: { type: 'context', size: 512_000 }, input: 4, output: 16, cache_read: 0.4 },
          { tier: { size: 272_000 }, input: 2, output: 8 },
          { tier: { type: 'hour', size: 9 }, input: 1, output: 1 },
          { tier: { type: 'context', size: '5' }, input: 1, output: 1 },
          { input: 3 },
          null,
        ],
      }),
    ).toEqual([
      { above: 272_000, input: 2, output: 8 },
      { above: 512_000, input: 4, output: 16, cacheRead: 0.4 },
    ]);
  });

  it('names the classes of service that would cost something else, entries for many models included', () => {
    const [listed] =
      readLiteLlm({
        'gpt-x': {
          litellm_provider: 'openai',
          input_cost_per_token: 2e-6,
          output_cost_per_token: 2e-6,
          input_cost_per_token_priority: 4e-6,
          input_cost_per_token_flex: 1e-6,
        },
      }) ?? [];
    const compared = (ServiceTierRatio: Readonly<Record<string, number>>) =>
      comparePrices(listed === undefined ? [] : [listed], {
        ...OPTION_FALLBACKS,
        ModelRatio: { 'gpt-x': 1 },
        CompletionRatio: { 'gpt-x': 1 },
        ServiceTierRatio,
      })[0];
    expect(compared({})).toMatchObject({
      state: 'changed',
      entries: [{ key: 'ServiceTierRatio', current: null, listed: { priority: 2, flex: 0.5 } }],
    });
    expect(compared({ priority: 2, 'flex:gpt-*': 0.4 })?.entries).toEqual([
      { key: 'ServiceTierRatio', current: { flex: 0.4 }, listed: { flex: 0.5 } },
    ]);
    expect(compared({ 'priority:gpt-x': 2, 'flex:gpt*': 0.5 })).toMatchObject({ state: 'same', entries: [] });
  });

  it.each([null, [], 'text', 5, {}, { a: { b: 1 } }, { models: [] }])('takes %j for no list', (document) => {
    expect(readModelsDev(document)).toBeUndefined();
    expect(readLiteLlm(document)).toBeUndefined();
  });

  it('picks the maker’s own listing, a named service, or a reseller of a model known here', () => {
    const list = readModelsDev(MODELS_DEV) ?? [];
    const models = (providers: string[], known: string[]) =>
      chooseListings(list, providers, (model) => known.includes(model)).map(
        ({ model, provider }) => `${model} by ${provider}`,
      );
    const own = ['gpt-x by openai', 'gpt-free by openai', 'gpt-nothing by openai'];
    // The maker is unknown: the seller is shown.
    expect(models([], [])).toEqual([...own, 'odd by reseller']);
    expect(models(['reseller', 'openai'], [])).toEqual(
      expect.arrayContaining(['gpt-x by reseller', 'odd by reseller', 'gpt-free by openai']),
    );
  });

  it('shows a model of a known maker that only resellers list once it has a price here', () => {
    const list =
      readModelsDev({ reseller: { models: { 'gpt-y': { cost: { input: 1, output: 2 } } } } }) ?? [];
    expect(chooseListings(list, [], () => false)).toEqual([]);
    expect(chooseListings(list, [], () => true)).toHaveLength(1);
  });

  it.each([
    ['__proto__', { input: 1, output: 2 }, 'the name cannot be a name of a model'],
    [' ', { input: 1, output: 2 }, 'the model has no name'],
    ['two\nlines', { input: 1, output: 2 }, 'control characters'],
    ['n'.repeat(256), { input: 1, output: 2 }, 'longer than 255'],
    ['dear', { input: 1e300, output: 1e300 }, 'ModelRatio: "dear" must be a number from 0 to 1000000'],
    ['steep', { input: 1e-9, output: 1e5 }, 'CompletionRatio: "steep" must be'],
    ['endless', { input: 1e-300, output: 1e300 }, 'ModelRatio: "endless" has too many decimal places'],
    [
      'long',
      { input: 1, output: 2, context_over_200k: { input: 1e12, output: 3 } },
      'LongContextRatio: "long.0.input" must be',
    ],
  ])('refuses %s with a reason', (model, cost, reason) => {
    const list = readModelsDev(
      JSON.parse(`{"x":{"models":{${JSON.stringify(model)}:${JSON.stringify({ cost })}}}}`),
    );
    const [item] = comparePrices(
      chooseListings(list ?? [], [], () => false),
      OPTION_FALLBACKS,
    );
    expect(item).toMatchObject({ model, state: 'unsupported', entries: [] });
    expect(item?.reason).toContain(reason);
  });

  it('refuses a figure of LiteLLM beyond any price instead of leaving it out', () => {
    const entry = { litellm_provider: 'x', input_cost_per_token: 1e-6, output_cost_per_token: 1e293 };
    const [item] = comparePrices(readLiteLlm({ odd: entry }) ?? [], OPTION_FALLBACKS);
    expect(item).toMatchObject({ state: 'unsupported', entries: [] });
    expect(item?.reason).toContain('CompletionRatio: "odd"');
  });

  it('reads names that equal members of objects', () => {
    const list = readModelsDev({ x: { models: { constructor: { cost: { input: 2, output: 4 } } } } }) ?? [];
    expect(comparePrices(list, OPTION_FALLBACKS)[0]).toMatchObject({
      state: 'added',
      entries: [
        { key: 'ModelRatio', current: null, listed: 1 },
        { key: 'CompletionRatio', current: null, listed: 2 },
      ],
    });
  });

  it('spreads a price over the options as the built-in prices are spread', () => {
    for (const [model, price] of Object.entries(LIST_PRICES)) {
      const tiers = LONG_CONTEXT_PRICES[model];
      const entries = optionsOfPrice({
        model,
        provider: 'list',
        ...price,
        ...(tiers === undefined ? {} : { tiers }),
      });
      expect([model, entries]).toEqual([
        model,
        Object.fromEntries(
          Object.entries({
            ModelRatio: price.perCall === undefined ? defaults.DEFAULT_MODEL_RATIO[model] : undefined,
            CompletionRatio:
              price.perCall === undefined ? defaults.DEFAULT_COMPLETION_RATIO[model] : undefined,
            CacheRatio: defaults.DEFAULT_CACHE_RATIO[model],
            CreateCacheRatio: defaults.DEFAULT_CREATE_CACHE_RATIO[model],
            ImageRatio: defaults.DEFAULT_IMAGE_RATIO[model],
            ImageCompletionRatio: defaults.DEFAULT_IMAGE_COMPLETION_RATIO[model],
            ReasoningRatio: defaults.DEFAULT_REASONING_RATIO[model],
            AudioRatio: defaults.DEFAULT_AUDIO_RATIO[model],
            AudioCompletionRatio: defaults.DEFAULT_AUDIO_COMPLETION_RATIO[model],
            ModelPrice: defaults.DEFAULT_MODEL_PRICE[model],
            LongContextRatio: defaults.DEFAULT_LONG_CONTEXT_RATIO[model],
          }).filter(([, value]) => value !== undefined),
        ),
      ]);
    }
  });

  it('classifies each model as new, different, unchanged or inexpressible', () => {
    const current = {
      ...OPTION_FALLBACKS,
      ModelRatio: { 'gpt-x': 1.25, 'claude-x': 1, 'dall-e-x': 3 },
      ModelPrice: { 'gpt-x': 0.5 },
      CompletionRatio: { 'gpt-x': 4 },
      CacheRatio: { 'gpt-x': 0.5 },
      LongContextRatio: { 'gpt-x': [{ above: 200_000, input: 2, output: 1.5 }] },
    };
    const list = chooseListings(readLiteLlm(LITELLM) ?? [], [], () => true);
    const found = new Map(comparePrices(list, current).map((item) => [item.model, item]));
    // A price per call would beat the listed ratios, so it has to go.
    expect(found.get('gpt-x')).toMatchObject({
      state: 'changed',
      entries: [{ key: 'ModelPrice', current: 0.5, listed: null }],
    });
    expect(found.get('claude-x')?.entries).toEqual([
      { key: 'ModelRatio', current: 1, listed: 1.5 },
      { key: 'CompletionRatio', current: null, listed: 5 },
      { key: 'CacheRatio', current: null, listed: 0.1 },
      { key: 'CreateCacheRatio', current: null, listed: 1.25 },
    ]);
    expect(found.get('dall-e-x')).toMatchObject({ state: 'changed' });
    expect(found.get('whisper-x')).toMatchObject({
      state: 'added',
      entries: [{ key: 'ModelRatio', current: null, listed: 3 }],
    });
    expect(found.get('sora-x')).toMatchObject({ state: 'unsupported', entries: [] });
    const { ModelPrice: _, ...rest } = current;
    const same = comparePrices(list, { ...rest, ModelPrice: {} });
    expect(same.find(({ model }) => model === 'gpt-x')).toMatchObject({ state: 'same', entries: [] });
  });
});
