import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import { cleanLine } from '../../common/text.js';
import { Clock } from '../../relay-core/ports/clock.js';
import type { AuditAction } from '../audit/audit-actions.js';
import { AuditLog } from '../audit/audit-log.js';
import type { Actor } from '../access/current-actor.js';
import { digestOf } from '../auth/sessions.service.js';
import { AccountMoney } from '../billing/ledger/account-money.service.js';
import type { Account } from '../accounts/account.js';
import { SecurityEmails } from '../accounts/security-emails.js';
import { AccountsRepository, type ProfileChanges } from '../accounts/accounts.repository.js';
import { AccountsService } from '../accounts/accounts.service.js';
import type { SelfEdit } from './dto/user.dto.js';
import { presentUser } from '../accounts/present-user.js';
import { UserPasswords } from './user-passwords.js';
import type { UserView } from '../accounts/user-view.js';
import { ROLE } from '../access/user.codes.js';
import type { UserEntity } from '../accounts/user.entity.js';
import { assertDisplayName, assertUsername, foldUsername } from '../accounts/user-rules.js';

/** 24 bytes: 32 characters of base64, the form clients of this API family know. */
const ACCESS_TOKEN_BYTES = 24;

/** What people do to their own account. */
@Injectable()
export class SelfService {
  constructor(
    private readonly repository: AccountsRepository,
    private readonly accounts: AccountsService,
    private readonly money: AccountMoney,
    private readonly passwords: UserPasswords,
    private readonly clock: Clock,
    private readonly audit: AuditLog,
    private readonly letters: SecurityEmails,
  ) {}

  async get(actor: Actor): Promise<UserView> {
    const user = await this.row(actor.id);
    const balances = await this.money.balancesOf([user.id]);
    return presentUser(user, balances.get(user.id) ?? user.quota, 'owner');
  }

  /**
   * Changes name, display name and password. A password needs the original one and ends all logins; who has none yet needs a
   * recent login.
   * Fails: DomainError, `session_required` for a password by access token.
   * @returns the account when its logins ended, so that the caller can be signed in anew; else null
   */
  async edit(actor: Actor, input: SelfEdit, ip: string): Promise<Account | null> {
    const user = await this.row(actor.id);
    const changes = profileOf(user, input);
    if (changes.username !== undefined && user.role < ROLE.admin)
      await this.accounts.assertOwnLook(changes.username);
    const password = input.password ?? '';
    if (password !== '')
      changes.password = await this.passwords.ownHash(actor, password, input.original_password ?? '', ip);
    if (Object.keys(changes).length === 0) return null;
    await this.accounts.change(actor.id, changes, { endsLogins: password !== '' });
    if (password !== '') {
      await this.note(actor, 'user.password');
      this.letters.tell(actor.id, 'password-changed');
    }
    if (changes.username !== undefined)
      await this.note(actor, 'user.rename', { before: user.username, now: changes.username });
    return password === '' ? null : this.accounts.findIdentity(actor.id);
  }

  /**
   * Makes or replaces the system access token. A leaked one must not be able to outlive its replacement.
   * @returns it, this once
   */
  async renewAccessToken(actor: Actor): Promise<string> {
    assertSession(actor);
    const token = randomBytes(ACCESS_TOKEN_BYTES).toString('base64');
    await this.accounts.change(actor.id, { accessTokenDigest: digestOf(token) }, { endsLogins: false });
    await this.note(actor, 'user.access_token');
    this.letters.tell(actor.id, 'access-token');
    return token;
  }

  /**
   * Deregisters the account. Clients of this API family confirm in the browser; a name that is sent must be right.
   * Fails: DomainError `session_required`, `root_cannot_leave`, `account_name_mismatch`.
   */
  async leave(actor: Actor, typedName: string | undefined): Promise<void> {
    assertSession(actor);
    if (actor.role >= ROLE.root) throw new DomainError('root_cannot_leave');
    if (typedName !== undefined && typedName !== actor.username)
      throw new DomainError('account_name_mismatch');
    await this.accounts.change(actor.id, { deletedAtMs: this.clock.nowMs() }, { endsLogins: true });
    await this.note(actor, 'user.leave', { username: actor.username });
    await this.money.returnPools({ userId: actor.id });
  }

  private note(
    actor: Actor,
    action: AuditAction,
    detail: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    return this.audit.record(null, {
      actorId: actor.id,
      actorRole: actor.role,
      action,
      targetType: 'user',
      targetId: actor.id,
      detail,
    });
  }

  private async row(id: number): Promise<UserEntity> {
    const user = await this.repository.find(id, { withDeregistered: false });
    if (user === null) throw new DomainError('not_signed_in');
    return user;
  }
}

function assertSession(actor: Actor): void {
  if (actor.way !== 'session') throw new DomainError('session_required');
}

/** Name and display name, as far as they are present and differ. An empty name is no wish; an empty display name is one. */
function profileOf(
  user: UserEntity,
  input: SelfEdit,
): { -readonly [Key in keyof ProfileChanges]: ProfileChanges[Key] } {
  const changes: { -readonly [Key in keyof ProfileChanges]: ProfileChanges[Key] } = {};
  const by = user.role >= ROLE.admin ? 'administrator' : 'owner';
  const username = cleanLine(input.username ?? '');
  if (username !== '' && username !== user.username) {
    assertUsername(username, by);
    changes.username = username;
    changes.usernameFolded = foldUsername(username);
  }
  const displayName = input.display_name === undefined ? user.displayName : cleanLine(input.display_name);
  if (displayName !== user.displayName) {
    assertDisplayName(displayName, by);
    changes.displayName = displayName;
  }
  return changes;
}
