import '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

const COOKIE = 'session';
const MAX_COOKIES = 50;

/**
 * Over TLS the name says that only this very host can have set it: a neighbouring host cannot plant another. Browsers take that name
 * with the path `/` alone; under a path it says that TLS set it (RFC 6265bis, 4.1.3).
 */
function nameOf(request: FastifyRequest): string {
  if (request.protocol !== 'https') return COOKIE;
  return request.basePath === '' ? `__Host-${COOKIE}` : `__Secure-${COOKIE}`;
}

/**
 * The session id a request carries, or null. Of several cookies of the name the first whose signature is ours counts: one that somebody
 * planted beside it is as if it were not there.
 */
export function readSessionCookie(request: FastifyRequest): string | null {
  const start = `${nameOf(request)}=`;
  for (const pair of (request.headers.cookie ?? '').split(';', MAX_COOKIES)) {
    const cookie = pair.trim();
    if (!cookie.startsWith(start) || cookie.length > 512) continue;
    const signed = request.server.parseCookie(cookie)[nameOf(request)] ?? '';
    if (signed.length > 256) continue;
    const { valid, value } = request.unsignCookie(signed);
    if (valid && value !== null) return value;
  }
  return null;
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
  void reply.setCookie(nameOf(reply.request), id, {
    ...attributesOf(reply.request),
    maxAge: Math.floor(maxAgeMs / 1000),
  });
}

export function clearSessionCookie(reply: FastifyReply): void {
  void reply.clearCookie(nameOf(reply.request), attributesOf(reply.request));
}
