import { getOrAdd } from '../../../common/get-or-add.js';
import type { ByteText } from '../../../common/byte-text.js';
import type { SpoolPayload } from '../../../infra/spool/spool-record.js';
import type { FinishedCall } from '../../../relay-core/model/call.js';
import type { PriceSnapshot } from '../../../relay-core/model/price-snapshot.js';
import {
  callerText,
  describeSettlement,
  snapshotText,
  writeHold,
  type HoldPlace,
  type SettledCall,
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
  readonly call: Omit<SettledCall, 'callId' | 'snapshot'>;
  readonly hold: HoldPlace;
  /** JSON text of the prices, the same for many calls; last, so that readers know it again without reading it. */
  readonly snapshot: string;
}

/** No text can hold it, for there its quotes would be escaped. */
const ENDING = ',"snapshot":"';
const endings = new WeakMap<PriceSnapshot, Buffer>();

/** The end of the records of all calls of a price. */
function endingOf(snapshot: PriceSnapshot): Buffer {
  return getOrAdd(endings, snapshot, () =>
    Buffer.from(`,"snapshot":${JSON.stringify(snapshotText(snapshot))}}`),
  );
}

/** Writes the payload of an S record. By hand: what many calls share is written out once. */
function writeSettlement(text: ByteText, call: FinishedCall, hold: HoldPlace, nowMs: number): void {
  const { shape, firstByteMs, warnings } = call;
  text.ascii('{"request_id":').string(call.callId).ascii(',"at_ms":').number(nowMs);
  text.ascii(',"call":{"caller":').raw(callerText(call.caller));
  text.ascii(',"shape":{"operation":').string(shape.operation).ascii(',"model":').string(shape.model);
  text.ascii(',"stream":').json(shape.stream);
  if (shape.pictureTerms !== undefined) text.ascii(',"pictureTerms":').string(shape.pictureTerms);
  text.ascii('},"channelId":').number(call.channelId);
  text.ascii(',"upstreamModel":').string(call.upstreamModel);
  text.ascii(',"isModelMapped":').json(call.isModelMapped).ascii(',"usage":').json(call.usage);
  if (call.isNative !== undefined) text.ascii(',"isNative":').json(call.isNative);
  text.ascii(',"evidence":').string(call.evidence).ascii(',"outcome":').string(call.outcome);
  text.ascii(',"priced":').number(call.priced).ascii(',"startedAtMs":').number(call.startedAtMs);
  if (firstByteMs !== undefined) text.ascii(',"firstByteMs":').number(firstByteMs);
  text.ascii(',"durationMs":').number(call.durationMs).ascii(',"attempts":').json(call.attempts);
  text.ascii(',"path":').string(call.path).ascii(',"note":').string(call.note);
  if (call.vendorSays !== undefined) text.ascii(',"vendorSays":').json(call.vendorSays);
  if (call.task !== undefined) text.ascii(',"task":').json(call.task);
  if (call.effort !== undefined) text.ascii(',"effort":').string(call.effort);
  if (call.channelMarks !== undefined) text.ascii(',"channelMarks":').json(call.channelMarks);
  if (warnings !== undefined) text.ascii(',"warnings":').json(warnings);
  text.ascii('},"hold":');
  writeHold(text, hold);
  text.raw(endingOf(call.snapshot));
}

/** Reads the payload of an S record, parsed; an earlier version wrote the rows themselves. */
export function toSettlement(document: unknown): SettlementDocument {
  const facts = document as SettlementFacts | SettlementDocument;
  return 'call' in facts ? describe(facts, JSON.parse(facts.snapshot) as PriceSnapshot) : facts;
}

function describe(facts: Omit<SettlementFacts, 'snapshot'>, snapshot: PriceSnapshot): SettlementDocument {
  const { call, request_id: callId, hold, at_ms: nowMs } = facts;
  return describeSettlement(Object.assign(call, { callId, snapshot }), hold, nowMs);
}

interface KnownEnding {
  readonly bytes: Buffer;
  /** One object for all its calls, so that what is worked out from it is worked out once. */
  readonly snapshot: PriceSnapshot;
}

const MAX_KNOWN_ENDINGS = 1_000;

/**
 * Reads S records in a row. A third of each are its prices, which many calls have alike: they are known again by their bytes, and
 * only read the first time.
 */
export class SettlementReader {
  private readonly known = new Map<number, KnownEnding[]>();
  private knownCount = 0;

  /** Fails: throws SyntaxError for what is not JSON. */
  read(bytes: Buffer, start: number, end: number): SettlementDocument {
    const from = bytes.lastIndexOf(ENDING, end - ENDING.length, 'latin1');
    if (from < start) return toSettlement(JSON.parse(bytes.toString('utf8', start, end)));
    const facts = JSON.parse(`${bytes.toString('utf8', start, from)}}`) as SettlementFacts;
    return describe(facts, this.snapshotAt(bytes, from, end));
  }

  private snapshotAt(bytes: Buffer, from: number, end: number): PriceSnapshot {
    const alike = this.known.get(end - from);
    const known = alike?.find((ending) => bytes.compare(ending.bytes, 0, end - from, from, end) === 0);
    if (known !== undefined) return known.snapshot;
    const ending = Buffer.from(bytes.subarray(from, end));
    const { snapshot: text } = JSON.parse(`{${ending.toString('utf8', 1)}`) as SettlementFacts;
    const snapshot = JSON.parse(text) as PriceSnapshot;
    this.remember({ bytes: ending, snapshot });
    return snapshot;
  }

  private remember(ending: KnownEnding): void {
    if (this.knownCount >= MAX_KNOWN_ENDINGS) {
      this.known.clear();
      this.knownCount = 0;
    }
    getOrAdd(this.known, ending.bytes.length, () => []).push(ending);
    this.knownCount += 1;
  }
}

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
