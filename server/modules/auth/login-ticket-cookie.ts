import type { FastifyReply, FastifyRequest } from 'fastify';
import { readSignedCookie } from '../../common/api/signed-cookie.js';

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
export const readLoginTicket = (request: FastifyRequest): string | null => readSignedCookie(request, COOKIE);

/** For clients of this API family, which send the code alone. */
export function writeLoginTicket(reply: FastifyReply, ticket: string, lifeMs: number): void {
  void reply.setCookie(COOKIE, ticket, { ...attributesOf(reply.request), maxAge: Math.floor(lifeMs / 1000) });
}

export function clearLoginTicket(reply: FastifyReply): void {
  void reply.clearCookie(COOKIE, attributesOf(reply.request));
}
