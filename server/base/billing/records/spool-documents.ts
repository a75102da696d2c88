import { getOrAdd } from '../../../common/get-or-add.js';
import { storableText } from '../../../common/text.js';
import type { ByteText } from '../../../common/byte-text.js';
import type { Caller, FinishedCall } from '../../../relay-core/model/call.js';
import type { PriceSnapshot } from '../../../relay-core/model/price-snapshot.js';
import type { AcceptedTask } from '../../../relay-core/model/task.js';
import type { Usage } from '../../../relay-core/model/usage.js';
import { formatLogContent, formatLogOther } from './format-log-row.js';

/** Where the money of a call was set aside: shared pools, or reservations of its own while the shared store is away. */
export type HoldKind = 'pool' | 'call';

export interface HoldPlace {
  readonly kind: HoldKind;
  /** Empty = nothing was set aside (a free call). */
  readonly userReservationId: string;
  readonly tokenReservationId: string | null;
  readonly amount: number;
  /** Number of the slice it was part of, among those of its worker. */
  readonly slice?: number | undefined;
  /** Turn of that slice in which the call ended: what the store was told of later turns is still to be taken off the slice. */
  readonly turn?: number | undefined;
}

/** Payload of a first D record: everything recovery needs to charge the prompt. */
export interface DispatchDocument {
  readonly request_id: string;
  readonly channel_id: number;
  readonly caller: Pick<
    Caller,
    'userId' | 'accountUid' | 'username' | 'tokenId' | 'tokenUid' | 'tokenName' | 'tokenLimited' | 'group'
  >;
  readonly snapshot: PriceSnapshot;
  readonly promptTokens: number;
  readonly startedAtMs: number;
  readonly hold: HoldPlace;
}

/** Payload of a D record of a later attempt. */
export interface RetryDocument {
  readonly request_id: string;
  readonly channel_id: number;
}

/** Payload of a C record. */
export interface CheckpointDocument {
  readonly request_id: string;
  readonly usage: Usage;
}

/** Whose a record is. Those of a version before name numbers only. */
export interface RecordOwner {
  readonly user_id: number;
  readonly token_id: number | null;
  readonly account_uid?: string | undefined;
  readonly token_uid?: string | undefined;
}

/** Payload of an R record. */
export interface ReleaseDocument extends RecordOwner {
  readonly request_id: string;
  readonly hold: HoldPlace;
}

/** Payload of an S record. The flat members are columns of the rows it becomes; documents inside are JSON text. */
export interface SettlementDocument extends RecordOwner {
  readonly request_id: string;
  /** 1 = the charge counts against the token's own allowance. */
  readonly token_limited: 0 | 1;
  readonly channel_id: number;
  readonly model: string;
  readonly usage: string;
  readonly evidence: string;
  readonly outcome: string;
  readonly price_snapshot: string;
  /** The charge before the floor is looked at. */
  readonly priced: number;
  readonly created_at_ms: number;
  readonly username: string;
  readonly token_name: string;
  readonly group: string;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly use_time: number;
  readonly is_stream: 0 | 1;
  readonly content: string;
  readonly other: string;
  readonly hold: HoldPlace;
  /** What the upstream took on and finishes later; absent = it answered. */
  readonly task?: AcceptedTask;
}

/** One record of the spool that must be booked: a settlement or the release of a call's own reservation. */
export type BookingRecord = {
  /** True for what a dead worker left: nothing of this process waits for it. */
  readonly isRecovered?: true;
  /** Its segment does not say of which installation it is. */
  readonly isUnnamed?: true;
} & (
  | { readonly type: 'S'; readonly document: SettlementDocument }
  | { readonly type: 'R'; readonly document: ReleaseDocument }
);

const snapshotTexts = new WeakMap<PriceSnapshot, string>();

/** A snapshot is shared by all calls of a model and group: it is written out once. */
export function snapshotText(snapshot: PriceSnapshot): string {
  return getOrAdd(snapshotTexts, snapshot, () => JSON.stringify(snapshot));
}

const callerTexts = new WeakMap<Caller, Buffer>();
const snapshotBytes = new WeakMap<PriceSnapshot, Buffer>();

/** Who called, as records name them: written out once for all calls of a token. */
export function callerText(caller: Caller): Buffer {
  const text = getOrAdd(callerTexts, caller, () => {
    const { userId, accountUid, username, tokenId, tokenUid, tokenName, tokenLimited, group } = caller;
    const named = { userId, accountUid, username, tokenId, tokenUid, tokenName, tokenLimited, group };
    return Buffer.from(JSON.stringify(named));
  });
  return text;
}

function bytesOf(snapshot: PriceSnapshot): Buffer {
  return getOrAdd(snapshotBytes, snapshot, () => Buffer.from(snapshotText(snapshot)));
}

/**
 * Writes a `DispatchDocument`. Caller and prices are shared by many calls and written out once, the rest are numbers and ids of
 * our own.
 */
export function writeDispatch(
  text: ByteText,
  dispatch: {
    readonly callId: string;
    readonly channelId: number;
    readonly caller: Caller;
    readonly snapshot: PriceSnapshot;
    readonly promptTokens: number;
    readonly startedAtMs: number;
    readonly hold: HoldPlace;
  },
): void {
  text.ascii('{"request_id":').string(dispatch.callId).ascii(',"channel_id":').number(dispatch.channelId);
  text.ascii(',"caller":').raw(callerText(dispatch.caller));
  text.ascii(',"snapshot":').raw(bytesOf(dispatch.snapshot));
  text.ascii(',"promptTokens":').number(dispatch.promptTokens);
  text.ascii(',"startedAtMs":').number(dispatch.startedAtMs).ascii(',"hold":');
  writeHold(text, dispatch.hold);
  text.ascii('}');
}

/** A `HoldPlace`, and nothing of what else its object may know. */
export function writeHold(text: ByteText, hold: HoldPlace): void {
  text.ascii('{"kind":').string(hold.kind).ascii(',"userReservationId":').string(hold.userReservationId);
  text.ascii(',"tokenReservationId":').json(hold.tokenReservationId);
  text.ascii(',"amount":').number(hold.amount);
  if (hold.slice !== undefined) text.ascii(',"slice":').number(hold.slice);
  if (hold.turn !== undefined) text.ascii(',"turn":').number(hold.turn);
  text.ascii('}');
}

/** A call that ended, with what rows tell of its caller. */
export type SettledCall = Omit<FinishedCall, 'caller'> & { readonly caller: DispatchDocument['caller'] };

/** Whose the records of a caller are. */
export function ownerOf(caller: DispatchDocument['caller']): RecordOwner {
  const { userId, tokenId, accountUid, tokenUid } = caller;
  return { user_id: userId, token_id: tokenId, account_uid: accountUid, token_uid: tokenUid };
}

/** The settlement of a call that ended, as its rows will have it. Member by member: a spread takes several times as long. */
export function describeSettlement(call: SettledCall, hold: HoldPlace, nowMs: number): SettlementDocument {
  const { caller, usage } = call;
  const document: SettlementDocument = {
    request_id: call.callId,
    user_id: caller.userId,
    token_id: caller.tokenId,
    account_uid: caller.accountUid,
    token_uid: caller.tokenUid,
    token_limited: caller.tokenLimited ? 1 : 0,
    channel_id: call.channelId,
    model: storable(call.shape.model, 255),
    usage: JSON.stringify(usage),
    evidence: call.evidence,
    outcome: call.outcome,
    price_snapshot: snapshotText(call.snapshot),
    priced: call.priced,
    created_at_ms: nowMs,
    username: storable(caller.username, 64),
    token_name: storable(caller.tokenName, 64),
    group: storable(caller.group, 64),
    // Whichever client API was spoken: what a cache read and wrote is counted, and told beside it (`other`). Sums of a model mean one thing.
    prompt_tokens: wholeTokens(usage.input.total),
    completion_tokens: wholeTokens(usage.output.total),
    use_time: Math.max(0, Math.floor(call.durationMs / 1000)),
    is_stream: call.shape.stream ? 1 : 0,
    content: storable(formatLogContent(call), 2_000),
    other: shortened(formatLogOther(call), 20_000),
    hold,
  };
  return call.task === undefined ? document : { ...document, task: call.task };
}

const wholeTokens = (tokens: number | undefined): number =>
  Number.isSafeInteger(tokens) && (tokens ?? 0) > 0 ? (tokens ?? 0) : 0;

const storable = (text: string, maxLength: number): string =>
  storableText(text.length > maxLength ? text.slice(0, maxLength) : text);

/** JSON text, which holds nothing that cannot be stored unless it is cut in two. */
const shortened = (json: string, maxLength: number): string =>
  json.length > maxLength ? storable(json, maxLength) : json;
