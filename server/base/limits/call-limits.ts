import type { LimitPart } from '../../infra/shared-store/shared-limits.js';
import type { LimitRefusal } from '../../relay-core/model/limit-refusal.js';
import {
  bucketAt,
  bucketMs,
  oldestBucketAt,
  type Period,
  periodAt,
  ROLLING_MS,
  type ZoneChange,
} from './calendar-periods.js';
import { amountAt, isShared, type LimitDefinition, MAX_LIMIT_AMOUNT } from './limit-definition.js';
import { type CallFigures, isCounted, joinMarks, type LimitMark, markText, usedOf } from './limit-marks.js';
import type { MatchedLimit } from './match-limits.js';
import { bookedOfField, countsMoments, momentAt } from './window-moments.js';

/** One limit of a call with its place in the store. */
export interface CallLimit extends MatchedLimit {
  readonly part: LimitPart;
  /** Start of the period or bucket in the books. */
  readonly startsAtMs: number;
  /** Oldest start in the books that counts. */
  readonly bookedFromMs: number;
  /** Null = never, or in flight. */
  readonly resetsAtMs: number | null;
}

/** The limits one call is admitted under. */
export interface CallLimits {
  readonly limits: readonly CallLimit[];
  readonly parts: readonly LimitPart[];
  /** Marks for its records; empty = nothing is counted (in flight alone). */
  readonly marks: string;
  /** A call that failed upstream counts as well. */
  readonly countsFailures: boolean;
}

const DAY_MS = 86_400_000;
/** Windows outlive their period by this: settlements may come late. */
const SPARE_MS = 2 * DAY_MS;
const EVER_TTL_MS = 400 * DAY_MS;
const IN_FLIGHT_TTL_MS = 7 * DAY_MS;

type RunningPeriod = Period & { readonly untilMs: number; readonly fromMs: number };

/** The facts about a window that stay the same in its period. */
interface RunningWindow {
  readonly period: RunningPeriod;
  readonly key: string;
  readonly isShared: boolean;
  /** Empty = nothing is counted. */
  readonly mark: string;
}

/** Builds the parts of calls; remembers the running period of each limit, and its windows as long as callers are remembered. */
export class LimitPeriods {
  private readonly running = new Map<number, RunningPeriod>();
  private readonly windows = new WeakMap<MatchedLimit, RunningWindow>();

  constructor(private readonly zones: readonly ZoneChange[]) {}

  /** @param needed  worst case of the call. @param nowMs  by the database's clock */
  limitsOf(matched: readonly MatchedLimit[], needed: CallFigures, nowMs: number): CallLimits {
    const limits: CallLimit[] = [];
    const parts: LimitPart[] = [];
    const marks: string[] = [];
    let countsFailures = false;
    for (const match of matched) {
      const window = this.windowOf(match, nowMs);
      const { limit } = match;
      const callLimit = limitIn(window, match, needed, nowMs);
      limits.push(callLimit);
      parts.push(callLimit.part);
      if (window.mark !== '') marks.push(window.mark);
      if (limit.measure === 'requests') countsFailures = true;
    }
    return { limits, parts, marks: marks.length === 0 ? '' : joinMarks(marks), countsFailures };
  }

  private windowOf(match: MatchedLimit, nowMs: number): RunningWindow {
    const known = this.windows.get(match);
    if (known !== undefined && isRunning(known.period, nowMs)) return known;
    const { limit, value } = match;
    const period = this.periodOf(limit, nowMs);
    const window = {
      period,
      key: windowKey(limit, value),
      isShared: isShared(limit),
      mark: markOf(limit, value, period.startsAtMs),
    };
    this.windows.set(match, window);
    return window;
  }

  private periodOf(limit: LimitDefinition, nowMs: number): RunningPeriod {
    const known = this.running.get(limit.id);
    if (known !== undefined && isRunning(known, nowMs)) return known;
    const found = runningPeriod(limit, nowMs, this.zones);
    const fresh = { ...found, untilMs: found.resetsAtMs ?? Infinity };
    this.running.set(limit.id, fresh);
    return fresh;
  }
}

const isRunning = ({ startsAtMs, untilMs }: RunningPeriod, nowMs: number): boolean =>
  nowMs < untilMs && nowMs >= startsAtMs;

function markOf({ id: limitId, measure }: LimitDefinition, value: string, periodStartMs: number): string {
  return measure === 'in_flight' ? '' : markText({ limitId, value, periodStartMs, measure });
}

function limitIn(
  { period, key, isShared: isSharedWindow }: RunningWindow,
  { limit, value }: MatchedLimit,
  needed: CallFigures,
  nowMs: number,
): CallLimit {
  const { startsAtMs, resetsAtMs, fromMs } = period;
  const amount = limit.action === 'warn' ? MAX_LIMIT_AMOUNT : amountAt(limit, nowMs);
  const { field, from } = countsMoments(limit)
    ? momentAt(limit.measure, amount, nowMs)
    : { field: startsAtMs, from: fromMs };
  const part = {
    key,
    isShared: isSharedWindow,
    field,
    from,
    need: limit.measure === 'in_flight' ? 1 : usedOf(limit.measure, needed),
    amount,
    ttlMs: ttlOf(limit, resetsAtMs, nowMs),
  };
  return { limit, value, part, startsAtMs, bookedFromMs: fromMs, resetsAtMs };
}

function callLimitsOf(limits: readonly CallLimit[]): CallLimits {
  const marks = limits
    .map(({ limit, value, startsAtMs }) => markOf(limit, value, startsAtMs))
    .filter((mark) => mark !== '');
  return {
    limits,
    parts: limits.map(({ part }) => part),
    marks: marks.length === 0 ? '' : joinMarks(marks),
    countsFailures: limits.some(({ limit: { measure } }) => measure === 'requests'),
  };
}

/** Value under which a limit for each counts the values that have no window of their own. */
export const OTHER_VALUES = '';

/** True for a limit for each whose values callers choose: there is no end of them. */
export const hasEndlessValues = ({ each, scope }: Pick<LimitDefinition, 'each' | 'scope'>): boolean =>
  each && (scope === 'tag' || scope === 'end_user');

/**
 * Limits of a call whose values share the window of all others where they have none of their own. Two such values of one limit count once.
 * @param isOther  of limits for each with endless values
 */
export function withOtherValues(callLimits: CallLimits, isOther: (limit: CallLimit) => boolean): CallLimits {
  if (!callLimits.limits.some(isOther)) return callLimits;
  const byWindow = new Map<string, CallLimit>();
  for (const limit of callLimits.limits) {
    const key = windowKey(limit.limit, OTHER_VALUES);
    if (!isOther(limit)) byWindow.set(limit.part.key, limit);
    else byWindow.set(key, { ...limit, value: OTHER_VALUES, part: { ...limit.part, key } });
  }
  return callLimitsOf([...byWindow.values()]);
}

function runningPeriod(
  { period, rolling }: LimitDefinition,
  nowMs: number,
  zones: readonly ZoneChange[],
): Period & { readonly fromMs: number } {
  if (period === '') return { startsAtMs: 0, resetsAtMs: null, fromMs: 0 };
  if (rolling && period !== 'ever')
    return { ...bucketAt(period, nowMs), fromMs: oldestBucketAt(period, nowMs) };
  const found = periodAt(period, nowMs, zones);
  return { ...found, fromMs: found.startsAtMs };
}

/** A limit whose measure, period or scope is changed counts in another window. */
export const windowKey = (
  {
    id,
    scope,
    measure,
    period,
    rolling,
  }: Pick<LimitDefinition, 'id' | 'scope' | 'measure' | 'period' | 'rolling'>,
  value: string,
): string => `${id}.${scope}.${measure}.${period}${rolling ? '.r' : ''}:${value}`;

function ttlOf({ period, rolling }: LimitDefinition, resetsAtMs: number | null, nowMs: number): number {
  if (period === '') return IN_FLIGHT_TTL_MS;
  if (period === 'ever') return EVER_TTL_MS;
  if (rolling) return ROLLING_MS[period] + SPARE_MS;
  return Math.max(0, (resetsAtMs ?? nowMs) - nowMs) + SPARE_MS;
}

/** Use of a call by part. @param wasSent  false = it never went upstream */
export function usedParts(
  { limits }: CallLimits,
  used: CallFigures | undefined,
  wasSent: boolean,
): { key: string; isShared: boolean; used: number }[] {
  return limits.map(({ limit: { measure }, part: { key, isShared: shared } }) => ({
    key,
    isShared: shared,
    used: measure === 'in_flight' || !wasSent ? 0 : usedOf(measure, used ?? NOTHING_USED),
  }));
}

const NOTHING_USED: CallFigures = { quota: 0, inputTokens: 0, outputTokens: 0 };

/**
 * The refusal of a call by full limits: the one that opens last.
 * @param opensAtMs  when each opens; null = unknown
 */
export function refusalOf(
  full: readonly { readonly limit: CallLimit; readonly opensAtMs: number | null }[],
): LimitRefusal {
  const neverFits = full.find(
    ({ limit }) => limit.part.need > limit.part.amount && limit.limit.measure !== 'in_flight',
  );
  const last =
    neverFits ??
    full.toSorted((left, right) => (right.opensAtMs ?? Infinity) - (left.opensAtMs ?? Infinity))[0];
  if (last === undefined) throw new RangeError('no limit is full');
  const { limit, part } = last.limit;
  return {
    limitId: limit.id,
    name: limit.name,
    scope: limit.scope,
    measure: limit.measure,
    amount: part.amount,
    period: limit.period,
    opensAtMs: last.opensAtMs,
    ...(neverFits === undefined ? {} : { neverFits: { needed: part.need } }),
    shared: part.isShared,
    channel: false,
  };
}

/**
 * When a window has room for a call again, milliseconds.
 * @param sums  use and holds by bucket, of a rolling window
 */
export function opensAt(
  { limit, part, resetsAtMs }: CallLimit,
  sums: ReadonlyMap<number, number>,
): number | null {
  const { period, rolling } = limit;
  if (!rolling || period === '' || period === 'ever') return resetsAtMs;
  let rest = [...sums].reduce((sum, [start, used]) => (start >= part.from ? sum + used : sum), 0);
  for (const [start, used] of [...sums].toSorted(([left], [right]) => left - right)) {
    if (start < part.from) continue;
    rest -= used;
    if (rest + part.need <= part.amount) return leavesAt(limit, period, start);
  }
  return null;
}

/** When the whole amount is free again if no further call comes, milliseconds; null = never. A rolling window keeps this call for a period. */
export function replenishedAt({ limit, part, resetsAtMs }: CallLimit): number | null {
  const { period, rolling } = limit;
  if (!rolling || period === '' || period === 'ever') return resetsAtMs;
  return leavesAt(limit, period, part.field);
}

const leavesAt = (limit: LimitDefinition, period: keyof typeof ROLLING_MS, field: number): number =>
  field + ROLLING_MS[period] + (countsMoments(limit) ? 0 : bucketMs(period));

/** The mark of a window by its key; undefined = it counts calls in flight. */
export function markOfWindow(key: string, field: number): LimitMark | undefined {
  const at = key.indexOf(':');
  const [id = '', , measure = '', period = '', isRolling] = key.slice(0, at).split('.');
  const isFine = countsMoments({ period: period as LimitDefinition['period'], rolling: isRolling === 'r' });
  if (!isCounted(measure)) return undefined;
  const startsAtMs = isFine ? bookedOfField(field) : field;
  return { limitId: Number(id), value: key.slice(at + 1), periodStartMs: startsAtMs, measure };
}
