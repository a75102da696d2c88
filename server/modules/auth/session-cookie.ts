import '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

const COOKIE = 'session';

/** The session id a request carries, or null. A cookie whose signature is not ours is treated as absent. */
export function readSessionCookie(request: FastifyRequest): string | null {
  const { cookie } = request.headers;
  const signed = cookie === undefined ? undefined : request.server.parseCookie(cookie)[COOKIE];
  if (signed === undefined || signed.length > 256) return null;
  const { valid, value } = request.unsignCookie(signed);
  return valid ? value : null;
}

/** Host-only, unreadable for scripts, Secure when served over TLS; Lax because returns from login providers are cross-site. */
const attributesOf = (request: FastifyRequest) =>
  ({
    path: request.basePath || '/',
    httpOnly: true,
    sameSite: 'lax',
    signed: true,
    secure: request.protocol === 'https',
  }) as const;

export function writeSessionCookie(reply: FastifyReply, id: string, maxAgeMs: number): void {
  void reply.setCookie(COOKIE, id, { ...attributesOf(reply.request), maxAge: Math.floor(maxAgeMs / 1000) });
}

export function clearSessionCookie(reply: FastifyReply): void {
  void reply.clearCookie(COOKIE, attributesOf(reply.request));
}
