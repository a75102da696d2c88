import { describe, expect, it } from '@jest/globals';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { anAccount } from '../../../test/support/people.js';
import { DomainError } from '../../common/errors/domain-error.js';
import type { DatabaseBehindPolicy } from './database-behind-policy.js';
import type { OwnSessions } from './own-sessions.js';
import type { SecondStep } from './second-step.service.js';
import type { SignInMethod } from './sessions.service.js';
import { SignIn } from './sign-in.service.js';

const request = {} as FastifyRequest;
const reply = {} as FastifyReply;

function signIn({ hasApp = false, isBehind = false } = {}) {
  const service = new SignIn(
    {
      isNeeded: async () => hasApp,
      begin: async (_account: unknown, way: string) => `code after ${way}`,
      finish: async () => ({ account: anAccount(), firstStep: 'mail', code: 'app' }),
    } as unknown as SecondStep,
    { signIn: async (_account: unknown, detail: unknown) => detail } as unknown as OwnSessions,
    {
      assertMaySignIn: () => {
        if (isBehind) throw new DomainError('database_behind');
      },
    } as unknown as DatabaseBehindPolicy,
  );
  const finish = (way: SignInMethod, account = anAccount()): Promise<unknown> =>
    service.finish(account, way, request, reply).catch((error: { code: string }) => error.code);
  return { service, finish };
}

describe('SignIn', () => {
  it.each<[SignInMethod, unknown]>([
    ['password', 'code after password'],
    ['mail', 'code after mail'],
    ['github', 'code after github'],
    ['passkey', { way: 'passkey' }],
    ['two-factor', { way: 'two-factor' }],
  ])('requires a code from an account with an authenticator app, after %s', async (way, answer) => {
    expect(await signIn({ hasApp: true }).finish(way)).toEqual(answer);
    expect(await signIn().finish(way)).toEqual({ way });
  });

  it.each<[string, Promise<unknown>, string]>([
    ['a banned account', signIn().finish('passkey', anAccount({ status: 2 })), 'account_banned'],
    [
      'anybody while the database is behind',
      signIn({ isBehind: true }).finish('password'),
      'database_behind',
    ],
  ])('does not let in %s', async (_, finished, code) => {
    expect(await finished).toBe(code);
  });

  it('records both steps of a login by a code', async () => {
    expect(await signIn().service.confirm({ ticket: 'ticket', code: '123456' }, request, reply)).toEqual({
      way: 'two-factor',
      first_step: 'mail',
      code: 'app',
    });
  });
});
