import type { Quota } from '../../../common/quota.js';
import { LinkedListNode } from '../../../common/linked-list.js';
import type { ByteText } from '../../../common/byte-text.js';
import type { SpoolPayload } from '../../../infra/spool/spool-record.js';
import type { Caller } from '../../../relay-core/model/call.js';
import type { Quote } from '../../../relay-core/ports/price-book.js';
import type { Hold } from '../../../relay-core/ports/quota-holds.js';
import type { DetachedCall, Slice, SlicedCall } from './slice.js';
import { type HoldPlace, writeDispatch } from '../records/spool-documents.js';

/** The call that quota is held for. */
export interface HeldCall {
  readonly callId: string;
  readonly caller: Caller;
  readonly quote: Quote;
}

/** A hold as this worker remembers it. */
export class LiveHold extends LinkedListNode implements Hold, SlicedCall, SpoolPayload {
  /** `ending`: its settlement is about to be written. */
  state: 'held' | 'dispatched' | 'ending' | 'over' = 'held';
  channelId = 0;
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
  amount: Quota;
  kind: HoldPlace['kind'];
  userReservationId: string;
  tokenReservationId: string | null;

  constructor(
    { callId, caller, quote }: HeldCall,
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
    this.amount = amount;
    this.kind = kind;
    this.userReservationId = userReservationId;
    this.tokenReservationId = tokenReservationId;
  }

  get place(): HoldPlace {
    const { kind, userReservationId, tokenReservationId, amount, slice, sequence } = this;
    if (slice === undefined) return { kind, userReservationId, tokenReservationId, amount };
    return { kind, userReservationId, tokenReservationId, amount, slice, turn: sequence };
  }

  get slice(): number | undefined {
    return this.part?.number;
  }

  get limitedTokenId(): number | null {
    return limitedTokenOf(this.caller);
  }

  /** Its dispatch record. */
  writeTo(text: ByteText): void {
    const { callId, channelId, caller, quote, startedAtMs } = this;
    const { snapshot, promptTokens = 0 } = quote;
    writeDispatch(text, { callId, channelId, caller, snapshot, promptTokens, startedAtMs, hold: this });
  }
}

export const limitedTokenOf = (caller: Caller): number | null =>
  caller.tokenLimited ? caller.tokenId : null;

export function asLive(hold: Hold): LiveHold {
  if (!(hold instanceof LiveHold)) throw new TypeError('a hold of other pools');
  return hold;
}
