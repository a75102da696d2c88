import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { anAccount } from '../../../test/support/people.js';
import { FakeClock } from '../../../test/support/fake-clock.js';
import type { ChangeFeed, ChangeListener } from '../../infra/events/change-feed.js';
import { DegradedModes } from '../../infra/observability/degraded-modes.js';
import type { AccountsService } from '../users/accounts.service.js';
import { IdentityService } from './identity.service.js';
import { digestOf, type SessionsService } from './sessions.service.js';

function service() {
  const clock = new FakeClock();
  const modes = new DegradedModes(clock);
  const state = { account: anAccount(), isAlive: true, way: 'password', reads: 0, touched: 0, isAway: false };
  let changed: ChangeListener = () => undefined;
  const read = <T>(value: T): T => {
    if (state.isAway) throw new Error('database away');
    state.reads += 1;
    return value;
  };
  const identities = new IdentityService(
    {
      find: async (digest: string) =>
        read(digest === digestOf('cookie') ? { userId: 7, way: state.way } : null),
      isAlive: () => state.isAlive,
      touch: async () => void (state.touched += 1),
    } as unknown as SessionsService,
    {
      findIdentity: async () => state.account,
      findByAccessToken: async (digest: string) => read(digest === digestOf('token') ? state.account : null),
    } as unknown as AccountsService,
    clock,
    modes,
    {
      on: (_topic: string, listener: ChangeListener) => {
        changed = listener;
        return () => undefined;
      },
    } as unknown as ChangeFeed,
  );
  return { identities, clock, modes, state, change: (id?: number) => changed(id) };
}

describe('IdentityService', () => {
  beforeAll(() => Logger.overrideLogger(false));
  afterAll(() => Logger.overrideLogger(['log', 'warn', 'error', 'fatal']));

  it('returns the account of a session and of a system access token', async () => {
    const { identities } = service();
    expect(await identities.ofSession('cookie')).toMatchObject({
      account: { id: 7 },
      sessionDigest: digestOf('cookie'),
      mustChangePassword: false,
    });
    expect(await identities.ofAccessToken('token')).toMatchObject({
      account: { id: 7 },
      sessionDigest: null,
    });
    expect([await identities.ofSession('guess'), await identities.ofAccessToken('guess')]).toEqual([
      null,
      null,
    ]);
  });

  it('returns no account for a login that is over', async () => {
    const { identities, state } = service();
    state.isAlive = false;
    expect(await identities.ofSession('cookie')).toBeNull();
  });

  it.each([
    [100, true],
    [10, false],
  ])(
    'requires a new password of role %s when the current one is well known: %s',
    async (role, mustChangePassword) => {
      const { identities, state } = service();
      Object.assign(state, { way: 'known-password', account: anAccount({ role }) });
      expect(await identities.ofSession('cookie')).toMatchObject({ mustChangePassword });
    },
  );

  it('reads role and status again after a second, and notes every use', async () => {
    const { identities, clock, state } = service();
    await identities.ofSession('cookie');
    clock.advance(999);
    await identities.ofSession('cookie');
    expect([state.reads, state.touched]).toEqual([1, 2]);
    clock.advance(1);
    state.account = anAccount({ status: 2 });
    expect(await identities.ofSession('cookie')).toMatchObject({ account: { status: 2 } });
  });

  it.each([[7], [undefined]])(
    'reads at once when account %s has changed, and not for another one',
    async (id) => {
      const { identities, state, change } = service();
      await identities.ofSession('cookie');
      change(8);
      await identities.ofSession('cookie');
      expect(state.reads).toBe(1);
      change(id);
      await identities.ofSession('cookie');
      expect(state.reads).toBe(2);
    },
  );

  it('remembers no guess', async () => {
    const { identities, state } = service();
    await identities.ofSession('guess');
    await identities.ofSession('guess');
    expect(state.reads).toBe(2);
  });

  it('takes a login of the last quarter of an hour while the database is away, where a route can do without it', async () => {
    const { identities, clock, modes, state } = service();
    await identities.ofSession('cookie');
    clock.advance(15 * 60_000);
    Object.assign(state, { isAway: true, touched: 0 });
    await expect(identities.ofSession('cookie', true)).rejects.toThrow('database away');
    modes.set('database-away', 'no answer');
    expect(await identities.ofSession('cookie', true)).toMatchObject({ account: { id: 7 } });
    expect(state.touched).toBe(0);
    await expect(identities.ofSession('cookie')).rejects.toThrow('database away');
    state.isAlive = false;
    await expect(identities.ofSession('cookie', true)).rejects.toThrow('database away');
    state.isAlive = true;
    clock.advance(1_001);
    await expect(identities.ofSession('cookie', true)).rejects.toThrow('database away');
  });
});
