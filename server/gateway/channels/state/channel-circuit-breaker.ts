import { Injectable } from '@nestjs/common';
import { type Moment, momentOf } from '../../../common/moment.js';
import type { Route } from '../../../relay-core/ports/channel-picker.js';
import { Clock } from '../../../common/clock.js';

/** The circuit opens when at least 20 calls were made in 30 s and half of them failed. After 30 s one call is let through. */
const WINDOW_MS = 30_000;
const MIN_CALLS = 20;
const MAX_FAILURE_SHARE = 0.5;
const OPEN_MS = 30_000;
/** A channel whose test call fails again and again rests twice as long each time, up to this. */
const MAX_OPEN_MS = 300_000;
/** A test call that never reports back (its client left, say) makes room for the next after this. */
const PROBE_MS = 60_000;
/** Time after which a finished pause without a call since is forgotten; no call from before it is still running. */
const LAPSE_MS = 300_000;
/** Pause after "too many requests" without a time of its own, and the longest one an upstream may ask for. */
const DEFAULT_COOL_DOWN_MS = 2_000;
const MAX_COOL_DOWN_MS = 300_000;
const MAX_ENTRIES = 10_000;

/**
 * closed: calls go through, and their failures are counted. open: it rests. half-open: the rest is over, one call is let through, and
 * its outcome closes or opens the circuit.
 */
type CircuitState = 'closed' | 'open' | 'half-open';

interface CircuitRecord {
  readonly channelId: number;
  readonly keyIndex: number | undefined;
  readonly model: string;
  windowStartedAtMs: number;
  calls: number;
  failures: number;
  /** 0 = closed. */
  openUntilMs: number;
  /** After a rest one call is let through until then; the next ones wait for its outcome. */
  probingUntilMs: number;
  /** Rests in a row without a success between them. */
  openings: number;
  /** When the first of them began. */
  openSinceMs: number;
  /** When a rest began or grew longer last, by the wall clock; 0 = it never rested. */
  openedAtMs: number;
}

/** Subject of a circuit: one key of a channel, for one model or, with an empty model, for all. */
export interface CircuitTarget {
  readonly channelId: number;
  /** Undefined = the channel has one key. */
  readonly keyIndex?: number | undefined;
  /** The upstream's name of the model. */
  readonly model: string;
}

/** A channel that this process leaves alone for a while. */
export interface OpenCircuit {
  readonly channelId: number;
  /** Empty = altogether. */
  readonly model: string;
  readonly sinceMs: Moment;
  /** When the next call is let through: of several keys the first. In the past: one is let through now. */
  readonly untilMs: Moment;
  /** Places of the keys that rest; empty = the channel has one key. */
  readonly keys: readonly number[];
}

export const circuitOf = ({ channelId, keyIndex, upstreamModel }: Route): CircuitTarget => ({
  channelId,
  keyIndex,
  model: upstreamModel,
});

/**
 * Which channels are better left alone for a while, in this process only: altogether when the key or the address is at
 * fault, else per model. A resting channel is chosen when nothing else is left: refusing everything ourselves would be
 * worse than trying.
 */
@Injectable()
export class ChannelCircuitBreaker {
  private readonly records = new Map<string, CircuitRecord>();

  constructor(private readonly clock: Clock) {}

  /** True when no circuit is open and no call failed recently. */
  get isQuiet(): boolean {
    return this.records.size === 0;
  }

  /** To call a channel whose rest is over, `claim` it. */
  isResting(target: CircuitTarget): boolean {
    if (this.records.size === 0) return false;
    return (
      this.isOpenNow(keyOf(target)) ||
      (target.model !== '' && this.isOpenNow(keyOf({ ...target, model: '' })))
    );
  }

  /** The chosen channel's next call is the test call, when its rest is over. */
  claim(target: CircuitTarget): void {
    if (this.records.size === 0) return;
    const nowMs = this.clock.monotonicMs();
    for (const key of [keyOf(target), keyOf({ ...target, model: '' })]) {
      const record = this.find(key);
      if (record !== undefined && this.stateOf(record) === 'half-open')
        record.probingUntilMs = nowMs + PROBE_MS;
    }
  }

  /**
   * A call succeeded, or a test requested by an administrator: closes its circuits, unless they opened after the call began.
   * @param startedAtMs  start of the call, by the wall clock
   */
  recordSuccess(target: CircuitTarget, startedAtMs: number = this.clock.nowMs()): void {
    // Only channels with a recent failure need a record.
    if (this.records.size === 0) return;
    for (const key of [keyOf(target), keyOf({ ...target, model: '' })]) {
      const record = this.find(key);
      if (record === undefined || startedAtMs < record.openedAtMs) continue;
      if (this.stateOf(record) === 'closed') record.calls += 1;
      else this.close(record);
    }
  }

  /** @param startedAtMs  as above: calls that ran when the circuit opened are part of its reason, however late they fail */
  recordFailure(target: CircuitTarget, startedAtMs: number = this.clock.nowMs()): void {
    const record = this.recordOf(target);
    const state = this.stateOf(record);
    if (state === 'open' || startedAtMs < record.openedAtMs) return;
    record.calls += 1;
    record.failures += 1;
    const isBroken = record.calls >= MIN_CALLS && record.failures >= record.calls * MAX_FAILURE_SHARE;
    if (isBroken || state === 'half-open') this.open(record);
  }

  /** One failure is enough: the vendor refuses the key. */
  openNow(target: CircuitTarget, startedAtMs: number = this.clock.nowMs()): void {
    const record = this.recordOf(target);
    const isOld =
      startedAtMs < record.openedAtMs && (record.openings > 0 || this.stateOf(record) === 'closed');
    if (!isOld) this.open(record);
  }

  /** The upstream asked to be left alone. */
  openForRetryAfter(target: CircuitTarget, retryAfterMs: number | undefined): void {
    const pauseMs = Math.min(Math.max(0, retryAfterMs ?? DEFAULT_COOL_DOWN_MS), MAX_COOL_DOWN_MS);
    this.openFor(this.recordOf(target), pauseMs);
  }

  /** Forgets what was known of a channel: it was edited or enabled. */
  forget(channelId: number): void {
    for (const [key, record] of this.records) {
      if (record.channelId === channelId) this.records.delete(key);
    }
  }

  /** Open circuits, for alerts and the status page; of several keys of a channel the one that stays open longest. */
  listOpen(): readonly OpenCircuit[] {
    const beganMs = this.clock.nowMs() - this.clock.monotonicMs();
    const found = new Map<string, OpenCircuit>();
    for (const [key, record] of this.records) {
      if (!this.isOpenNow(key)) continue;
      const { channelId, model, keyIndex } = record;
      const known = found.get(`${channelId} ${model}`);
      found.set(`${channelId} ${model}`, {
        channelId,
        model,
        sinceMs: momentOf(Math.min(beganMs + record.openSinceMs, known?.sinceMs ?? Infinity)),
        untilMs: momentOf(Math.min(beganMs + record.openUntilMs, known?.untilMs ?? Infinity)),
        keys: [...(known?.keys ?? []), ...(keyIndex === undefined ? [] : [keyIndex])],
      });
    }
    return [...found.values()];
  }

  private isOpenNow(key: string): boolean {
    const record = this.find(key);
    if (record === undefined) return false;
    const state = this.stateOf(record);
    return state === 'open' || (state === 'half-open' && record.probingUntilMs > this.clock.monotonicMs());
  }

  private stateOf(record: CircuitRecord): CircuitState {
    if (record.openUntilMs === 0) return 'closed';
    return record.openUntilMs > this.clock.monotonicMs() ? 'open' : 'half-open';
  }

  /** Calls that were running when it opened fail after it: they are one reason for one pause. */
  private open(record: CircuitRecord): void {
    if (this.stateOf(record) === 'open' && record.openings > 0) return;
    const pauseMs = Math.min(OPEN_MS * 2 ** Math.min(record.openings, 10), MAX_OPEN_MS);
    record.openings += 1;
    this.openFor(record, pauseMs);
  }

  private openFor(record: CircuitRecord, pauseMs: number): void {
    if (record.openUntilMs === 0) record.openSinceMs = this.clock.monotonicMs();
    record.openUntilMs = Math.max(record.openUntilMs, this.clock.monotonicMs() + pauseMs);
    record.probingUntilMs = 0;
    record.openedAtMs = this.clock.nowMs();
  }

  /** Kept for a while, so that calls from before the pause are distinguished from later ones. */
  private close(record: CircuitRecord): void {
    Object.assign(record, this.freshWindow(), { openings: 0, openUntilMs: 0, probingUntilMs: 0 });
  }

  private freshWindow(): Pick<CircuitRecord, 'windowStartedAtMs' | 'calls' | 'failures'> {
    return { windowStartedAtMs: this.clock.monotonicMs(), calls: 0, failures: 0 };
  }

  /** Undefined = nothing is known that still matters. */
  private find(key: string): CircuitRecord | undefined {
    const record = this.records.get(key);
    if (record === undefined) return undefined;
    const { openUntilMs, probingUntilMs, windowStartedAtMs, openedAtMs } = record;
    const endsAtMs =
      openUntilMs === 0 ? windowStartedAtMs + WINDOW_MS : Math.max(openUntilMs, probingUntilMs) + LAPSE_MS;
    if (this.clock.monotonicMs() < endsAtMs) return record;
    if (openUntilMs === 0 && this.clock.nowMs() < openedAtMs + MAX_OPEN_MS + LAPSE_MS)
      return Object.assign(record, this.freshWindow());
    this.records.delete(key);
    return undefined;
  }

  private recordOf(target: CircuitTarget): CircuitRecord {
    const key = keyOf(target);
    let record = this.find(key);
    if (record === undefined) {
      if (this.records.size >= MAX_ENTRIES) this.records.clear();
      record = {
        channelId: target.channelId,
        keyIndex: target.keyIndex,
        model: target.model,
        ...this.freshWindow(),
        openUntilMs: 0,
        probingUntilMs: 0,
        openings: 0,
        openSinceMs: 0,
        openedAtMs: 0,
      };
      this.records.set(key, record);
    }
    return record;
  }
}

const keyOf = ({ channelId, keyIndex, model }: CircuitTarget): string =>
  `${channelId}#${keyIndex ?? ''} ${model}`;
