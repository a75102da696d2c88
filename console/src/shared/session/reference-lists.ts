import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client';
import { sortGroups } from '../format/lists';

/** Names of all groups, `default` first. Administrators only. */
export const groupsQuery = queryOptions({
  queryKey: ['groups', 'list'],
  queryFn: async ({ signal }) => sortGroups(await dataOf(api.GET('/api/group', { signal }))),
  staleTime: 60_000,
});

export interface UsableGroup {
  readonly name: string;
  readonly description: string;
  readonly ratio: number;
}

/** Groups the signed-in person may choose for a token. */
export const usableGroupsQuery = queryOptions({
  queryKey: ['groups', 'usable'],
  queryFn: async ({ signal }): Promise<UsableGroup[]> => {
    const groups = await dataOf(api.GET('/api/user/self/groups', { signal }));
    return sortGroups(Object.keys(groups)).map((name) => ({
      name,
      description: groups[name]?.desc ?? '',
      ratio: groups[name]?.ratio ?? 1,
    }));
  },
  staleTime: 60_000,
});

/** Models the signed-in person may call. */
export const usableModelsQuery = queryOptions({
  queryKey: ['models', 'usable'],
  queryFn: async ({ signal }) => (await dataOf(api.GET('/api/user/models', { signal }))).toSorted(),
  staleTime: 60_000,
});
