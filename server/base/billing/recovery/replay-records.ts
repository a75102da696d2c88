import type { AdoptedRecord } from '../../../infra/spool/adopted-spool.js';
import { toQuota } from '../../../common/quota.js';
import type { FinishedCall } from '../../../relay-core/model/call.js';
import type { PriceSnapshot } from '../../../relay-core/model/price-snapshot.js';
import type { ChannelMarks } from '../../../relay-core/model/channel-use.js';
import type { Usage } from '../../../relay-core/model/usage.js';
import { calculateQuota } from '../../pricing/calculate-quota.js';
import {
  type BookingRecord,
  describeSettlement,
  type CheckpointDocument,
  type DispatchDocument,
  type HoldPlace,
  type ReleaseDocument,
  type SettledCall,
} from '../records/spool-documents.js';
import { toSettlement } from '../records/settlement-text.js';

interface CallTrace {
  dispatch?: DispatchDocument;
  channelId?: number;
  channelMarks?: ChannelMarks | undefined;
  checkpoint?: Usage;
  end?: BookingRecord;
  isUnnamed?: boolean;
}

/**
 * Records to book for the calls in a dead worker's spool: S as it is; else the last checkpoint, prompt and counted output; else the
 * prompt. R and calls that never went upstream cost nothing. Pure.
 */
export function replayRecords(records: readonly AdoptedRecord[], nowMs: number): BookingRecord[] {
  const traces = new Map<string, CallTrace>();
  for (const record of records) {
    const document = JSON.parse(record.payload) as { readonly request_id: string };
    const trace = traces.get(document.request_id) ?? {};
    traces.set(document.request_id, trace);
    follow(trace, record, document);
  }
  return [...traces.values()].flatMap((trace) => {
    const end =
      trace.end ??
      (trace.dispatch === undefined ? undefined : recoveredSettlement(trace.dispatch, trace, nowMs));
    if (end === undefined) return [];
    return [trace.isUnnamed === true ? { ...end, isUnnamed: true as const } : end];
  });
}

function follow(trace: CallTrace, record: AdoptedRecord, document: unknown): void {
  if (record.isUnnamed === true) trace.isUnnamed = true;
  if (record.type === 'S') {
    trace.end = { isRecovered: true, type: 'S', document: toSettlement(document) };
  } else if (record.type === 'R') {
    trace.end ??= { isRecovered: true, type: 'R', document: document as ReleaseDocument };
  } else if (record.type === 'C') {
    trace.checkpoint = (document as CheckpointDocument).usage;
  } else {
    const dispatch = document as DispatchDocument;
    if ('caller' in dispatch) trace.dispatch = dispatch;
    trace.channelId = dispatch.channel_id;
    trace.channelMarks = dispatch.channel_limits;
  }
}

function recoveredSettlement(dispatch: DispatchDocument, trace: CallTrace, nowMs: number): BookingRecord {
  const usage = trace.checkpoint ?? { input: { total: dispatch.promptTokens }, output: { total: 0 } };
  return recover({
    callId: dispatch.request_id,
    caller: dispatch.caller,
    channelId: trace.channelId ?? dispatch.channel_id,
    snapshot: dispatch.snapshot,
    usage,
    evidence: trace.checkpoint === undefined ? 'estimated' : 'counted',
    startedAtMs: dispatch.startedAtMs,
    hold: dispatch.hold,
    nowMs,
    channelMarks: trace.channelMarks,
  });
}

/** A charge of which nothing is known but its amount: host and spool were lost. */
export function lostSpoolSettlement(hold: {
  readonly callId: string;
  readonly userId: number;
  readonly tokenId: number | null;
  readonly promptEstimate: number;
  readonly place: HoldPlace;
  readonly nowMs: number;
}): BookingRecord {
  return recover({
    callId: hold.callId,
    caller: {
      userId: hold.userId,
      username: '',
      tokenId: hold.tokenId,
      tokenName: '',
      tokenLimited: hold.tokenId !== null,
      group: '',
    },
    channelId: 0,
    // One "call" at the price of the prompt estimate: the charge can be recomputed although the prices are lost.
    snapshot: {
      mode: 'call',
      model: '',
      group: '',
      price: String(hold.promptEstimate),
      groupRatio: '1',
      quotaPerUnit: 1,
      revision: 0,
    },
    usage: { input: { total: undefined }, output: { total: undefined } },
    evidence: 'estimated',
    startedAtMs: hold.nowMs,
    hold: hold.place,
    nowMs: hold.nowMs,
  });
}

function recover(input: {
  readonly callId: string;
  readonly caller: DispatchDocument['caller'];
  readonly channelId: number;
  readonly snapshot: PriceSnapshot;
  readonly usage: Usage;
  readonly evidence: FinishedCall['evidence'];
  readonly startedAtMs: number;
  readonly hold: HoldPlace;
  readonly nowMs: number;
  readonly channelMarks?: ChannelMarks | undefined;
}): BookingRecord {
  const { caller, snapshot, usage, hold, nowMs, channelMarks } = input;
  const call: SettledCall = {
    callId: input.callId,
    caller,
    shape: { operation: 'chat', model: snapshot.model, stream: false },
    channelId: input.channelId,
    upstreamModel: snapshot.model,
    isModelMapped: false,
    usage,
    evidence: input.evidence,
    outcome: 'recovered',
    snapshot,
    priced: toQuota(calculateQuota(usage, snapshot)),
    startedAtMs: input.startedAtMs,
    firstByteMs: undefined,
    durationMs: 0,
    attempts: [],
    path: '',
    note: '',
    ...(channelMarks === undefined ? {} : { channelMarks }),
  };
  const document = describeSettlement(call, hold, nowMs);
  return { isRecovered: true, type: 'S', document };
}
