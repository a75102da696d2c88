import type { Operation } from '../../model/operation.js';
import type { RelayError } from '../../model/relay-error.js';
import type { ReplyMeter } from '../../formats/contract/reply-meter.js';
import { type AbandonedRead, type AbandonedReads, MAX_ABANDONED_BYTES } from '../context/abandoned-reads.js';
import type { RelayInput } from '../context/attempt.js';
import { hidesCost } from './hidden-cost.js';

const NOTHING = (): void => undefined;

/** A reply that is read on after its client left, for the report of what it cost: for so long and so many bytes, and no longer. */
export class ReadOn implements AbandonedRead {
  private bytes = 0;
  private isOver = false;
  private cancelTimer = NOTHING;

  /** @param onEnd  ends the reply: no more of it is waited for */
  private constructor(
    private readonly reads: AbandonedReads,
    readonly reason: RelayError,
    private readonly onEnd: () => void,
  ) {}

  /**
   * @param reason  why the client is gone
   * @param onEnd  ends the reply: no more of it is waited for
   * @returns null = the reply ends now
   */
  static begin<O extends Operation>(
    { ports, options, route }: RelayInput<O>,
    reason: RelayError,
    onEnd: () => void,
  ): ReadOn | null {
    const seconds = route.settings.abandonedReadSeconds ?? options.abandonedReadSeconds;
    if (ports.abandoned === undefined || seconds === 0) return null;
    const read = new ReadOn(ports.abandoned, reason, onEnd);
    if (!ports.abandoned.begin(read)) return null;
    read.cancelTimer = ports.clock.after(seconds * 1_000, () => read.end());
    return read;
  }

  /** @returns false when no more may be read */
  take(bytes: number): boolean {
    this.bytes += bytes;
    return this.bytes <= MAX_ABANDONED_BYTES;
  }

  end(): void {
    if (this.isOver) return;
    this.leave();
    this.onEnd();
  }

  /** The reply is over. */
  leave(): void {
    this.isOver = true;
    this.cancelTimer();
    this.reads.leave(this);
  }
}

/**
 * Decides if the rest of a reply is needed for its charge. Always when the text has ended and only the report is missing; before that
 * where what came does not show what was spent, unless a person stopped the answer.
 */
export function isWorthReadingOn<O extends Operation>(
  { ports, clientCall, route, playerId }: RelayInput<O>,
  meter: ReplyMeter,
): boolean {
  if (meter.hasFinish) return !isReported(meter, clientCall.parsed.shape.choices);
  if (!hidesCost({ meter, clientCall, upstreamModel: route.upstreamModel })) return false;
  return playerId === undefined || ports.abandoned?.spendStop(playerId, ports.clock.monotonicMs()) === false;
}

/** The last report is there. One of several answers may have ended before the others. */
const isReported = ({ usage }: ReplyMeter, choices: number): boolean =>
  choices <= 1 && usage?.input.total !== undefined && (usage.output.total ?? 0) > 0;
