import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client';

const USUAL_MODEL = 'gpt-4o-mini';
/** Endpoint type of chat calls in price lists. */
const CHAT = 'openai';

const listedModelsQuery = queryOptions({
  queryKey: ['models', 'listed'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/pricing', { signal })),
  staleTime: 60_000,
});

/**
 * A model for a first call, which should succeed: of those that chat and have a price the usual one, else the first; the first
 * of all where none does or the price list is not known.
 */
export function useExampleModel(models: readonly string[]): string {
  const listed = useQuery(listedModelsQuery).data ?? [];
  const good = new Set(
    listed
      .filter((model) => !model.is_price_unset && model.supported_endpoint_types.includes(CHAT))
      .map((model) => model.model_name),
  );
  const choices = models.includes(USUAL_MODEL) ? [USUAL_MODEL, ...models] : models;
  return choices.find((model) => good.has(model)) ?? choices[0] ?? USUAL_MODEL;
}

/**
 * Of some models those that chat and are served in a group. What the price list does not know stays: it says nothing against it.
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
