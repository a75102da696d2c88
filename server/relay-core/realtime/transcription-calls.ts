import { createHash } from 'node:crypto';
import type { Caller, CallShape } from '../model/call.js';
import { CLIENT_LEFT, NOT_RECORDED } from '../model/call-failures.js';
import { requestRefusal } from '../model/refusals.js';
import type { RelayError } from '../model/relay-error.js';
import type { Usage } from '../model/usage.js';
import type { RelayPorts } from '../pipeline/context/relay-ports.js';
import type { Route } from '../ports/channel-picker.js';
import type { Quote } from '../ports/price-book.js';
import type { Hold } from '../ports/quota-holds.js';
import type { RealtimeMeter } from './realtime-meter.js';
import { type PurseInput, SessionPurse } from './session-purse.js';
import { whenKnown } from '../../common/now-or-later.js';

/** Models that may transcribe in one session, one after the other. */
const MAX_MODELS = 4;
/** Output tokens of the first hold of a model: a minute of sound and what is written of it. */
const HELD_TOKENS = 2_000;

type Verdict = RelayError | undefined;

/** The transcripts of a session, as far as they have a price of their own. */
export interface SessionTranscription {
  /** Connects the purses to the session: a spent hold and a fault end it. */
  bind(session: Pick<PurseInput, 'onSpent' | 'guard'>): void;
  /** @returns why this model may not transcribe for the caller; undefined = it may, and something is held for it */
  allow(model: string): Verdict | Promise<Verdict>;
  /** Holds for the transcript of the sound that waits, and of so many bytes more. @returns why it cannot */
  holdNext(pcmBytes: number): Verdict | Promise<Verdict>;
  /** A transcript is done: what it cost is on record when this returns. */
  settle(): void;
}

/** A model that transcribes, with a hold and a price of its own. */
export interface TranscriptionCall {
  readonly callId: string;
  readonly shape: CallShape;
  readonly quote: Quote;
  readonly holdRef: { hold: Hold };
  readonly purse: SessionPurse;
}

export interface TranscriptionParts {
  readonly ports: Pick<RelayPorts, 'admission' | 'prices' | 'quota'>;
  readonly callId: string;
  readonly caller: Caller;
  readonly route: Route;
  readonly meter: RealtimeMeter;
}

/**
 * Calls beside a session: what another model than the session's transcribes is allowed, priced, held for and settled by that model's own
 * name, and has a line of its own in the usage log.
 */
export class TranscriptionCalls implements SessionTranscription {
  private readonly calls = new Map<string, TranscriptionCall>();
  /** Models whose hold is being placed. */
  private readonly opening = new Map<string, Promise<Verdict>>();
  private isClosed = false;
  private session: Pick<PurseInput, 'onSpent' | 'guard'> = {
    onSpent: () => undefined,
    guard: (step) => step(),
  };

  constructor(private readonly parts: TranscriptionParts) {}

  bind(session: Pick<PurseInput, 'onSpent' | 'guard'>): void {
    this.session = session;
  }

  allow(model: string): Verdict | Promise<Verdict> {
    const opening = this.opening.get(model);
    if (opening !== undefined || this.calls.has(model)) return opening;
    if (this.calls.size + this.opening.size >= MAX_MODELS) return TOO_MANY_MODELS;
    const { ports, caller } = this.parts;
    const shape = shapeOf(model);
    const admitted = ports.admission.admit(caller, shape);
    if (!admitted.ok) return admitted.error;
    const quote = ports.prices.quote(caller, shape);
    if (!quote.ok) return quote.error;
    const verdict = this.open(shape, quote.value).finally(() => this.opening.delete(model));
    this.opening.set(model, verdict);
    return verdict;
  }

  /** The session is over: nothing more is held. @returns the calls to settle */
  close(): readonly TranscriptionCall[] {
    this.isClosed = true;
    return [...this.calls.values()];
  }

  /** Gives back what was not settled. */
  release(): void {
    for (const { holdRef } of this.close()) this.parts.ports.quota.release(holdRef.hold);
  }

  holdNext(pcmBytes: number): Verdict | Promise<Verdict> {
    const { transcriptionModel, requestedModel } = this.parts.meter.settings;
    const held = this.holdFor(transcriptionModel, pcmBytes);
    if (requestedModel === undefined) return held;
    // Either of the two may transcribe the next turn.
    const next = (): Verdict | Promise<Verdict> => this.holdFor(requestedModel, pcmBytes);
    return whenKnown(held, (error) => error ?? next());
  }

  private holdFor(model: string | undefined, pcmBytes: number): Verdict | Promise<Verdict> {
    const { meter } = this.parts;
    const call = this.calls.get(model ?? '');
    if (call === undefined) return undefined;
    const { input, output } = meter.transcripts.forecast(pcmBytes);
    const used = this.usageOf(call);
    return call.purse.hold([
      {
        ...used,
        input: { ...input, total: (used.input.total ?? 0) + (input.total ?? 0) },
        output: { total: (used.output.total ?? 0) + (output.total ?? 0) },
      },
    ]);
  }

  settle(): void {
    for (const { purse } of this.calls.values()) purse.settle(true);
  }

  /** Usage of a model so far; a price per call is one per transcript. */
  usageOf({ shape, quote }: TranscriptionCall): Usage {
    const { transcripts } = this.parts.meter;
    const isOf = (model: string | undefined): boolean => model === shape.model;
    const usage = transcripts.usageOf(isOf);
    return quote.snapshot.mode === 'call' ? { ...usage, units: transcripts.countsOf(isOf).all } : usage;
  }

  private async open(shape: CallShape, quote: Quote): Promise<Verdict> {
    const { ports, caller, route } = this.parts;
    const callId = callIdFor(this.parts.callId, shape.model);
    const reserved = await ports.quota.reserve({ callId, caller, quote, windows: [] });
    if (!reserved.ok) return reserved.error;
    const holdRef = { hold: reserved.value };
    try {
      await ports.quota.recordDispatch(holdRef.hold, route.channelId, 0);
    } catch (cause) {
      ports.quota.release(holdRef.hold);
      return { ...NOT_RECORDED, cause };
    }
    if (this.isClosed) {
      ports.quota.release(holdRef.hold);
      return CLIENT_LEFT;
    }
    const purse = new SessionPurse({
      quota: ports.quota,
      quote,
      holdRef,
      usage: () => this.usageOf(call),
      onSpent: (error) => this.session.onSpent(error),
      guard: (step) => this.session.guard(step),
    });
    const call: TranscriptionCall = { callId, shape, quote, holdRef, purse };
    this.calls.set(shape.model, call);
    return undefined;
  }
}

const TOO_MANY_MODELS: RelayError = requestRefusal(
  `A session may name ${MAX_MODELS} models for transcription at most.`,
  'session.audio.input.transcription.model',
);

const shapeOf = (model: string): CallShape => ({
  operation: 'transcribe',
  model,
  stream: true,
  outputCap: undefined,
  choices: 1,
  promptTokens: 0,
  wantsStreamUsage: true,
  heldOutput: { tokens: HELD_TOKENS, kind: 'text' },
});

/** The same id again for the same session and model, so that the two can be found by each other. */
const callIdFor = (callId: string, model: string): string =>
  callId.slice(0, 24) + createHash('sha256').update(`${callId} ${model}`).digest('hex').slice(0, 12);
