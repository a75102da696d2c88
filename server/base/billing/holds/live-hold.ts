import type { Quota } from '../../../common/quota.js';
import { LinkedListNode } from '../../../common/linked-list.js';
import type { ByteText } from '../../../common/byte-text.js';
import type { SpoolPayload } from '../../../infra/spool/spool-record.js';
import type { Caller } from '../../../relay-core/model/call.js';
import type { ChannelMarks } from '../../../relay-core/model/channel-use.js';
import type { Quote } from '../../../relay-core/ports/price-book.js';
import type { Hold } from '../../../relay-core/ports/quota-holds.js';
import type { LimitFigures } from '../../../relay-core/model/limit-refusal.js';
import type { CallLimits } from '../../limits/call-limits.js';
import { isOfTokens } from './limit-figures.js';
import type { DetachedCall, Slice, SlicedCall } from './slice.js';
import { type HoldPlace, writeDispatch } from '../records/spool-documents.js';

/** The call that quota is held for. */
export interface HeldCall {
  readonly callId: string;
  readonly caller: Caller;
  readonly quote: Quote;
  /** Limits it is admitted under; absent = none. */
  readonly callLimits?: CallLimits | undefined;
}

/** A hold as this worker remembers it. */
export class LiveHold extends LinkedListNode implements Hold, SlicedCall, SpoolPayload {
  /** `ending`: its settlement is about to be written. */
  state: 'held' | 'dispatched' | 'ending' | 'over' = 'held';
  channelId = 0;
  /** Limits of its channel. */
  channelMarks: ChannelMarks | undefined;
  part: Slice | null = null;
  /** Quota counted for it among what is held. */
  counted = 0;
  firstSequence = 0;
  detached: DetachedCall | null = null;
  /** Turn of the slice in which it ended, once it is settled. */
  sequence: number | undefined;

  readonly callId: string;
  readonly caller: Caller;
  readonly quote: Quote;
  readonly callLimits: CallLimits | undefined;
  limitFigures: LimitFigures | undefined;
  amount: Quota;
  kind: HoldPlace['kind'];
  userReservationId: string;
  tokenReservationId: string | null;

  constructor(
    { callId, caller, quote, callLimits }: HeldCall,
    readonly startedAtMs: number,
    {
      amount,
      kind,
      userReservationId,
      tokenReservationId,
    }: Omit<HoldPlace, 'amount'> & { readonly amount: Quota },
  ) {
    super();
    this.callId = callId;
    this.caller = caller;
    this.quote = quote;
    this.callLimits = callLimits;
    this.amount = amount;
    this.kind = kind;
    this.userReservationId = userReservationId;
    this.tokenReservationId = tokenReservationId;
  }

  get isTokenLimited(): boolean {
    return this.callLimits?.limits.some(({ limit: { measure } }) => isOfTokens(measure)) === true;
  }

  get place(): HoldPlace {
    const { kind, userReservationId, tokenReservationId, amount, slice, sequence, limits } = this;
    if (limits !== undefined) return { kind, userReservationId, tokenReservationId, amount, limits };
    if (slice === undefined) return { kind, userReservationId, tokenReservationId, amount };
    return { kind, userReservationId, tokenReservationId, amount, slice, turn: sequence };
  }

  get slice(): number | undefined {
    return this.part?.number;
  }

  /** Marks of the limits it counts under, for its records. */
  get limits(): string | undefined {
    const marks = this.callLimits?.marks;
    return marks === '' ? undefined : marks;
  }

  get limitedTokenId(): number | null {
    return limitedTokenOf(this.caller);
  }

  /** Its dispatch record. */
  writeTo(text: ByteText): void {
    const { callId, channelId, caller, quote, startedAtMs } = this;
    const { snapshot, promptTokens = 0 } = quote;
    const { channelMarks } = this;
    const place = { callId, channelId, caller, snapshot, promptTokens, startedAtMs, hold: this };
    writeDispatch(text, channelMarks === undefined ? place : { ...place, channelMarks });
  }
}

export const limitedTokenOf = (caller: Caller): number | null =>
  caller.tokenLimited ? caller.tokenId : null;

export function asLive(hold: Hold): LiveHold {
  if (!(hold instanceof LiveHold)) throw new TypeError('a hold of other pools');
  return hold;
}
