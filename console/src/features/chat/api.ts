import { queryOptions } from '@tanstack/react-query';
import { callBarePage } from '../../api/page';
import type { Schemas } from '../../api/schemas';

const ENABLED = 1;
/** As many tokens as one page holds: who has a hundred that are off has none to chat with. */
const LOOKED_AT = 100;

/** The key of the caller's newest token that works, as clients send it; null when there is none. */
export const chatKeyQuery = queryOptions({
  queryKey: ['tokens', 'chat-key'],
  queryFn: async ({ signal }): Promise<string | null> => {
    const page = { page: 1, pageSize: LOOKED_AT };
    const { items } = await callBarePage<Schemas['Token']>('/api/token/', page, { sizeName: 'size', signal });
    const usable = items.find(({ status, key }) => status === ENABLED && key !== '');
    return usable === undefined ? null : `sk-${usable.key}`;
  },
  staleTime: 0,
});
