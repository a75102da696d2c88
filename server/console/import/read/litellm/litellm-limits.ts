import { isJsonObject } from '../../../../common/parse-json.js';
import type { LimitScope } from '../../../../base/limits/limit-definition.js';
import type { SourceLimit } from '../../source/records.js';
import type { RowValues } from '../../source/row-values.js';
import { periodOf } from './budget-lengths.js';

/** Row of the source a limit belongs to. */
export interface LimitSubject {
  readonly scope: Extract<LimitScope, 'token' | 'account' | 'call_group' | 'channel' | 'everyone'>;
  /** Source id, or the name of a group. */
  readonly subject: string;
  /** Shown to callers. */
  readonly name: string;
}

/** A budget in dollars with its length. */
export interface PeriodBudget {
  readonly max: number;
  readonly length: string;
  readonly spend: number;
  /** Dollars at which a warning is sent; null = none. */
  readonly soft: number | null;
}

type Units = (dollars: number) => number;

const limitOf = (
  { scope, subject, name }: LimitSubject,
  what: string,
  more: Pick<SourceLimit, 'measure' | 'amount' | 'period'> & Partial<SourceLimit>,
): SourceLimit => ({
  sourceId: `${scope}:${subject}:${what}`.slice(0, 191),
  scope,
  subject,
  name: `${name} ${what}`.slice(0, 100),
  model: '',
  action: scope === 'channel' ? 'pass_over' : 'refuse',
  warnAt: [],
  used: 0,
  ...more,
});

/** A budget as a limit of money; null when its length cannot be held. */
export function budgetLimit(subject: LimitSubject, budget: PeriodBudget, units: Units): SourceLimit | null {
  const length = periodOf(budget.length);
  if (length === null) return null;
  const { soft, max } = budget;
  return limitOf(subject, 'budget', {
    measure: 'quota',
    amount: units(max * length.share),
    period: length.period,
    used: Math.min(units(budget.spend), units(max)),
    warnAt: soft === null || soft <= 0 || soft >= max ? [] : [Math.max(1, Math.round((soft / max) * 100))],
  });
}

/** Limits of calls and tokens of a row, by the columns they all share. */
export function rateLimits(subject: LimitSubject, row: RowValues): SourceLimit[] {
  const found: SourceLimit[] = [];
  const add = (column: string, more: Pick<SourceLimit, 'measure' | 'period'>): void => {
    if (row.has(column)) found.push(limitOf(subject, column, { ...more, amount: row.integer(column) }));
  };
  add('rpm_limit', { measure: 'requests', period: 'minute' });
  add('tpm_limit', { measure: 'tokens', period: 'minute' });
  add('tpd_limit', { measure: 'tokens', period: 'day' });
  add('max_parallel_requests', { measure: 'in_flight', period: '' });
  const metadata = row.object('metadata');
  for (const [member, measure] of [
    ['model_rpm_limit', 'requests'],
    ['model_tpm_limit', 'tokens'],
  ] as const) {
    const models = metadata[member];
    if (!isJsonObject(models)) continue;
    for (const [model, amount] of Object.entries(models))
      if (typeof amount === 'number')
        found.push(
          limitOf(subject, `${model} ${member}`, {
            model,
            measure,
            period: 'minute',
            amount: Math.floor(amount),
          }),
        );
  }
  return found;
}

/** Budgets of single models, in both spellings; null when one cannot be held. */
export function modelBudgets(
  subject: LimitSubject,
  budgets: Readonly<Record<string, unknown>>,
  units: Units,
): SourceLimit[] | null {
  const found: SourceLimit[] = [];
  for (const [model, stored] of Object.entries(budgets)) {
    const budget = isJsonObject(stored) ? stored : { budget_limit: stored };
    const given = budget['budget_limit'] ?? budget['max_budget'];
    // Amounts come as numbers and as texts.
    const max = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
    const duration = budget['time_period'] ?? budget['budget_duration'] ?? '';
    const length = typeof duration === 'string' ? periodOf(duration) : null;
    if (typeof max !== 'number' || !Number.isFinite(max) || length === null) return null;
    found.push(
      limitOf(subject, `${model} budget`, {
        model,
        measure: 'quota',
        amount: units(max * length.share),
        period: length.period,
      }),
    );
  }
  return found;
}

/**
 * Budgets of several periods side by side (`budget_limits`); null when one cannot be held. LiteLLM keeps their use in Redis alone: it starts
 * at 0 here.
 */
export function budgetWindows(subject: LimitSubject, stored: unknown, units: Units): SourceLimit[] | null {
  if (stored === undefined || stored === null) return [];
  if (!Array.isArray(stored)) return null;
  const found: SourceLimit[] = [];
  for (const entry of stored as readonly unknown[]) {
    const window = isJsonObject(entry) ? entry : {};
    const { max_budget: max, budget_duration: duration } = window;
    const length = typeof duration === 'string' ? periodOf(duration) : null;
    if (typeof max !== 'number' || !Number.isFinite(max) || typeof duration !== 'string' || length === null)
      return null;
    found.push(
      limitOf(subject, `budget ${duration}`, {
        measure: 'quota',
        amount: units(max * length.share),
        period: length.period,
      }),
    );
  }
  return found;
}

/** Limits of a deployment, which is a channel here: a full one is not chosen. Null = its budget cannot be held. */
export function channelLimits(
  subject: LimitSubject,
  params: Readonly<Record<string, unknown>>,
  units: Units,
): SourceLimit[] | null {
  const { max_budget: max, budget_duration: duration } = params;
  const length = typeof duration === 'string' ? duration : '';
  const budget = max === undefined || max === null ? undefined : Number(max);
  const money =
    budget === undefined || !Number.isFinite(budget)
      ? undefined
      : budgetLimit(subject, { max: budget, length, spend: 0, soft: null }, units);
  if (money === null || Number.isNaN(budget)) return null;
  const rates = (
    [
      ['rpm', 'requests'],
      ['tpm', 'tokens'],
    ] as const
  ).flatMap(([name, measure]) => {
    const amount = params[name];
    return typeof amount === 'number'
      ? [limitOf(subject, name, { measure, period: 'minute', amount: Math.floor(amount) })]
      : [];
  });
  return money === undefined ? rates : [...rates, money];
}
