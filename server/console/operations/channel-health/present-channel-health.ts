import type { AttemptSum } from '../../../base/channel-statistics/attempt-statistics.js';
import { isChannelFailure } from '../../../base/channel-statistics/attempt-reasons.js';
import type { ChannelFailure } from '../../../base/channel-statistics/attempt-totals.js';
import { quantileMs } from '../../../base/channel-statistics/histogram.js';
import type {
  ChannelCircuitView,
  ChannelFailureView,
  ChannelHealthView,
  ChannelStatisticsView,
} from '../dto/channel-health.dto.js';
import type { ChannelCircuit } from './channel-circuits.js';
import {
  type ChannelHealthLine,
  type ChannelHealthReport,
  HEALTH_BUCKET_SECONDS,
} from './channel-health-report.js';

const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1_000);

/** Lists every channel with attempts within the day or an open circuit. */
export function presentHealth(
  report: ChannelHealthReport,
  circuits: readonly ChannelCircuit[],
): ChannelHealthView {
  const known = new Set(report.lines.map(({ channelId }) => channelId));
  const others = [...new Set(circuits.map(({ channelId }) => channelId))].filter((id) => !known.has(id));
  return {
    since: report.since,
    bucket_seconds: HEALTH_BUCKET_SECONDS,
    counted_since: report.countedSince,
    channels: [...report.lines, ...others.map(emptyLine)].map((line) => ({
      channel_id: line.channelId,
      success: line.attempts.map((attempts, hour) => attempts - (line.failures[hour] ?? 0)),
      errors: [...line.failures],
      median_seconds: line.medianMs.map((median) => (median === null ? null : median / 1_000)),
      attempts: [...line.attempts],
      failures: [...line.failures],
      billed_empty_tokens: [...line.billedTokens],
      median_ms: [...line.medianMs],
      p95_ms: [...line.p95Ms],
      last_failure: presentFailure(report.newestFailures.get(line.channelId)),
      circuits: circuitsOf(circuits, line.channelId),
    })),
  };
}

const HOURS = 24;
const NONE: readonly number[] = Array.from({ length: HOURS }, () => 0);
const NO_TIMES: readonly null[] = Array.from({ length: HOURS }, () => null);
const emptyLine = (channelId: number): ChannelHealthLine => ({
  channelId,
  attempts: NONE,
  failures: NONE,
  billedTokens: NONE,
  medianMs: NO_TIMES,
  p95Ms: NO_TIMES,
});

export const presentFailure = (failure: ChannelFailure | undefined): ChannelFailureView | null =>
  failure === undefined
    ? null
    : {
        at: seconds(failure.failedAtMs),
        model: failure.model,
        reason: failure.reason,
        status: failure.status,
        message: failure.message,
      };

export const circuitsOf = (circuits: readonly ChannelCircuit[], channelId: number): ChannelCircuitView[] =>
  circuits
    .filter((circuit) => circuit.channelId === channelId)
    .map(({ model, sinceMs, untilMs, keys, workers }) => ({
      model,
      since: seconds(sinceMs),
      retry_at: untilMs === null ? null : seconds(untilMs),
      keys: [...keys],
      workers,
    }));

export const figuresOf = (sum: AttemptSum): ChannelStatisticsView['totals'] => ({
  attempts: sum.attempts,
  failures: sum.failures,
  billed_tokens: sum.billedTokens,
  first_token_p50_ms: quantileMs(sum.firstToken, 0.5),
  first_token_p95_ms: quantileMs(sum.firstToken, 0.95),
  duration_p50_ms: quantileMs(sum.duration, 0.5),
  duration_p95_ms: quantileMs(sum.duration, 0.95),
});

/** Most frequent first. */
export const reasonsOf = (sums: readonly AttemptSum[]): ChannelStatisticsView['reasons'] =>
  sums
    .filter(({ reason }) => reason !== '')
    .map(({ reason, status, attempts }) => ({
      reason,
      status,
      attempts,
      is_channel_failure: isChannelFailure(reason, status),
    }))
    .sort((a, b) => b.attempts - a.attempts);

/** Tokens a second of streamed answers after their first token; null = none was streamed. */
export const speedOf = ({ outputTokens, outputMs }: AttemptSum): number | null =>
  outputMs === 0 ? null : Math.round((outputTokens / outputMs) * 10_000) / 10;

/** Most used first. */
export const modelsOf = (sums: readonly AttemptSum[]): ChannelStatisticsView['models'] =>
  sums
    .map((sum) => ({
      model: sum.model,
      ...figuresOf(sum),
      tokens_per_second: speedOf(sum),
    }))
    .sort((a, b) => b.attempts - a.attempts);
