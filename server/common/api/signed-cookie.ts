import '@fastify/cookie';
import type { FastifyRequest } from 'fastify';

/** Longest signed value that is read. */
const MAX_SIGNED = 256;
/** Cookies of one request that are looked at. */
const MAX_COOKIES = 50;

/**
 * The name of a cookie on the connection of a request. Over TLS its prefix keeps a neighbouring host from planting another. Browsers take
 * `__Host-` with the path `/` alone; under a path `__Secure-` keeps plain connections from setting it (RFC 6265bis, 4.1.3).
 */
export function hostCookieName(request: FastifyRequest, name: string): string {
  if (request.protocol !== 'https') return name;
  return request.basePath === '' ? `__Host-${name}` : `__Secure-${name}`;
}

/** Attributes of a signed cookie named by `hostCookieName`: of this host alone, unreadable for scripts, Secure over TLS. */
export const hostCookieAttributes = <SameSite extends 'lax' | 'strict'>(
  request: FastifyRequest,
  sameSite: SameSite,
) =>
  ({
    path: request.basePath || '/',
    httpOnly: true,
    sameSite,
    signed: true,
    secure: request.protocol === 'https',
  }) as const;

/**
 * The value of a signed cookie; null when there is none or its signature is not ours. Of several cookies of the name the first whose
 * signature is ours counts.
 * @param name  as `hostCookieName` gives it
 */
export function readSignedCookie(request: FastifyRequest, name: string): string | null {
  const start = `${name}=`;
  for (const pair of (request.headers.cookie ?? '').split(';', MAX_COOKIES)) {
    const cookie = pair.trim();
    if (!cookie.startsWith(start) || cookie.length > 2 * MAX_SIGNED) continue;
    const signed = request.server.parseCookie(cookie)[name] ?? '';
    if (signed.length > MAX_SIGNED) continue;
    const { valid, value } = request.unsignCookie(signed);
    if (valid && value !== null) return value;
  }
  return null;
}
