import type { RelayOptions } from '../../ports/relay-options.js';
import { ERROR_BODY_MS, TOTAL_STREAM_MS, TOTAL_WHOLE_MS } from '../context/limits.js';

/** Streams are looked at this often: for checkpoints, slow clients and heartbeats. */
const STREAM_LOOK_MS = 1_000;

/** When things happened to one reply, and what is due because of it. Monotonic milliseconds throughout. */
export class ReplyTimes {
  /** The upstream answered its head as a stream. */
  streamSinceMs: number | undefined;
  /** First content; undefined = none came. */
  firstContentMs: number | undefined;

  private lastContentMs: number;
  private lastPingMs = 0;
  private hasHead = false;
  private failureSinceMs: number | undefined;

  /** @param asked  whether the caller wants a stream, and whether that may turn out to be a file, where no ping has a place */
  constructor(
    readonly startedMs: number,
    private readonly asked: { readonly isStream: boolean; readonly mayBeFile: boolean },
    private readonly options: RelayOptions,
  ) {
    this.lastContentMs = startedMs;
  }

  onHead(nowMs: number, asStream: boolean): void {
    this.hasHead = true;
    this.lastContentMs = nowMs;
    if (asStream) this.streamSinceMs = nowMs;
  }

  /** The upstream answered with a failure; what is left is its sentence. */
  failureCame(nowMs: number): void {
    this.failureSinceMs = nowMs;
  }

  /** Something came that is more than a comment. */
  onContent(nowMs: number): void {
    this.lastContentMs = nowMs;
  }

  isTotalExceeded(nowMs: number): boolean {
    return nowMs >= this.totalDeadline;
  }

  isIdleTooLong(nowMs: number): boolean {
    return nowMs >= this.silenceDeadline;
  }

  pingLooked(nowMs: number): void {
    this.lastPingMs = nowMs;
  }

  isPingDue(nowMs: number, lastWriteMs: number): boolean {
    return nowMs >= this.pingDueMs(lastWriteMs);
  }

  /** Time until the nearest deadline; at least a millisecond. */
  untilNextCheck(nowMs: number, lastWriteMs: number): number {
    const next = Math.min(this.totalDeadline, this.silenceDeadline, this.pingDueMs(lastWriteMs));
    const delay = Math.max(1, next - nowMs);
    return this.streamSinceMs === undefined ? delay : Math.min(delay, STREAM_LOOK_MS);
  }

  private get totalDeadline(): number {
    return this.startedMs + (this.asked.isStream ? TOTAL_STREAM_MS : TOTAL_WHOLE_MS);
  }

  /** A stream that has not begun to answer counts from its start; everything else from the last content. */
  private get silenceDeadline(): number {
    if (this.failureSinceMs !== undefined) return this.failureSinceMs + ERROR_BODY_MS;
    const waitsForFirst =
      !this.hasHead || (this.streamSinceMs !== undefined && this.firstContentMs === undefined);
    return waitsForFirst
      ? this.startedMs + this.options.firstByteTimeoutMs
      : this.lastContentMs + this.options.idleTimeoutMs;
  }

  private pingDueMs(lastWriteMs: number): number {
    const { isStream, mayBeFile } = this.asked;
    const hasPlace = isStream && (!mayBeFile || this.streamSinceMs !== undefined);
    if (!this.options.pingEnabled || !hasPlace || this.failureSinceMs !== undefined) {
      return Number.POSITIVE_INFINITY;
    }
    const sinceMs = Math.max(lastWriteMs, this.lastPingMs, this.streamSinceMs ?? this.startedMs);
    return sinceMs + this.options.pingIntervalMs;
  }
}
