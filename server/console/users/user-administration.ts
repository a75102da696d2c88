import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import type { Actor } from '../../base/access/current-actor.js';
import { ROLE, USER_STATUS } from '../../base/access/user.codes.js';
import type { ProfileChanges } from '../../base/users/accounts.repository.js';
import { DeregisteredAccounts } from '../../base/users/deregistered-accounts.service.js';
import { assertMayActOn } from '../../base/users/may-act-on.js';
import type { UserEntity } from '../../base/users/user.entity.js';
import { movement, movementFacts } from './describe-adjustment.js';
import type { UserManage } from './dto/user.dto.js';
import { type LockedUser, LockedUsers } from './locked-users.js';
import { type Adjustment, UserQuota } from './user-quota.js';
import { type AdminActionNote, UserRecords } from './user-records.js';

const DESTRUCTIVE: ReadonlySet<UserManage['action']> = new Set(['disable', 'delete', 'demote']);

/** Role, status and quota of accounts, changed by administrators, and the end of accounts. */
@Injectable()
export class UserAdministration {
  constructor(
    private readonly users: LockedUsers,
    private readonly deregistered: DeregisteredAccounts,
    private readonly quota: UserQuota,
    private readonly records: UserRecords,
    private readonly clock: Clock,
  ) {}

  /** @returns role and status afterwards */
  async manage(actor: Actor, input: UserManage): Promise<{ role: number; status: number }> {
    const { action } = input;
    if (DESTRUCTIVE.has(action)) await this.records.admitDestructive(actor);
    const { after, adjustment } = await this.users.change(input.id, async (user) => {
      assertMayActOn(action, actor, user.row);
      return this.act(actor, user, input);
    });
    if (action === 'delete') await this.records.countDeletion(actor);
    await this.records.note(actor, after, describe(action, after, adjustment));
    return { role: after.role, status: after.status };
  }

  /**
   * Takes what is left of a deregistered account off the lists; what the books need stays.
   * Fails: DomainError `user_not_found`, `user_not_deregistered`, `too_many_requests`.
   */
  async purge(actor: Actor, id: number): Promise<void> {
    await this.records.admitDestructive(actor);
    await this.deregistered.purge(id, (manager, username) =>
      this.records.record(manager, actor, { action: 'purge', target: { id, username }, detail: {} }),
    );
  }

  private async act(
    actor: Actor,
    { manager, row: user, write }: LockedUser,
    input: UserManage,
  ): Promise<{ readonly after: UserEntity; readonly adjustment?: Adjustment }> {
    const target = { id: user.id, username: user.username };
    if (input.action === 'add_quota') {
      const adjustment = await this.quota.adjust(manager, actor, input);
      if (adjustment.amount !== 0)
        await this.records.record(manager, actor, {
          action: input.action,
          target,
          detail: { amount: adjustment.amount, reason: adjustment.reason },
        });
      return { after: user, adjustment };
    }
    const before = { role: user.role, status: user.status };
    const changes = this.changesOf(input.action, actor);
    await write(changes, { endsLogins: input.action !== 'enable' });
    const after = Object.assign(user, changes);
    await this.records.record(manager, actor, {
      action: input.action,
      target,
      detail: {
        role_before: before.role,
        role: after.role,
        status_before: before.status,
        status: after.status,
      },
    });
    return { after };
  }

  private changesOf(action: Exclude<UserManage['action'], 'add_quota'>, actor: Actor): ProfileChanges {
    switch (action) {
      case 'promote':
        return { role: ROLE.admin };
      case 'demote':
        return { role: ROLE.user };
      case 'disable':
        return { status: USER_STATUS.banned };
      case 'enable':
        return { status: USER_STATUS.active };
      case 'delete':
        return { deletedAtMs: this.clock.nowMs(), deletedBy: actor.id };
    }
  }
}

function describe(
  action: UserManage['action'],
  { role, status }: UserEntity,
  adjustment: Adjustment | undefined,
): AdminActionNote {
  return adjustment === undefined
    ? { action, act: `${action} (role ${role}, status ${status})`, role, status }
    : { action, act: `${action} ${movement(adjustment)}`, ...movementFacts(adjustment) };
}
