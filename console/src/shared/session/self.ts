import { queryOptions } from '@tanstack/react-query';
import { callForData } from '../../api/client';

/** The signed-in account, with its money. */
export interface Self {
  readonly id: number;
  readonly username: string;
  readonly display_name: string;
  readonly email: string;
  readonly role: number;
  readonly status: number;
  readonly group: string;
  readonly quota: number;
  readonly used_quota: number;
  readonly request_count: number;
  readonly setting: string;
}

export const selfQuery = queryOptions({
  queryKey: ['self', 'one'],
  queryFn: ({ signal }) => callForData<Self>('GET', '/api/user/self', { signal }),
});
