import { Injectable } from '@nestjs/common';
import { MetricsRegistry, type Sample } from '../../../infra/observability/metrics-registry.js';
import { Clock } from '../../../common/clock.js';
import { type BoundedReports, REPORT_MINUTES, type ReportedMinute } from '../model/worker-report.js';

const MINUTE_MS = 60_000;
/** Minutes whose calls are compared with their bounded reports. */
const WATCHED_MINUTES = 60;
/** Channels with bounded reports that a worker names. */
const MAX_BOUNDED_CHANNELS = 50;

/** Sums that only grow, as they were when the current minute began. */
interface Sums {
  readonly calls: number;
  readonly errors: number;
  readonly writeoffQuota: number;
  readonly overrunCalls: number;
  readonly overrunQuota: number;
  readonly firstTokens: Readonly<Record<string, number>>;
}

/** This process's figures as reports need them: numbers of now, and what happened per minute. */
@Injectable()
export class WorkerMetrics {
  private minutes: ReportedMinute[] = [];
  private minute: number;
  private before: Sums | undefined;
  private longestLagMs = 0;
  /** Calls of channels as they were when each of the last minutes began; the first is that before the process began. */
  private channelMinutes: ChannelMinute[] = [{ minute: 0, channels: new Map() }];

  constructor(
    private readonly figures: MetricsRegistry,
    private readonly clock: Clock,
  ) {
    this.minute = this.currentMinute();
  }

  /** Sum of a metric over its labels; null = it is not registered, or has no value. */
  async read(name: string): Promise<number | null> {
    const samples = await this.figures.samples(name);
    return samples.length === 0 ? null : sumOf(samples);
  }

  /** The largest of several samples; null as above. */
  async largest(name: string): Promise<number | null> {
    const samples = await this.figures.samples(name);
    return samples.length === 0 ? null : Math.max(...samples.map(({ value }) => value));
  }

  /** Finished minutes, oldest first. Called every few seconds; the sums are read when a minute is over. */
  async finishedMinutes(settlementLagMs: number): Promise<readonly ReportedMinute[]> {
    this.longestLagMs = Math.max(this.longestLagMs, settlementLagMs);
    const minute = this.currentMinute();
    if (this.before === undefined) this.before = await this.sums();
    else if (minute !== this.minute) {
      const now = await this.sums();
      this.minutes = [...this.minutes, this.difference(this.before, now)].slice(-REPORT_MINUTES);
      this.before = now;
      this.minute = minute;
      this.longestLagMs = settlementLagMs;
      this.channelMinutes = [...this.channelMinutes, { minute, channels: await this.channelCounts() }].slice(
        -WATCHED_MINUTES,
      );
    }
    return this.minutes;
  }

  /** Channels with bounded reports in the last hour, those with most of them first. */
  async boundedReports(): Promise<readonly BoundedReports[]> {
    // Nearly always there are none, and no call has to be counted.
    if ((await this.read('tollgate_bounded_reports_total')) === null) return [];
    const now = await this.channelCounts();
    const [oldest] = this.channelMinutes;
    const boundedBefore = (channel: string): number => oldest?.channels.get(channel)?.bounded ?? 0;
    return [...now]
      .filter(([channel, { bounded }]) => bounded > boundedBefore(channel))
      .map(([channel, { bounded, calls }]) => ({
        channelId: Number(channel),
        bounded: bounded - boundedBefore(channel),
        calls: calls - (oldest?.channels.get(channel)?.calls ?? 0),
        sinceMs: this.sinceMinute(channel, boundedBefore(channel)) * MINUTE_MS,
      }))
      .toSorted((left, right) => right.bounded - left.bounded)
      .slice(0, MAX_BOUNDED_CHANNELS);
  }

  /** The minute in which a channel's bounded reports were first above a number. */
  private sinceMinute(channel: string, before: number): number {
    const behind = this.channelMinutes.find(({ channels }) => (channels.get(channel)?.bounded ?? 0) > before);
    return behind === undefined ? this.currentMinute() : behind.minute - 1;
  }

  private async channelCounts(): Promise<ChannelMinute['channels']> {
    const [bounded, attempts] = await Promise.all([
      this.figures.samples('tollgate_bounded_reports_total'),
      this.figures.samples('tollgate_upstream_attempts_total'),
    ]);
    const calls = byChannel(attempts);
    const reports = byChannel(bounded);
    return new Map(
      [...new Set([...calls.keys(), ...reports.keys()])].map((channel) => [
        channel,
        { bounded: reports.get(channel) ?? 0, calls: calls.get(channel) ?? 0 },
      ]),
    );
  }

  private difference(before: Sums, now: Sums): ReportedMinute {
    const firstTokens = Object.entries(now.firstTokens)
      .map(([bound, count]) => [bound, count - (before.firstTokens[bound] ?? 0)] as const)
      .filter(([, count]) => count > 0);
    return {
      minute: this.minute,
      calls: now.calls - before.calls,
      errors: now.errors - before.errors,
      firstTokens: Object.fromEntries(firstTokens),
      settlementLagMs: this.longestLagMs,
      writeoffQuota: now.writeoffQuota - before.writeoffQuota,
      overrunCalls: now.overrunCalls - before.overrunCalls,
      overrunQuota: now.overrunQuota - before.overrunQuota,
    };
  }

  private async sums(): Promise<Sums> {
    const [calls, errors, writeoffs, overruns, overrunQuota, buckets] = await Promise.all(
      [
        'tollgate_calls_total',
        'tollgate_call_errors_total',
        'tollgate_writeoff_quota_total',
        'tollgate_overrun_calls_total',
        'tollgate_overrun_quota_total',
        'tollgate_call_first_token_seconds',
      ].map((name) => this.figures.samples(name)),
    );
    return {
      calls: sumOf(calls ?? []),
      errors: sumOf((errors ?? []).filter(isOurFault)),
      writeoffQuota: sumOf(writeoffs ?? []),
      overrunCalls: sumOf(overruns ?? []),
      overrunQuota: sumOf(overrunQuota ?? []),
      firstTokens: countsOf((buckets ?? []) as readonly NamedSample[]),
    };
  }

  private currentMinute(): number {
    return Math.floor(this.clock.nowMs() / MINUTE_MS);
  }
}

interface ChannelMinute {
  readonly minute: number;
  readonly channels: ReadonlyMap<string, { readonly bounded: number; readonly calls: number }>;
}

function byChannel(samples: readonly Sample[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { labels, value } of samples) {
    const { channel = '' } = labels;
    sums.set(channel, (sums.get(channel) ?? 0) + value);
  }
  return sums;
}

type NamedSample = Sample & { readonly name?: string };

const sumOf = (samples: readonly Sample[]): number => samples.reduce((sum, { value }) => sum + value, 0);

/** A client that left, or requested something unavailable, is no fault of ours or of an upstream. */
const isOurFault = ({ labels }: Sample): boolean =>
  labels['blame'] !== 'caller' && labels['kind'] !== 'client-gone';

/** Cumulative buckets of all label sets as counts per bound. */
function countsOf(samples: readonly NamedSample[]): Record<string, number> {
  const cumulative = new Map<string, number>();
  for (const { name = '', labels, value } of samples) {
    const bound = labels['le'];
    if (!name.endsWith('_bucket') || bound === undefined) continue;
    cumulative.set(bound, (cumulative.get(bound) ?? 0) + value);
  }
  const sorted = [...cumulative].sort(([left], [right]) => boundOf(left) - boundOf(right));
  return Object.fromEntries(
    sorted.map(([bound, count], index) => [bound, count - (sorted[index - 1]?.[1] ?? 0)]),
  );
}

export const boundOf = (text: string): number => (text === '+Inf' ? Number.POSITIVE_INFINITY : Number(text));
