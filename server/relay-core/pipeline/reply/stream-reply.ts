import type { Outcome } from '../../model/call.js';
import type { Operation } from '../../model/operation.js';
import type { Usage } from '../../model/usage.js';
import type { StreamTail } from '../../formats/contract/api-format.js';
import { refusal } from '../../model/refusals.js';
import type { RelayError } from '../../model/relay-error.js';
import type { ReplyMeter } from '../../formats/contract/reply-meter.js';
import type { RelayInput } from '../context/attempt.js';
import { HoldExtender, type HoldState } from './extend-hold.js';
import { failureOf } from './reply-body.js';
import type { ReplyTimes } from './reply-times.js';
import { openTranslation, type StreamTranslation, writeCollected } from './reply-translation.js';
import { StreamBody, type StreamBodyOptions } from './stream-body.js';
import { passThroughTrailer, translatedTrailer } from './stream-trailer.js';
import type { ClientConnection } from '../context/client-connection.js';
import { MAX_UNPROVEN_BYTES } from '../context/limits.js';

/** The reply a stream is part of: what it asks of it, and how it comes to an end. */
export interface StreamOwner {
  readonly isOver: boolean;
  /** Media type of a whole answer in the caller's format. */
  readonly replyType: string;
  /** A failure the meter found inside a 200. */
  errorInside(): RelayError;
  /** The upstream may go on. */
  resume(): void;
  end(outcome: Outcome, error: RelayError | undefined, finish: (billed: Usage) => void): void;
  fail(error: RelayError): void;
  breakOff(error: RelayError, outcome: Outcome): void;
}

/**
 * A reply that comes as a stream: events are metered, covered by the hold, and written in the caller's format as they
 * come, or collected for a caller who asked for a whole answer.
 */
export class StreamReply<O extends Operation> {
  /** The client asked for a stream; otherwise the events are collected. */
  private readonly isWanted: boolean;
  private readonly body: StreamBody;
  private readonly watch: HoldExtender;
  private translation: StreamTranslation | undefined;
  private readonly output: StreamOutput;
  private waitsForHold = false;

  constructor(
    private readonly input: RelayInput<O>,
    private readonly meter: ReplyMeter,
    private readonly times: ReplyTimes,
    private readonly owner: StreamOwner,
  ) {
    const { ports, client, clientCall, translated, route, quote, worstCase, holdRef } = input;
    const { shape } = clientCall.parsed;
    this.isWanted = shape.stream;
    this.output = new StreamOutput(client);
    // A client that asked for a whole reply gets one, whatever the upstream sends.
    const translates = !this.isWanted || translated.plan.reply === 'translate';
    const open = (): StreamTranslation | undefined => {
      this.translation = openTranslation({ ...input, settings: route.settings }, this.isWanted);
      return this.translation;
    };
    if (translates) open();
    this.body = new StreamBody(meter, {
      hidesUsage: !shape.wantsStreamUsage,
      framing: translated.operation.apiFormat.framingOf?.(shape) ?? 'sse',
      ...keptFrames(clientCall.apiFormat.streamTail),
      ...(clientCall.apiFormat.repair === undefined || translated.plan.isForced === true
        ? {}
        : { mend: clientCall.apiFormat.repair }),
      ...(this.translation === undefined ? {} : { translation: this.translation }),
      ...(translated.plan.isForced === true ? {} : { openForOtherForm: open }),
    });
    this.watch = new HoldExtender(
      ports,
      {
        shape,
        quote,
        worstCase,
        route,
        requestBody: clientCall.parsed.document.bytes,
        readsMore: input.readsMore || meter.readsMore,
        meter,
        estimate: this.estimate,
        holdRef,
        admission: input.admission,
        onDecided: () => this.onHoldDecided(),
      },
      times.startedMs,
    );
  }

  /** Something of an answer was read, so the upstream charges for it. */
  get hasContent(): boolean {
    return this.body.hasContent;
  }

  /** The vendor's own last event came: however its connection ends, nothing is missing. */
  get isComplete(): boolean {
    return this.body.state === 'done' || this.meter.sawLastEvent;
  }

  get unreadEvents(): number {
    return this.body.unreadEvents;
  }

  /** The hold is being topped up: meanwhile the upstream's silence is ours. */
  get isWaitingForHold(): boolean {
    return this.waitsForHold;
  }

  /** @returns false when the upstream should pause */
  push(chunk: Buffer, receivedBytes: number): boolean {
    const { body, input, owner } = this;
    const nowMs = input.ports.clock.monotonicMs();
    const eventsBefore = body.events;
    const pieces = body.push(chunk);
    if (body.events > eventsBefore) this.times.onContent(nowMs);
    const takesMore = this.deliver(pieces, nowMs);
    if (owner.isOver) return true;
    if (body.state === 'done') {
      this.endClean();
      return true;
    }
    const failure = failureOf(body.state, () => owner.errorInside());
    if (failure !== undefined) {
      owner.breakOff(failure, 'partial');
      return true;
    }
    if (receivedBytes > input.options.maxResponseBytes) {
      owner.breakOff(body.hasContent ? refusal('answer-too-large') : refusal('too-much'), 'limit');
      return true;
    }
    return this.applyHoldState(this.watch.afterEvents(body.events - eventsBefore, nowMs)) && takesMore;
  }

  /** The upstream ended its body. */
  finish(): void {
    const { body, owner } = this;
    this.deliver(body.finish());
    if (owner.isOver) return;
    const failure = failureOf(body.state, () => owner.errorInside());
    if (failure !== undefined) owner.breakOff(failure, 'partial');
    else if (body.state === 'done' || this.meter.hasFinish) this.endClean();
    else if (body.hasContent) owner.breakOff(refusal('answer-incomplete'), 'partial');
    else owner.breakOff(refusal('empty'), 'partial');
  }

  /** The upstream's connection broke; a stream that had sent its end mark is whole all the same. */
  broken(error: RelayError): void {
    this.deliver(this.body.finish());
    if (this.owner.isOver) return;
    if (this.isComplete) this.endClean();
    else this.owner.breakOff(error, 'partial');
  }

  tick(nowMs: number): void {
    this.watch.tick(nowMs);
  }

  /** The client is gone: what is read on has to be covered by what is held. */
  readOn(reason: RelayError): void {
    this.watch.stopExtending(reason);
  }

  /** An error after output, in the caller's format. */
  sendError(error: RelayError): void {
    const { client, clientCall, context } = this.input;
    const { body, translation } = this;
    const frame =
      translation === undefined
        ? body.events === 0
          ? undefined
          : clientCall.apiFormat.streamTail?.fail?.({
              context,
              error,
              first: body.firstEvent,
              events: body.events,
            })
        : translation.writer.fail?.(error);
    client.sendError(error, frame);
  }

  /**
   * Gives the client a stream without content as it came.
   * @returns undefined where the stream is written anew or the client asked for a whole answer
   */
  passOn(billed: Usage): (() => void) | undefined {
    const { client } = this.input;
    if (!this.isWanted || this.translation !== undefined) return undefined;
    return () => {
      this.output.flush(this.input.ports.clock.monotonicMs());
      client.endStream(this.trailer(billed));
    };
  }

  private deliver(
    pieces: readonly (Buffer | string)[],
    nowMs = this.input.ports.clock.monotonicMs(),
  ): boolean {
    const isProven = this.body.hasContent;
    if (isProven) this.times.firstContentMs ??= nowMs;
    return this.isWanted ? this.output.give(pieces, isProven, nowMs) : true;
  }

  private applyHoldState(state: HoldState): boolean {
    if (state === 'covered') return true;
    if (state === 'wait') {
      this.waitsForHold = true;
      return false;
    }
    this.owner.breakOff(this.watch.refusal ?? refusal('answer-quota-spent'), 'limit');
    return true;
  }

  private onHoldDecided(): void {
    if (this.owner.isOver || !this.waitsForHold) return;
    this.waitsForHold = false;
    if (!this.applyHoldState(this.watch.compare())) return;
    if (!this.owner.isOver && this.input.client.stalledSinceMs === undefined) this.owner.resume();
  }

  private endClean(): void {
    const { body, input, owner } = this;
    const { client } = input;
    if (!body.hasContent && (!this.meter.hasFinish || this.meter.endedInSilence)) {
      return owner.breakOff(refusal('empty'), 'partial');
    }
    const collector = this.translation?.collector;
    if (collector !== undefined) {
      const whole = writeCollected({ ...input, settings: input.route.settings }, collector);
      if (!whole.ok) return owner.fail(whole.error);
      return owner.end('ok', undefined, (billed) => client.sendWhole(whole.value(billed), owner.replyType));
    }
    owner.end('ok', undefined, (billed) => {
      this.output.flush(input.ports.clock.monotonicMs());
      client.endStream(this.trailer(billed));
    });
  }

  private trailer(billed: Usage): Buffer | string {
    const { clientCall, context } = this.input;
    const { body, meter, translation } = this;
    return translation === undefined
      ? passThroughTrailer({ body, meter, clientCall, context, billed })
      : translatedTrailer({ writer: translation.writer, meter, clientCall, billed });
  }

  private readonly estimate = (text: string): number =>
    this.input.ports.counter.estimate(text, this.input.route.upstreamModel);
}

const keptFrames = (tail: StreamTail | undefined): Partial<StreamBodyOptions> =>
  tail === undefined
    ? {}
    : {
        lastFrames: tail.holdsLastFrames === true ? 'hold' : 'copy',
        keepsFirst: tail.fail !== undefined,
      };

/**
 * Passes a stream to its client. Pieces wait until the upstream proved that it answers; with the first that goes out
 * nothing is retried any more.
 */
export class StreamOutput {
  private waiting: (Buffer | string)[] = [];
  private waitingBytes = 0;

  constructor(private readonly client: ClientConnection) {}

  /** @returns false when the client takes no more for now */
  give(pieces: readonly (Buffer | string)[], isProven: boolean, nowMs: number): boolean {
    const { client } = this;
    if (pieces.length === 0) return client.stalledSinceMs === undefined;
    if (!client.hasAnswer && !isProven) {
      for (const piece of pieces) {
        this.waiting.push(piece);
        this.waitingBytes += piece.length;
      }
      return this.waitingBytes < MAX_UNPROVEN_BYTES ? true : this.flush(nowMs);
    }
    let takesMore = this.flush(nowMs);
    for (const piece of pieces) takesMore = client.write(piece, nowMs) && takesMore;
    return takesMore;
  }

  /** Everything that waits goes out, the status line before it. */
  flush(nowMs: number): boolean {
    const { client } = this;
    if (!client.isCommitted) client.startStream();
    let takesMore = true;
    for (const piece of this.waiting) takesMore = client.write(piece, nowMs) && takesMore;
    if (this.waiting.length > 0) this.waiting = [];
    return takesMore;
  }
}
