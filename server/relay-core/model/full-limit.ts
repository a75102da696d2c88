import type { LimitRefusal, ShownLimit } from './limit-refusal.js';
import { refusal } from './refusals.js';
import type { RelayError } from './relay-error.js';

/** A refusal by a limit. */
export type LimitError = Extract<RelayError, { readonly limit?: ShownLimit }>;

/** Limits of these periods are answered with 429: a client that waits and repeats the call succeeds. */
const SHORT_PERIODS: ReadonlySet<string> = new Set(['minute', 'hour', '']);
/** A longer wait is not advised by `Retry-After`: clients would sleep through it. */
const MAX_ADVISED_WAIT_MS = 3_600_000;
/** Wait that is advised when calls at once are too many. */
const IN_FLIGHT_RETRY_MS = 1_000;

/** Measure, as it is shown, its unit, and its name behind an amount. */
interface MeasureWords {
  readonly measure: ShownLimit['measure'];
  readonly unit: ShownLimit['unit'];
  readonly text: string;
}

const MEASURES: Readonly<Record<string, MeasureWords>> = {
  quota: { measure: 'money', unit: 'usd', text: '' },
  tokens: { measure: 'tokens', unit: 'tokens', text: 'tokens' },
  input_tokens: { measure: 'input_tokens', unit: 'tokens', text: 'input tokens' },
  output_tokens: { measure: 'output_tokens', unit: 'tokens', text: 'output tokens' },
  requests: { measure: 'requests', unit: 'requests', text: 'requests' },
  in_flight: { measure: 'in_flight', unit: 'calls', text: 'calls at once' },
};

const SCOPE_TEXTS: ReadonlyMap<string, string> = new Map([
  ['token', 'this API key'],
  ['account', 'the account'],
  ['group', 'the group of the account'],
  ['call_group', 'the group of the call'],
  ['end_user', 'this end user'],
  ['tag', 'this tag'],
  ['everyone', 'all callers'],
]);

/**
 * The refusal of a call by a limit: 429 (`rate-limited`) for calls at once and periods of an hour at most, 403 (`limit-full`) for longer ones
 * and for calls that never fit.
 * @param nowMs  milliseconds since 1970, by the clock `opensAtMs` is read from
 * @param quotaPerUnit  quota units of one US dollar, above 0
 */
export function limitRefusal(full: LimitRefusal, nowMs: number, quotaPerUnit: number): LimitError {
  const limit = shownLimit(full, quotaPerUnit);
  const facts = {
    limit: full.name,
    amount: amountText(full.measure, full.amount, quotaPerUnit),
    period: full.period,
    scope: SCOPE_TEXTS.get(full.scope) ?? full.scope,
    opens: limit.resets_at ?? 'a later time',
  };
  if (full.neverFits !== undefined) {
    const needed = amountText(full.measure, full.neverFits.needed, quotaPerUnit);
    return { ...refusal('limit-below-call', { ...facts, needed }), limit };
  }
  if (full.measure === 'in_flight')
    return { ...refusal('limit-in-flight', facts), retryAfterMs: IN_FLIGHT_RETRY_MS, limit };
  if (full.period === 'ever') return { ...refusal('limit-used-up', facts), limit };
  const waitMs = full.opensAtMs === null ? undefined : Math.max(0, full.opensAtMs - nowMs);
  if (SHORT_PERIODS.has(full.period))
    return { ...refusal('limit-window', facts), retryAfterMs: waitMs ?? IN_FLIGHT_RETRY_MS, limit };
  return {
    ...refusal('limit-period', facts),
    ...(waitMs === undefined || waitMs >= MAX_ADVISED_WAIT_MS ? {} : { retryAfterMs: waitMs }),
    limit,
  };
}

function shownLimit(
  { name, scope, measure, amount, period, opensAtMs, neverFits }: LimitRefusal,
  quotaPerUnit: number,
): ShownLimit {
  const words = wordsOf(measure);
  const valueOf = (value: number): number => (words.unit === 'usd' ? dollarsOf(value, quotaPerUnit) : value);
  return {
    name,
    scope,
    measure: words.measure,
    amount: valueOf(amount),
    unit: words.unit,
    period: period === '' ? null : period,
    resets_at: opensAtMs === null ? null : toWholeSecond(opensAtMs),
    ...(neverFits === undefined ? {} : { needed: valueOf(neverFits.needed) }),
  };
}

const REQUESTS: MeasureWords = { measure: 'requests', unit: 'requests', text: 'requests' };
const wordsOf = (measure: string): MeasureWords => MEASURES[measure] ?? REQUESTS;

/** Millionths of a dollar are the finest step that is shown. */
const dollarsOf = (quota: number, quotaPerUnit: number): number =>
  Math.round((quota / quotaPerUnit) * 1_000_000) / 1_000_000;

/** An amount in words: `$5.00`, `2,000,000 tokens`. */
function amountText(measure: string, amount: number, quotaPerUnit: number): string {
  const { unit, text } = wordsOf(measure);
  if (unit !== 'usd')
    return `${amount.toLocaleString('en-US')} ${amount === 1 ? text.replace(/s\b/, '') : text}`;
  const dollars = dollarsOf(amount, quotaPerUnit);
  return dollars.toLocaleString('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 6 });
}

/** RFC 3339 in UTC, rounded up: at the second that is shown the limit is open. */
export const toWholeSecond = (ms: number): string =>
  new Date(Math.ceil(ms / 1_000) * 1_000).toISOString().replace('.000Z', 'Z');

/** The limit of a refusal; undefined = something else failed. */
export const limitIn = (error: RelayError): ShownLimit | undefined =>
  'limit' in error ? error.limit : undefined;

/** Codes of refusals by limits, in each client API's own place; undefined = something else failed. */
export function limitCode(error: RelayError): 'limit_reached' | 'limit_below_call' | undefined {
  const limit = limitIn(error);
  if (limit === undefined) return undefined;
  return limit.needed === undefined ? 'limit_reached' : 'limit_below_call';
}
