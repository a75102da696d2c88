import { describe, expect, it } from '@jest/globals';
import { codeOf } from '../../../test/support/code-of.js';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { anActor } from '../../../test/support/people.js';
import { tokenRow } from '../../../test/support/stored-rows.js';
import type { AccountsService } from '../../base/users/accounts.service.js';
import type { AdministeredTokensRepository, LockColumns } from './administered-tokens.repository.js';
import type { TokenLockRecords } from './token-lock-records.js';
import { TokenLocks } from './token-locks.service.js';
import type { TokenStore } from './token-store.js';
import type { TokenRow } from './tokens.repository.js';

/** Token 3 belongs to account 7, an ordinary one unless said otherwise. */
function locks({ row = {} as Partial<TokenRow>, ownerRole = 1 } = {}) {
  const token = tokenRow({ id: 3, userId: 7, ...row });
  const done: unknown[] = [];
  const service = new TokenLocks(
    {
      change: async (ids: readonly number[], work: (manager: unknown) => Promise<unknown>) => {
        const result = await work({});
        done.push(['announced', ids]);
        return result;
      },
    } as unknown as TokenStore,
    {
      lock: async (_manager: unknown, id: number) => (id === 3 ? token : null),
      update: async (_manager: unknown, id: number, columns: LockColumns) =>
        void done.push(['written', id, columns]),
    } as unknown as AdministeredTokensRepository,
    {
      lock: async (_manager: unknown, id: number) => ({ id, role: ownerRole, username: 'ann' }),
    } as unknown as AccountsService,
    {
      admit: async () => undefined,
      record: async (_manager: unknown, _actor: unknown, entry: { action: string; status: number }) =>
        void done.push(['recorded', entry.action, entry.status]),
      announceLock: async (_token: unknown, reason: string) => void done.push(['notified', reason]),
    } as unknown as TokenLockRecords,
    new FakeClock(5_000),
  );
  return { service, done };
}
const admin = anActor({ id: 2, role: 10 });

describe('TokenLocks', () => {
  it('writes the lock, records it in the same transaction, and then announces it', async () => {
    const { service, done } = locks();
    await service.lock(admin, 3, ' leaked ');
    const columns: LockColumns = {
      status: 2,
      lockedAtMs: 5_000,
      lockedById: 2,
      lockReason: 'leaked',
      statusBeforeLock: 1,
    };
    expect(done).toEqual([
      ['written', 3, columns],
      ['recorded', 'lock', 2],
      ['announced', [3]],
      ['notified', 'leaked'],
    ]);
  });

  it.each([1, 2])('restores the status %d and sends no notice', async (statusBeforeLock) => {
    const { service, done } = locks({ row: { status: 2, lockedAtMs: 1, statusBeforeLock } });
    await service.unlock(admin, 3);
    expect(done).toEqual([
      ['written', 3, expect.objectContaining({ status: statusBeforeLock, lockedAtMs: null, lockReason: '' })],
      ['recorded', 'unlock', statusBeforeLock],
      ['announced', [3]],
    ]);
  });

  it.each([
    ['a second lock', { row: { lockedAtMs: 1 } }, admin, 3, 'token_locked'],
    ['a token that is not there', {}, admin, 4, 'not_found'],
    ['a token of another administrator', { ownerRole: 10 }, admin, 3, 'user_out_of_reach'],
    ['a token of root', { ownerRole: 100 }, anActor({ role: 100 }), 3, 'user_root_protected'],
    ['an ordinary account', {}, anActor({ id: 8 }), 3, 'not_permitted'],
  ])('refuses %s and writes nothing', async (_, setting, actor, id, code) => {
    const { service, done } = locks(setting);
    expect(await codeOf(service.lock(actor, id, 'leaked'))).toBe(code);
    expect(done).toEqual([]);
  });

  it('refuses to unlock a token without a lock', async () => {
    const { service, done } = locks();
    expect(await codeOf(service.unlock(admin, 3))).toBe('token_not_locked');
    expect(done).toEqual([]);
  });
});
