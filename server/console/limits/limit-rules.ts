import { DomainError } from '../../common/errors/domain-error.js';
import { cleanLine, lengthOf } from '../../common/text.js';
import { type FallbackFault, fallbackFault } from '../../base/limits/fallback-model.js';
import type { LimitEntity } from '../../base/limits/limit.entity.js';
import {
  EACH_SCOPES,
  isOfChannel,
  type LimitAction,
  type LimitMeasure,
  type LimitPeriod,
  type LimitScope,
  MAX_LIMIT_AMOUNT,
  MAX_LIMIT_NAME_CHARACTERS,
  MAX_LIMIT_SUBJECT_CHARACTERS,
} from '../../base/limits/limit-definition.js';

/** The calls that a limit counts; fixed when it is made. */
export interface CountedCalls {
  readonly scope: LimitScope;
  readonly subject: string;
  readonly accountId: number | null;
  readonly each: boolean;
  readonly model: string;
  readonly measure: LimitMeasure;
  readonly period: LimitPeriod | '';
  readonly rolling: boolean;
}

/** Most shares of the amount that one limit warns at. */
export const MAX_WARNINGS = 10;
export const MAX_REASON_CHARACTERS = 500;
/** Scopes whose values belong to an account, or to all accounts together. */
const OF_ACCOUNTS: ReadonlySet<LimitScope> = new Set(['end_user', 'tag']);

/** @returns the name as it is stored. Fails: limit_name_length; characters are counted, not bytes. */
export function checkLimitName(typed: string): string {
  const name = cleanLine(typed);
  const length = lengthOf(name);
  if (length < 1 || length > MAX_LIMIT_NAME_CHARACTERS)
    throw new DomainError('limit_name_length', { max: MAX_LIMIT_NAME_CHARACTERS });
  return name;
}

/** Fails: limit_amount_range. */
export function checkAmount(amount: number): number {
  if (!Number.isSafeInteger(amount) || amount < 0)
    throw new DomainError('limit_amount_range', { max: MAX_LIMIT_AMOUNT });
  return amount;
}

/** @returns percents in rising order, as JSON; empty = none. Fails: limit_warn_at. */
export function checkWarnAt(percents: readonly number[]): string {
  const sorted = [...new Set(percents)].toSorted((a, b) => a - b);
  const isValid = sorted.every((percent) => Number.isInteger(percent) && percent >= 1 && percent <= 100);
  if (!isValid || sorted.length !== percents.length || sorted.length > MAX_WARNINGS)
    throw new DomainError('limit_warn_at', { max: MAX_WARNINGS });
  return sorted.length === 0 ? '' : JSON.stringify(sorted);
}

/** Fails: limit_reason. */
export function checkReason(typed: string): string {
  const reason = cleanLine(typed);
  const length = lengthOf(reason);
  if (length < 1 || length > MAX_REASON_CHARACTERS)
    throw new DomainError('limit_reason', { max: MAX_REASON_CHARACTERS });
  return reason;
}

/** Fails: limit_field, with the field that does not go with the others. */
export function checkCountedCalls(given: CountedCalls): CountedCalls {
  const { scope, accountId, each, measure, period, rolling } = given;
  const subject = cleanLine(given.subject);
  if (each && !EACH_SCOPES.has(scope)) wrong('each', `is only for ${[...EACH_SCOPES].join(', ')}`);
  const isNamed = !each && scope !== 'everyone';
  if (isNamed && subject === '') wrong('subject', 'is missing');
  if (!isNamed && subject !== '')
    wrong('subject', each ? 'must be empty with each' : 'must be empty for everyone');
  if (lengthOf(subject) > MAX_LIMIT_SUBJECT_CHARACTERS)
    wrong('subject', `may have at most ${MAX_LIMIT_SUBJECT_CHARACTERS} characters`);
  if (accountId !== null && !OF_ACCOUNTS.has(scope)) wrong('account_id', 'is only for end users and tags');
  if (measure === 'in_flight') {
    if (period !== '') wrong('period', 'must be empty for calls at once');
    if (rolling) wrong('rolling', 'is not for calls at once');
  } else if (period === '') wrong('period', 'is missing');
  if (period === 'ever') {
    if (rolling) wrong('rolling', 'is not for a limit that never starts anew');
    if (scope === 'token' && measure === 'quota')
      wrong('period', 'ever is the quota of the token itself: set it there');
  }
  const model = cleanLine(given.model);
  return { scope, subject, accountId, each, model, measure, period, rolling };
}

/** Fails: limit_field. A full channel is passed over; other limits refuse or only warn. */
export function checkAction(scope: LimitScope, action: LimitAction): LimitAction {
  if (isOfChannel({ scope }) ? action === 'refuse' : action === 'pass_over')
    wrong(
      'action',
      isOfChannel({ scope }) ? 'must be pass_over or warn for channels' : 'pass_over is only for channels',
    );
  return action;
}

/** A limit as far as its fallback depends on it. */
export type FallbackRule = Pick<
  LimitEntity,
  'id' | 'scope' | 'subject' | 'accountId' | 'each' | 'model' | 'action' | 'fallbackModel'
>;

/**
 * Fails: limit_field. Calls go on once: the model is counted by no other rule of the same callers.
 * @param others  all limits
 */
export function checkFallback(
  limit: FallbackRule,
  others: readonly (FallbackRule & Pick<LimitEntity, 'enabled'>)[],
): void {
  const { action, fallbackModel, scope } = limit;
  if (action !== 'cheaper_model') {
    if (fallbackModel !== '') wrong('fallback_model', 'is only for cheaper_model');
    return;
  }
  if (isOfChannel({ scope })) wrong('action', 'must be pass_over or warn for channels');
  const alike = others.filter(
    (other) =>
      other.enabled &&
      other.scope === scope &&
      other.subject === limit.subject &&
      other.accountId === limit.accountId &&
      other.each === limit.each,
  );
  const fault = fallbackFault(limit, alike);
  if (fault !== undefined) wrong('fallback_model', FALLBACK_PROBLEMS[fault]);
}

const FALLBACK_PROBLEMS: Readonly<Record<FallbackFault, string>> = {
  missing: 'is missing',
  covered: 'must be a model that the limit does not count',
  chained: 'must not begin or end at another limit of these callers with cheaper_model',
};

function wrong(field: string, problem: string): never {
  throw new DomainError('limit_field', { field, problem });
}

/** Percents of a stored limit. */
export function warnPercents(warnAt: string): readonly number[] {
  if (warnAt === '') return [];
  const parsed: unknown = JSON.parse(warnAt);
  return Array.isArray(parsed) ? parsed.filter((percent) => typeof percent === 'number') : [];
}

/** A limit as far as it bounds what an account may set for itself. */
interface Bound extends CountedCalls {
  readonly id: number;
  readonly name: string;
  readonly amount: number;
  readonly byUser: boolean;
  readonly enabled: boolean;
  readonly action: LimitAction;
}

/**
 * The narrowest limit of others that counts the calls of a limit an account sets for itself; undefined = none.
 * @param own  a limit of a token, or of end users of the account
 */
export function narrowestAbove<B extends Bound>(
  own: CountedCalls,
  accountId: number,
  others: readonly B[],
): B | undefined {
  return others
    .filter(
      (other) => !other.byUser && other.enabled && other.action !== 'warn' && bounds(other, own, accountId),
    )
    .toSorted((a, b) => a.amount - b.amount)[0];
}

function bounds(other: Bound, own: CountedCalls, accountId: number): boolean {
  if (other.measure !== own.measure || other.period !== own.period) return false;
  if (other.model !== '' && other.model !== own.model) return false;
  switch (other.scope) {
    case 'account':
      return other.each || other.subject === String(accountId);
    case 'token':
      return own.scope === 'token' && (other.each || other.subject === own.subject);
    case 'end_user':
      return (
        own.scope === 'end_user' &&
        (other.accountId === null || other.accountId === accountId) &&
        (other.each || other.subject === own.subject)
      );
    case 'everyone':
      return true;
    default:
      return false;
  }
}
