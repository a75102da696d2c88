import { createHmac, randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { DomainError } from '../../common/errors/domain-error.js';
import { Env } from '../../config/env.js';
import { isDuplicateKey, runInTransaction } from '../../infra/database/run-in-transaction.js';
import { ChangeFeed } from '../../infra/events/change-feed.js';
import { Clock } from '../../relay-core/ports/clock.js';
import type { Account, Recipient } from './account.js';
import { AccountGifts, type GiftKind, type Gifts } from './account-gifts.js';
import { AccountsRepository, type AccountWithMail, type ProfileChanges } from './accounts.repository.js';
import { lookOf } from './look-alike-names.js';
import { loginNameOf } from './login-name.js';
import { type IdentityColumn, type Role, ROLE } from '../access/user.codes.js';
import type { UserEntity } from './user.entity.js';
import { foldUsername } from './user-rules.js';

const AFF_CODE_LENGTH = 8;
const AFF_CODE_ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';
const AFF_CODE_ATTEMPTS = 5;
/** Begins what stands for the address of an account whose personal fields were cleared; no address begins so. */
const GONE = 'gone:';

/** An account that is about to exist; name and password were checked by the caller. */
export interface AccountWish {
  readonly username: string;
  readonly displayName: string;
  /** argon2id hash. */
  readonly passwordHash: string;
  readonly role: Role;
  readonly affCode?: string;
  /** A checked mail address; absent or empty = none. */
  readonly email?: string;
  /** Where the account signs in from outside. */
  readonly identity?: { readonly column: IdentityColumn; readonly subject: string };
  /** Who makes it; 0 = the account itself. */
  readonly actorId: number;
  readonly gift: GiftKind;
}

/** Accounts as other modules use them: who is it, make one, change what is not money. */
@Injectable()
export class AccountsService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly accounts: AccountsRepository,
    private readonly gifts: AccountGifts,
    private readonly clock: Clock,
    private readonly feed: ChangeFeed,
    private readonly env: Env,
  ) {}

  findIdentity(id: number): Promise<Account | null> {
    return this.accounts.findIdentity(id);
  }

  findByAccessToken(digest: string): Promise<Account | null> {
    return this.accounts.findByAccessToken(digest);
  }

  /** @param name  username, or mail address when it holds an `@` */
  findForLogin(name: string): Promise<(Account & { password: string }) | null> {
    return this.accounts.findForLogin(loginNameOf(name));
  }

  /** The live account of a folded mail address, or null. */
  findByMail(folded: string): Promise<AccountWithMail | null> {
    return this.accounts.findByMail(folded);
  }

  /** An account's own settings, JSON text (empty = all defaults), and what records of money name it by. */
  callerFactsOf(id: number): Promise<{ readonly setting: string; readonly uid: string }> {
    return this.accounts.callerFactsOf(id);
  }

  /** The mail address of an account as it is written to; empty = none. */
  mailOf(id: number): Promise<string> {
    return this.accounts.mailOf(id);
  }

  /** Accounts as notices see them; deregistered and banned ones are left out. */
  listRecipients(ids: readonly number[]): Promise<Recipient[]> {
    return this.accounts.listRecipients({ ids });
  }

  listRootRecipients(): Promise<Recipient[]> {
    return this.accounts.listRecipients({ role: ROLE.root });
  }

  passwordOf(id: number): Promise<string> {
    return this.accounts.passwordOf(id);
  }

  /** Names of deregistered accounts count as taken. */
  isNameTaken(username: string): Promise<boolean> {
    return this.accounts.isNameTaken(foldUsername(username));
  }

  /** Nobody takes a name that looks like an administrator's. Fails: DomainError `username_reserved`. */
  async assertOwnLook(username: string): Promise<void> {
    if (await this.looksLikeStaff(username)) throw new DomainError('username_reserved');
  }

  async looksLikeStaff(username: string): Promise<boolean> {
    const look = lookOf(username);
    const staff = await this.accounts.listStaffNames();
    return staff.some((name) => lookOf(name) === look);
  }

  /** Whose outside identity this is, deregistered accounts included. */
  findByIdentity(
    column: IdentityColumn,
    subject: string,
  ): Promise<(Account & Pick<UserEntity, 'deletedAtMs'>) | null> {
    return this.accounts.findByIdentity(column, subject);
  }

  /** Addresses of deregistered accounts count as taken. @param folded  lower case */
  isMailTaken(folded: string): Promise<boolean> {
    return this.accounts.isMailTaken(folded, this.markOf(folded));
  }

  /** Accounts of role root that can sign in. */
  listRoots(): Promise<readonly UserEntity[]> {
    return this.accounts.listRoots();
  }

  /** The row, locked until the transaction ends. Fails: DomainError `user_not_found`, also for a deregistered account. */
  async lock(manager: EntityManager, id: number): Promise<UserEntity> {
    const user = await this.accounts.findLocked(manager, id);
    if (user === null || user.deletedAtMs !== null) throw new DomainError('user_not_found');
    return user;
  }

  /**
   * Takes an outside identity off a deregistered account. @returns false when it had none of this provider
   * Fails: DomainError `user_not_found`, `user_not_deregistered`.
   */
  async freeIdentity(manager: EntityManager, id: number, column: IdentityColumn): Promise<boolean> {
    const user = await this.accounts.findLocked(manager, id);
    if (user === null) throw new DomainError('user_not_found');
    if (user.deletedAtMs === null) throw new DomainError('user_not_deregistered');
    if (user[column] === null) return false;
    await this.accounts.clearIdentity(manager, id, column);
    return true;
  }

  /** Whether an account is deregistered or was never there; it stays as it is until the transaction ends. */
  async isGone(manager: EntityManager, id: number): Promise<boolean> {
    const user = await this.accounts.findLocked(manager, id);
    return user === null || user.deletedAtMs !== null;
  }

  /**
   * Clears the personal fields of accounts that were deregistered before `beforeMs`. Of an address only a keyed digest
   * stays, so that it earns no second gift.
   * @returns how many were cleared
   */
  async clearDeregistered(beforeMs: number, limit: number): Promise<number> {
    const rows = await this.accounts.listUncleared(beforeMs, limit);
    for (const { id, emailFolded } of rows)
      await runInTransaction(this.dataSource, (manager) =>
        this.accounts.clearPersonal(manager, id, emailFolded === null ? null : this.markOf(emailFolded)),
      );
    return rows.length;
  }

  /**
   * Clears what is personal of a deregistered account at once, its outside identities included, and takes it off every list. What the
   * books are made of stays: settlements, ledger, log, audit, and the row they point to with its name and its sums.
   * @returns its name. Fails: DomainError `user_not_found`, also for a purged account, `user_not_deregistered`.
   */
  async purge(manager: EntityManager, id: number): Promise<string> {
    const user = await this.accounts.findLocked(manager, id);
    if (user === null || user.purgedAtMs !== null) throw new DomainError('user_not_found');
    if (user.deletedAtMs === null) throw new DomainError('user_not_deregistered');
    const mark = user.emailFolded === null ? null : this.markOf(user.emailFolded);
    await this.accounts.clearPersonal(manager, id, mark);
    await this.accounts.markPurged(manager, id, this.clock.nowMs());
    return user.username;
  }

  hasRoot(manager?: EntityManager): Promise<boolean> {
    return this.accounts.hasRoot(manager);
  }

  async recordLogin(id: number): Promise<void> {
    await this.accounts.setLastLogin(id, this.nowSeconds());
  }

  /**
   * A new account with its gifts, in one transaction.
   * Fails: DomainError `username_taken`, `mail_taken`.
   */
  async create(wish: AccountWish): Promise<number> {
    for (let attempt = 1; ; attempt += 1) {
      const id = await this.tryCreate(wish);
      if (id !== null) return id;
      const { email = '' } = wish;
      if (email !== '' && (await this.isMailTaken(email.toLowerCase()))) throw new DomainError('mail_taken');
      // Otherwise the invite code that was drawn belongs to somebody: another one.
      if (attempt === AFF_CODE_ATTEMPTS || (await this.isNameTaken(wish.username)))
        throw new DomainError('username_taken');
    }
  }

  /**
   * As `create`.
   * @param assertOpen  asked inside the transaction; throws to create nothing
   * @returns null when the name, the mail address or the identity belongs to somebody
   */
  async tryCreate(wish: AccountWish, assertOpen: () => void = () => undefined): Promise<number | null> {
    const code = wish.affCode ?? '';
    const inviter = code === '' ? null : await this.accounts.findInviter(code);
    const gifts = await this.gifts.decide(wish.gift, inviter);
    const id = await runInTransaction(this.dataSource, (manager) => {
      assertOpen();
      return this.insertWith(manager, wish, gifts);
    }).catch((error: unknown) => {
      if (isDuplicateKey(error)) return null;
      throw error;
    });
    if (id !== null) await this.gifts.note(id, wish.username, gifts);
    return id;
  }

  /** As `create`, inside the caller's transaction and without an inviter. Fails: duplicate key when the name is taken. */
  async createWith(manager: EntityManager, wish: AccountWish): Promise<number> {
    return this.insertWith(manager, wish, await this.gifts.decide(wish.gift, null));
  }

  /**
   * Changes columns of an account; every instance hears of it.
   * @param endsLogins  sessions and the system access token stop (password, ban, role, deletion)
   * Fails: DomainError `username_taken`, `mail_taken`, `user_not_found`.
   */
  async change(
    id: number,
    changes: ProfileChanges,
    { endsLogins }: { readonly endsLogins: boolean },
  ): Promise<void> {
    await runInTransaction(this.dataSource, (manager) =>
      this.changeWith(manager, id, changes, { endsLogins }),
    ).catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error;
      throw new DomainError(changes.emailFolded == null ? 'username_taken' : 'mail_taken');
    });
    this.feed.announce('user', id);
  }

  /** As `change`, inside the caller's transaction; the caller announces `user` after the commit. */
  async changeWith(
    manager: EntityManager,
    id: number,
    changes: ProfileChanges,
    { endsLogins }: { readonly endsLogins: boolean },
  ): Promise<void> {
    if (Object.keys(changes).length > 0 && !(await this.accounts.update(manager, id, changes)))
      throw new DomainError('user_not_found');
    if (endsLogins) await this.accounts.raiseAuthVersion(manager, id);
  }

  /** The invite code of an account, made when it has none. */
  async affCodeOf(id: number): Promise<string> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const code = await this.accounts.claimAffCode(id, makeAffCode());
        if (code !== null) return code;
      } catch (error) {
        // Somebody has this code: another one.
        if (attempt === AFF_CODE_ATTEMPTS || !isDuplicateKey(error)) throw error;
      }
    }
  }

  private async insertWith(manager: EntityManager, wish: AccountWish, gifts: Gifts): Promise<number> {
    const userId = await this.accounts.insert(manager, {
      username: wish.username,
      usernameFolded: foldUsername(wish.username),
      displayName: wish.displayName,
      password: wish.passwordHash,
      role: wish.role,
      affCode: makeAffCode(),
      inviterId: gifts.inviter?.id ?? 0,
      createdAt: this.nowSeconds(),
      ...mailOf(wish),
      ...(wish.identity === undefined ? {} : { [wish.identity.column]: wish.identity.subject }),
    });
    await this.gifts.give(manager, userId, gifts, wish.actorId);
    return userId;
  }

  private markOf(folded: string): string {
    if (folded.startsWith(GONE)) return folded;
    return GONE + createHmac('sha256', this.env.cryptoSecret).update(`gone address ${folded}`).digest('hex');
  }

  private nowSeconds(): number {
    return Math.floor(this.clock.nowMs() / 1000);
  }
}

const mailOf = ({ email = '' }: AccountWish): Pick<UserEntity, 'email' | 'emailFolded'> => ({
  email,
  emailFolded: email === '' ? null : email.toLowerCase(),
});

function makeAffCode(): string {
  let code = '';
  for (let index = 0; index < AFF_CODE_LENGTH; index += 1)
    code += AFF_CODE_ALPHABET[randomInt(AFF_CODE_ALPHABET.length)];
  return code;
}
