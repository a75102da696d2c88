import { requestRefusal } from '../../relay-core/model/refusals.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Dialect, GatewayReply } from '../../relay-core/dialects/dialect.js';
import type { RelayError } from '../../relay-core/model/relay-error.js';
import { WARNINGS_HEADER } from '../../relay-core/model/warning.js';
import { dialectOf } from './dialect-of.js';
import type { RawReply } from './raw-reply.js';

const EXPOSED = `request-id, x-request-id, x-oneapi-request-id, retry-after, x-should-retry, ${WARNINGS_HEADER}`;

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
