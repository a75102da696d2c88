import { getOrAdd } from '../../common/get-or-add.js';
import type { CountedAttempt } from './counted-attempts.js';
import { isChannelFailure } from './attempt-reasons.js';
import { bucketOf, emptyHistogram, type Histogram } from './histogram.js';

/** Every time zone in use differs from UTC by whole quarters of an hour: hours and days of each can be summed from them. */
export const QUARTER_SECONDS = 900;

/** Sums of one quarter of an hour, channel, model and reason. */
export interface AttemptTotal {
  readonly channelId: number;
  /** Start of the quarter of an hour, seconds. */
  readonly start: number;
  readonly model: string;
  readonly reason: string;
  readonly status: number;
  attempts: number;
  failures: number;
  outputTokens: number;
  outputMs: number;
  /** Tokens that the provider bills for attempts that failed. */
  billedTokens: number;
  readonly firstToken: Histogram;
  readonly duration: Histogram;
}

/** The newest failure of a channel. */
export interface ChannelFailure {
  readonly channelId: number;
  readonly failedAtMs: number;
  readonly model: string;
  readonly reason: string;
  readonly status: number;
  /** The provider's own sentence; empty = none came. */
  readonly message: string;
}

/** Sums attempts by quarter of an hour, channel, model, reason and status, before they are written. */
export class AttemptTotals {
  private readonly byKey = new Map<string, AttemptTotal>();
  private readonly failuresByChannel = new Map<number, ChannelFailure>();

  get isEmpty(): boolean {
    return this.byKey.size === 0;
  }

  get size(): number {
    return this.byKey.size;
  }

  /** @param atMs  when the call ended: all of its attempts are counted there */
  add(model: string, atMs: number, attempts: readonly CountedAttempt[]): void {
    const seconds = Math.floor(atMs / 1_000);
    const start = seconds - (seconds % QUARTER_SECONDS);
    for (const attempt of attempts) if (attempt.channelId > 0) this.addOne(model, start, attempt);
  }

  /** In one order for all who write: two writers never wait for each other in a circle. */
  rows(): readonly AttemptTotal[] {
    return [...this.byKey.values()].sort(byPrimaryKey);
  }

  failures(): readonly ChannelFailure[] {
    return [...this.failuresByChannel.values()].sort((a, b) => a.channelId - b.channelId);
  }

  private addOne(model: string, start: number, attempt: CountedAttempt): void {
    const { channelId, reason, status } = attempt;
    const key = `${channelId}\n${start}\n${reason}\n${status}\n${model}`;
    const total = getOrAdd(this.byKey, key, () => emptyTotal({ channelId, start, model, reason, status }));
    total.attempts += 1;
    count(total.duration, attempt.durationMs);
    count(total.firstToken, attempt.firstTokenMs);
    total.outputTokens += attempt.outputTokens ?? 0;
    total.outputMs += attempt.outputMs ?? 0;
    total.billedTokens += attempt.billedTokens ?? 0;
    if (!isChannelFailure(reason, status)) return;
    total.failures += 1;
    this.noteFailure(model, attempt);
  }

  private noteFailure(
    model: string,
    { channelId, reason, status, endedAtMs, message }: CountedAttempt,
  ): void {
    const failedAtMs = Math.floor(endedAtMs);
    const known = this.failuresByChannel.get(channelId);
    if (known !== undefined && known.failedAtMs > failedAtMs) return;
    this.failuresByChannel.set(channelId, {
      channelId,
      failedAtMs,
      model,
      reason,
      status,
      message: message ?? '',
    });
  }
}

function count(histogram: Histogram, milliseconds: number | undefined): void {
  if (milliseconds === undefined) return;
  const bucket = bucketOf(milliseconds);
  histogram[bucket] = (histogram[bucket] ?? 0) + 1;
}

const emptyTotal = (
  key: Pick<AttemptTotal, 'channelId' | 'start' | 'model' | 'reason' | 'status'>,
): AttemptTotal => ({
  ...key,
  attempts: 0,
  failures: 0,
  outputTokens: 0,
  outputMs: 0,
  billedTokens: 0,
  firstToken: emptyHistogram(),
  duration: emptyHistogram(),
});

const compareTexts = (left: string, right: string): number => (left === right ? 0 : left < right ? -1 : 1);

const byPrimaryKey = (a: AttemptTotal, b: AttemptTotal): number =>
  a.channelId - b.channelId ||
  a.start - b.start ||
  compareTexts(a.model, b.model) ||
  compareTexts(a.reason, b.reason) ||
  a.status - b.status;
