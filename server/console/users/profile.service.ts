import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import { cleanLine } from '../../common/text.js';
import type { Actor } from '../../base/access/current-actor.js';
import { ROLE } from '../../base/access/user.codes.js';
import { AccountsRepository } from '../../base/users/accounts.repository.js';
import { AccountsService } from '../../base/users/accounts.service.js';
import { IdentityIssuers } from '../../base/users/identity-issuer.js';
import { presentUser } from '../../base/users/present-user.js';
import type { UserEntity } from '../../base/users/user.entity.js';
import type { UserView } from '../../base/users/user-view.js';
import { actorAndTarget } from '../../base/audit/actor-and-target.js';
import { AuditLog } from '../../base/audit/audit-log.js';
import { AccountMoney } from '../../base/billing/ledger/account-money.service.js';
import { changedNames } from './changed-names.js';
import type { SelfEdit } from './dto/user.dto.js';
import { UserPasswords } from './user-passwords.js';

/** The own account as its owner sees it: an identity that its issuer no longer vouches for is not bound. */
@Injectable()
export class ProfileView {
  constructor(
    private readonly money: AccountMoney,
    private readonly issuers: IdentityIssuers,
  ) {}

  async of(user: UserEntity): Promise<UserView> {
    const balances = await this.money.balancesOf([user.id]);
    return presentUser(this.issuers.withoutStale(user), balances.get(user.id) ?? user.quota, 'owner');
  }
}

/** Names and password of the own account. */
@Injectable()
export class ProfileService {
  constructor(
    private readonly repository: AccountsRepository,
    private readonly accounts: AccountsService,
    private readonly view: ProfileView,
    private readonly passwords: UserPasswords,
    private readonly audit: AuditLog,
  ) {}

  async get(actor: Actor): Promise<UserView> {
    return this.view.of(await this.find(actor.id));
  }

  /**
   * Changes name, display name and password. A password needs the original one and ends all logins; who has none yet needs a
   * recent login.
   * Fails: DomainError, `session_required` for a password by access token.
   * @returns true when its logins ended, so that this browser can be signed in anew
   */
  async edit(actor: Actor, input: SelfEdit, ip: string): Promise<boolean> {
    const user = await this.find(actor.id);
    const changes: ReturnType<typeof namesOf> & { password?: string } = namesOf(user, input);
    if (changes.username !== undefined && user.role < ROLE.admin)
      await this.accounts.assertNotConfusable(changes.username);
    const password = input.password ?? '';
    if (password !== '') {
      const typed = { password, original: input.original_password ?? '' };
      changes.password = await this.passwords.ownHash(actor, typed, ip);
    }
    if (Object.keys(changes).length === 0) return false;
    await this.accounts.change(actor.id, changes, { endsLogins: password !== '' });
    if (password !== '') {
      await this.audit.record(null, { ...actorAndTarget(actor), action: 'user.password' });
      this.passwords.notifyOwner(actor.id, true);
    }
    if (changes.username !== undefined)
      await this.audit.record(null, {
        ...actorAndTarget(actor),
        action: 'user.rename',
        detail: { before: user.username, now: changes.username },
      });
    return password !== '';
  }

  private async find(id: number): Promise<UserEntity> {
    const user = await this.repository.find(id, { withDeregistered: false });
    if (user === null) throw new DomainError('not_signed_in');
    return user;
  }
}

/** Name and display name, as far as they are present and differ. An empty name is no wish; an empty display name is one. */
function namesOf(user: UserEntity, { username = '', display_name: displayName }: SelfEdit) {
  const wanted = {
    username: cleanLine(username) || user.username,
    displayName: displayName === undefined ? user.displayName : cleanLine(displayName),
  };
  return changedNames(user, wanted, user.role >= ROLE.admin ? 'administrator' : 'owner');
}
