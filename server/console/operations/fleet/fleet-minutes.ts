import type { FleetMinute } from '../model/observation.js';
import type { ReportedMinute } from '../model/worker-report.js';
import { boundOf } from './worker-metrics.js';

/** Calls of which this share had their first token in time. */
const SHARE = 0.95;

/** One minute of all workers together. */
export function sumMinutes(minute: number, parts: readonly ReportedMinute[]): FleetMinute {
  const firstTokens = new Map<string, number>();
  for (const part of parts)
    for (const [bound, count] of Object.entries(part.firstTokens))
      firstTokens.set(bound, (firstTokens.get(bound) ?? 0) + count);
  return {
    minute,
    calls: sum(parts, ({ calls }) => calls),
    errors: sum(parts, ({ errors }) => errors),
    firstTokenP95Ms: quantileMs(firstTokens, SHARE),
    settlementLagMs: Math.round(Math.max(0, ...parts.map(({ settlementLagMs }) => settlementLagMs))),
    writeoffQuota: sum(parts, ({ writeoffQuota }) => writeoffQuota),
    overrunCalls: sum(parts, ({ overrunCalls }) => overrunCalls),
    overrunQuota: sum(parts, ({ overrunQuota }) => overrunQuota),
  };
}

const sum = (parts: readonly ReportedMinute[], measure: (part: ReportedMinute) => number): number =>
  parts.reduce((total, part) => total + measure(part), 0);

/** Taken to lie evenly between two bounds, as Prometheus does; above the last bound it is that bound. */
function quantileMs(counts: ReadonlyMap<string, number>, share: number): number | null {
  const sorted = [...counts]
    .map(([bound, count]) => ({ bound: boundOf(bound), count }))
    .filter(({ bound }) => !Number.isNaN(bound))
    .sort((left, right) => left.bound - right.bound);
  const wanted = sorted.reduce((total, { count }) => total + count, 0) * share;
  if (wanted === 0) return null;
  let below = 0;
  let lower = 0;
  for (const { bound, count } of sorted) {
    if (below + count >= wanted && count > 0) {
      if (bound === Number.POSITIVE_INFINITY) return Math.round(lower * 1_000);
      return Math.round((lower + ((bound - lower) * (wanted - below)) / count) * 1_000);
    }
    below += count;
    if (bound !== Number.POSITIVE_INFINITY) lower = bound;
  }
  return Math.round(lower * 1_000);
}
