import { requestRefusal } from '../../relay-core/model/refusals.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Dialect, GatewayReply } from '../../relay-core/dialects/dialect.js';
import { LIMIT_HEADERS } from '../../relay-core/model/limit-figures.js';
import type { RelayError } from '../../relay-core/model/relay-error.js';
import { WARNINGS_HEADER } from '../../relay-core/model/warning.js';
import { dialectOf } from './dialect-of.js';
import { contained } from '../../common/contain-faults.js';
import type { ServerResponse } from 'node:http';
import type { ProbedReply } from '../../infra/sockets/half-closed.js';

/** Names and values. */
export type ReplyFields = Readonly<Record<string, string>>;

/** Interface the relay needs of a reply: Node's own, or the fast path's. */
export interface RawReply {
  readonly headersSent: boolean;
  readonly writableEnded: boolean;
  /** Everything was handed to the system. */
  readonly writableFinished: boolean;
  readonly destroyed: boolean;
  /**
   * @param own  of this reply; sent instead of a field of the same name in `fields`
   * Fails: throws TypeError for a field that cannot be sent.
   */
  begin(status: number, fields: ReplyFields, own?: ReplyFields): unknown;
  /** @returns false when the client is slow: 'drain' follows */
  write(bytes: Buffer | string): boolean;
  end(bytes?: Buffer | string): unknown;
  destroy(): unknown;
  /** The connection is gone; also follows a reply that was sent whole. */
  on(event: 'close', listener: () => void): unknown;
  once(event: 'drain', listener: () => void): unknown;
  /** Set once. @param listener  writes bytes that change nothing, behind the head of the reply; false = there are none */
  onProbe(listener: () => boolean): void;
}

/** Larger replies are not copied to save a buffer. */
const ONE_WRITE_BYTES = 16 * 1024;

/** A reply of Node's server. */
export class NodeReply implements RawReply, ProbedReply {
  private isStream = false;
  private answerProbe: (() => boolean) | null = null;

  constructor(private readonly response: ServerResponse) {}

  get headersSent(): boolean {
    return this.response.headersSent;
  }

  get writableEnded(): boolean {
    return this.response.writableEnded;
  }

  get writableFinished(): boolean {
    return this.response.writableFinished;
  }

  get destroyed(): boolean {
    return this.response.destroyed;
  }

  begin(status: number, fields: ReplyFields, own: ReplyFields = {}): void {
    this.isStream = own['content-type']?.startsWith('text/event-stream') === true;
    // Names and values in turn, as Node writes them with the least work.
    const lines: string[] = [];
    for (const name in fields) if (own[name] === undefined) lines.push(name, fields[name] as string);
    for (const name in own) lines.push(name, own[name] as string);
    this.response.writeHead(status, lines);
  }

  write(bytes: Buffer | string): boolean {
    return this.response.write(bytes);
  }

  end(bytes?: Buffer | string): void {
    if (bytes === undefined) this.response.end();
    // Bytes as text of single bytes: Node writes head and body as one text then, and as two buffers otherwise.
    else if (!this.isStream && bytes instanceof Buffer && bytes.length <= ONE_WRITE_BYTES)
      this.response.end(bytes.toString('latin1'), 'latin1');
    else this.response.end(bytes);
  }

  destroy(): void {
    this.response.destroy();
  }

  on(event: 'close', listener: () => void): void {
    this.response.on(event, contained(listener));
  }

  once(event: 'drain', listener: () => void): void {
    this.response.once(event, contained(listener));
  }

  onProbe(listener: () => boolean): void {
    this.answerProbe = listener;
  }

  probe(): boolean {
    const { response } = this;
    // It has no socket while the answers to earlier requests of its connection are on their way.
    if (response.socket === null || response.writableEnded) return true;
    if (response.headersSent) return this.answerProbe?.() ?? false;
    response.writeContinue();
    return true;
  }
}

const EXPOSED = [
  'request-id',
  'x-request-id',
  'x-oneapi-request-id',
  'retry-after',
  'x-should-retry',
  WARNINGS_HEADER,
  ...LIMIT_HEADERS,
].join(', ');

/** Headers of every relay reply: its id, and those browsers need. */
export const commonHeaders = (callId: string, dialect?: Dialect): Readonly<Record<string, string>> => ({
  // Anthropic's clients show it beside every answer.
  ...(dialect?.id === 'anthropic' ? { 'request-id': callId } : {}),
  'x-request-id': callId,
  'x-oneapi-request-id': callId,
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED,
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
});

/** A JSON answer of the gateway's own. */
export function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  body: unknown,
): FastifyReply {
  const headers = commonHeaders(request.id, dialectOf(request.url, request.headers));
  return reply.code(status).headers(headers).send(body);
}

/** A refusal before a route is known, or by the routes themselves: in the shape of the address's dialect. */
export function refuse(request: FastifyRequest, reply: FastifyReply, error: RelayError): FastifyReply {
  const rendered = dialectOf(request.url, request.headers).writeError(error, request.id);
  return reply
    .code(rendered.status)
    .headers(commonHeaders(request.id))
    .headers(rendered.headers)
    .send(rendered.body);
}

/** A method the address does not have: 405 in the shape of the address's dialect. */
export function refuseMethod(
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
  methods: readonly string[],
): FastifyReply {
  return refuseWithStatus(request, reply, {
    status: 405,
    message: `${request.method} is not allowed for ${path}. Use ${methods.join(' or ')}.`,
    headers: { allow: methods.join(', ') },
  });
}

/** An address that takes no WebSocket: 426, at which Codex sends requests at once instead of opening the socket six times more. */
export const refuseUpgrade = (request: FastifyRequest, reply: FastifyReply, path: string): FastifyReply =>
  refuseWithStatus(request, reply, {
    status: 426,
    message: `${path} takes no WebSocket. Send requests with POST.`,
    headers: { upgrade: 'HTTP/1.1' },
  });

function refuseWithStatus(
  request: FastifyRequest,
  reply: FastifyReply,
  {
    status,
    message,
    headers,
  }: {
    readonly status: 405 | 426;
    readonly message: string;
    readonly headers: Readonly<Record<string, string>>;
  },
): FastifyReply {
  const error: RelayError = requestRefusal(message);
  const rendered = dialectOf(request.url, request.headers).writeError(error, request.id);
  const body = rendered.body.toString('utf8').replace(
    CODE,
    (_match, name: string, code: string) =>
      // OpenAI's codes are words, Google's are the status.
      `${name}${code.startsWith('"') ? WORDS[status] : String(status)}`,
  );
  return reply
    .code(status)
    .headers(commonHeaders(request.id))
    .headers(headers)
    .header('content-type', 'application/json; charset=utf-8')
    .send(body);
}

const WORDS = { 405: '"method_not_allowed"', 426: '"upgrade_required"' } as const;
const CODE = /("code":)("[a-z_]+"|400\b)/;

/** A refusal written by hand, where no framework stands in between. */
export function writeRefusal(
  response: RawReply,
  { status, headers, body }: GatewayReply,
  callId: string,
  more: Readonly<Record<string, string>> = {},
): void {
  response.begin(status, commonHeaders(callId), { ...headers, ...more });
  response.end(body);
}
