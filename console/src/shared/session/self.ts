import { queryOptions } from '@tanstack/react-query';
import { callForData } from '../../api/client';
import type { Schemas } from '../../api/schemas';

/** The signed-in account, with its money. */
export type Self = Schemas['User'];

export const selfQuery = queryOptions({
  queryKey: ['self', 'one'],
  queryFn: ({ signal }) => callForData<Self>('GET', '/api/user/self', { signal }),
});
