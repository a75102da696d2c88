import { z } from 'zod';

/** Credit that is left at a provider, in its own currency. */
export interface ProviderBalance {
  readonly amount: number;
  readonly currency: 'USD' | 'CNY';
}

/** Asks the channel's address for a JSON document. Fails: throws when there is none. */
export type GetDocument = (path: string) => Promise<unknown>;

/** Reads one kind of balance. Fails: throws when the documents differ from those that the provider describes. */
export type BalanceReader = (get: GetDocument, nowMs: number) => Promise<ProviderBalance>;

/** A number, or a text that is one. */
export const amount = z.coerce.number().refine(Number.isFinite);

const DAY_MS = 86_400_000;
const USAGE_DAYS = 100;

const subscriptionSchema = z.object({
  hard_limit_usd: amount,
  has_payment_method: z.boolean().default(false),
});
const usageSchema = z.object({ total_usage: amount });

/** Limit of the subscription minus its use: of the last 100 days when it is paid by card, else of this month. */
export const readOpenAiBalance: BalanceReader = async (get, nowMs) => {
  const subscription = subscriptionSchema.parse(await get('/v1/dashboard/billing/subscription'));
  const now = new Date(nowMs);
  const monthStart = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1);
  const from = subscription.has_payment_method ? nowMs - USAGE_DAYS * DAY_MS : monthStart;
  const range = `start_date=${toDate(from)}&end_date=${toDate(nowMs + DAY_MS)}`;
  const usage = usageSchema.parse(await get(`/v1/dashboard/billing/usage?${range}`));
  return { amount: subscription.hard_limit_usd - usage.total_usage / 100, currency: 'USD' };
};

const toDate = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
