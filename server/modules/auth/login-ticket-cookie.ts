import '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

const COOKIE = 'login_step';
const PATH = '/api/user/login';

const attributesOf = (request: FastifyRequest) =>
  ({
    path: request.basePath + PATH,
    httpOnly: true,
    sameSite: 'strict',
    signed: true,
    secure: request.protocol === 'https',
  }) as const;

/** The ticket of a login that waits for its code, or null. */
export function readLoginTicket(request: FastifyRequest): string | null {
  const { cookie } = request.headers;
  const signed = cookie === undefined ? undefined : request.server.parseCookie(cookie)[COOKIE];
  if (signed === undefined || signed.length > 256) return null;
  const { valid, value } = request.unsignCookie(signed);
  return valid ? value : null;
}

/** For clients of this API family, which send the code alone. */
export function writeLoginTicket(reply: FastifyReply, ticket: string, lifeMs: number): void {
  void reply.setCookie(COOKIE, ticket, { ...attributesOf(reply.request), maxAge: Math.floor(lifeMs / 1000) });
}

export function clearLoginTicket(reply: FastifyReply): void {
  void reply.clearCookie(COOKIE, attributesOf(reply.request));
}
