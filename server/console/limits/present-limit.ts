import type { LimitEntity } from '../../base/limits/limit.entity.js';
import type { LimitUseNow } from '../../base/limits/limit-uses.js';
import type { LimitUseView, LimitView } from './dto/limit.dto.js';
import { reachedAtMs } from './limit-forecast.js';
import { warnPercents } from './limit-rules.js';
import type { SubjectNames } from './limit-subjects.js';

const seconds = (ms: number): number => Math.floor(ms / 1_000);
const orNull = (ms: number | null): number | null => (ms === null ? null : seconds(ms));

/** @param use  of the value with the largest use; undefined = not shown, or nothing was used */
export function presentLimit(
  row: LimitEntity,
  {
    names,
    nowMs,
    mayChange,
    use,
  }: {
    readonly names: SubjectNames;
    readonly nowMs: number;
    readonly mayChange: boolean;
    readonly use: LimitUseNow | undefined;
  },
): LimitView {
  const { overrideAmount, overrideUntilMs } = row;
  const isOverridden = overrideAmount !== null && overrideUntilMs !== null && nowMs < overrideUntilMs;
  return {
    id: row.id,
    name: row.name,
    scope: row.scope,
    subject: row.subject,
    subject_name: names.nameOf(row.scope, row.subject),
    subject_missing: !row.each && names.isMissing(row.scope, row.subject),
    account_id: row.accountId,
    account_name: names.accountName(row.accountId),
    each: row.each,
    model: row.model,
    measure: row.measure,
    amount: row.amount,
    period: row.period,
    rolling: row.rolling,
    action: row.action,
    fallback_model: row.fallbackModel,
    warn_at: [...warnPercents(row.warnAt)],
    admit_unknown: row.admitUnknown,
    enabled: row.enabled,
    override: isOverridden
      ? {
          amount: overrideAmount,
          until: seconds(overrideUntilMs),
          by: row.overrideBy,
          reason: row.overrideReason,
        }
      : null,
    by_user: row.byUser,
    created_at: seconds(row.createdAtMs),
    updated_at: seconds(row.updatedAtMs),
    version: row.version,
    may_change: mayChange,
    use: use === undefined ? null : presentUse(row, use, names, nowMs),
  };
}

export function presentUse(
  { scope, rolling }: Pick<LimitEntity, 'scope' | 'rolling'>,
  use: LimitUseNow,
  names: SubjectNames,
  nowMs: number,
): LimitUseView {
  const used = use.used + use.held;
  // A rolling use does not grow from nothing: its rate does not predict when it is full.
  const reached = rolling ? null : reachedAtMs({ ...use, used }, nowMs);
  return {
    value: use.value,
    value_name: use.value === '' ? '' : names.nameOf(scope, use.value),
    used: use.used,
    held: use.held,
    amount: use.amount,
    starts_at: orNull(use.startsAtMs),
    resets_at: orNull(use.resetsAtMs),
    reached_at: orNull(reached),
  };
}
