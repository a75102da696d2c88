import type { Outcome } from '../model/call.js';
import { type RelayError, vendorErrorIn } from '../model/relay-error.js';
import type { RealtimeSocket } from '../ports/realtime-socket.js';
import type { Document } from '../formats/shared/fields/json-fields.js';
import { wordFilterOf } from '../pipeline/request/word-filter.js';
import { FrameRateLimiter } from './frame-rate-limiter.js';
import { FrameQueue } from './frame-queue.js';
import { RealtimeFrame, textsOf } from './realtime-frame.js';
import type { RealtimeMeter, RealtimeVerdict } from './realtime-meter.js';
import { LateFrames } from './late-frames.js';
import type { SessionEnd, SessionInput } from './session-input.js';
import { SessionPurse } from './session-purse.js';
import { WorkGate } from './work-gate.js';
import {
  EVENT_LATE,
  FAULT,
  FRAME_TOO_MUCH,
  NO_ROOM,
  TOOK_TOO_LONG,
  UNREADABLE_REFUSED,
  UPSTREAM_LEFT,
  WAS_IDLE,
  FORBIDDEN_WORDS,
  UNREADABLE_EVENT,
  frameRefusal,
} from './session-errors.js';

/** A slow side stops the other one above this, and lets it go on below a quarter of it. */
const HIGH_WATER_BYTES = 1024 * 1024;
const LOW_WATER_BYTES = HIGH_WATER_BYTES / 4;
const LARGE_FRAME_BYTES = 64 * 1024;
const TICK_MS = 15_000;
/** Neither side sent a frame for this long. */
const IDLE_MS = 15 * 60_000;
/** OpenAI ends its own sessions after an hour. */
const TOTAL_MS = 60 * 60_000;
/** Pings without an answer that end a session. */
const MAX_MISSED_PONGS = 3;
/** Frames of the upstream between two looks at the money. */
const FRAMES_PER_LOOK = 50;
const GOODBYE_MS = 1_000;
const NO_DETAILS: Document = Object.freeze({});

/**
 * Two pumps and a purse: frames pass untouched in both directions, each slowed down by the other side; every response
 * is priced as it ends, on record, and the hold grows with it.
 */
export class RealtimeSession {
  readonly meter: RealtimeMeter;
  private readonly done = Promise.withResolvers<SessionEnd>();
  private readonly startedMs: number;
  private lastFrameMs: number;
  private firstContentMs: number | undefined;
  private framesSinceLook = 0;
  private missedPongs = 0;
  /** Looks at which the same frame of the client, and of the upstream, was not whole. */
  private readonly lateSides = [new LateFrames(), new LateFrames()] as const;
  private isOver = false;
  private failure: RelayError | undefined;
  /** Nothing good came after it. */
  private isFailing = false;
  private readonly purse: SessionPurse;
  private readonly gate: WorkGate;
  private readonly clientFrames: FrameQueue;
  private readonly clientPace: FrameRateLimiter;
  private readonly upstreamPace: FrameRateLimiter;
  private cancelTick: () => void = () => undefined;

  constructor(private readonly input: SessionInput) {
    const { meter, clock, transcription, countRequest, reportFault } = input;
    this.meter = meter;
    const ends = {
      onSpent: (error: RelayError): void => this.cutShort(error),
      guard: (step: () => void): void => {
        this.guard(step);
      },
    };
    transcription.bind(ends);
    this.purse = new SessionPurse({ ...input, ...ends, usage: () => meter.usage() });
    this.gate = new WorkGate({ clock, meter, purse: this.purse, transcription, countRequest, reportFault });
    this.clientFrames = new FrameQueue({
      step: (bytes, isText) => this.guard(() => this.judge(bytes, isText)),
      onFree: () => this.guard(() => this.goOn(input.client, input.upstream)),
    });
    this.clientPace = new FrameRateLimiter(input.clock, () =>
      this.guard(() => this.goOn(input.client, input.upstream)),
    );
    this.upstreamPace = new FrameRateLimiter(input.clock, () =>
      this.guard(() => this.goOn(input.upstream, input.client)),
    );
    this.startedMs = input.clock.monotonicMs();
    this.lastFrameMs = this.startedMs;
  }

  /** Resolves when the session is over; both connections are closed or closing then. */
  run(): Promise<SessionEnd> {
    const { client, upstream, early } = this.input;
    this.guard(() => {
      for (const { frame, isText } of early) this.fromUpstream(frame, isText);
      client.listen({
        onFrame: (frame, isText) => this.guard(() => this.fromClient(frame, isText)),
        onClosed: (code) => this.guard(() => this.onClientClosed(code)),
        onControl: (isPong) => this.guard(() => this.onControl(client, isPong)),
        onFull: () => this.guard(() => this.cutShort(NO_ROOM)),
      });
      upstream.listen({
        onFrame: (frame, isText) => this.guard(() => this.fromUpstream(frame, isText)),
        onClosed: (code, reason) => this.guard(() => this.onUpstreamClosed(code, reason)),
        onControl: (isPong) => this.guard(() => this.onControl(upstream, isPong)),
        onFull: () => this.guard(() => this.cutShort(NO_ROOM)),
      });
      for (const socket of [client, upstream]) socket.limitMemory(this.input.memory);
      upstream.resume();
      this.scheduleTick();
    });
    return this.done.promise;
  }

  /** Ends the session for a reason of ours; what it used is charged. */
  cutShort(error: RelayError, outcome: Outcome = 'limit'): void {
    this.end(outcome, error, 1008, 'ended by the gateway');
  }

  /** Any failure in the handling of one session ends that session, and is charged like any other end. */
  private guard<T>(step: () => T): T | undefined {
    try {
      return step();
    } catch (fault) {
      this.fail(fault);
      return undefined;
    }
  }

  private fail(fault: unknown): void {
    this.input.reportFault(fault);
    const wasOver = this.isOver;
    try {
      this.cutShort(FAULT, 'partial');
      if (!wasOver) return;
    } catch (again) {
      this.input.reportFault(again);
    }
    // Even the goodbye failed.
    this.cut();
    this.resolve('partial', FAULT);
  }

  // ── pumps ────────────────────────────────────────────────────────────────────────────────────────────────────────

  private fromClient(bytes: Buffer, isText: boolean): void {
    if (this.isOver) return;
    const { client, clock } = this.input;
    this.lastFrameMs = clock.monotonicMs();
    this.clientFrames.take(bytes, isText);
    if (this.clientFrames.isHolding || this.clientPace.count(bytes.length, this.lastFrameMs)) client.pause();
  }

  /** Pings and pongs are empty, and cost as much as other frames. */
  private onControl(from: RealtimeSocket, isPong: boolean): void {
    const isClient = from === this.input.client;
    if (isClient && isPong) this.missedPongs = 0;
    const pace = isClient ? this.clientPace : this.upstreamPace;
    if (!this.isOver && pace.count(0, this.input.clock.monotonicMs())) from.pause();
  }

  /** @returns a promise while a check of the frame is running: those behind it wait */
  private judge(bytes: Buffer, isText: boolean): Promise<void> | undefined {
    if (this.isOver) return undefined;
    // Read whatever kind the frame claims to be: an upstream may read text in any.
    const frame = RealtimeFrame.read(bytes);
    if (this.endsFor(frame)) return undefined;
    const refusal = this.refusalOf(frame);
    if (!(refusal instanceof Promise)) {
      this.decide(frame, isText, refusal);
      return undefined;
    }
    return refusal.then(
      (decided) => this.guard(() => this.decide(frame, isText, decided)),
      (fault: unknown) => this.fail(fault),
    );
  }

  private refusalOf(frame: RealtimeFrame): RelayError | undefined | Promise<RelayError | undefined> {
    // A frame that cannot be read here cannot be counted: a lenient vendor may read a request in it.
    if (!frame.isReadable) return UNREADABLE_EVENT;
    const looking = this.input.refusalOf?.(frame);
    if (looking === undefined) return this.gate.refusalOf(frame);
    if (!(looking instanceof Promise)) return looking;
    return looking.then((refusal) => refusal ?? (this.isOver ? undefined : this.gate.refusalOf(frame)));
  }

  private decide(frame: RealtimeFrame, isText: boolean, refusal: RelayError | undefined): void {
    if (refusal === undefined) this.passOn(frame, isText);
    else this.refuseEvent(refusal);
  }

  /** Ends the session for the kind or the content of a frame. */
  private endsFor(frame: RealtimeFrame): boolean {
    const { sensitiveWords } = this.input;
    if (frame.fault !== undefined) this.cutShort(frameRefusal(frame.fault));
    else if (sensitiveWords.length === 0) return false;
    else if (!frame.isReadable) this.cutShort(UNREADABLE_REFUSED);
    else if (this.containsForbiddenWord(frame)) this.cutShort(FORBIDDEN_WORDS);
    return this.isOver;
  }

  private passOn(frame: RealtimeFrame, isText: boolean): void {
    if (this.isOver) return;
    const { client, upstream } = this.input;
    this.meter.readClient(frame.bytes, frame);
    this.pass(client, upstream, frame.bytes, isText);
  }

  /** Refuses one event: the session goes on. */
  private refuseEvent(refusal: RelayError): void {
    const { client, writeError } = this.input;
    if (!this.isOver) client.send(writeError(refusal), true, () => undefined);
  }

  private fromUpstream(bytes: Buffer, isText: boolean): void {
    if (this.isOver) return;
    const frame = RealtimeFrame.readServer(bytes);
    const { client, upstream, clock } = this.input;
    this.lastFrameMs = clock.monotonicMs();
    const verdict = this.meter.readServer(bytes, frame);
    if (verdict === 'beyond-limits') return this.cutShort(FRAME_TOO_MUCH, 'partial');
    if (verdict === 'content') this.firstContentMs ??= this.lastFrameMs;
    this.framesSinceLook += 1;
    // The cost of a response is on record before the client gets its end: the process may die with the next frame.
    const isDone = verdict === 'response-done' || verdict === 'transcript-done';
    if (isDone) this.settleWork(verdict);
    else if (verdict === 'settings') this.checkSettings();
    this.gate.countUnasked();
    if (this.isOver || this.handleFailure(frame)) return;
    this.pass(upstream, client, bytes, isText);
    if (this.upstreamPace.count(bytes.length, this.lastFrameMs)) upstream.pause();
    if (isDone) this.purse.stopWhenSpent();
    else if (this.framesSinceLook >= FRAMES_PER_LOOK) this.settleUsage(false);
  }

  private settleWork(verdict: RealtimeVerdict): void {
    this.settleUsage(true);
    if (verdict === 'transcript-done') this.input.transcription.settle();
    if (this.meter.failure === undefined) this.input.recordSuccess();
  }

  /** A model that the vendor named for transcription is allowed and priced like one that the client names. */
  private checkSettings(): void {
    const { transcription, reportFault } = this.input;
    const { transcriptionModel: model } = this.meter.settings;
    if (model === undefined || this.meter.isOwnModel(model)) return;
    const allowed = transcription.allow(model);
    const end = (error: RelayError | undefined): void => {
      if (error !== undefined) this.cutShort(error);
    };
    if (!(allowed instanceof Promise)) return end(allowed);
    allowed.then((error) => this.guard(() => end(error)), reportFault);
  }

  /** @returns true when it ended the session */
  private handleFailure(frame: RealtimeFrame): boolean {
    const quotesKey = this.input.quotesKey(frame);
    const { failure: document = quotesKey ? NO_DETAILS : undefined } = this.meter;
    if (document === undefined) {
      if (this.isFailing && this.meter.isResponding) this.isFailing = false;
      return false;
    }
    const { error, isFatal } = this.input.readFailure(document);
    this.failure = error;
    this.isFailing = true;
    if (!isFatal && !quotesKey) return false;
    this.cutShort(error, 'partial');
    return true;
  }

  private pass(from: RealtimeSocket, to: RealtimeSocket, frame: Buffer, isText: boolean): void {
    const { memory } = this.input;
    // A slow side keeps a large frame in memory until it has taken it.
    const heldBytes = frame.length >= LARGE_FRAME_BYTES ? frame.length : 0;
    if (heldBytes > 0) memory.holdBytes(heldBytes);
    to.send(frame, isText, () =>
      this.guard(() => {
        if (heldBytes > 0) memory.holdBytes(-heldBytes);
        this.goOn(from, to);
      }),
    );
    if (to.bufferedBytes > HIGH_WATER_BYTES) from.pause();
  }

  /** Reads on from a side whose other side has caught up, and whose second is over. */
  private goOn(from: RealtimeSocket, to: RealtimeSocket): void {
    const isClient = from === this.input.client;
    if (isClient && this.clientFrames.isHolding && !this.isOver) return;
    const pace = isClient ? this.clientPace : this.upstreamPace;
    if (this.isOver || (to.bufferedBytes <= LOW_WATER_BYTES && !pace.isWaiting)) from.resume();
  }

  private containsForbiddenWord({ bytes }: RealtimeFrame): boolean {
    const filter = wordFilterOf(this.input.sensitiveWords);
    return textsOf(bytes).some((text) => filter.find(text) !== -1);
  }

  /** Writes down what was used, and sets more aside while there is more to come. */
  private settleUsage(isWorkDone: boolean): void {
    this.framesSinceLook = 0;
    this.purse.settle(isWorkDone);
  }

  // ── endings ──────────────────────────────────────────────────────────────────────────────────────────────────────

  private onClientClosed(code: number): void {
    const isTooLarge = code === 1009;
    this.end(this.meter.isWorking ? 'client_abort' : 'ok', undefined, isTooLarge ? 1009 : 1000, '');
  }

  private onUpstreamClosed(code: number, reason: string): void {
    if (this.isOver) return;
    this.meter.dropAsked();
    const isGood = (code === 1000 || code === 1001 || code === 1005) && !this.meter.isResponding;
    const shown = code >= 1000 && code <= 1011 && code !== 1004 && code !== 1005 && code !== 1006;
    if (isGood) this.end('ok', undefined, 1000, '');
    else
      this.end(
        'partial',
        this.closeReason(reason),
        shown ? code : 1011,
        shown ? 'the upstream ended the session' : '',
      );
  }

  /** The reason of the close, else the failure reported just before. */
  private closeReason(reason: string): RelayError {
    const error = this.input.withReason(UPSTREAM_LEFT, reason);
    const words = vendorErrorIn(error);
    return words.vendorSays === undefined && this.isFailing
      ? { ...error, ...vendorErrorIn(this.failure) }
      : error;
  }

  private end(outcome: Outcome, error: RelayError | undefined, code: number, reason: string): void {
    if (this.isOver) return;
    this.isOver = true;
    this.cancelTick();
    this.clientPace.stop();
    this.upstreamPace.stop();
    const { client, upstream, clock, writeError } = this.input;
    if (error !== undefined) client.send(writeError(error), true, () => undefined);
    client.resume();
    upstream.resume();
    client.close(code, reason);
    upstream.close(1000, '');
    // A side that does not answer the close is cut.
    clock.after(GOODBYE_MS, () => this.cut());
    this.resolve(outcome, error);
  }

  private cut(): void {
    for (const socket of [this.input.client, this.input.upstream]) {
      try {
        socket.cut();
      } catch (fault) {
        this.input.reportFault(fault);
      }
    }
  }

  private resolve(outcome: Outcome, error: RelayError | undefined): void {
    const { failure, firstContentMs, meter } = this;
    this.done.resolve({ outcome, error, failure, firstContentMs, meter });
  }

  private scheduleTick(): void {
    this.cancelTick = this.input.clock.after(TICK_MS, () => this.guard(() => this.tick()));
  }

  private tick(): void {
    if (this.isOver) return;
    const { client, upstream, clock } = this.input;
    const nowMs = clock.monotonicMs();
    if (nowMs - this.startedMs >= TOTAL_MS) return this.cutShort(TOOK_TOO_LONG);
    if (nowMs - this.lastFrameMs >= IDLE_MS) return this.cutShort(WAS_IDLE, 'ok');
    this.missedPongs += 1;
    if (this.missedPongs > MAX_MISSED_PONGS) return this.onClientClosed(1006);
    if (this.lateSides[0].look(client)) return this.cutShort(EVENT_LATE);
    if (this.lateSides[1].look(upstream)) return this.cutShort(FRAME_TOO_MUCH, 'partial');
    client.ping();
    upstream.ping();
    if (this.framesSinceLook > 0) this.settleUsage(false);
    if (!this.isOver) this.scheduleTick();
  }
}
