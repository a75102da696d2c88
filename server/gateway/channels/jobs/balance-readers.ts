import { z } from 'zod';
import { CHANNEL_TYPE } from '../state/channel.codes.js';

/** What a provider says is left, in its own currency. */
export interface ProviderBalance {
  readonly amount: number;
  readonly currency: 'USD' | 'CNY';
}

/** Asks the channel's address for a JSON document. Fails: throws when there is none. */
export type GetDocument = (path: string) => Promise<unknown>;

/** Reads one kind of balance. Fails: throws when the documents are not what the provider documents. */
export type BalanceReader = (get: GetDocument, nowMs: number) => Promise<ProviderBalance>;

const DAY_MS = 86_400_000;
const USAGE_DAYS = 100;
const SILICON_FLOW_OK = 20_000;

const amount = z.coerce.number().refine(Number.isFinite);

const subscriptionSchema = z.object({
  hard_limit_usd: amount,
  has_payment_method: z.boolean().default(false),
});
const usageSchema = z.object({ total_usage: amount });
const creditsSchema = z.object({ data: z.object({ total_credits: amount, total_usage: amount }) });
const moonshotSchema = z.object({ data: z.object({ available_balance: amount }) });
const siliconFlowSchema = z.object({
  code: z.literal(SILICON_FLOW_OK),
  data: z.object({ totalBalance: amount }),
});
const api2GptSchema = z.object({ total_remaining: amount });
const aigc2dSchema = z.object({ total_available: amount });
const deepSeekSchema = z.object({
  balance_infos: z.array(z.object({ currency: z.string(), total_balance: amount })).min(1),
});

/** Limit of the subscription less what was used: of the last 100 days when it is paid by card, else of this month. */
const readOpenAi: BalanceReader = async (get, nowMs) => {
  const subscription = subscriptionSchema.parse(await get('/v1/dashboard/billing/subscription'));
  const now = new Date(nowMs);
  const monthStart = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1);
  const from = subscription.has_payment_method ? nowMs - USAGE_DAYS * DAY_MS : monthStart;
  const range = `start_date=${toDate(from)}&end_date=${toDate(nowMs + DAY_MS)}`;
  const usage = usageSchema.parse(await get(`/v1/dashboard/billing/usage?${range}`));
  return { amount: subscription.hard_limit_usd - usage.total_usage / 100, currency: 'USD' };
};

const readOpenRouter: BalanceReader = async (get) => {
  const { data } = creditsSchema.parse(await get('/v1/credits'));
  return { amount: data.total_credits - data.total_usage, currency: 'USD' };
};

const readMoonshot: BalanceReader = async (get) => {
  const { data } = moonshotSchema.parse(await get('/v1/users/me/balance'));
  return { amount: data.available_balance, currency: 'CNY' };
};

const readSiliconFlow: BalanceReader = async (get) => {
  const { data } = siliconFlowSchema.parse(await get('/v1/user/info'));
  return { amount: data.totalBalance, currency: 'CNY' };
};

/** The dollar account when there is one, else the one in yuan. */
const readDeepSeek: BalanceReader = async (get) => {
  const { balance_infos: accounts } = deepSeekSchema.parse(await get('/user/balance'));
  const dollars = accounts.find((account) => account.currency === 'USD');
  if (dollars !== undefined) return { amount: dollars.total_balance, currency: 'USD' };
  const yuan = accounts.find((account) => account.currency === 'CNY');
  if (yuan === undefined) throw new Error('no account in dollars or yuan');
  return { amount: yuan.total_balance, currency: 'CNY' };
};

const readApi2Gpt: BalanceReader = async (get) => {
  const { total_remaining: left } = api2GptSchema.parse(await get('/dashboard/billing/credit_grants'));
  return { amount: left, currency: 'USD' };
};

const readAigc2d: BalanceReader = async (get) => {
  const { total_available: left } = aigc2dSchema.parse(await get('/dashboard/billing/credit_grants'));
  return { amount: left, currency: 'USD' };
};

/** Channel types whose balance can be read; all others have none. */
export const BALANCE_READERS: ReadonlyMap<number, BalanceReader> = new Map<number, BalanceReader>([
  [CHANNEL_TYPE.openai, readOpenAi],
  [CHANNEL_TYPE.custom, readOpenAi],
  [CHANNEL_TYPE.api2Gpt, readApi2Gpt],
  [CHANNEL_TYPE.aigc2d, readAigc2d],
  [CHANNEL_TYPE.openRouter, readOpenRouter],
  [CHANNEL_TYPE.moonshot, readMoonshot],
  [CHANNEL_TYPE.siliconFlow, readSiliconFlow],
  [CHANNEL_TYPE.deepSeek, readDeepSeek],
]);

const toDate = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
