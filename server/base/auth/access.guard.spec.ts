import { describe, expect, it } from '@jest/globals';
import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { anAccount } from '../../../test/support/people.js';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { DegradedModes } from '../../infra/observability/degraded-modes.js';
import { Access, type AccessLevel } from '../access/access.js';
import type { Actor } from '../access/current-actor.js';
import { NeedsFreshLogin } from '../access/needs-fresh-login.js';
import { OpenInDemo } from '../access/open-in-demo.js';
import { OpenWithKnownPassword } from '../access/open-with-known-password.js';
import type { Account } from '../users/account.js';
import type { OptionsService } from '../options/options.service.js';
import { DatabaseBehindPolicy } from './database-behind-policy.js';
import type { StepUpAuth } from './step-up.service.js';

// @nestjs/core must be loaded first, for the reason given in test/support/load-nest.ts for @nestjs/common.
const { AccessGuard } = await import('./access.guard.js');

interface Situation {
  readonly account?: Partial<Account> | null;
  readonly header?: unknown;
  readonly method?: string;
  readonly isDemo?: boolean;
  readonly needsFresh?: boolean;
  readonly mustChangePassword?: boolean;
}

/** @returns the actor of the route, or the code of the refusal */
async function admit(
  level: AccessLevel | undefined,
  {
    account = {},
    header = '7',
    method = 'GET',
    isDemo = false,
    needsFresh = false,
    mustChangePassword = false,
  }: Situation = {},
  ...marks: readonly MethodDecorator[]
): Promise<Actor | string | undefined> {
  const handler = (): void => undefined;
  const descriptor = { value: handler };
  for (const mark of level === undefined ? marks : [Access(level), ...marks]) mark({}, 'handler', descriptor);
  const request = {
    method,
    headers: { 'new-api-user': header },
    identity:
      account === null ? null : { account: anAccount(account), sessionDigest: 'digest', mustChangePassword },
  } as { actor?: Actor };
  const guard = new AccessGuard(
    new Reflector(),
    { values: () => ({ DemoSiteEnabled: isDemo }) } as unknown as OptionsService,
    {
      isRequired: needsFresh,
      assertFresh: () => Promise.reject(new DomainError('login_not_fresh')),
    } as unknown as StepUpAuth,
    new DatabaseBehindPolicy(new DegradedModes(new FakeClock())),
  );
  const context = {
    getHandler: () => handler,
    getClass: () => class Routes {},
    switchToHttp: () => ({ getRequest: () => request }),
  } as unknown as ExecutionContext;
  try {
    expect(await guard.canActivate(context)).toBe(true);
    return request.actor;
  } catch (error) {
    return error instanceof DomainError ? error.code : String(error);
  }
}

const ann = expect.objectContaining({ id: 7, role: 1, way: 'session', sessionDigest: 'digest' });

describe('AccessGuard', () => {
  it('refuses a route that declares no access level', async () => {
    expect(await admit(undefined)).toMatch(/declares no access level/);
  });

  it.each<[AccessLevel, number, unknown]>([
    ['user', 1, ann],
    ['admin', 1, 'not_permitted'],
    ['admin', 10, expect.anything()],
    ['root', 10, 'not_permitted'],
    ['root', 100, expect.anything()],
    ['user', 50, 'not_permitted'],
    ['user', 0, 'not_permitted'],
  ])('answers on a route of %s the role %s', async (level, role, answer) => {
    const got = await admit(level, { account: { role } });
    expect(typeof answer === 'string' ? got : { ...(got as Actor), role: 1 }).toEqual(
      answer === 'not_permitted' ? answer : ann,
    );
  });

  it.each<[string, Situation, string]>([
    ['nobody is signed in', { account: null }, 'not_signed_in'],
    ['no account is named', { header: null }, 'not_signed_in'],
    ['another account is named', { header: '8' }, 'not_signed_in'],
    ['the header comes twice', { header: ['7', '7'] }, 'not_signed_in'],
    ['the header is no plain number', { header: '7e0' }, 'not_signed_in'],
    ['the account is banned', { account: { status: 2 } }, 'account_banned'],
    ['the account is banned and another named', { account: { status: 2 }, header: '8' }, 'not_signed_in'],
    ['the account was emptied', { account: { username: '' } }, 'not_permitted'],
    ['the password is known to everybody', { mustChangePassword: true }, 'password_change_required'],
  ])('refuses a route for accounts when %s', async (_, situation, code) => {
    expect(await admit('user', situation)).toBe(code);
  });

  it.each<[string, AccessLevel, Situation, unknown]>([
    ['knows who is signed in', 'guest', {}, ann],
    ['knows nobody who is banned', 'guest', { account: { status: 2 } }, undefined],
    ['knows nobody whose password must change', 'guest', { mustChangePassword: true }, undefined],
    ['lets nobody in unnamed and all in', 'guest', { account: null }, undefined],
    ['looks at no account', 'public', {}, undefined],
  ])('%s on a route of %s', async (_, level, situation, actor) => {
    expect(await admit(level, situation)).toEqual(actor);
  });

  it('allows the routes of a password change while one is due', async () => {
    expect(await admit('user', { mustChangePassword: true }, OpenWithKnownPassword())).toEqual(ann);
  });

  it('requires a recent login of signed-in users when the option is on', async () => {
    expect(await admit('user', { needsFresh: true }, NeedsFreshLogin())).toBe('login_not_fresh');
    expect(await admit('user', { needsFresh: true })).toEqual(ann);
    expect(await admit('user', {}, NeedsFreshLogin())).toEqual(ann);
    expect(await admit('guest', { needsFresh: true, account: null }, NeedsFreshLogin())).toBeUndefined();
  });

  it('changes nothing on a demonstration site, but for root and where a route is open there', async () => {
    const demo = { isDemo: true, method: 'POST' };
    expect(await admit('user', demo)).toBe('demo_site');
    expect(await admit('public', demo)).toBe('demo_site');
    expect(await admit('user', { ...demo, method: 'GET' })).toEqual(ann);
    expect(await admit('user', demo, OpenInDemo())).toEqual(ann);
    expect(await admit('user', { ...demo, account: { role: 100 } })).toMatchObject({ role: 100 });
  });
});
