import type { Shape } from './shapes.js';

/**
 * Result of a call for its client. ok: the whole answer; refused: by the gateway; cut: it began and did not end well; left: the
 * client hung up; failed: no answer of the gateway at all (the balancer's own error, or no connection): whether it happened is not
 * known.
 */
export type Outcome = 'ok' | 'refused' | 'cut' | 'left' | 'failed';

export interface CallRecord {
  readonly marker: number;
  readonly shape: Shape;
  readonly tokenId: number;
  /** Milliseconds of the monotonic clock. */
  readonly askedAtMs: number;
  headAtMs: number | undefined;
  endedAtMs: number | undefined;
  /** 0 = no head came. */
  status: number;
  /** `X-Request-Id`, which is also the key of the settlement. */
  callId: string | undefined;
  /** Chunks with text of the answer that arrived. */
  chunks: number;
  sawEnd: boolean;
  outcome: Outcome | 'open';
  /** Machine-readable code of a refusal, or the balancer's or the socket's word. */
  code: string;
  retryAfter: string | undefined;
}

/** All calls of a run, as clients saw them. */
export class History {
  readonly calls: CallRecord[] = [];
  /** When the full load began; calls before it count for the money, not for the service. */
  warmAtMs = 0;

  /** Calls of the full load. */
  get warm(): CallRecord[] {
    return this.between(this.warmAtMs, Number.POSITIVE_INFINITY);
  }

  count(outcome: Outcome): number {
    return this.calls.filter((call) => call.outcome === outcome).length;
  }

  get open(): number {
    return this.calls.filter((call) => call.outcome === 'open').length;
  }

  /** Calls asked between two moments of the monotonic clock. */
  between(fromMs: number, untilMs: number): CallRecord[] {
    return this.calls.filter(
      ({ askedAtMs }) => askedAtMs >= Math.max(fromMs, this.warmAtMs) && askedAtMs < untilMs,
    );
  }
}

/** Time until the first byte of the answer, at a share (0 … 1) of the calls; NaN without calls. */
export function firstByteMsAt(calls: readonly CallRecord[], share: number): number {
  const times = calls
    .flatMap(({ askedAtMs, headAtMs }) => (headAtMs === undefined ? [] : [headAtMs - askedAtMs]))
    .sort((one, other) => one - other);
  return times.at(Math.min(times.length - 1, Math.floor(times.length * share))) ?? Number.NaN;
}
