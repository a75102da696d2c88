import { requestRefusal } from '../relay-core/model/refusals.js';
import type { ConnectionError, FastifyReply, FastifyRequest } from 'fastify';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorCode } from '../common/errors/error-catalogue.js';
import { renderRefusal } from '../common/errors/render-refusal.js';
import type { EnvelopeFilter } from '../common/api/envelope.filter.js';
import { isRelayPath } from './serve-console.js';
import { MAX_HEAD_BYTES } from '../gateway/http/request-head.js';
import { pathOf } from '../gateway/http/relay-paths.js';
import { refuse } from '../gateway/http/relay-replies.js';

/** Answers a request the framework refuses before routing, such as an undecodable address, in the shape of its prefix. */
export function answerFrameworkFault(
  filter: EnvelopeFilter,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  if (!isRelayPath(pathOf(request.url))) return filter.render(error, request, reply);
  refuse(request, reply, requestRefusal('The address of the request could not be read.'));
}

const PARSER_FAULTS: ReadonlyMap<string, ErrorCode> = new Map([
  ['HPE_HEADER_OVERFLOW', 'head_too_large'],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 'body_too_large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', 'request_late'],
]);

/** Answers bytes the HTTP parser refuses: there is no request yet, so the answer is written by hand and the connection ends. */
export function answerParserFault(error: ConnectionError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (socket.writable) socket.write(parserRefusal(error));
  socket.destroy(error);
}

function parserRefusal(error: ConnectionError): string {
  const code = PARSER_FAULTS.get(error.code) ?? 'request_unreadable';
  const refusal = renderRefusal(code, { limit: MAX_HEAD_BYTES / 1024 }, 'en');
  const { status } = refusal;
  const body = faultBody(pathIn(error.rawPacket), refusal.body.message, code);
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Bad Request'}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'X-Content-Type-Options: nosniff',
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}

/**
 * Body of a refusal before any handler has run, in the shape of the prefix.
 * @param address  path and query, as far as known
 */
export function faultBody(address: string, message: string, code = 'address_unreadable'): string {
  return JSON.stringify(
    isRelayPath(pathOf(address))
      ? { error: { message, type: 'invalid_request_error', param: null, code: 'invalid_request' } }
      : { success: false, message, code },
  );
}

/** Longest start of a packet that is searched for its path. */
const REQUEST_LINE_BYTES = 256;

/** The path in the bytes the parser stopped at; empty when they do not begin with a request. */
function pathIn(packet: unknown): string {
  if (!(packet instanceof Uint8Array)) return '';
  const start = Buffer.from(packet.subarray(0, REQUEST_LINE_BYTES)).toString('latin1');
  return pathOf(/^[A-Z]{1,20} (\/[^ \r\n]*)/.exec(start)?.[1] ?? '');
}
