import { queryOptions } from '@tanstack/react-query';
import { api, envelopeOf } from '../../api/client';
import type { Schemas } from '../../api/schemas';

type LaterMember = 'reasoning_ratio' | 'service_tiers' | 'picture_factors' | 'account_group_ratio';

/** Price of a model. Servers of earlier releases leave some members out. */
export type PriceEntry = Readonly<Omit<Schemas['PriceEntry'], LaterMember>> &
  Readonly<Partial<Pick<Schemas['PriceEntry'], LaterMember>>>;

export interface PriceList {
  readonly entries: readonly PriceEntry[];
  /** Factor of each group the reader may use. */
  readonly groupRatio: Readonly<Record<string, number>>;
  /** Their descriptions. */
  readonly usableGroup: Readonly<Record<string, string>>;
}

/** @param reader  id of who is signed in; guests and members see different lists */
export function priceListQuery(reader: number) {
  return queryOptions({
    queryKey: ['pricing', 'list', reader],
    queryFn: async ({ signal }): Promise<PriceList> => {
      const { data, group_ratio, usable_group } = await envelopeOf(api.GET('/api/pricing', { signal }));
      return { entries: data, groupRatio: group_ratio, usableGroup: usable_group };
    },
    staleTime: 60_000,
  });
}
