import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client';

const FALLBACK_MODEL = 'gpt-4o-mini';
/** The way in of chat calls, as price lists name it. */
const CHAT = 'openai';

const listedModelsQuery = queryOptions({
  queryKey: ['models', 'listed'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/pricing', { signal })),
  staleTime: 60_000,
});

/**
 * A model for a first call, which is to succeed: of some, the first that chats and has a price; the first of all where the list
 * does not say.
 */
export function useExampleModel(models: readonly string[]): string {
  const listed = useQuery(listedModelsQuery).data ?? [];
  const good = new Set(
    listed
      .filter((model) => !model.is_price_unset && model.supported_endpoint_types.includes(CHAT))
      .map((model) => model.model_name),
  );
  return models.find((model) => good.has(model)) ?? models[0] ?? FALLBACK_MODEL;
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
