import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { call } from '../../api/client';
import type { Schemas } from '../../api/schemas';

type LaterMember = 'reasoning_ratio' | 'service_tiers' | 'picture_factors' | 'account_group_ratio';

/** What a model costs. Servers of earlier releases leave some members out. */
export type PriceEntry = Readonly<Omit<Schemas['PriceEntry'], LaterMember>> &
  Readonly<Partial<Pick<Schemas['PriceEntry'], LaterMember>>>;

/** Members beside `data`. */
const besideSchema = z.looseObject({
  group_ratio: z.record(z.string(), z.number()),
  usable_group: z.record(z.string(), z.string()),
});

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
      const { data, envelope } = await call<PriceEntry[]>('GET', '/api/pricing', { signal });
      const beside = besideSchema.parse(envelope);
      return { entries: data, groupRatio: beside.group_ratio, usableGroup: beside.usable_group };
    },
    staleTime: 60_000,
  });
}
