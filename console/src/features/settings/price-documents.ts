/** The documents a price is made of, in the order they are offered. `name` is how texts call them. */
export const PRICE_DOCUMENTS = [
  { key: 'ModelRatio', name: 'ModelRatio', form: 'numbers', example: { 'gpt-4o': 1.25 } },
  { key: 'CompletionRatio', name: 'CompletionRatio', form: 'numbers', example: { 'gpt-4o': 4 } },
  { key: 'ModelPrice', name: 'ModelPrice', form: 'numbers', example: { 'dall-e-3': 0.04 } },
  { key: 'CacheRatio', name: 'CacheRatio', form: 'numbers', example: { 'gpt-4o': 0.5 } },
  {
    key: 'CreateCacheRatio',
    name: 'CreateCacheRatio',
    form: 'numbers',
    example: { 'claude-sonnet-4-5': 1.25 },
  },
  {
    key: 'CreateCache1hRatio',
    name: 'CreateCache1hRatio',
    form: 'numbers',
    example: { 'claude-sonnet-4-5': 2 },
  },
  { key: 'ImageRatio', name: 'ImageRatio', form: 'numbers', example: { 'gpt-image-1': 2 } },
  {
    key: 'ImageCompletionRatio',
    name: 'ImageCompletionRatio',
    form: 'numbers',
    example: { 'gpt-image-1': 8 },
  },
  { key: 'ReasoningRatio', name: 'ReasoningRatio', form: 'numbers', example: { 'qwen-plus': 10 } },
  { key: 'AudioRatio', name: 'AudioRatio', form: 'numbers', example: { 'gpt-4o-audio-preview': 16 } },
  {
    key: 'AudioCompletionRatio',
    name: 'AudioCompletionRatio',
    form: 'numbers',
    example: { 'gpt-4o-audio-preview': 2 },
  },
  {
    key: 'LongContextRatio',
    name: 'LongContextRatio',
    form: 'lists',
    example: { 'claude-sonnet-4-5': [{ above: 200_000, input: 2, output: 1.5 }] },
  },
  {
    key: 'ServiceTierRatio',
    name: 'ServiceTierRatio',
    form: 'numbers',
    example: { flex: 0.5, priority: 2, 'priority:gpt-4.1*': 1.75 },
  },
  { key: 'tool_price_setting.prices', name: 'ToolPrices', form: 'numbers', example: { web_search: 10 } },
  { key: 'GroupRatio', name: 'GroupRatio', form: 'numbers', example: { default: 1, vip: 0.8 } },
  { key: 'UserUsableGroups', name: 'UserUsableGroups', form: 'texts', example: { default: 'Default group' } },
  { key: 'GroupGroupRatio', name: 'GroupGroupRatio', form: 'maps', example: { vip: { default: 0.9 } } },
  { key: 'GroupModelRatio', name: 'GroupModelRatio', form: 'maps', example: { vip: { 'gpt-4*': 0.8 } } },
] as const satisfies readonly PriceDocument[];

interface PriceDocument {
  readonly key: string;
  readonly name: string;
  /** Content of an entry. */
  readonly form: 'numbers' | 'texts' | 'lists' | 'maps';
  readonly example: Readonly<Record<string, unknown>>;
}

export type PriceKey = (typeof PRICE_DOCUMENTS)[number]['key'];
export type PriceForm = PriceDocument['form'];

type KnownDocument = (typeof PRICE_DOCUMENTS)[number];
export function priceDocument(key: KnownDocument['key']): KnownDocument;
export function priceDocument(key: string): KnownDocument | undefined;
export function priceDocument(key: string): KnownDocument | undefined {
  return PRICE_DOCUMENTS.find((document) => document.key === key);
}

/** Factors of a model beside its ratio and its output factor. */
export const FACTOR_KEYS = [
  'CacheRatio',
  'CreateCacheRatio',
  'CreateCache1hRatio',
  'ImageRatio',
  'ImageCompletionRatio',
  'ReasoningRatio',
  'AudioRatio',
  'AudioCompletionRatio',
] as const;
export type FactorKey = (typeof FACTOR_KEYS)[number];
