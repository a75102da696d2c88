import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import { cleanLine } from '../../common/text.js';
import type { Actor } from '../../base/access/current-actor.js';
import { ROLE } from '../../base/access/user.codes.js';
import { AdministratorQuota } from '../../base/users/administrator-quota.js';
import { AccountCreation } from '../../base/users/account-creation.service.js';
import { assertDisplayName, assertUsername } from '../../base/users/user-rules.js';
import type { UserCreate } from './dto/user.dto.js';
import { UserPasswords } from './user-passwords.js';
import { UserRecords } from './user-records.js';

/** Accounts made by administrators. */
@Injectable()
export class UserCreation {
  constructor(
    private readonly accounts: AccountCreation,
    private readonly passwords: UserPasswords,
    private readonly records: UserRecords,
    private readonly allowance: AdministratorQuota,
  ) {}

  /** Role, quota and group of a new account are the options'. Fails: DomainError about name, password or role, `administrator_daily_limit`. */
  async create(actor: Actor, input: UserCreate): Promise<void> {
    const username = cleanLine(input.username);
    if (username === '' || input.password === '') throw new DomainError('username_and_password_required');
    if (input.role >= actor.role) throw new DomainError('user_role_too_high');
    assertUsername(username, 'administrator');
    const displayName = cleanLine(input.display_name) || username.slice(0, 20);
    assertDisplayName(displayName, 'administrator');
    const passwordHash = await this.passwords.hash(input.password);
    const id = await this.accounts.create({
      username,
      displayName,
      passwordHash,
      role: ROLE.user,
      actorId: actor.id,
      countGift: (manager, quota) => this.allowance.count(manager, actor, quota),
    });
    await this.records.record(null, actor, { action: 'create', target: { id, username }, detail: {} });
    await this.records.note(actor, { id, username }, { action: 'create', act: 'created the account' });
  }
}
