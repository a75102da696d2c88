import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServerResponse } from 'node:http';
import type { WireReply } from '../../relay-core/dialects/dialect.js';
import { openai } from '../../relay-core/dialects/openai.js';
import type { RelayError } from '../../relay-core/model/relay-error.js';

/** Headers of every relay reply: its id, and what browsers need to be told (AUTH-06, UP-03). */
export const commonHeaders = (callId: string): Readonly<Record<string, string>> => ({
  'x-request-id': callId,
  'x-oneapi-request-id': callId,
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'x-request-id, x-oneapi-request-id, retry-after, x-should-retry',
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
  return reply.code(status).headers(commonHeaders(request.id)).send(body);
}

/** A refusal before a dialect is known, or by the routes themselves: in OpenAI's shape, which all of /v1 shares. */
export function refuse(request: FastifyRequest, reply: FastifyReply, error: RelayError): FastifyReply {
  const rendered = openai.writeError(error, request.id);
  return reply
    .code(rendered.status)
    .headers(commonHeaders(request.id))
    .headers(rendered.headers)
    .send(rendered.body);
}

/** A refusal written by hand, where no framework stands in between. */
export function writeRefusal(
  response: ServerResponse,
  { status, headers, body }: WireReply,
  callId: string,
  more: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { ...commonHeaders(callId), ...headers, ...more });
  response.end(body);
}
