import { CLIENT_LEFT } from '../../model/call-failures.js';
import type { Outcome } from '../../model/call.js';
import type { Operation } from '../../model/operation.js';
import { refusal } from '../../model/refusals.js';
import type { RelayError } from '../../model/relay-error.js';
import type { Usage } from '../../model/usage.js';
import type { UpstreamExchange, UpstreamFault, UpstreamSink } from '../../ports/http-sender.js';
import type { ReplyMeter } from '../../formats/contract/reply-meter.js';
import type { BilledReply, OnAttemptEnd, RelayInput } from '../context/attempt.js';
import type { ClientListener } from '../context/client-connection.js';
import { CLIENT_STALL_MS, LINGER_MS, MAX_ERROR_BYTES, MAX_WHOLE_BYTES } from '../context/limits.js';
import { isWorthReadingOn, ReadOn } from '../reply/read-on.js';
import { cancelAnswer } from '../reply/cancel-answer.js';
import { readBilledReply } from '../reply/billed-reply.js';
import {
  failureOf,
  mappedErrorInside,
  mediaType,
  replyForm,
  replyFormByBytes,
  type ReplyForm,
  readFailure,
  readWholeBody,
  withFigures,
  typeOfReply,
} from '../reply/reply-body.js';
import { ReplyTimes } from '../reply/reply-times.js';
import { translateWhole } from '../reply/reply-translation.js';
import { type StreamOwner, StreamReply } from '../reply/stream-reply.js';
import { describeFault, sendCall } from './send-call.js';

/**
 * Stages 8 and 9: sends the call and brings the reply to the client, metered, with back-pressure, heartbeats and limits.
 * The status line goes out with the first event that proves an answer, or with a ping before it; whatever fails before that event may
 * still be tried elsewhere.
 * @param onOver  called once, when everything of the attempt is put away
 */
export function relayReply<O extends Operation>(input: RelayInput<O>, onOver: OnAttemptEnd): void {
  new ReplyRelay(input, onOver).start();
}

const NO_HEADERS: Readonly<Record<string, string | string[]>> = {};
const NOTHING = (): void => undefined;

type Mode = 'waiting' | 'failure' | ReplyForm;

class ReplyRelay<O extends Operation> implements UpstreamSink, ClientListener, StreamOwner {
  private readonly meter: ReplyMeter;
  private readonly times: ReplyTimes;
  private readonly isStream: boolean;
  private exchange: UpstreamExchange | null = null;
  private mode: Mode = 'waiting';
  private status = 0;
  private headers: Readonly<Record<string, string | string[]>> = NO_HEADERS;
  private chunks: Buffer[] = [];
  private receivedBytes = 0;
  private stream: StreamReply<O> | null = null;
  isOver = false;
  private upstreamIsOver = false;
  private cancelTimer: () => void = NOTHING;
  private timerDueMs = Number.POSITIVE_INFINITY;
  /** The client left, and the reply is read on without it; null = it did not. */
  private readOn: ReadOn | null = null;

  constructor(
    private readonly input: RelayInput<O>,
    private readonly onOver: OnAttemptEnd,
  ) {
    this.meter = input.translated.operation.apiFormat.openMeter(input.clientCall.parsed);
    this.isStream = input.clientCall.parsed.shape.stream;
    const asked = {
      isStream: this.isStream,
      mayBeFile: input.translated.operation.apiFormat.replyForm === 'bytes',
    };
    this.times = new ReplyTimes(input.ports.clock.monotonicMs(), asked, input.options);
  }

  start(): void {
    const { ports, client, translated } = this.input;
    client.listener = this;
    this.schedule(this.times.startedMs);
    const { request, follow, parts } = translated;
    const maxBytes = Math.min(MAX_WHOLE_BYTES, this.input.options.maxResponseBytes);
    this.exchange = sendCall(ports, { request, sink: this, follow, parts, maxBytes });
    // The reply may have ended while it was being sent.
    if (this.isOver && !this.upstreamIsOver) this.exchange.abort();
  }

  onHead(status: number, headers: Readonly<Record<string, string | string[]>>): void {
    this.status = status;
    this.headers = headers;
    const nowMs = this.input.ports.clock.monotonicMs();
    if (status < 200 || status > 299) {
      this.mode = 'failure';
      this.times.failureCame(nowMs);
    } else {
      this.takeAs(replyForm(this.input, headers['content-type']), nowMs);
    }
    this.schedule(nowMs);
  }

  private takeAs(mode: ReplyForm, nowMs: number): void {
    this.mode = mode;
    this.stream = mode === 'stream' ? new StreamReply(this.input, this.meter, this.times, this) : null;
    this.times.onHead(nowMs, mode === 'stream');
  }

  onBytes(chunk: Buffer): boolean {
    if (this.isOver) return true;
    if (this.readOn?.take(chunk.length) === false) {
      this.readOn.end();
      return true;
    }
    const form = this.receivedBytes === 0 ? replyFormByBytes(this.input, this.mode, chunk) : undefined;
    if (form !== undefined) this.takeAs(form, this.input.ports.clock.monotonicMs());
    this.receivedBytes += chunk.length;
    switch (this.mode) {
      case 'stream':
        return this.stream?.push(chunk, this.receivedBytes) ?? true;
      case 'media':
        return this.onMediaBytes(chunk);
      case 'failure':
        if (this.receivedBytes <= MAX_ERROR_BYTES) this.chunks.push(chunk);
        else this.onFailureRead();
        return true;
      case 'waiting':
      case 'whole':
        this.chunks.push(chunk);
        this.times.onContent(this.input.ports.clock.monotonicMs());
        if (this.receivedBytes > Math.min(MAX_WHOLE_BYTES, this.input.options.maxResponseBytes))
          this.fail(refusal('too-much'));
        return true;
    }
  }

  onEnd(): void {
    this.upstreamIsOver = true;
    if (this.isOver) return this.cancelTimer();
    switch (this.mode) {
      case 'stream':
        this.stream?.finish();
        return;
      case 'media':
        this.onMediaEnd();
        return;
      case 'failure':
        this.onFailureRead();
        return;
      case 'waiting':
      case 'whole':
        this.onWholeRead();
    }
  }

  onBroken(fault: UpstreamFault): void {
    this.upstreamIsOver = true;
    if (this.isOver) return this.cancelTimer();
    // The status came; what broke off is only the sentence to it.
    if (this.mode === 'failure') return this.onFailureRead();
    const error = describeFault(fault);
    if (this.stream !== null) this.stream.broken(error);
    else this.breakOff(error, 'partial');
  }

  onClientGone(ended?: RelayError): void {
    if (this.isOver) return;
    if (this.readOn !== null) {
      if (ended !== undefined) this.readOn.end();
      return;
    }
    // A submitted task goes on, and is charged, without its caller: wait for the upstream's answer.
    if (this.input.clientCall.parsed.shape.submission !== undefined) return;
    const { closeReason } = this.input.client;
    // A refusal was on its way: nothing was produced.
    if (this.mode === 'failure') return this.fail(closeReason);
    if (closeReason === CLIENT_LEFT) this.onLeft(closeReason);
    else this.endUnread('limit', closeReason);
  }

  /** The client is gone: what it did not pay for by what came is read on. */
  private onLeft(reason: RelayError): void {
    if (this.hasContent && isWorthReadingOn(this.input, this.meter))
      this.readOn = ReadOn.begin(this.input, reason, () => this.endUnread('client_abort', reason));
    if (this.readOn === null) return this.endUnread('client_abort', reason);
    const nowMs = this.input.ports.clock.monotonicMs();
    this.times.onContent(nowMs);
    this.stream?.readOn(reason);
    this.schedule(nowMs);
    if (this.stream?.isWaitingForHold !== true) this.resume();
  }

  private get hasContent(): boolean {
    return this.stream === null ? this.receivedBytes > 0 : this.stream.hasContent;
  }

  private endUnread(outcome: Outcome, reason: RelayError): void {
    // The part of a whole reply that arrived was produced too.
    if (this.mode === 'whole' && this.chunks.length > 0) this.meter.readWhole(Buffer.concat(this.chunks));
    this.end(outcome, reason, NOTHING);
  }

  onClientDrained(): void {
    if (!this.isOver && this.stream?.isWaitingForHold !== true) this.resume();
  }

  resume(): void {
    this.exchange?.resume();
  }

  // ── whole replies ────────────────────────────────────────────────────────────────────────────────────────────────

  private onWholeRead(): void {
    const { client, clientCall, translated, route, ports } = this.input;
    const body = this.chunks.length === 1 ? (this.chunks[0] as Buffer) : Buffer.concat(this.chunks);
    const failure = failureOf(readWholeBody(this.meter, body), () => this.errorInside());
    if (failure !== undefined) return this.failAnswered(failure);
    this.times.firstContentMs = ports.clock.monotonicMs();
    const isFit = () => clientCall.apiFormat.hasRequestedForm?.(body, clientCall.parsed) !== false;
    const isPassed = !this.isStream && translated.plan.reply === 'bytes';
    if (isPassed && (translated.plan.isForced === true || isFit())) {
      return this.end('ok', undefined, (billed) =>
        client.sendWhole(withFigures(this.input, this.meter, body, billed), this.replyType),
      );
    }
    const { settings } = route;
    const { media } = ports;
    translateWhole({ ...this.input, settings, media, body, isStream: this.isStream }, (written) => {
      if (!written.ok) return this.fail(written.error);
      this.end('ok', undefined, (billed) => {
        const reply = written.value(billed);
        if (!this.isStream) return client.sendWhole(reply, typeOfReply(clientCall, reply));
        if (!client.isCommitted) client.startStream();
        client.endStream(reply);
      });
    });
  }

  errorInside(): RelayError {
    const { translated, route } = this.input;
    return mappedErrorInside(translated.operation, route, this.meter.errorDocument);
  }

  private onFailureRead(): void {
    const { status, headers, chunks } = this;
    this.fail(readFailure(this.input, { status, headers, body: Buffer.concat(chunks) }));
  }

  get replyType(): string {
    return typeOfReply(this.input.clientCall);
  }

  // ── media ────────────────────────────────────────────────────────────────────────────────────────────────────────

  private onMediaBytes(chunk: Buffer): boolean {
    const { client, ports, options } = this.input;
    const nowMs = ports.clock.monotonicMs();
    this.times.onContent(nowMs);
    this.times.firstContentMs ??= nowMs;
    this.meter.readBytes(chunk);
    if (this.receivedBytes > options.maxResponseBytes) {
      this.breakOff(refusal('answer-too-large'), 'limit');
      return true;
    }
    if (!client.isCommitted) client.startStream(mediaType(this.headers['content-type'], this.replyType));
    return client.write(chunk, nowMs);
  }

  private onMediaEnd(): void {
    const failure = failureOf(this.meter.finishBytes(), () => this.errorInside());
    if (failure !== undefined) return this.breakOff(failure, 'partial');
    this.end('ok', undefined, () => this.input.client.endStream(''));
  }

  // ── endings ──────────────────────────────────────────────────────────────────────────────────────────────────────

  /** An ending that is none: an error before output may be tried elsewhere, one after it ends the client's stream. */
  breakOff(error: RelayError, outcome: Outcome): void {
    const { client } = this.input;
    if (this.mode === 'media' && client.isCommitted)
      return this.end(outcome, error, () => client.sendError(error));
    const hasOutput = this.meter.produced.totalBytes > 0 || this.stream?.hasContent === true;
    if (this.mode !== 'stream' || !hasOutput || (!this.isStream && outcome !== 'limit'))
      return this.failAnswered(error);
    this.end(outcome, error, () => this.stream?.sendError(error));
  }

  /** A prompt that the model read and refused is charged as the vendor reports it: it charges for it too. */
  private failAnswered(error: RelayError): void {
    const isBilled = (this.meter.usage?.input.total ?? 0) > 0;
    if (error.kind !== 'content-refused' || !isBilled)
      return this.fail(error, isBilled ? this.billedReply(error) : undefined);
    this.end('partial', error, () => this.input.client.sendError(error));
  }

  private billedReply(error: RelayError): BilledReply {
    const { input, meter, stream, isStream, chunks } = this;
    return readBilledReply(input, { meter, stream, isStream, chunks, type: this.replyType }, error);
  }

  fail(error: RelayError, billed?: BilledReply): void {
    if (this.isOver) return;
    if (this.readOn !== null) return this.end('partial', error, NOTHING);
    const { ports, translated, route } = this.input;
    const stale = translated.operation.staleToken?.(error, route);
    if (stale !== undefined) ports.tokens.forget(stale);
    this.close();
    const { billedUsage } = this.meter;
    const vendorBills = billed ?? (billedUsage === undefined ? undefined : { usage: billedUsage });
    this.onOver({
      type: 'failed',
      error,
      ...(stale === undefined ? {} : { isTokenStale: true }),
      ...(vendorBills === undefined ? {} : { billed: vendorBills }),
    });
  }

  end(outcome: Outcome, error: RelayError | undefined, finish: (billed: Usage) => void): void {
    if (this.isOver) return;
    const isWhole = outcome === 'ok';
    this.close(isWhole);
    const { meter, readOn } = this;
    const { firstContentMs } = this.times;
    const unreadEvents = this.stream?.unreadEvents ?? 0;
    this.onOver({
      type: 'ended',
      // However a reply ends that is read on: its client left before.
      outcome: readOn === null ? outcome : 'client_abort',
      meter,
      error: readOn === null ? error : readOn.reason,
      firstContentMs,
      isWhole,
      unreadEvents,
      finish: readOn === null ? finish : NOTHING,
    });
  }

  /** Releases everything the attempt holds. An upstream that ended well may close by itself, for its connection's sake. */
  private close(mayLinger = false): void {
    this.isOver = true;
    this.cancelTimer();
    this.readOn?.leave();
    this.input.client.listener = null;
    this.chunks.length = 0;
    if (this.upstreamIsOver) return;
    if (!mayLinger) {
      this.exchange?.abort();
      cancelAnswer(this.input, this.meter.underWay);
      return;
    }
    this.exchange?.resume();
    this.cancelTimer = this.input.ports.clock.after(LINGER_MS, () => {
      if (!this.upstreamIsOver) this.exchange?.abort();
    });
  }

  // ── time ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** One timer per attempt, set to the nearest deadline. */
  private schedule(nowMs: number): void {
    if (this.isOver) return;
    const delay = this.times.untilNextCheck(nowMs, this.input.client.lastWriteMs);
    // One that fires too early looks again: cheaper than another timer whenever a deadline moves.
    if (nowMs + delay >= this.timerDueMs) return;
    this.cancelTimer();
    this.timerDueMs = nowMs + delay;
    this.cancelTimer = this.input.ports.clock.after(delay, () => this.onTick());
  }

  private onSilence(): void {
    if (this.mode === 'failure') return this.onFailureRead();
    if (this.stream?.isComplete === true) return this.stream.broken(refusal('late'));
    this.breakOff(refusal('late'), 'partial');
  }

  private onTick(): void {
    const { client, ports } = this.input;
    const nowMs = ports.clock.monotonicMs();
    this.timerDueMs = Number.POSITIVE_INFINITY;
    this.stream?.tick(nowMs);
    if (client.stalledSinceMs !== undefined) {
      // A client that takes nothing stops the upstream: its silence is not the upstream's.
      this.times.onContent(nowMs);
      if (nowMs - client.stalledSinceMs >= CLIENT_STALL_MS) {
        client.cut();
        return this.onLeft(refusal('client-stalled'));
      }
    }
    if (this.times.isTotalExceeded(nowMs)) {
      return this.breakOff(this.isStream ? refusal('answer-too-long') : refusal('late'), 'limit');
    }
    if (this.times.isIdleTooLong(nowMs) && this.stream?.isWaitingForHold !== true) return this.onSilence();
    if (this.times.isPingDue(nowMs, client.lastWriteMs)) {
      this.times.pingLooked(nowMs);
      if (client.stalledSinceMs === undefined) client.ping(nowMs);
    }
    this.schedule(nowMs);
  }
}
