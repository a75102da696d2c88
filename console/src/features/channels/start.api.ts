import { queryOptions, useMutation } from '@tanstack/react-query';
import { api, dataOf, envelopeOf } from '../../api/client';
import { readEvents } from '../../api/events';
import { openCall } from '../../api/open-call';
import type { Schemas } from '../../api/schemas';

/** Prices of models that no channel serves yet; `maySet` = whether the person may set those that are missing. */
export function useLookUpPrices() {
  return useMutation({
    meta: { failure: 'inline' },
    mutationFn: lookUpPrices,
  });
}

async function lookUpPrices(models: readonly string[]) {
  const answer = await envelopeOf(api.POST('/api/pricing/lookup', { body: { models: [...models] } }));
  return { prices: answer.data, maySet: answer.may_set };
}

/** Below it are the prices of models that are not saved yet. */
export const MODEL_PRICES = ['model-prices'] as const;

/** The same as a query, for a form that follows its models. */
export function modelPricesQuery(models: readonly string[], isWanted: boolean) {
  const sorted = models.toSorted();
  return queryOptions({
    queryKey: [...MODEL_PRICES, sorted],
    queryFn: () => lookUpPrices(sorted),
    enabled: isWanted && sorted.length > 0,
    placeholderData: (previous) => previous,
    staleTime: 30_000,
  });
}

/** Stores prices as one version of the price list. */
export const storePrices = (items: Schemas['PriceSyncApply']['items'], note: string) =>
  dataOf(api.POST('/api/pricing/sync/apply', { body: { items, note } }));

export interface FirstToken {
  readonly name: string;
  /** The key in the form that clients send. */
  readonly key: string;
}

const USABLE = 1;

/** The newest token that works, or a new one without a limit of its own. @param name  of a new token */
export async function usableToken(name: string): Promise<FirstToken> {
  const tokens = await dataOf(api.GET('/api/token', { params: { query: { p: 0, size: 20 } } }));
  const stored = tokens.find(({ status, key }) => status === USABLE && key !== '');
  const token = stored ?? (await dataOf(api.POST('/api/token', { body: { name, unlimited_quota: true } })));
  return { name: token.name, key: `sk-${token.key}` };
}

interface AnswerListener {
  /** Request id, by which the usage log finds the call. */
  onReference(reference: string): void;
  onText(text: string): void;
}

/** Asks a model one question; the text comes piece by piece. Fails: ApiError; Error with the sentence of a broken stream. */
export async function streamAnswer(
  model: string,
  question: string,
  listener: AnswerListener,
  signal: AbortSignal,
): Promise<void> {
  const body = { model, stream: true, messages: [{ role: 'user', content: question }] };
  const response = await openCall('/pg/chat/completions', body, signal);
  listener.onReference(response.headers.get('x-request-id') ?? '');
  if (response.body === null) return;
  for await (const data of readEvents(response.body)) {
    if (data === '[DONE]') return;
    const chunk = JSON.parse(data) as AnswerChunk;
    if (chunk.error !== undefined && chunk.error !== null)
      throw new Error(chunk.error.message ?? JSON.stringify(chunk.error));
    const text = chunk.choices?.[0]?.delta?.content;
    if (typeof text === 'string' && text !== '') listener.onText(text);
  }
}

interface AnswerChunk {
  readonly error?: { readonly message?: string } | null;
  readonly choices?: readonly { readonly delta?: { readonly content?: unknown } }[];
}
