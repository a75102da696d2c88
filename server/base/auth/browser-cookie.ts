import '@fastify/cookie';
import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hostCookieAttributes, hostCookieName, readSignedCookie } from '../../common/api/signed-cookie.js';

/** Recognises the browser a sign-in was begun in, signed in or not. */
const COOKIE = 'identity';
const ID_BYTES = 32;
const LIFE_SECONDS = 3_600;

/** The id of the browser, or null. A cookie whose signature is not ours is treated as absent. */
export const browserOf = (request: FastifyRequest): string | null =>
  readSignedCookie(request, hostCookieName(request, COOKIE));

/** The id of the browser, made and sent along when it has none. Lax: a provider's redirect brings it back. */
export function ensureBrowser(request: FastifyRequest, reply: FastifyReply): string {
  const id = browserOf(request) ?? randomBytes(ID_BYTES).toString('base64url');
  void reply.setCookie(hostCookieName(request, COOKIE), id, {
    ...hostCookieAttributes(request, 'lax'),
    maxAge: LIFE_SECONDS,
  });
  return id;
}
