import { queryOptions, useQueries } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { api, dataOf } from '../../../api/client';
import { isApiError } from '../../../api/api-error';
import type { Receipt } from '../store/conversation';
import type { ChatMessage } from './messages';
import type { ReceiptBook } from './receipt-book';

/** A charge is booked within about a second; these are the pauses between the questions for it. */
const PAUSES_MS = [400, 600, 1_000, 2_000, 4_000, 8_000];
/** Type of a charged call in the usage log. */
const CHARGED = 2;
const NOTHING: Receipt = { promptTokens: 0, completionTokens: 0, quota: 0 };

/** The log has no line of a call yet. */
class NotBooked extends Error {}

export function receiptQuery(requestId: string) {
  return queryOptions({
    queryKey: ['playground', 'receipt', requestId],
    queryFn: async ({ signal }): Promise<Receipt> => {
      const query = { p: 1, page_size: 10, request_id: requestId };
      const { items } = await dataOf(api.GET('/api/log/self', { params: { query }, signal }));
      const line = items.find(({ type }) => type === CHARGED);
      if (line === undefined) {
        if (items.length > 0) return NOTHING;
        throw new NotBooked();
      }
      return {
        promptTokens: line.prompt_tokens,
        completionTokens: line.completion_tokens,
        quota: line.quota,
      };
    },
    staleTime: Infinity,
    retry: (count, error) => count < PAUSES_MS.length && (error instanceof NotBooked || isUnreachable(error)),
    retryDelay: (count) => PAUSES_MS[count] ?? 0,
  });
}

const isUnreachable = (error: unknown): boolean =>
  isApiError(error) && (error.status === 0 || error.status >= 500);

export interface AnswerReceipt {
  /** Figures of all calls together; absent = not known yet, or none was charged. */
  readonly receipt: Receipt | undefined;
  readonly isPending: boolean;
}

/**
 * Receipt of one answer that has ended, which may have taken several calls.
 * @param book  has the receipts that are known, and gets each new one
 */
export function useReceipt(message: ChatMessage, book: ReceiptBook): AnswerReceipt {
  const known = useSyncExternalStore(book.subscribe, book.all);
  const { calls = [], failure } = message.metadata ?? {};
  // A refusal before the answer costs nothing.
  const isRefused = failure !== undefined && failure.status !== 200 && calls.length < 2;
  const ids = calls.map(({ requestId }) => requestId).filter((id) => id !== '');
  const missing = isRefused ? [] : ids.filter((id) => !Object.hasOwn(known, id));
  const queries = useQueries({ queries: missing.map((id) => receiptQuery(id)) });
  const isPending = queries.some((query) => query.isPending);
  const arrived = queries.map(({ data }) => data);
  useEffect(() => {
    missing.forEach((id, index) => {
      const data = arrived[index];
      if (data !== undefined) book.add(id, data);
    });
  });
  const found = ids.flatMap((id) => known[id] ?? []);
  return { receipt: found.length === 0 ? undefined : sumOf(found), isPending };
}

export const sumOf = (receipts: readonly Receipt[]): Receipt =>
  receipts.reduce(
    (sum, each) => ({
      promptTokens: sum.promptTokens + each.promptTokens,
      completionTokens: sum.completionTokens + each.completionTokens,
      quota: sum.quota + each.quota,
    }),
    NOTHING,
  );
