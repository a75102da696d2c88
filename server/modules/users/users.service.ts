import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { DomainError } from '../../common/errors/domain-error.js';
import { MAX_OFFSET, type Page } from '../../common/page.js';
import { cleanLine } from '../../common/text.js';
import { isDuplicateKey, runInTransaction } from '../../infra/database/run-in-transaction.js';
import { ChangeFeed } from '../../infra/events/change-feed.js';
import { Clock } from '../../relay-core/ports/clock.js';
import type { Actor } from '../auth/decorators/current-actor.js';
import { PasswordHasher } from '../auth/password.js';
import { AccountMoney, BalanceTooHighError, BalanceTooLowError } from '../billing/account-money.service.js';
import { LOG_TYPE } from '../logs/log.codes.js';
import { LogWriter } from '../logs/log-writer.js';
import { OptionsService } from '../options/options.service.js';
import { AccountsRepository, type ProfileChanges } from './accounts.repository.js';
import { AccountsService } from './accounts.service.js';
import type { UserCreate, UserEdit, UserManage, UserSearchQuery } from './dto/user.dto.js';
import { assertMayActOn } from './may-act-on.js';
import { presentUser } from './present-user.js';
import type { UserView } from './user-view.js';
import { ROLE, USER_STATUS } from './user.codes.js';
import type { UserEntity } from './user.entity.js';
import { assertDisplayName, assertPassword, assertUsername, foldUsername } from './user-rules.js';

/** What administrators do to accounts. Every act checks the stored role under a lock and leaves a line in the log (USER-7). */
@Injectable()
export class UsersService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: AccountsRepository,
    private readonly accounts: AccountsService,
    private readonly hasher: PasswordHasher,
    private readonly money: AccountMoney,
    private readonly options: OptionsService,
    private readonly logs: LogWriter,
    private readonly feed: ChangeFeed,
    private readonly clock: Clock,
  ) {}

  async list(query: UserSearchQuery): Promise<Page<UserView>> {
    const offset = (query.p - 1) * query.page_size;
    if (offset > MAX_OFFSET)
      throw new DomainError('malformed_input', { field: 'p', problem: ' (too far, narrow the search)' });
    const { rows, total } = await this.repository.list({
      keyword: query.keyword,
      group: query.group,
      offset,
      limit: query.page_size,
    });
    const balances = await this.money.balancesOf(rows.map(({ id }) => id));
    const items = rows.map((row) => presentUser(row, balances.get(row.id) ?? row.quota, 'administrator'));
    return { items, total, page: query.p, page_size: query.page_size };
  }

  async get(actor: Actor, id: number): Promise<UserView> {
    const user = await this.repository.find(id, { withDeregistered: false });
    if (user === null) throw new DomainError('user_not_found');
    assertMayActOn('read', actor, user);
    return this.present(user);
  }

  async create(actor: Actor, input: UserCreate): Promise<void> {
    const username = cleanLine(input.username);
    if (username === '' || input.password === '') throw new DomainError('username_and_password_required');
    if (input.role >= actor.role) throw new DomainError('user_role_too_high');
    assertUsername(username, 'administrator');
    assertPassword(input.password);
    const displayName = cleanLine(input.display_name) || username.slice(0, 20);
    assertDisplayName(displayName);
    const passwordHash = await this.hasher.hash(input.password);
    const id = await this.accounts.create({
      username,
      displayName,
      passwordHash,
      role: ROLE.user,
      actorId: actor.id,
      gift: 'new-user',
    });
    await this.note(actor, { id, username }, 'created the account');
  }

  async edit(actor: Actor, input: UserEdit): Promise<void> {
    if (input.role !== undefined && input.role >= actor.role && actor.role < ROLE.root)
      throw new DomainError('user_role_too_high');
    const passwordHash =
      input.password === undefined || input.password === ''
        ? undefined
        : await this.hashChecked(input.password);
    const target = await this.change(async (manager) => {
      const user = await this.lock(manager, input.id);
      assertMayActOn('edit', actor, user);
      const isSelf = actor.id === user.id;
      const changes = {
        ...this.profileOf(user, input, isSelf),
        ...(passwordHash === undefined ? {} : { password: passwordHash }),
      };
      await this.accounts.changeWith(manager, user.id, changes, { endsLogins: passwordHash !== undefined });
      if (!isSelf && input.quota !== undefined)
        await this.setQuota(manager, actor, user, input.quota, input.loaded_quota);
      return {
        user,
        facts: [...Object.keys(changes), ...(input.quota === undefined || isSelf ? [] : ['quota'])],
      };
    });
    this.feed.announce('user', target.user.id);
    if (target.facts.length > 0)
      await this.note(actor, target.user, `edited the account: ${describe(target.facts)}`);
  }

  /** @returns role and status afterwards */
  async manage(actor: Actor, input: UserManage): Promise<{ role: number; status: number }> {
    const after = await this.change(async (manager) => {
      const user = await this.lock(manager, input.id);
      assertMayActOn(input.action, actor, user);
      if (input.action === 'add_quota') {
        await this.adjustQuota(manager, actor, user, input);
        return user;
      }
      const changes = this.changesOf(input.action);
      await this.accounts.changeWith(manager, user.id, changes, { endsLogins: input.action !== 'enable' });
      return Object.assign(user, changes);
    });
    this.feed.announce('user', after.id);
    // A banned or deregistered account must not keep money in its pools.
    if (input.action === 'disable' || input.action === 'delete')
      await this.money.sendPoolsHome({ userId: after.id });
    await this.note(actor, after, `${input.action} (role ${after.role}, status ${after.status})`);
    return { role: after.role, status: after.status };
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

  /** Members that are present and differ. Names made outside may be longer than typed ones, so an unchanged name is not checked. */
  private profileOf(user: UserEntity, input: UserEdit, isSelf: boolean): ProfileChanges {
    const changes: { -readonly [Key in keyof ProfileChanges]: ProfileChanges[Key] } = {};
    const username = input.username === undefined ? user.username : cleanLine(input.username);
    if (username !== user.username) {
      assertUsername(username, 'administrator');
      changes.username = username;
      changes.usernameFolded = foldUsername(username);
    }
    const displayName = input.display_name === undefined ? user.displayName : cleanLine(input.display_name);
    if (displayName !== user.displayName) {
      assertDisplayName(displayName);
      changes.displayName = displayName;
    }
    if (!isSelf && input.group !== undefined && input.group !== user.group) {
      if (this.options.values().GroupRatio[input.group] === undefined)
        throw new DomainError('group_unknown', { group: input.group.slice(0, 64) });
      changes.group = input.group;
    }
    return changes;
  }

  /** The difference to what the form showed, so that what was spent meanwhile stays spent (USER-6, ADM-02). */
  private async setQuota(
    manager: EntityManager,
    actor: Actor,
    user: UserEntity,
    wanted: number,
    loaded: number | undefined,
  ): Promise<void> {
    const shown = loaded ?? (await this.balanceOf(manager, user.id));
    await this.bookAdjustment(manager, actor, user.id, wanted - shown, randomUUID());
  }

  private async adjustQuota(
    manager: EntityManager,
    actor: Actor,
    user: UserEntity,
    input: UserManage,
  ): Promise<void> {
    const { mode, value, operation_id: operationId = randomUUID() } = input;
    if (mode === undefined || value === undefined || (mode !== 'override' && value <= 0)) {
      throw new DomainError('malformed_input', {
        field: 'value',
        problem: ' (add and subtract need a value above 0)',
      });
    }
    const difference =
      mode === 'add'
        ? value
        : mode === 'subtract'
          ? -value
          : value - (await this.balanceOf(manager, user.id));
    await this.bookAdjustment(manager, actor, user.id, difference, operationId);
  }

  private async bookAdjustment(
    manager: EntityManager,
    actor: Actor,
    userId: number,
    amount: number,
    ref: string,
  ): Promise<void> {
    if (amount === 0) return;
    if (!Number.isSafeInteger(amount))
      throw new DomainError(amount > 0 ? 'balance_too_high' : 'balance_in_use');
    try {
      await this.money.adjust(manager, {
        userId,
        amount,
        ref,
        actorId: actor.id,
        reason: `adjusted by ${actor.username}`,
      });
    } catch (error) {
      if (error instanceof BalanceTooLowError) throw new DomainError('balance_in_use');
      if (error instanceof BalanceTooHighError) throw new DomainError('balance_too_high');
      throw error;
    }
  }

  private async balanceOf(manager: EntityManager, id: number): Promise<number> {
    return (await this.money.balancesOf([id], manager)).get(id) ?? 0;
  }

  private async lock(manager: EntityManager, id: number): Promise<UserEntity> {
    const user = await this.repository.findLocked(manager, id);
    if (user === null) throw new DomainError('user_not_found');
    if (user.deletedAtMs !== null) throw new DomainError('user_deregistered');
    return user;
  }

  private change<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return runInTransaction(this.dataSource, work).catch((error: unknown) => {
      if (isDuplicateKey(error)) throw new DomainError('username_taken');
      throw error;
    });
  }

  private async hashChecked(password: string): Promise<string> {
    assertPassword(password);
    return this.hasher.hash(password);
  }

  private async present(user: UserEntity): Promise<UserView> {
    const balances = await this.money.balancesOf([user.id]);
    return presentUser(user, balances.get(user.id) ?? user.quota, 'administrator');
  }

  private note(
    actor: Actor,
    target: { readonly id: number; readonly username: string },
    act: string,
  ): Promise<void> {
    return this.logs.write({
      type: LOG_TYPE.administration,
      userId: target.id,
      username: target.username,
      content: `Administrator ${actor.username} (id ${actor.id}) ${act}`,
      other: { admin_info: { operator_id: actor.id, operator: actor.username } },
    });
  }
}

/** Column names as words; a password is named, never shown. */
const describe = (facts: readonly string[]): string =>
  facts.filter((fact) => fact !== 'usernameFolded').join(', ');
