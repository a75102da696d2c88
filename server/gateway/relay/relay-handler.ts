import { contained } from '../../common/contain-faults.js';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Env } from '../../config/env.js';
import { refusal } from '../../relay-core/model/refusals.js';
import type { RelayError } from '../../relay-core/model/relay-error.js';
import type { CallerDirectory } from '../../relay-core/ports/caller-directory.js';
import { answerHalfClosed } from '../../infra/sockets/half-closed.js';
import { CallRunner, type RelayRequest, type RelayRoute } from './call-runner.js';
import { NodeReply, type RawReply } from '../http/relay-replies.js';
import { RelayWatch } from './watch/relay-watch.js';
import { gateRefusal, type ConcurrencyRefusal, ConcurrencyLimits } from './concurrency-limits.js';
import { writeRefusal } from '../http/relay-replies.js';
import { checkBodyHeaders, contentLengthOf, repeatsCredential } from '../http/request-checks.js';
import { codingOf, unpackBody } from '../http/unpack-body.js';

/** `Retry-After` of a full or stopping gateway. */
const RETRY_AFTER_MS = 1_000;
/** `Retry-After` of a gateway that was switched off. */
const OFF_RETRY_AFTER_MS = 30_000;
const NO_BODY = Buffer.alloc(0);
/** Repeated fields of a request without any. */
const NO_FIELDS: readonly string[] = [];

/**
 * Takes a call from the server, decides what can be decided without its body, reads the body, and hands
 * both to the runner. Works on Node's own request and response, since what a framework does for each call is a good part of
 * what a call costs.
 */
@Injectable()
export class RelayHandler {
  readonly maxBodyBytes: number;
  private readonly logger = new Logger('Relay');

  constructor(
    @Inject(CallRunner) private readonly runner: CallRunner,
    private readonly gates: ConcurrencyLimits,
    private readonly watch: RelayWatch,
    env: Env,
  ) {
    this.maxBodyBytes = env.maxRequestBodyBytes;
  }

  /** Answers by itself, later. Never fails. */
  take(route: RelayRoute, request: RelayRequest, raw: IncomingMessage, response: ServerResponse): void {
    const reply = new NodeReply(response);
    // A client of HTTP/1.0 takes no interim reply: its presence cannot be checked, and it counts as gone.
    if (raw.httpVersion === '1.1') response.once('close', contained(answerHalfClosed(raw.socket, reply)));
    try {
      this.checkRequest(route, request, raw, reply);
    } catch (fault) {
      this.answerFault(route, request, reply, fault);
    }
  }

  /**
   * Like `take`, for a request whose body the fast path reads and then starts the call with.
   * @param lengthBytes  at most the limit for unidentified callers
   * @returns false when its head was refused; its body is not to be read then
   */
  admit(route: RelayRoute, request: RelayRequest, lengthBytes: number, response: RawReply): boolean {
    try {
      const error = this.refusal(route, request.headers, NO_FIELDS, lengthBytes);
      if (error === null) return true;
      this.refuseUnread(route, request, response, error);
    } catch (fault) {
      this.answerFault(route, request, response, fault);
    }
    return false;
  }

  /**
   * Counts the bytes of a body read by the fast path.
   * @returns false when there is no room for it: the call was refused
   */
  keep(route: RelayRoute, request: RelayRequest, bytes: number, response: RawReply): boolean {
    const hasRoom = this.gates.hasRoomFor(bytes);
    this.gates.holdBytes(bytes);
    if (!hasRoom) this.refuseUnread(route, request, response, busy('full'));
    return hasRoom;
  }

  /** Releases the bytes `keep` counted. */
  giveBack(bytes: number): void {
    this.gates.holdBytes(-bytes);
  }

  private checkRequest(
    route: RelayRoute,
    request: RelayRequest,
    raw: IncomingMessage,
    response: RawReply,
  ): void {
    const lengthBytes = contentLengthOf(raw.headers);
    const error = this.refusal(route, raw.headers, raw.rawHeaders, lengthBytes);
    if (error !== null) return this.refuseUnread(route, request, response, error);
    const stranger = this.runner.rejectUnknownCaller(route, request, lengthBytes);
    if (stranger === null) return this.read(route, request, raw, response, { lengthBytes, isCounted: false });
    stranger.then(
      (refusal) => {
        if (refusal !== null) return this.refuseUnread(route, request, response, refusal);
        if (raw.destroyed) return;
        // Small bodies arrive with their head; these take time and memory, so they are counted until they are read or cut off.
        // Others may have come while we asked who this is.
        const gate = this.gates.refusal(lengthBytes);
        if (gate !== null) return this.refuseUnread(route, request, response, busy(gate));
        raw.once('close', contained(this.gates.beginPreparing(lengthBytes)));
        this.read(route, request, raw, response, { lengthBytes, isCounted: lengthBytes !== undefined });
      },
      (fault: unknown) => this.answerFault(route, request, response, fault),
    );
  }

  /** Everything the head alone decides. */
  private refusal(
    route: RelayRoute,
    headers: IncomingHttpHeaders,
    rawHeaders: readonly string[],
    lengthBytes: number | undefined,
  ): RelayError | null {
    // Independent of the load: a client that retries would never succeed.
    if (lengthBytes !== undefined && lengthBytes > this.maxBodyBytes) return bodyTooLarge(this.maxBodyBytes);
    const gate = this.gates.refusal(lengthBytes);
    if (gate !== null) return busy(gate);
    if (repeatsCredential(rawHeaders)) return refusal('keys-sent');
    return checkBodyHeaders(headers, route.bodyType);
  }

  private read(
    route: RelayRoute,
    request: RelayRequest,
    raw: IncomingMessage,
    response: RawReply,
    { lengthBytes, isCounted }: { readonly lengthBytes: number | undefined; readonly isCounted: boolean },
  ): void {
    if (lengthBytes === 0) return this.start(route, request, NO_BODY, response);
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    // A body of unknown length, or of an unidentified caller, is counted as it comes.
    const giveBack = (): void => this.gates.holdBytes(-sizeBytes);
    if (!isCounted) raw.once('close', contained(giveBack));
    const cut = (): void => {
      response.destroy();
    };
    const onData = contained((chunk: Buffer): void => {
      try {
        take(chunk);
      } catch (fault) {
        this.answerFault(route, request, response, fault);
      }
    }, cut);
    const take = (chunk: Buffer): void => {
      const hasRoom = isCounted || this.gates.hasRoomFor(chunk.length);
      sizeBytes += chunk.length;
      if (!isCounted) this.gates.holdBytes(chunk.length);
      if (sizeBytes <= this.maxBodyBytes && hasRoom) {
        chunks.push(chunk);
        return;
      }
      raw.removeListener('data', onData).removeListener('end', onEnd).pause();
      const error = hasRoom ? bodyTooLarge(this.maxBodyBytes) : busy('full');
      this.refuseUnread(route, request, response, error);
    };
    const onEnd = contained((): void => {
      const [first = NO_BODY] = chunks;
      this.start(route, request, chunks.length <= 1 ? first : Buffer.concat(chunks, sizeBytes), response);
    }, cut);
    raw.on('data', onData).on('end', onEnd);
  }

  /** The body is there, all of it. Answers by itself, later. Never fails. @param callers  knows this one; absent = by its key */
  start(
    route: RelayRoute,
    request: RelayRequest,
    body: Buffer,
    response: RawReply,
    callers?: CallerDirectory,
  ): void {
    try {
      const encoding = request.headers['content-encoding'];
      const coding = encoding === undefined || callers !== undefined ? undefined : codingOf(encoding);
      if (typeof coding === 'string') return this.unpack(route, request, { body, coding }, response);
      this.runner.start(route, request, body, response, callers);
    } catch (fault) {
      this.answerFault(route, request, response, fault);
    }
  }

  /** A compressed body may become a large one, so it is decompressed for known callers only. */
  private unpack(
    route: RelayRoute,
    request: RelayRequest,
    { body, coding }: { readonly body: Buffer; readonly coding: string },
    response: RawReply,
  ): void {
    const known = this.runner.rejectUnknownCaller(route, request, undefined) ?? Promise.resolve(null);
    const done = this.gates.beginPreparing(body.length);
    known
      .then((refusal) => (refusal === null && !response.destroyed ? this.unpackFor(body, coding) : refusal))
      .then(
        (result) => {
          done();
          if (result === null || response.destroyed) return;
          if (Buffer.isBuffer(result)) return this.runner.start(route, request, result, response);
          this.refuseUnread(route, request, response, result);
        },
        (fault: unknown) => {
          done();
          throw fault;
        },
      )
      .catch((fault: unknown) => this.answerFault(route, request, response, fault));
  }

  private unpackFor(body: Buffer, coding: string): Promise<Buffer | RelayError> {
    let heldBytes = 0;
    return new Promise<Buffer | RelayError>((resolve) => {
      const limits = {
        maxBytes: this.maxBodyBytes,
        hold: (bytes: number): boolean => {
          if (!this.gates.hasRoomFor(bytes)) return false;
          this.gates.holdBytes(bytes);
          heldBytes += bytes;
          return true;
        },
        tooLarge: () => bodyTooLarge(this.maxBodyBytes),
        full: () => busy('full'),
      };
      unpackBody(body, coding, limits, resolve);
    }).finally(() => this.gates.holdBytes(-heldBytes));
  }

  /** The body will not be read, so the connection cannot carry another request. */
  private refuseUnread(
    route: RelayRoute,
    { callId }: RelayRequest,
    response: RawReply,
    error: RelayError,
  ): void {
    if (response.destroyed || response.headersSent) return;
    this.watch.refusedBeforeItsBody(route.path, error);
    writeRefusal(response, route.dialect.writeError(error, callId), callId, { connection: 'close' });
  }

  /** Expected failures are values; what arrives here is a bug. */
  private answerFault(route: RelayRoute, { callId }: RelayRequest, response: RawReply, fault: unknown): void {
    const text = fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
    this.logger.error({ message: `a call failed before its answer began: ${text}`, callId });
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const error = refusal('call-failed');
    this.watch.refusedBeforeItsBody(route.path, error);
    writeRefusal(response, route.dialect.writeError(error, callId), callId, { connection: 'close' });
  }
}

function busy(gate: ConcurrencyRefusal): RelayError {
  return gateRefusal(gate, gate === 'off' ? OFF_RETRY_AFTER_MS : RETRY_AFTER_MS);
}

export function bodyTooLarge(maxBodyBytes: number): RelayError {
  const megabytes = Math.floor(maxBodyBytes / (1024 * 1024));
  return refusal('body-too-large', { megabytes });
}
