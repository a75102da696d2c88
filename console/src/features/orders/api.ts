import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client';
import { countedFromOne, numberIn, type PageRequest } from '../../api/page';
import type { Schemas } from '../../api/schemas';
import { useRefreshingMutation } from '../../api/use-refreshing-mutation';

export type AdminOrder = Readonly<Schemas['TopUpAdminOrder']>;
export type AdminOrderDetail = Readonly<Schemas['TopUpAdminOrderDetail']>;

/** Texts as the server takes them; empty = not filtered. */
export interface OrderFilters {
  readonly keyword: string;
  readonly status: string;
  readonly provider: string;
  readonly user_id: string;
  /** Seconds since 1970. */
  readonly start_timestamp: string;
}

export function ordersQuery({ filters, ...page }: PageRequest & { filters: OrderFilters }) {
  return queryOptions({
    queryKey: ['orders', 'list', { ...filters, ...page }],
    queryFn: ({ signal }) => {
      const { user_id, start_timestamp, ...texts } = filters;
      const numbers = { user_id: numberIn(user_id), start_timestamp: numberIn(start_timestamp) };
      const query = { ...texts, ...numbers, ...countedFromOne(page) };
      return dataOf(api.GET('/api/user/topup', { params: { query }, signal }));
    },
    placeholderData: (previous) => previous,
  });
}

export function orderQuery(tradeNo: string) {
  return queryOptions({
    queryKey: ['orders', 'one', tradeNo],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/api/user/topup/order/{trade_no}', { params: { path: { trade_no: tradeNo } }, signal }),
      ),
  });
}

/** Account of the typed number. */
export function receiverQuery(id: number) {
  return queryOptions({
    queryKey: ['orders', 'receiver', id],
    queryFn: ({ signal }) => dataOf(api.GET('/api/user/{id}', { params: { path: { id } }, signal })),
    enabled: isAccountNumber(id),
    retry: false,
  });
}

const isAccountNumber = (id: number): boolean => Number.isSafeInteger(id) && id > 0;

/** Credits an order by hand, to another account when `user_id` names one. */
export function useCompleteOrder() {
  return useRefreshingMutation(
    ['orders'],
    (body: { trade_no: string; reason: string; user_id?: number }) =>
      dataOf(api.POST('/api/user/topup/complete', { body })),
    true,
  );
}

/** Closes an order whose payment was given back. */
export function useRefundOrder() {
  return useRefreshingMutation(
    ['orders'],
    (body: { trade_no: string; reason: string }) => dataOf(api.POST('/api/user/topup/refund', { body })),
    true,
  );
}
