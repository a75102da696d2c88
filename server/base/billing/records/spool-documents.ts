import { getOrAdd } from '../../../common/get-or-add.js';
import { storableText } from '../../../common/text.js';
import type { ByteText } from '../../../common/byte-text.js';
import type { Caller, FinishedCall } from '../../../relay-core/model/call.js';
import type { PriceSnapshot } from '../../../relay-core/model/price-snapshot.js';
import type { AcceptedTask } from '../../../relay-core/model/task.js';
import { joinTags } from '../../../relay-core/model/tag-text.js';
import type { ChannelMarks } from '../../../relay-core/model/channel-use.js';
import type { Usage } from '../../../relay-core/model/usage.js';
import { attemptsOfCall, type CountedAttempt } from '../../channel-statistics/counted-attempts.js';
import { formatLogContent, formatLogOther } from './format-log-row.js';

/** Place of a call's hold: shared pools, or a reservation of its own while the shared store is away. */
export type HoldKind = 'pool' | 'call';

export interface HoldPlace {
  readonly kind: HoldKind;
  /** Empty = nothing was set aside (a free call). */
  readonly userReservationId: string;
  readonly tokenReservationId: string | null;
  readonly amount: number;
  /** Number of the slice it was part of, among those of its worker. */
  readonly slice?: number | undefined;
  /** Turn of that slice in which the call ended: use the store does not know of is still to be deducted from the slice. */
  readonly turn?: number | undefined;
  /** Limits and periods the call counts under (base/limits/limit-marks.ts); absent = none. */
  readonly limits?: string | undefined;
}

/** Payload of a first D record: everything recovery needs to charge the prompt. */
export interface DispatchDocument {
  readonly request_id: string;
  readonly channel_id: number;
  readonly caller: Pick<
    Caller,
    | 'userId'
    | 'accountUid'
    | 'username'
    | 'tokenId'
    | 'tokenUid'
    | 'tokenName'
    | 'tokenLimited'
    | 'group'
    | 'tags'
    | 'endUser'
  >;
  readonly snapshot: PriceSnapshot;
  readonly promptTokens: number;
  readonly startedAtMs: number;
  readonly hold: HoldPlace;
  /** Limits of the channel that a charge counts under; absent = none. */
  readonly channel_limits?: ChannelMarks;
}

/** Payload of a D record of a later attempt. */
export interface RetryDocument {
  readonly request_id: string;
  readonly channel_id: number;
  readonly channel_limits?: ChannelMarks | undefined;
}

/** Payload of a C record. */
export interface CheckpointDocument {
  readonly request_id: string;
  readonly usage: Usage;
}

/** Owner of a record. Records of an earlier version have numeric ids only. */
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
  /** It went upstream and failed; absent = it did not, or counts under no limit. */
  readonly was_sent?: true;
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
  /** Comma list; absent = none. */
  readonly tags?: string;
  /** Absent = none. */
  readonly end_user?: string;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly use_time: number;
  readonly is_stream: 0 | 1;
  readonly content: string;
  readonly other: string;
  readonly hold: HoldPlace;
  /** Its attempts at channels, in order; absent = written by a version before. */
  readonly attempts?: readonly CountedAttempt[];
  /** Limits of the channel that the charge counts under; absent = none. */
  readonly channel_limits?: ChannelMarks;
  /** Task the upstream accepted and finishes later; absent = it answered. */
  readonly task?: AcceptedTask;
}

/** One record of the spool that must be booked: a settlement or the release of a call's own reservation. */
export type BookingRecord = {
  /** True for what a dead worker left: nothing of this process waits for it. */
  readonly isRecovered?: true;
  /** Its segment does not name its installation. */
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

/** Caller as records name it: serialised once for all calls of a token without tags and an end user of their own. */
export function callerText(caller: Caller): Buffer {
  const text = getOrAdd(callerTexts, caller, () => {
    const { userId, accountUid, username, tokenId, tokenUid, tokenName, tokenLimited, group } = caller;
    const named = { userId, accountUid, username, tokenId, tokenUid, tokenName, tokenLimited, group };
    const { tags, endUser } = caller;
    return Buffer.from(JSON.stringify({ ...named, tags, endUser }));
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
    readonly channelMarks?: ChannelMarks;
  },
): void {
  text.ascii('{"request_id":').string(dispatch.callId).ascii(',"channel_id":').number(dispatch.channelId);
  text.ascii(',"caller":').raw(callerText(dispatch.caller));
  text.ascii(',"snapshot":').raw(bytesOf(dispatch.snapshot));
  text.ascii(',"promptTokens":').number(dispatch.promptTokens);
  text.ascii(',"startedAtMs":').number(dispatch.startedAtMs).ascii(',"hold":');
  writeHold(text, dispatch.hold);
  if (dispatch.channelMarks !== undefined) text.ascii(',"channel_limits":').json(dispatch.channelMarks);
  text.ascii('}');
}

/** A `HoldPlace`, and nothing of what else its object may know. */
export function writeHold(text: ByteText, hold: HoldPlace): void {
  text.ascii('{"kind":').string(hold.kind).ascii(',"userReservationId":').string(hold.userReservationId);
  text.ascii(',"tokenReservationId":').json(hold.tokenReservationId);
  text.ascii(',"amount":').number(hold.amount);
  if (hold.slice !== undefined) text.ascii(',"slice":').number(hold.slice);
  if (hold.turn !== undefined) text.ascii(',"turn":').number(hold.turn);
  if (hold.limits !== undefined) text.ascii(',"limits":').string(hold.limits);
  text.ascii('}');
}

/** A finished call, with the caller columns of its rows. */
export type SettledCall = Omit<FinishedCall, 'caller'> & { readonly caller: DispatchDocument['caller'] };

/** Owner of a caller's records. */
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
    // The same for all client APIs: cache reads and writes are included, and listed beside it (`other`). Sums of a model are
    // comparable.
    prompt_tokens: wholeTokens(usage.input.total),
    completion_tokens: wholeTokens(usage.output.total),
    use_time: Math.max(0, Math.floor(call.durationMs / 1000)),
    is_stream: call.shape.stream ? 1 : 0,
    content: storable(formatLogContent(call), 2_000),
    other: shortened(formatLogOther(call), 20_000),
    attempts: attemptsOfCall(call, nowMs),
    hold,
  };
  const { channelMarks } = call;
  if (
    call.task === undefined &&
    caller.tags === undefined &&
    caller.endUser === undefined &&
    channelMarks === undefined
  )
    return document;
  return {
    ...document,
    ...(call.task === undefined ? {} : { task: call.task }),
    ...(channelMarks === undefined ? {} : { channel_limits: channelMarks }),
    ...(caller.tags === undefined ? {} : { tags: joinTags(caller.tags) }),
    ...(caller.endUser === undefined ? {} : { end_user: caller.endUser }),
  };
}

/** Tokens as rows and limits count them: what is not reported counts 0. */
export const wholeTokens = (tokens: number | undefined): number =>
  Number.isSafeInteger(tokens) && (tokens ?? 0) > 0 ? (tokens ?? 0) : 0;

const storable = (text: string, maxLength: number): string =>
  storableText(text.length > maxLength ? text.slice(0, maxLength) : text);

/** JSON text, which holds nothing that cannot be stored unless it is cut in two. */
const shortened = (json: string, maxLength: number): string =>
  json.length > maxLength ? storable(json, maxLength) : json;
