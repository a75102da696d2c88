import { describe, expect, it } from '@jest/globals';
import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { DomainError } from '../../common/errors/domain-error.js';
import type { Env } from '../../config/env.js';
import { Access, type AccessLevel } from '../access/access.js';
import type { OptionsService } from '../options/options.service.js';
import type { IdentityService } from './identity.service.js';
import type { SlowDatabase } from './slow-database.js';

// @nestjs/core must be loaded first, for the reason given in test/support/load-nest.ts for @nestjs/common.
const { CallerGuard } = await import('./caller.guard.js');

const TOKEN = 't'.repeat(32);

interface Call {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Account of the session in the cookie; absent = there is no cookie. */
  readonly session?: number | null;
}

async function ask(level: AccessLevel, { method = 'GET', headers = {}, session }: Call = {}) {
  const handler = (): void => undefined;
  Access(level)({}, 'handler', { value: handler });
  const asked: string[] = [];
  const identityOf = (id: number | null) => (id === null ? null : { account: { id } });
  const request = {
    method,
    url: '/api/x',
    host: 'gate.test',
    protocol: 'http',
    headers: { ...headers, ...(session === undefined ? {} : { cookie: 'session=signed' }) },
    server: { parseCookie: () => ({ session: 'signed' }) },
    unsignCookie: () => ({ valid: true, value: 'id' }),
  } as { callerId?: number };
  const guard = new CallerGuard(
    new Reflector(),
    {
      ofSession: async () => {
        asked.push('session');
        return identityOf(session ?? null);
      },
      ofAccessToken: async (token: string) => {
        asked.push('token');
        return identityOf(token === TOKEN ? 9 : null);
      },
    } as unknown as IdentityService,
    { values: () => ({ ServerAddress: 'https://public.test' }) } as unknown as OptionsService,
    {} as Env,
    { assertMayRead: () => asked.push('reads'), isDegraded: false } as unknown as SlowDatabase,
  );
  const context = {
    getHandler: () => handler,
    getClass: () => class Routes {},
    switchToHttp: () => ({ getRequest: () => request }),
  } as unknown as ExecutionContext;
  const outcome = await guard.canActivate(context).then(
    () => request.callerId,
    (error: unknown) => (error instanceof DomainError ? error.code : String(error)),
  );
  return { outcome, asked };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe('CallerGuard', () => {
  it.each<[string, Call, unknown, readonly string[]]>([
    ['by a session', { session: 7 }, 7, ['reads', 'session']],
    ['by a session beside a token', { session: 7, headers: bearer(TOKEN) }, 7, ['reads', 'session']],
    [
      'by a token when the session is over',
      { session: null, headers: bearer(TOKEN) },
      9,
      ['reads', 'session', 'token'],
    ],
    ['by a token without the word', { headers: { authorization: TOKEN } }, 9, ['reads', 'token']],
    ['by nothing', {}, undefined, ['reads']],
    ['by no API key, however long', { headers: bearer(`sk-${TOKEN}`) }, undefined, ['reads']],
    ['by no text that cannot be a token', { headers: bearer('short') }, undefined, ['reads']],
  ])('identifies the caller of %s', async (_, call, caller, asked) => {
    expect(await ask('user', call)).toEqual({ outcome: caller, asked });
  });

  it('skips authentication on public routes', async () => {
    expect(await ask('public', { session: 7 })).toEqual({ outcome: undefined, asked: ['reads'] });
  });

  it.each<[AccessLevel, string, Readonly<Record<string, string>>, boolean]>([
    ['user', 'GET', { origin: 'https://evil.test' }, false],
    ['public', 'POST', { origin: 'https://evil.test' }, false],
    ['public', 'GET', { origin: 'https://evil.test' }, true],
    ['notify', 'POST', { origin: 'https://evil.test' }, true],
    ['user', 'POST', { origin: 'https://public.test' }, true],
    ['user', 'POST', { origin: 'http://gate.test' }, true],
    ['user', 'POST', { 'sec-fetch-site': 'cross-site' }, false],
    ['user', 'POST', {}, true],
  ])('takes on a route of %s a %s with %j: %s', async (level, method, headers, isTaken) => {
    expect((await ask(level, { method, headers })).outcome).toBe(isTaken ? undefined : 'foreign_origin');
  });
});
