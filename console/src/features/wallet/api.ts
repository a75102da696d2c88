import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { isApiError, ApiError } from '../../api/api-error';
import { api, dataOf, envelopeOf } from '../../api/client';
import { countedFromOne, type PageRequest } from '../../api/page';
import type { Schemas } from '../../api/schemas';
import { debounce } from '../../shared/browser/debounce';

/** Which ways to pay there are, and what bounds an amount. */
export type TopUpInfo = Readonly<Schemas['TopUpInfo']>;
export type PayMethod = TopUpInfo['pay_methods'][number];
export type Movement = Readonly<Schemas['LedgerMovement']>;
export type LedgerPage = Readonly<Schemas['LedgerPage']>;

export const topUpInfoQuery = queryOptions({
  queryKey: ['wallet', 'info'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/user/topup/info', { signal })),
});

export function isPayableOnline(info: TopUpInfo): boolean {
  return info.enable_online_topup && info.pay_methods.length > 0;
}

/** These two routes give the reason of a refusal in `data`; `message` is just `error` then. */
async function paymentOf<Envelope>(call: Parameters<typeof envelopeOf<Envelope>>[0]): Promise<Envelope> {
  try {
    return await envelopeOf(call);
  } catch (error) {
    const reason = isApiError(error) ? error.envelope?.['data'] : undefined;
    if (!isApiError(error) || error.message !== 'error' || typeof reason !== 'string') throw error;
    throw new ApiError(error.status, reason, { code: error.code, envelope: error.envelope });
  }
}

interface AmountRequest {
  /** Units or quota, by `amount_counts`. */
  readonly amount: number;
  readonly method: string;
}

const bodyOf = ({ amount, method }: AmountRequest) => ({ amount, top_up_code: '', payment_method: method });
const PAUSE_MS = 250;

/** Price of an amount, as the server computes it: exact decimal text. */
export function sumQuery(request: AmountRequest) {
  return queryOptions({
    queryKey: ['wallet', 'sum', request],
    queryFn: async ({ signal }) => {
      await debounce(signal, PAUSE_MS);
      return (await paymentOf(api.POST('/api/user/amount', { body: bodyOf(request), signal }))).data;
    },
    staleTime: 30_000,
  });
}

/** Address of the payment page of an order. */
export type PaymentStart =
  | { readonly method: 'form'; readonly url: string; readonly fields: Readonly<Record<string, string>> }
  | { readonly method: 'redirect'; readonly url: string };

/** Makes an order. Fails: with the server's refusal, and for an address no browser should be sent to. */
export function usePay() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (request: AmountRequest): Promise<PaymentStart> => {
      const { url, method, data } = await paymentOf(api.POST('/api/user/pay', { body: bodyOf(request) }));
      if (!/^https?:\/\//.test(url)) throw new ApiError(0, '');
      return method === 'redirect' ? { method, url } : { method, url, fields: data };
    },
    meta: { failure: 'inline' },
    onSettled: () => client.invalidateQueries({ queryKey: ['wallet'] }),
  });
}

/** Turns a code into quota; answers how much. */
export function useRedeem() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (key: string) => dataOf(api.POST('/api/user/topup', { body: { key } })),
    meta: { failure: 'inline' },
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['wallet'] }),
        client.invalidateQueries({ queryKey: ['self'] }),
      ]),
  });
}

export function ownOrdersQuery({ status, ...page }: PageRequest & { status: string }) {
  return queryOptions({
    queryKey: ['wallet', 'orders', { status, ...page }],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/api/user/topup/self', { params: { query: { status, ...countedFromOne(page) } }, signal }),
      ),
    placeholderData: (previous) => previous,
  });
}

/** Payment orders of another account, for administrators. */
export function accountOrdersQuery({
  userId,
  status,
  ...page
}: PageRequest & { userId: number; status: string }) {
  return queryOptions({
    queryKey: ['orders', 'of-account', { userId, status, ...page }],
    queryFn: ({ signal }) => {
      const query = { user_id: userId, status, ...countedFromOne(page) };
      return dataOf(api.GET('/api/user/topup', { params: { query }, signal }));
    },
    placeholderData: (previous) => previous,
  });
}

export function ownOrderQuery(tradeNo: string) {
  return queryOptions({
    queryKey: ['wallet', 'order', tradeNo],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/user/topup/self/{trade_no}', { params: { path: { trade_no: tradeNo } }, signal })),
  });
}

/** Movements of the own account, or of another one for administrators. @param userId  0 = the own */
export function ledgerQuery({
  kind,
  userId = 0,
  page,
  pageSize,
}: PageRequest & { kind: string; userId?: number }) {
  return queryOptions({
    queryKey: ['wallet', 'ledger', { kind, userId, page, pageSize }],
    queryFn: ({ signal }) => {
      const query = { kind, p: page, page_size: pageSize };
      return dataOf(
        userId === 0
          ? api.GET('/api/user/ledger', { params: { query }, signal })
          : api.GET('/api/user/{id}/ledger', { params: { path: { id: userId }, query }, signal }),
      );
    },
    placeholderData: (previous) => previous,
  });
}
