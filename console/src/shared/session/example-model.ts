import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, dataOf } from '../../api/client';
import type { Schemas } from '../../api/schemas';
import { selfQuery } from './self';
import { readAccountSetting } from './setting';
import { useStatus } from './status';

/** Chosen where the price list is not known, and shown where no model can be called yet. */
const USUAL_MODEL = 'gpt-4o-mini';
/** Endpoint type of chat calls in price lists. */
const CHAT = 'openai';
const PER_CALL = 1;
/** A ratio of 1 is $2 per 1M tokens: per 1,000 tokens a thousandth of this. */
const DOLLARS_OF_RATIO = 0.002 * 1_000;

const listedModelsQuery = queryOptions({
  queryKey: ['models', 'listed'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/pricing', { signal })),
  staleTime: 60_000,
});

type ListedModel = Readonly<Schemas['PriceEntry']>;

/** Dollars of a call with 1,000 tokens of input and 1,000 of output, or the price per call. */
const costOf = (model: ListedModel): number =>
  model.quota_type === PER_CALL
    ? model.model_price
    : (model.model_ratio * (1 + model.completion_ratio) * DOLLARS_OF_RATIO) / 1_000;

/**
 * A model for a first call, which should succeed and cost little: of those that chat and have a price the usual one, else the cheapest;
 * the usual one, else the first of all, where none does or the price list is not known.
 */
export function cheapestChatModel(
  models: readonly string[],
  listed: readonly ListedModel[],
): string | undefined {
  const known = new Map(listed.map((model) => [model.model_name, model]));
  const good = models
    .flatMap((name) => known.get(name) ?? [])
    .filter((model) => !model.is_price_unset && model.supported_endpoint_types.includes(CHAT))
    .toSorted((one, other) => costOf(one) - costOf(other));
  const isUsual = (name: string): boolean => name === USUAL_MODEL;
  const first = good.find(({ model_name }) => isUsual(model_name)) ?? good[0];
  return first?.model_name ?? models.find(isUsual) ?? models[0];
}

/** The cheapest chat model by the price list of the server (`cheapestChatModel`); some name where there is no model. */
export function useExampleModel(models: readonly string[]): string {
  const listed = useQuery(listedModelsQuery).data ?? [];
  return cheapestChatModel(models, listed) ?? USUAL_MODEL;
}

/**
 * Of some models those that chat and are served in a group. What the price list does not know stays.
 * @param group  undefined = whichever
 */
export function useChatModels(models: readonly string[], group: string | undefined): readonly string[] {
  const listed = useQuery(listedModelsQuery).data ?? [];
  const known = new Map(listed.map((model) => [model.model_name, model]));
  return models.filter((name) => {
    const model = known.get(name);
    if (model === undefined) return true;
    const isInGroup = group === undefined || model.enable_groups.includes(group);
    return isInGroup && model.supported_endpoint_types.includes(CHAT);
  });
}

/** Kinds of calls the playground makes, as price lists name their endpoints. */
export type CallKind = 'openai' | 'image-generation' | 'audio-speech';

/**
 * Models an account can call in a group at their price. Models without a price are left out unless the installation or the account
 * accepts them; those the price list does not name are offered for chats.
 * @param models  names the account may call
 * @param group  undefined = any
 */
export function useCallableModels(
  models: readonly string[],
  group: string | undefined,
  kind: CallKind = CHAT,
): readonly string[] {
  const listed = useQuery(listedModelsQuery).data;
  const self = useQuery(selfQuery).data;
  const acceptsUnpriced =
    useStatus()?.self_use_mode_enabled === true ||
    (self !== undefined && readAccountSetting(self.setting).accept_unset_model_ratio_model);
  return useMemo(() => {
    const known = new Map((listed ?? []).map((model) => [model.model_name, model]));
    return models.filter((name) => {
      const model = known.get(name);
      if (model === undefined) return kind === CHAT;
      const isInGroup = group === undefined || model.enable_groups.includes(group);
      const isPayable = acceptsUnpriced || !model.is_price_unset;
      return isInGroup && isPayable && model.supported_endpoint_types.includes(kind);
    });
  }, [models, group, kind, listed, acceptsUnpriced]);
}
