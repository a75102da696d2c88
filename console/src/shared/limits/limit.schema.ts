import type { TFunction } from 'i18next';
import * as z from 'zod/mini';
import { LIMITS } from '../form/limits';
import { atMost, wholeNumber } from '../form/rules';
import { SCOPES } from './limit-scopes';
import type {
  Limit,
  LimitAction,
  LimitCreate,
  LimitEdit,
  LimitMeasure,
  LimitPeriod,
  LimitScope,
} from './limits.api';

export interface LimitValues {
  name: string;
  scope: LimitScope;
  subject: string;
  /** NaN = all accounts. */
  accountId: number;
  each: boolean;
  model: string;
  measure: LimitMeasure;
  amount: number;
  period: LimitPeriod;
  rolling: boolean;
  action: LimitAction;
  /** Model that calls go on with at the limit; counts with `cheaper_model` alone. */
  fallbackModel: string;
  warnAt: string[];
  admitUnknown: boolean;
}

export const MEASURES: readonly LimitMeasure[] = [
  'quota',
  'tokens',
  'input_tokens',
  'output_tokens',
  'requests',
  'in_flight',
];
export const PERIODS = ['minute', 'hour', 'day', 'week', 'month', 'quarter', 'ever'] as const;
/** Scopes of which each value may have the amount for itself. */
export const EACH_SCOPES: ReadonlySet<LimitScope> = new Set(['token', 'account', 'end_user', 'tag']);
/** Scopes whose values belong to an account. */
export const OF_ACCOUNTS: ReadonlySet<LimitScope> = new Set(['end_user', 'tag']);
export const WARN_PERCENTS = ['50', '80', '100'] as const;

export const isOfChannel = (scope: LimitScope): boolean => scope === 'channel' || scope === 'channel_tag';

/** Rules of the server that are checked while typing. */
export function limitSchema(t: TFunction) {
  return z
    .object({
      name: z.string().check(z.trim(), atMost(t, LIMITS.limitName)),
      scope: z.enum(SCOPES as [LimitScope, ...LimitScope[]]),
      subject: z.string(),
      accountId: z.union([z.nan(), wholeNumber(t, { min: 1 })]),
      each: z.boolean(),
      model: z.string().check(z.trim(), atMost(t, 255)),
      measure: z.enum(MEASURES as [LimitMeasure, ...LimitMeasure[]]),
      amount: wholeNumber(t, { min: 0, max: Number.MAX_SAFE_INTEGER }),
      period: z.enum(['', ...PERIODS]),
      rolling: z.boolean(),
      action: z.enum(['refuse', 'warn', 'cheaper_model', 'pass_over']),
      fallbackModel: z.string().check(z.trim(), atMost(t, 255)),
      warnAt: z.array(z.string()),
      admitUnknown: z.boolean(),
    })
    .check(
      z.refine(({ scope, each, subject }) => scope === 'everyone' || each || subject.trim() !== '', {
        error: t('limits.error.subject'),
        path: ['subject'],
      }),
    );
}

/** A limit of $5 a day with a warning at 80 %. */
export const NEW_LIMIT: LimitValues = {
  name: '',
  scope: 'token',
  subject: '',
  accountId: Number.NaN,
  each: false,
  model: '',
  measure: 'quota',
  amount: Number.NaN,
  period: 'day',
  rolling: false,
  action: 'refuse',
  fallbackModel: '',
  warnAt: ['80'],
  admitUnknown: false,
};

export const toValues = (limit: Limit): LimitValues => ({
  name: limit.name,
  scope: limit.scope,
  subject: limit.subject,
  accountId: limit.account_id ?? Number.NaN,
  each: limit.each,
  model: limit.model,
  measure: limit.measure,
  amount: limit.amount,
  period: limit.period,
  rolling: limit.rolling,
  action: limit.action,
  fallbackModel: limit.fallback_model,
  warnAt: limit.warn_at.map(String),
  admitUnknown: limit.admit_unknown,
});

/** Actions of a scope, the usual one first. */
export const actionsOf = (scope: LimitScope): readonly LimitAction[] =>
  isOfChannel(scope) ? ['pass_over', 'warn'] : ['refuse', 'cheaper_model', 'warn'];

/** The chosen action; the usual one where the scope was changed afterwards. */
const actionOf = ({ action, scope }: LimitValues): LimitAction =>
  actionsOf(scope).includes(action) ? action : isOfChannel(scope) ? 'pass_over' : 'refuse';

/** Fields that may change later as well. @param rule  name of a limit without one: its amount and period in words */
const changeable = (values: LimitValues, rule: string) =>
  ({
    name: values.name.trim() === '' ? rule : values.name.trim(),
    amount: values.amount,
    action: actionOf(values),
    fallback_model: actionOf(values) === 'cheaper_model' ? values.fallbackModel.trim() : '',
    warn_at: values.warnAt.map(Number),
    admit_unknown: values.admitUnknown,
  }) as const;

export const toEdit = (values: LimitValues, limit: Limit, rule: string): LimitEdit & { id: number } => ({
  ...changeable(values, rule),
  id: limit.id,
  version: limit.version,
});

export function toCreate(values: LimitValues, rule: string): LimitCreate {
  const { scope, measure } = values;
  const each = values.each && EACH_SCOPES.has(scope);
  const inFlight = measure === 'in_flight';
  return {
    ...changeable(values, rule),
    scope,
    subject: each || scope === 'everyone' ? '' : values.subject.trim(),
    account_id: OF_ACCOUNTS.has(scope) && !Number.isNaN(values.accountId) ? values.accountId : null,
    each,
    model: values.model.trim(),
    measure,
    period: inFlight ? '' : values.period === '' ? 'day' : values.period,
    rolling: values.rolling && !inFlight && values.period !== 'ever',
    enabled: true,
  };
}
