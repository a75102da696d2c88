import type { AuditMember } from '../../base/audit/audit-members.js';
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import { cleanLine } from '../../common/text.js';
import type { Actor } from '../../base/access/current-actor.js';
import { ROLE } from '../../base/access/user.codes.js';
import { assertMayActOn } from '../../base/users/may-act-on.js';
import type { UserEntity } from '../../base/users/user.entity.js';
import { OptionsService } from '../../base/options/options.service.js';
import { type ChangedNames, changedNames } from './changed-names.js';
import { movement, movementFacts } from './describe-adjustment.js';
import type { UserEdit } from './dto/user.dto.js';
import { type LockedUser, LockedUsers } from './locked-users.js';
import { UserPasswords } from './user-passwords.js';
import { UserQuota } from './user-quota.js';
import { type AdminActionNote, UserRecords } from './user-records.js';

/** Columns an edit may change beside the balance and the password. */
type EditedProfile = ChangedNames & { group?: string };
type EditedColumn = Exclude<keyof EditedProfile, 'usernameFolded'>;

/** Names of these columns in the audit log. */
const EDITED_NAMES: Readonly<Record<EditedColumn, AuditMember>> = {
  username: 'username',
  displayName: 'display_name',
  group: 'group',
};
const EDITED_COLUMNS = Object.keys(EDITED_NAMES) as EditedColumn[];

/** Names, group, balance and password of accounts, changed by administrators. */
@Injectable()
export class UserEditing {
  constructor(
    private readonly users: LockedUsers,
    private readonly passwords: UserPasswords,
    private readonly quota: UserQuota,
    private readonly records: UserRecords,
    private readonly options: OptionsService,
  ) {}

  /**
   * Writes what is present and may be written.
   * @returns true when the logins of the own account ended, so that this browser can be signed in anew
   */
  async edit(actor: Actor, input: UserEdit, ip: string): Promise<boolean> {
    if (input.role !== undefined && input.role >= actor.role && actor.role < ROLE.root)
      throw new DomainError('user_role_too_high');
    const isSelf = actor.id === input.id;
    const passwordHash = await this.passwords.newHash(actor, input, ip);
    if (passwordHash !== undefined && !isSelf) await this.records.admitDestructive(actor);
    const { row, written } = await this.users.change(input.id, async (user) => {
      assertMayActOn('edit', actor, user.row);
      return { row: user.row, written: await this.write(actor, user, input, passwordHash) };
    });
    if (written === null) return false;
    if (passwordHash !== undefined) this.passwords.notifyOwner(row.id, isSelf);
    await this.records.note(actor, row, written);
    return isSelf && passwordHash !== undefined;
  }

  /** @returns what was written, a password by its name only; null when nothing was */
  private async write(
    actor: Actor,
    { manager, row: user, write }: LockedUser,
    input: UserEdit,
    passwordHash: string | undefined,
  ): Promise<AdminActionNote | null> {
    const isSelf = actor.id === user.id;
    const profile = this.profileOf(user, input, isSelf);
    const hasNewPassword = passwordHash !== undefined;
    const changes = { ...profile, ...(hasNewPassword ? { password: passwordHash } : {}) };
    await write(changes, { endsLogins: hasNewPassword });
    const adjustment =
      isSelf || input.quota === undefined
        ? undefined
        : await this.quota.set(manager, actor, { ...input, quota: input.quota });
    const isAdjusted = adjustment !== undefined && adjustment.amount !== 0;
    const columns = EDITED_COLUMNS.filter((column) => profile[column] !== undefined);
    const members = [...columns, ...(hasNewPassword ? ['password'] : [])];
    if (members.length === 0 && !isAdjusted) return null;
    const detail = {
      ...Object.fromEntries(
        columns.flatMap((column) => [
          [`${EDITED_NAMES[column]}_before`, user[column]],
          [`${EDITED_NAMES[column]}_after`, profile[column] ?? ''],
        ]),
      ),
      ...(hasNewPassword ? { new_password_set: true } : {}),
      ...(isAdjusted ? { amount: adjustment.amount, reason: adjustment.reason } : {}),
    };
    await this.records.record(manager, actor, {
      action: 'edit',
      target: { id: user.id, username: user.username },
      detail,
    });
    const said = [...members, ...(isAdjusted ? [`quota ${movement(adjustment)}`] : [])];
    return {
      action: 'edit',
      act: `edited the account: ${said.join(', ')}`,
      members,
      ...(isAdjusted ? movementFacts(adjustment) : {}),
    };
  }

  /** Members that are present and differ. */
  private profileOf(user: UserEntity, input: UserEdit, isSelf: boolean): EditedProfile {
    const { username, display_name: displayName, group } = input;
    const wanted = {
      username: username === undefined ? user.username : cleanLine(username),
      displayName: displayName === undefined ? user.displayName : cleanLine(displayName),
    };
    const changes: EditedProfile = changedNames(user, wanted, 'administrator');
    if (!isSelf && group !== undefined && group !== user.group) {
      if (this.options.values().GroupRatio[group] === undefined)
        throw new DomainError('group_unknown', { group: group.slice(0, 64) });
      changes.group = group;
    }
    return changes;
  }
}
