import {
  DEFAULT_AUDIO_COMPLETION_RATIO,
  DEFAULT_AUDIO_RATIO,
  DEFAULT_CACHE_RATIO,
  DEFAULT_COMPLETION_RATIO,
  DEFAULT_CREATE_CACHE_1H_RATIO,
  DEFAULT_CREATE_CACHE_RATIO,
  DEFAULT_GROUP_RATIO,
  DEFAULT_IMAGE_COMPLETION_RATIO,
  DEFAULT_IMAGE_RATIO,
  DEFAULT_LONG_CONTEXT_RATIO,
  DEFAULT_MODEL_PRICE,
  DEFAULT_MODEL_RATIO,
  DEFAULT_REASONING_RATIO,
} from '../../pricing/defaults/default-prices.js';
import type { LengthTierDocument } from '../../pricing/length-tiers.js';
import { DEFAULT_TOOL_PRICES } from '../../pricing/tool-prices.js';
import {
  groupModelMap,
  groupRatioMap,
  lengthTierMap,
  RATIO_MAP_FORM,
  ratioMap,
  serviceTierMap,
  textMap,
  toolPriceMap,
} from '../option-documents.js';
import { decimal, flag, integer, json } from '../option-kinds.js';

const ratios = (fallback: Readonly<Record<string, number>>, help: string) =>
  json(fallback, ratioMap, RATIO_MAP_FORM, { tab: 'operation', section: 'prices', help });

/** Prices of calls: groups, models, tools, and the size of holds. */
export const PRICE_OPTIONS = {
  QuotaPerUnit: decimal(
    500_000,
    { min: 1, max: 1e12 },
    // An administrator who raised it would receive more for each payment.
    {
      tab: 'operation',
      heading: 'general',
      section: 'payments',
      class: 'public',
      help: 'Quota that stands for one US dollar.',
    },
  ),
  PreConsumedQuota: integer(
    500,
    { min: 0, max: 10_000_000 },
    {
      tab: 'operation',
      heading: 'quota',
      section: 'prices',
      help: 'Output tokens assumed when the caller names no maximum.',
    },
  ),
  GroupRatio: ratios(DEFAULT_GROUP_RATIO, 'Groups and their price factor.'),
  UserUsableGroups: json<Readonly<Record<string, string>>>(
    { default: 'Default group', vip: 'VIP group' },
    textMap,
    'a JSON object of group names to descriptions',
    { tab: 'operation', section: 'prices', help: 'Groups every user may choose, with a description.' },
  ),
  ModelPrice: ratios(DEFAULT_MODEL_PRICE, 'Dollars per call; wins over the ratios.'),
  ModelRatio: ratios(DEFAULT_MODEL_RATIO, 'Price of prompt tokens: 1 = 2 dollars per million.'),
  CacheRatio: ratios(DEFAULT_CACHE_RATIO, 'Factor for prompt tokens read from a cache; 1 when missing.'),
  CompletionRatio: ratios(DEFAULT_COMPLETION_RATIO, 'Factor for output tokens.'),
  ExposeRatioEnabled: flag(false, {
    tab: 'operation',
    heading: 'display',
    section: 'prices',
    class: 'security',
    help: 'Anybody may read the price ratios.',
  }),
  CreateCacheRatio: ratios(
    DEFAULT_CREATE_CACHE_RATIO,
    'Factor for prompt tokens written to a cache; 1.25 when missing.',
  ),
  CreateCache1hRatio: ratios(
    DEFAULT_CREATE_CACHE_1H_RATIO,
    'Factor for prompt tokens kept in a cache for an hour; 1.6 times the write factor when missing.',
  ),
  GroupGroupRatio: json<Readonly<Record<string, Readonly<Record<string, number>>>>>(
    {},
    groupRatioMap,
    'a JSON object of account groups to objects of groups to numbers from 0 to 1000000',
    {
      tab: 'operation',
      section: 'prices',
      help: "Price factors agreed for accounts of a group, instead of the called group's own.",
    },
  ),
  GroupModelRatio: json<Readonly<Record<string, Readonly<Record<string, number>>>>>(
    {},
    groupModelMap,
    'a JSON object of account groups to objects of "model" or "pattern*" to numbers from 0 to 1000000',
    {
      tab: 'operation',
      section: 'prices',
      help: 'Price factors of models agreed for accounts of a group, instead of any factor of groups; `*` stands for any text.',
    },
  ),
  LongContextRatio: json<LengthTierDocument>(
    DEFAULT_LONG_CONTEXT_RATIO,
    lengthTierMap,
    'a JSON object of models to lists of {"above", "input", "output", "cache_read", "cache_write"}',
    {
      tab: 'operation',
      section: 'prices',
      help: 'Factors of the usual prices for calls with more input tokens than `above`; they hold for the whole call.',
    },
  ),
  ServiceTierRatio: json<Readonly<Record<string, number>>>(
    {},
    serviceTierMap,
    'a JSON object of "tier", "tier:model" or "tier:prefix*" to numbers from 0 to 1000000',
    {
      tab: 'operation',
      section: 'prices',
      help: 'Factor of what tokens cost where the vendor reports another class of service (`flex`, `priority`).',
    },
  ),
  'tool_price_setting.prices': json<Readonly<Record<string, number>>>(
    DEFAULT_TOOL_PRICES,
    toolPriceMap,
    'a JSON object of "tool", "tool@size", "tool:model" or "tool:prefix*" to dollars per thousand uses',
    {
      tab: 'operation',
      section: 'prices',
      help: 'Dollars per thousand uses of tools the vendor runs; 0 makes a tool free.',
    },
  ),
  ImageCompletionRatio: ratios(
    DEFAULT_IMAGE_COMPLETION_RATIO,
    'Factor for output tokens that are pictures; the completion ratio when missing.',
  ),
  ReasoningRatio: ratios(
    DEFAULT_REASONING_RATIO,
    'Factor for output tokens the model only thought; the completion ratio when missing.',
  ),
  ImageRatio: ratios(DEFAULT_IMAGE_RATIO, 'Factor for image input tokens; 1 when missing.'),
  AudioRatio: ratios(DEFAULT_AUDIO_RATIO, 'Factor for audio input tokens.'),
  AudioCompletionRatio: ratios(
    DEFAULT_AUDIO_COMPLETION_RATIO,
    'Factor for audio output tokens, on top of the audio ratio.',
  ),
} as const satisfies Record<string, unknown>;
