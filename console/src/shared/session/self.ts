import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client';
import type { Schemas } from '../../api/schemas';
import { accountZone } from '../format/zone';
import { readAccountSetting } from './setting';

/** The signed-in account, with its money. */
export type Self = Schemas['User'];

export const selfQuery = queryOptions({
  queryKey: ['self', 'one'],
  queryFn: async ({ signal }) => {
    const self = await dataOf(api.GET('/api/user/self', { signal }));
    accountZone.write(readAccountSetting(self.setting).time_zone);
    return self;
  },
});
