import type { ByteText } from '../../common/byte-text.js';
import type { SpoolPayload } from '../../infra/spool/spool-record.js';
import type { Caller, FinishedCall } from '../../relay-core/model/call.js';
import type { PriceSnapshot } from '../../relay-core/model/price-snapshot.js';
import {
  callerText,
  describeSettlement,
  snapshotText,
  writeHold,
  type HoldPlace,
  type SettlementDocument,
} from './spool-documents.js';

/**
 * An S record as it is written: the bare facts of a call. The rows and sentences it becomes are made where it is booked, away
 * from the thread that serves calls.
 */
interface SettlementFacts {
  readonly request_id: string;
  /** When it was settled. */
  readonly at_ms: number;
  readonly call: Omit<FinishedCall, 'callId' | 'caller' | 'snapshot'> & {
    readonly caller: Pick<Caller, 'userId' | 'username' | 'tokenId' | 'tokenName' | 'tokenLimited' | 'group'>;
  };
  /** JSON text of the prices, the same for many calls. */
  readonly snapshot: string;
  readonly hold: HoldPlace;
}

const escapedTexts = new WeakMap<PriceSnapshot, Buffer>();

function escapedSnapshot(snapshot: PriceSnapshot): Buffer {
  let text = escapedTexts.get(snapshot);
  if (text === undefined) {
    text = Buffer.from(JSON.stringify(snapshotText(snapshot)));
    escapedTexts.set(snapshot, text);
  }
  return text;
}

/** Writes the payload of an S record. By hand: what many calls share is written out once. */
export function writeSettlement(text: ByteText, call: FinishedCall, hold: HoldPlace, nowMs: number): void {
  const { shape, firstByteMs, warnings } = call;
  text.ascii('{"request_id":').string(call.callId).ascii(',"at_ms":').number(nowMs);
  text.ascii(',"call":{"caller":').raw(callerText(call.caller));
  text.ascii(',"shape":{"operation":').string(shape.operation).ascii(',"model":').string(shape.model);
  text.ascii(',"stream":').json(shape.stream);
  if (shape.pictureTerms !== undefined) text.ascii(',"pictureTerms":').string(shape.pictureTerms);
  text.ascii('},"channelId":').number(call.channelId);
  text.ascii(',"upstreamModel":').string(call.upstreamModel);
  text.ascii(',"isModelMapped":').json(call.isModelMapped).ascii(',"usage":').json(call.usage);
  text.ascii(',"evidence":').string(call.evidence).ascii(',"outcome":').string(call.outcome);
  text.ascii(',"priced":').number(call.priced).ascii(',"startedAtMs":').number(call.startedAtMs);
  if (firstByteMs !== undefined) text.ascii(',"firstByteMs":').number(firstByteMs);
  text.ascii(',"durationMs":').number(call.durationMs).ascii(',"attempts":').json(call.attempts);
  text.ascii(',"path":').string(call.path).ascii(',"note":').string(call.note);
  if (warnings !== undefined) text.ascii(',"warnings":').json(warnings);
  text.ascii('},"snapshot":').raw(escapedSnapshot(call.snapshot)).ascii(',"hold":');
  writeHold(text, hold);
  text.ascii('}');
}

/** Prices by their text: one object for all their calls, so that what is worked out from them is worked out once. */
const snapshots = new Map<string, PriceSnapshot>();
const MAX_SNAPSHOTS = 1_000;

function readSnapshot(text: string): PriceSnapshot {
  let snapshot = snapshots.get(text);
  if (snapshot === undefined) {
    snapshot = JSON.parse(text) as PriceSnapshot;
    if (snapshots.size >= MAX_SNAPSHOTS) snapshots.clear();
    snapshots.set(text, snapshot);
  }
  return snapshot;
}

/** Reads the payload of an S record, parsed; an earlier version wrote the rows themselves. */
export function toSettlement(document: unknown): SettlementDocument {
  const facts = document as SettlementFacts | SettlementDocument;
  if (!('call' in facts)) return facts;
  const { call, hold, at_ms: nowMs } = facts;
  return describeSettlement(
    {
      ...call,
      callId: facts.request_id,
      caller: { ...call.caller, role: 0, modelLimits: null, acceptsUnsetPrice: false, pinnedChannelId: null },
      firstByteMs: call.firstByteMs,
      snapshot: readSnapshot(facts.snapshot),
    },
    hold,
    nowMs,
  );
}

export const readSettlement = (payload: string): SettlementDocument => toSettlement(JSON.parse(payload));

/** A settlement for the spool of this worker. Its document is only made where it is booked in this thread. */
export class SpooledSettlement implements SpoolPayload {
  readonly type = 'S';
  readonly request_id: string;

  constructor(
    private readonly call: FinishedCall,
    readonly hold: HoldPlace,
    /** When it was settled. */
    readonly nowMs: number,
  ) {
    this.request_id = call.callId;
  }

  get document(): SettlementDocument {
    return describeSettlement(this.call, this.hold, this.nowMs);
  }

  writeTo(text: ByteText): void {
    writeSettlement(text, this.call, this.hold, this.nowMs);
  }

  toJSON(): object {
    return { type: this.type, document: this.document };
  }
}
