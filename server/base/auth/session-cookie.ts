import '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hostCookieAttributes, hostCookieName, readSignedCookie } from '../../common/api/signed-cookie.js';

const COOKIE = 'session';

const nameOf = (request: FastifyRequest): string => hostCookieName(request, COOKIE);

/**
 * Session id of a request, or null. Of several cookies of the name the first with our signature counts: a planted cookie beside it
 * has no effect.
 */
export const readSessionCookie = (request: FastifyRequest): string | null =>
  readSignedCookie(request, nameOf(request));

/** Lax because returns from login providers are cross-site. */
const attributesOf = (request: FastifyRequest) => hostCookieAttributes(request, 'lax');

export function writeSessionCookie(reply: FastifyReply, id: string, maxAgeMs: number): void {
  void reply.setCookie(nameOf(reply.request), id, {
    ...attributesOf(reply.request),
    maxAge: Math.floor(maxAgeMs / 1000),
  });
}

export function clearSessionCookie(reply: FastifyReply): void {
  void reply.clearCookie(nameOf(reply.request), attributesOf(reply.request));
}
