import type { Caller, FinishedCall } from '../../relay-core/model/call.js';
import type { PriceSnapshot } from '../../relay-core/model/price-snapshot.js';
import {
  callerText,
  describeSettlement,
  snapshotText,
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

const escapedTexts = new WeakMap<PriceSnapshot, string>();

function escapedSnapshot(snapshot: PriceSnapshot): string {
  let text = escapedTexts.get(snapshot);
  if (text === undefined) {
    text = JSON.stringify(snapshotText(snapshot));
    escapedTexts.set(snapshot, text);
  }
  return text;
}

/** The payload of an S record. Written by hand: what many calls share is written out once, and numbers need no escaping. */
export function writeSettlement(call: FinishedCall, hold: HoldPlace, nowMs: number): string {
  const { shape, firstByteMs } = call;
  return (
    `{"request_id":"${call.callId}","at_ms":${nowMs},"call":{"caller":${callerText(call.caller)},` +
    `"shape":{"operation":"${shape.operation}","model":${JSON.stringify(shape.model)},"stream":${shape.stream}},` +
    `"channelId":${call.channelId},"upstreamModel":${JSON.stringify(call.upstreamModel)},` +
    `"isModelMapped":${call.isModelMapped},"usage":${JSON.stringify(call.usage)},` +
    `"evidence":"${call.evidence}","outcome":"${call.outcome}","priced":${call.priced},` +
    `"startedAtMs":${call.startedAtMs},${firstByteMs === undefined ? '' : `"firstByteMs":${firstByteMs},`}` +
    `"durationMs":${call.durationMs},"attempts":${JSON.stringify(call.attempts)},` +
    `"path":${JSON.stringify(call.path)},"note":${JSON.stringify(call.note)}` +
    `${call.warnings === undefined ? '' : `,"warnings":${JSON.stringify(call.warnings)}`}},` +
    `"snapshot":${escapedSnapshot(call.snapshot)},"hold":${JSON.stringify(hold)}}`
  );
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

/** A settlement on the spool of this worker. Its document is only read where it is booked in this thread. */
export class SpooledSettlement {
  readonly type = 'S';

  constructor(
    readonly request_id: string,
    readonly hold: HoldPlace,
    private readonly payload: string,
  ) {}

  get document(): SettlementDocument {
    return readSettlement(this.payload);
  }

  toJSON(): object {
    return { type: this.type, document: this.document };
  }
}
