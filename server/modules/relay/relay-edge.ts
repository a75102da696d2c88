import { Inject, Injectable, Logger } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Env } from '../../config/env.js';
import type { RelayError } from '../../relay-core/model/relay-error.js';
import { unauthenticated } from '../tokens/caller-record.js';
import { CallRunner, type EdgeRequest, type RelayRoute } from './call-runner.js';
import { RelayGates } from './relay-gates.js';
import { writeRefusal } from './relay-replies.js';
import { checkBodyHeaders, contentLengthOf, repeatsCredential } from './request-checks.js';

/** What a full or stopping gateway asks clients to wait. */
const RETRY_AFTER_MS = 1_000;
const NO_BODY = Buffer.alloc(0);

/**
 * The edge of the relay: takes a call from the server, decides what can be decided without its body, reads the body, and hands
 * both to the runner. Works on Node's own request and response, since what a framework does for each call is a good part of
 * what a call costs.
 */
@Injectable()
export class RelayEdge {
  private readonly logger = new Logger('Relay');
  private readonly maxBodyBytes: number;

  constructor(
    @Inject(CallRunner) private readonly runner: CallRunner,
    private readonly gates: RelayGates,
    env: Env,
  ) {
    this.maxBodyBytes = env.maxRequestBodyBytes;
  }

  /** Answers by itself, later. Never fails. */
  take(route: RelayRoute, request: EdgeRequest, raw: IncomingMessage, response: ServerResponse): void {
    try {
      this.judge(route, request, raw, response);
    } catch (fault) {
      this.answerFault(route, request, response, fault);
    }
  }

  private judge(
    route: RelayRoute,
    request: EdgeRequest,
    raw: IncomingMessage,
    response: ServerResponse,
  ): void {
    const lengthBytes = contentLengthOf(raw.headers);
    const error = this.refusal(route, raw, lengthBytes);
    if (error !== null) return refuseUnread(route, request, response, error);
    const stranger = this.runner.refuseStranger(route, request, lengthBytes);
    if (stranger === null) return this.read(route, request, raw, response, lengthBytes);
    stranger.then(
      (refusal) => {
        if (refusal !== null) return refuseUnread(route, request, response, refusal);
        if (raw.destroyed) return;
        // Small bodies arrive with their head; these take time and memory, so they are counted until they are read or cut off.
        // Others may have come while we asked who this is.
        const gate = this.gates.refusal(lengthBytes);
        if (gate !== null) return refuseUnread(route, request, response, busy(gate));
        raw.once('close', this.gates.beginPreparing(lengthBytes));
        this.read(route, request, raw, response, lengthBytes);
      },
      (fault: unknown) => this.answerFault(route, request, response, fault),
    );
  }

  /** Everything the head alone decides. */
  private refusal(
    route: RelayRoute,
    raw: IncomingMessage,
    lengthBytes: number | undefined,
  ): RelayError | null {
    // Not a matter of how busy it is here: who is told to try again would, for ever.
    if (lengthBytes !== undefined && lengthBytes > this.maxBodyBytes) return bodyTooLarge(this.maxBodyBytes);
    const gate = this.gates.refusal(lengthBytes);
    if (gate !== null) return busy(gate);
    if (repeatsCredential(raw.rawHeaders)) return unauthenticated('Send exactly one API key.');
    return checkBodyHeaders(raw.headers, route.bodyType);
  }

  private read(
    route: RelayRoute,
    request: EdgeRequest,
    raw: IncomingMessage,
    response: ServerResponse,
    lengthBytes: number | undefined,
  ): void {
    if (lengthBytes === 0) return this.start(route, request, NO_BODY, response);
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    // A body of untold length is counted as it comes.
    const isUntold = lengthBytes === undefined;
    if (isUntold) raw.once('close', () => this.gates.holdBytes(-sizeBytes));
    const onData = (chunk: Buffer): void => {
      const hasRoom = !isUntold || this.gates.hasRoomFor(chunk.length);
      sizeBytes += chunk.length;
      if (isUntold) this.gates.holdBytes(chunk.length);
      if (sizeBytes <= this.maxBodyBytes && hasRoom) {
        chunks.push(chunk);
        return;
      }
      raw.removeListener('data', onData).removeListener('end', onEnd).pause();
      const error = hasRoom ? bodyTooLarge(this.maxBodyBytes) : busy('full');
      refuseUnread(route, request, response, error);
    };
    const onEnd = (): void => {
      const [first = NO_BODY] = chunks;
      this.start(route, request, chunks.length <= 1 ? first : Buffer.concat(chunks, sizeBytes), response);
    };
    raw.on('data', onData).on('end', onEnd);
  }

  private start(route: RelayRoute, request: EdgeRequest, body: Buffer, response: ServerResponse): void {
    try {
      this.runner.start(route, request, body, response);
    } catch (fault) {
      this.answerFault(route, request, response, fault);
    }
  }

  /** Expected failures are values; what arrives here is a bug. */
  private answerFault(
    route: RelayRoute,
    { callId }: EdgeRequest,
    response: ServerResponse,
    fault: unknown,
  ): void {
    const text = fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
    this.logger.error(`call ${callId} failed at the edge: ${text}`);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const message = 'The gateway failed while handling this call.';
    const error: RelayError = { kind: 'internal', blame: 'gateway', message };
    writeRefusal(response, route.dialect.writeError(error, callId), callId, { connection: 'close' });
  }
}

/** The body will not be read, so the connection cannot carry another request. */
function refuseUnread(
  route: RelayRoute,
  { callId }: EdgeRequest,
  response: ServerResponse,
  error: RelayError,
): void {
  if (response.destroyed || response.headersSent) return;
  writeRefusal(response, route.dialect.writeError(error, callId), callId, { connection: 'close' });
}

function busy(gate: 'draining' | 'full'): RelayError {
  const message =
    gate === 'draining'
      ? 'This gateway is restarting. Please try again.'
      : 'This gateway is at its limit. Please try again.';
  return { kind: 'unavailable', blame: 'gateway', retryAfterMs: RETRY_AFTER_MS, message };
}

export function bodyTooLarge(maxBodyBytes: number): RelayError {
  const megabytes = Math.floor(maxBodyBytes / (1024 * 1024));
  return {
    kind: 'body-too-large',
    blame: 'caller',
    message: `The request body is larger than ${megabytes} MB.`,
  };
}
