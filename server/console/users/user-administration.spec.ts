import { describe, expect, it } from '@jest/globals';
import { codeOf } from '../../../test/support/code-of.js';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { anActor } from '../../../test/support/people.js';
import { userRow } from '../../../test/support/stored-rows.js';
import { DomainError } from '../../common/errors/domain-error.js';
import type { DeregisteredAccounts } from '../../base/users/deregistered-accounts.service.js';
import type { UserManage } from './dto/user.dto.js';
import type { LockedUser, LockedUsers } from './locked-users.js';
import { UserAdministration } from './user-administration.js';
import type { UserQuota } from './user-quota.js';
import type { UserRecords } from './user-records.js';

function acts({ role = 1, isTooOften = false, amount = 5 } = {}) {
  const done: unknown[] = [];
  const service = new UserAdministration(
    {
      change: async (id: number, work: (user: LockedUser) => Promise<unknown>) =>
        work({
          manager: {},
          row: userRow({ id, role }),
          write: async (...write: unknown[]) => void done.push(write),
        } as unknown as LockedUser),
    } as unknown as LockedUsers,
    { purge: async () => void done.push('purged') } as unknown as DeregisteredAccounts,
    { adjust: async () => ({ amount, reason: 'gift', before: 0, after: amount }) } as unknown as UserQuota,
    {
      admitDestructive: async () => {
        if (isTooOften) throw new DomainError('too_many_requests');
      },
      countDeletion: async () => void done.push('counted'),
      record: async (
        _manager: unknown,
        _actor: unknown,
        { action, detail }: { action: string; detail: unknown },
      ) => void done.push([action, detail]),
      note: async () => void done.push('noted'),
    } as unknown as UserRecords,
    new FakeClock(5),
  );
  const manage = (action: UserManage['action'], actorRole = 100) =>
    codeOf(service.manage(anActor({ id: 2, role: actorRole }), { id: 8, action } as UserManage));
  return { service, done, manage };
}

describe('UserActs', () => {
  it.each<[UserManage['action'], number, object, boolean, object]>([
    ['promote', 1, { role: 10 }, true, { role_before: 1, role: 10 }],
    ['demote', 10, { role: 1 }, true, { role_before: 10, role: 1 }],
    ['disable', 1, { status: 2 }, true, { status_before: 1, status: 2 }],
    ['enable', 1, { status: 1 }, false, { status: 1 }],
    ['delete', 1, { deletedAtMs: 5, deletedBy: 2 }, true, { role: 1 }],
  ])(
    'does %s, ends logins where it takes something away, and records before and after',
    async (action, role, changes, endsLogins, detail) => {
      const { done, manage } = acts({ role });
      expect(await manage(action)).toBe('done');
      expect(done.slice(0, 2)).toEqual([
        [changes, { endsLogins }],
        [action, expect.objectContaining(detail)],
      ]);
      expect(done.includes('counted')).toBe(action === 'delete');
      expect(done.at(-1)).toBe('noted');
    },
  );

  it.each<[UserManage['action'], number, number, string]>([
    ['delete', 10, 10, 'user_out_of_reach'],
    ['delete', 100, 100, 'user_root_protected'],
    ['promote', 1, 10, 'user_promote_by_root_only'],
    ['add_quota', 10, 10, 'user_out_of_reach'],
  ])('refuses to %s an account of role %i by one of role %i', async (action, role, actorRole, code) => {
    const { done, manage } = acts({ role });
    expect(await manage(action, actorRole)).toBe(code);
    expect(done).toEqual([]);
  });

  it('bounds how fast one administrator takes something away, and nothing else', async () => {
    const { service, done, manage } = acts({ isTooOften: true });
    for (const action of ['disable', 'delete', 'demote'] as const)
      expect(await manage(action)).toBe('too_many_requests');
    expect(await codeOf(service.purge(anActor(), 8))).toBe('too_many_requests');
    expect(done).toEqual([]);
    expect(await manage('enable')).toBe('done');
  });

  it('records a movement of quota, and none of nothing', async () => {
    const moved = acts();
    await moved.manage('add_quota');
    expect(moved.done).toEqual([['add_quota', { amount: 5, reason: 'gift' }], 'noted']);
    const none = acts({ amount: 0 });
    await none.manage('add_quota');
    expect(none.done).toEqual(['noted']);
  });
});
