import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { DomainError } from '../../common/errors/domain-error.js';
import { cleanLine } from '../../common/text.js';
import { isDuplicateKey, runInTransaction } from '../../infra/database/run-in-transaction.js';
import { ChangeFeed } from '../../infra/events/change-feed.js';
import { Clock } from '../../relay-core/ports/clock.js';
import type { Actor } from '../access/current-actor.js';
import { AccountMoney } from '../billing/ledger/account-money.service.js';
import { OptionsService } from '../options/options.service.js';
import type { Account } from '../accounts/account.js';
import { SecurityEmails } from '../accounts/security-emails.js';
import { AccountsRepository, type ProfileChanges } from '../accounts/accounts.repository.js';
import { AccountsService } from '../accounts/accounts.service.js';
import type { UserCreate, UserEdit, UserManage } from './dto/user.dto.js';
import { assertMayActOn } from '../accounts/may-act-on.js';
import { UserPasswords } from './user-passwords.js';
import { type Adjustment, UserQuota } from './user-quota.js';
import { type ActNote, UserRecords } from './user-records.js';
import { assertDisplayName, assertUsername, foldUsername } from '../accounts/user-rules.js';
import { ROLE, USER_STATUS } from '../access/user.codes.js';
import type { UserEntity } from '../accounts/user.entity.js';

/** Ended calls give back what they did not use within so long. */
const RETURNS_MS = 50;
/** With pools emptied; half a second at most. */
const MOST_TRIES = 5;

/** What an edit may change beside the balance and the password. */
type EditedProfile = Partial<Pick<UserEntity, 'username' | 'usernameFolded' | 'displayName' | 'group'>>;
type EditedColumn = Exclude<keyof EditedProfile, 'usernameFolded'>;

/** What the audit log calls them. */
const EDITED_NAMES: Readonly<Record<EditedColumn, string>> = {
  username: 'username',
  displayName: 'display_name',
  group: 'group',
};
const EDITED_COLUMNS = Object.keys(EDITED_NAMES) as EditedColumn[];

const HARSH: ReadonlySet<UserManage['action']> = new Set(['disable', 'delete', 'demote']);

/** What administrators do to accounts. Every act checks the stored role under a lock and is recorded with it. */
@Injectable()
export class UsersService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly repository: AccountsRepository,
    private readonly accounts: AccountsService,
    private readonly passwords: UserPasswords,
    private readonly quota: UserQuota,
    private readonly records: UserRecords,
    private readonly letters: SecurityEmails,
    private readonly money: AccountMoney,
    private readonly options: OptionsService,
    private readonly feed: ChangeFeed,
    private readonly clock: Clock,
  ) {}

  /** Role, quota and group of a new account are the options'. Fails: DomainError about name, password or role. */
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
      gift: 'new-user',
    });
    await this.records.record(null, actor, { action: 'create', target: { id, username }, detail: {} });
    await this.records.note(actor, { id, username }, { action: 'create', act: 'created the account' });
  }

  /**
   * Writes what is present and may be written.
   * @returns the own account when its logins ended, so that this browser can be signed in anew; else null
   */
  async edit(actor: Actor, input: UserEdit, ip: string): Promise<Account | null> {
    if (input.role !== undefined && input.role >= actor.role && actor.role < ROLE.root)
      throw new DomainError('user_role_too_high');
    const isSelf = actor.id === input.id;
    const passwordHash = await this.passwords.newHash(actor, input, ip);
    if (passwordHash !== undefined && !isSelf) await this.records.admitHarsh(actor);
    const { user, written } = await this.changeBalance(input.id, async (manager, empty) => {
      const target = await this.lock(manager, input.id);
      await empty?.(manager);
      assertMayActOn('edit', actor, target);
      return { user: target, written: await this.write(manager, actor, target, input, passwordHash) };
    });
    if (written === null) return null;
    this.feed.announce('user', user.id);
    // Its owner hears of it.
    if (passwordHash !== undefined) this.letters.tell(user.id, isSelf ? 'password-changed' : 'password-set');
    await this.records.note(actor, user, written);
    return isSelf && passwordHash !== undefined ? this.accounts.findIdentity(actor.id) : null;
  }

  /** @returns role and status afterwards */
  async manage(actor: Actor, input: UserManage): Promise<{ role: number; status: number }> {
    const { action } = input;
    if (HARSH.has(action)) await this.records.admitHarsh(actor);
    const { after, adjustment } = await this.changeBalance(input.id, async (manager, empty) => {
      const user = await this.lock(manager, input.id);
      await empty?.(manager);
      assertMayActOn(action, actor, user);
      return this.act(manager, actor, user, input);
    });
    this.feed.announce('user', after.id);
    // A banned or deregistered account must not keep money in its pools.
    if (action === 'disable' || action === 'delete') await this.money.returnPools({ userId: after.id });
    if (action === 'delete') await this.records.countDeletion(actor);
    await this.records.note(actor, after, describe(action, after, adjustment));
    return { role: after.role, status: after.status };
  }

  /**
   * Takes what is left of a deregistered account off the lists; what the books need stays.
   * Fails: DomainError `user_not_found`, `user_not_deregistered`, `too_many_requests`.
   */
  async purge(actor: Actor, id: number): Promise<void> {
    await this.records.admitHarsh(actor);
    await this.change(async (manager) => {
      const username = await this.accounts.purge(manager, id);
      await this.records.record(manager, actor, { action: 'purge', target: { id, username }, detail: {} });
    });
    this.feed.announce('user', id);
  }

  private async act(
    manager: EntityManager,
    actor: Actor,
    user: UserEntity,
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
    const changes = this.changesOf(input.action);
    await this.accounts.changeWith(manager, user.id, changes, { endsLogins: input.action !== 'enable' });
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

  private changesOf(
    action: Exclude<UserManage['action'], 'add_quota'>,
  ): ProfileChanges & { role?: number; status?: number } {
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
        return { deletedAtMs: this.clock.nowMs() };
    }
  }

  /** @returns what was written, a password by its name only; null when nothing was */
  private async write(
    manager: EntityManager,
    actor: Actor,
    user: UserEntity,
    input: UserEdit,
    passwordHash: string | undefined,
  ): Promise<ActNote | null> {
    const isSelf = actor.id === user.id;
    const profile = this.profileOf(user, input, isSelf);
    const hasNewPassword = passwordHash !== undefined;
    const changes = { ...profile, ...(hasNewPassword ? { password: passwordHash } : {}) };
    await this.accounts.changeWith(manager, user.id, changes, { endsLogins: hasNewPassword });
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

  /** Members that are present and differ. Names made outside may be longer than typed ones, so an unchanged name is not checked. */
  private profileOf(user: UserEntity, input: UserEdit, isSelf: boolean): EditedProfile {
    const changes: EditedProfile = {};
    const username = input.username === undefined ? user.username : cleanLine(input.username);
    if (username !== user.username) {
      assertUsername(username, 'administrator');
      changes.username = username;
      changes.usernameFolded = foldUsername(username);
    }
    const displayName = input.display_name === undefined ? user.displayName : cleanLine(input.display_name);
    if (displayName !== user.displayName) {
      assertDisplayName(displayName, 'administrator');
      changes.displayName = displayName;
    }
    if (!isSelf && input.group !== undefined && input.group !== user.group) {
      if (this.options.values().GroupRatio[input.group] === undefined)
        throw new DomainError('group_unknown', { group: input.group.slice(0, 64) });
      changes.group = input.group;
    }
    return changes;
  }

  private async lock(manager: EntityManager, id: number): Promise<UserEntity> {
    const user = await this.repository.findLocked(manager, id);
    if (user === null) throw new DomainError('user_not_found');
    if (user.deletedAtMs !== null) throw new DomainError('user_deregistered');
    return user;
  }

  /**
   * A change that may lower a balance. Where what is set aside is in its way it is tried again with the pools of the account emptied:
   * only running calls keep what they hold, and ended ones for a moment.
   */
  private async changeBalance<T>(
    userId: number,
    work: (manager: EntityManager, empty?: (manager: EntityManager) => Promise<void>) => Promise<T>,
  ): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        if (tries === 1) return await this.change((manager) => work(manager));
        await this.money.returnPools({ userId });
        return await this.money.whilePoolIsEmpty(userId, (empty) =>
          this.change((manager) => work(manager, empty)),
        );
      } catch (error) {
        const isInUse = error instanceof DomainError && error.code === 'balance_in_use';
        if (!isInUse || tries > MOST_TRIES) throw error;
        if (tries > 1) await new Promise<void>((resolve) => this.clock.after(RETURNS_MS, resolve));
      }
    }
  }

  private change<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return runInTransaction(this.dataSource, work).catch((error: unknown) => {
      if (isDuplicateKey(error)) throw new DomainError('username_taken');
      throw error;
    });
  }
}

/** Signed, with what the balance was and is. */
function movement({ amount, balance, reason }: Adjustment): string {
  const sides = balance === undefined ? '' : ` from ${balance - amount} to ${balance}`;
  return `${amount > 0 ? '+' : ''}${amount}${sides}${reason === '' ? '' : ` (${reason})`}`;
}

const movementFacts = ({ amount, balance, reason }: Adjustment) => ({
  quota: amount,
  ...(balance === undefined ? {} : { quota_after: balance }),
  ...(reason === '' ? {} : { reason }),
});

function describe(
  action: UserManage['action'],
  { role, status }: UserEntity,
  adjustment: Adjustment | undefined,
): ActNote {
  return adjustment === undefined
    ? { action, act: `${action} (role ${role}, status ${status})`, role, status }
    : { action, act: `${action} ${movement(adjustment)}`, ...movementFacts(adjustment) };
}
