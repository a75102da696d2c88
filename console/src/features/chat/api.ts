import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client';

const ENABLED = 1;
/** One page of tokens. Users whose newest hundred tokens are all disabled get no chat. */
const PAGE_SIZE = 100;

/** The key of the caller's newest token that works, as clients send it; null when there is none. */
export const chatKeyQuery = queryOptions({
  queryKey: ['tokens', 'chat-key'],
  queryFn: async ({ signal }): Promise<string | null> => {
    const tokens = await dataOf(
      api.GET('/api/token', { params: { query: { p: 0, size: PAGE_SIZE } }, signal }),
    );
    const usable = tokens.find(({ status, key }) => status === ENABLED && key !== '');
    return usable === undefined ? null : `sk-${usable.key}`;
  },
  staleTime: 0,
});
