import '@fastify/cookie';
import type { FastifyRequest } from 'fastify';

/** The value of a signed cookie; null when there is none or its signature is not ours. */
export function readSignedCookie(request: FastifyRequest, name: string): string | null {
  const { cookie } = request.headers;
  const signed = cookie === undefined ? undefined : request.server.parseCookie(cookie)[name];
  if (signed === undefined || signed.length > 256) return null;
  const { valid, value } = request.unsignCookie(signed);
  return valid ? value : null;
}
