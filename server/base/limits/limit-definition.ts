/** A limit applies to calls of these. `group` is the group of the account, `call_group` the group a call runs in. */
export const LIMIT_SCOPES = [
  'token',
  'account',
  'group',
  'call_group',
  'end_user',
  'tag',
  'channel',
  'channel_tag',
  'everyone',
] as const;
export type LimitScope = (typeof LIMIT_SCOPES)[number];

/** Scopes whose limit may apply to each value by itself. */
export const EACH_SCOPES: ReadonlySet<LimitScope> = new Set(['token', 'account', 'end_user', 'tag']);

/** `quota` is money in quota units; `tokens` is input and output together, cached and written input and reasoning included. */
export const LIMIT_MEASURES = [
  'quota',
  'tokens',
  'input_tokens',
  'output_tokens',
  'requests',
  'in_flight',
] as const;
export type LimitMeasure = (typeof LIMIT_MEASURES)[number];

/** Measures whose use grows with a period: all but calls in flight. */
export type CountedMeasure = Exclude<LimitMeasure, 'in_flight'>;

export const LIMIT_PERIODS = ['minute', 'hour', 'day', 'week', 'month', 'quarter', 'ever'] as const;
export type LimitPeriod = (typeof LIMIT_PERIODS)[number];

/** `pass_over` is of channels alone: a full channel is not chosen. */
export const LIMIT_ACTIONS = ['refuse', 'warn', 'cheaper_model', 'pass_over'] as const;
export type LimitAction = (typeof LIMIT_ACTIONS)[number];

/**
 * Kind of a row of use. `use` is the sum of settlements, `correction` what settlements and refunds changed later, `opening` what was used before
 * the limit counted, `reset` what a reset took off (below 0), `attempt` the requests and tests at channels, which no settlement covers.
 */
export const LIMIT_USE_KINDS = ['use', 'correction', 'opening', 'reset', 'attempt'] as const;
export type LimitUseKind = (typeof LIMIT_USE_KINDS)[number];

/** Largest amount of a limit, and of its use. */
export const MAX_LIMIT_AMOUNT = Number.MAX_SAFE_INTEGER;
export const MAX_LIMIT_NAME_CHARACTERS = 100;
export const MAX_LIMIT_SUBJECT_CHARACTERS = 191;

/** A limit as admission reads it. Amounts are whole numbers from 0 to `MAX_LIMIT_AMOUNT`, of the unit of the measure. */
export interface LimitDefinition {
  readonly id: number;
  /** Shown to callers. */
  readonly name: string;
  readonly scope: LimitScope;
  /** Decimal id, group name or value; empty with `each` and `everyone`. */
  readonly subject: string;
  /** Account of the end users or tags; null = of all accounts, and for other scopes no account. */
  readonly accountId: number | null;
  /** Each value of the scope has an amount of its own. */
  readonly each: boolean;
  /** Name or pattern as in the model limits of tokens; empty = every model. */
  readonly model: string;
  readonly measure: LimitMeasure;
  readonly amount: number;
  /** Empty = in flight. */
  readonly period: LimitPeriod | '';
  /** False = the period starts at midnight, Monday or the first day of a month in LimitTimeZone. */
  readonly rolling: boolean;
  readonly action: LimitAction;
  /** Model that calls go on with at the limit, with the action `cheaper_model`; empty or absent = none. */
  readonly fallbackModel?: string;
  readonly admitUnknown: boolean;
  readonly overrideAmount: number | null;
  /** Moment the override ends, milliseconds. */
  readonly overrideUntilMs: number | null;
  /** A limit of a user's own, beside those that others set. */
  readonly byUser: boolean;
  readonly createdAtMs: number;
}

/** Amount in force at a moment: that of the override while it lasts. */
export const amountAt = (
  {
    amount,
    overrideAmount,
    overrideUntilMs,
  }: Pick<LimitDefinition, 'amount' | 'overrideAmount' | 'overrideUntilMs'>,
  nowMs: number,
): number =>
  overrideAmount !== null && overrideUntilMs !== null && nowMs < overrideUntilMs ? overrideAmount : amount;

/** Scopes of which another account may have a share in the use: neither use nor remainder is shown to callers. */
export const isShared = ({ scope, accountId }: Pick<LimitDefinition, 'scope' | 'accountId'>): boolean =>
  scope === 'group' ||
  scope === 'call_group' ||
  scope === 'everyone' ||
  isOfChannel({ scope }) ||
  ((scope === 'end_user' || scope === 'tag') && accountId === null);

export const isOfChannel = ({ scope }: Pick<LimitDefinition, 'scope'>): boolean =>
  scope === 'channel' || scope === 'channel_tag';
