import type { CallShape } from '../../model/call.js';
import { CLIENT_LEFT } from '../../model/call-failures.js';
import { figuresOfRefusal } from '../../model/limit-figures.js';
import type { LimitFigures } from '../../model/limit-refusal.js';
import type { Operation } from '../../model/operation.js';
import type { RelayError } from '../../model/relay-error.js';
import { warningHeader, type Warning } from '../../model/warning.js';
import type { Dialect } from '../../dialects/dialect.js';
import type { ClientReply } from '../../ports/client-reply.js';
import type { Clock } from '../../../common/clock.js';
import type { ClientFormat, StreamStyle } from '../../formats/contract/api-format.js';

const EVENT_STREAM: StreamStyle = {
  contentType: 'text/event-stream; charset=utf-8',
  ping: ': PING\n\n',
};

/** Listener to a client that leaves or takes bytes again. One attempt at a time. */
export interface ClientListener {
  /** @param ended  reason of the gateway to end the reply; undefined = the client left. Called again for a reply that is read on */
  onClientGone(ended?: RelayError): void;
  onClientDrained(): void;
}

/** The client's side of one call, over all its attempts: what went out, whether it takes more, whether it is there. */
export class ClientConnection {
  isGone = false;
  /** Once it is gone: it left, or the gateway ended the reply. */
  closeReason: RelayError = CLIENT_LEFT;
  /** Monotonic time since which the client takes nothing; undefined = it does. */
  stalledSinceMs: number | undefined;
  lastWriteMs = 0;
  listener: ClientListener | null = null;
  /** Settings of the request that the answering upstream did not get: the reply's head names them. */
  warnings: readonly Warning[] = [];
  /** The caller's narrowest limits as of admission, named in the reply's head; undefined = none. */
  limits: LimitFigures | undefined;
  /** Called once, when the first bytes of an answer go out: the upstream does answer. */
  onFirstFrame: (() => void) | null = null;
  private style = EVENT_STREAM;
  private isMedia = false;
  private hasFrames = false;

  constructor(
    private readonly reply: ClientReply,
    private readonly dialect: Pick<Dialect, 'writeError' | 'writeErrorFrame' | 'limitHeaders'>,
    private readonly apiFormat: Pick<ClientFormat<Operation>, 'streamStyleOf' | 'writeErrorFrame'>,
    private readonly clock: Clock,
    private readonly callId: string,
  ) {
    this.isGone = reply.isClosed;
    reply.onClientGone((ended) => {
      if (ended !== undefined && !this.isGone) this.closeReason = ended;
      this.isGone = true;
      this.stalledSinceMs = undefined;
      this.listener?.onClientGone(ended);
    });
    reply.onDrain(() => {
      this.stalledSinceMs = undefined;
      this.listener?.onClientDrained();
    });
    // Bytes it has not taken yet will show it as well.
    reply.onProbe(() => this.stalledSinceMs !== undefined || this.ping(clock.monotonicMs()));
  }

  /** The status line went out. */
  get isCommitted(): boolean {
    return this.reply.isCommitted;
  }

  /** Something of an answer went out: nothing is retried from then on. Pings are none of it. */
  get hasAnswer(): boolean {
    return this.hasFrames;
  }

  /** The call was understood: what a stream of its reply looks like. */
  expect(shape: CallShape): void {
    this.style = this.apiFormat.streamStyleOf?.(shape) ?? EVENT_STREAM;
  }

  /** @param contentType  of media; undefined = events */
  startStream(contentType?: string): void {
    this.isMedia = contentType !== undefined;
    this.reply.writeHead(200, {
      'content-type': contentType ?? this.style.contentType,
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
      ...warningHeader(this.warnings),
      ...this.limitHeaders(),
    });
    this.lastWriteMs = this.clock.monotonicMs();
  }

  /** False = stop producing until the client drained. */
  write(bytes: Buffer | string, nowMs: number): boolean {
    if (!this.hasFrames) {
      this.hasFrames = true;
      this.onFirstFrame?.();
    }
    return this.send(bytes, nowMs);
  }

  private send(bytes: Buffer | string, nowMs: number): boolean {
    if (this.isGone) return true;
    this.lastWriteMs = nowMs;
    if (this.reply.write(bytes)) return true;
    this.stalledSinceMs ??= nowMs;
    return false;
  }

  /** @returns false where a ping has no place */
  ping(nowMs: number): boolean {
    if (this.style.ping === '' || this.isMedia) return false;
    if (!this.isCommitted) this.startStream();
    this.send(this.style.ping, nowMs);
    return true;
  }

  endStream(trailer: Buffer | string): void {
    if (!this.isGone) this.reply.end(trailer);
  }

  sendWhole(body: Buffer, contentType: string): void {
    if (this.isGone) return;
    this.reply.writeHead(200, {
      'content-type': contentType,
      'content-length': String(body.length),
      ...warningHeader(this.warnings),
      ...this.limitHeaders(),
    });
    this.reply.end(body);
  }

  /**
   * The failure in the dialect's own form: a whole reply, or the last frame of a stream that has begun.
   * @param frame  that last frame, when the stream's writer made it
   */
  sendError(error: RelayError, frame?: string): number {
    if (this.isGone) return 499;
    if (this.isCommitted) {
      // Nothing of ours may stand inside a file: its connection breaks off instead.
      if (this.isMedia) this.cut();
      else this.reply.end(frame ?? this.errorFrame(error));
      return 200;
    }
    this.limits ??= figuresOfRefusal(error);
    const { status, headers, body } = this.dialect.writeError(error, this.callId);
    this.reply.writeHead(
      status,
      this.limits === undefined ? headers : { ...headers, ...this.limitHeaders() },
    );
    this.reply.end(body);
    return status;
  }

  private limitHeaders(): Readonly<Record<string, string>> | undefined {
    return this.limits && this.dialect.limitHeaders?.(this.limits, this.clock.nowMs());
  }

  private errorFrame(error: RelayError): string {
    return (
      this.style.writeErrorFrame?.(error, this.callId, this.hasFrames) ??
      this.apiFormat.writeErrorFrame?.(error, this.callId) ??
      this.dialect.writeErrorFrame(error, this.callId)
    );
  }

  /** Cuts a client that takes nothing. */
  cut(): void {
    this.isGone = true;
    this.stalledSinceMs = undefined;
    this.reply.abort();
  }
}
