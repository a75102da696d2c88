import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { DomainError } from '../../common/errors/domain-error.js';
import { isDuplicateKey, runInTransaction } from '../../infra/database/run-in-transaction.js';
import { Clock } from '../../common/clock.js';
import { boundTo, type IdentityProvider } from '../access/identity-providers.js';
import { type Role, ROLE } from '../access/user.codes.js';
import { AccountGifts, type Gifts, ROOT_GIFTS } from './account-gifts.js';
import { AccountsRepository } from './accounts.repository.js';
import { AccountsService } from './accounts.service.js';
import { INVITE_CODE_ATTEMPTS, makeInviteCode } from './invite-code.js';
import type { UserEntity } from './user.entity.js';
import { foldUsername } from './user-rules.js';

/** An account that is about to exist; name and password were checked by the caller. */
export interface AccountRequest {
  readonly username: string;
  readonly displayName: string;
  /** argon2id hash. */
  readonly passwordHash: string;
  readonly role: Role;
  readonly affCode?: string;
  /** A checked mail address; absent or empty = none. */
  readonly email?: string;
  /** External identity of the account. */
  readonly identity?: {
    readonly provider: IdentityProvider;
    readonly subject: string;
    readonly issuer: string;
  };
  /** Creator; 0 = the account itself. */
  readonly actorId: number;
  /** Called in the transaction with the quota the account starts with; throws to create nothing. */
  readonly countGift?: (manager: EntityManager, quota: number) => Promise<void>;
}

/** New accounts, each with its gifts in one transaction. */
@Injectable()
export class AccountCreation {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly repository: AccountsRepository,
    private readonly accounts: AccountsService,
    private readonly gifts: AccountGifts,
    private readonly clock: Clock,
  ) {}

  /**
   * Checks that the name may be chosen.
   * Fails: DomainError `username_taken`, `username_reserved`.
   */
  async assertNameFree(username: string): Promise<void> {
    if (await this.accounts.isNameTaken(username)) throw new DomainError('username_taken');
    await this.accounts.assertNotConfusable(username);
  }

  /**
   * A new account with its gifts, in one transaction.
   * Fails: DomainError `username_taken`, `mail_taken`.
   */
  async create(wanted: AccountRequest): Promise<number> {
    for (let attempt = 1; ; attempt += 1) {
      const id = await this.tryCreate(wanted);
      if (id !== null) return id;
      const { email = '' } = wanted;
      if (email !== '' && (await this.accounts.isMailTaken(email.toLowerCase())))
        throw new DomainError('mail_taken');
      // Otherwise the drawn invite code is taken: draw another one.
      if (attempt === INVITE_CODE_ATTEMPTS || (await this.accounts.isNameTaken(wanted.username)))
        throw new DomainError('username_taken');
    }
  }

  /**
   * Like `create`.
   * @param assertOpen  called inside the transaction; throws to create nothing
   * @returns null when the name, the mail address or the identity is taken
   */
  async tryCreate(wanted: AccountRequest, assertOpen: () => void = () => undefined): Promise<number | null> {
    const code = wanted.affCode ?? '';
    const inviter = code === '' ? null : await this.repository.findInviter(code);
    const gifts = await this.gifts.decide(inviter);
    const id = await runInTransaction(this.dataSource, (manager) => {
      assertOpen();
      return this.insertWith(manager, wanted, gifts);
    }).catch((error: unknown) => {
      if (isDuplicateKey(error)) return null;
      throw error;
    });
    if (id !== null) await this.gifts.note(id, wanted.username, gifts);
    return id;
  }

  /**
   * The first account of an installation, inside the transaction of its set-up.
   * @returns null when there is a root already. Fails: duplicate key when the name is taken.
   */
  async createRoot(
    manager: EntityManager,
    root: Pick<AccountRequest, 'username' | 'passwordHash'>,
  ): Promise<number | null> {
    if (await this.repository.hasRoot(manager)) return null;
    const wanted = { ...root, displayName: 'Root User', role: ROLE.root, actorId: 0 };
    return this.insertWith(manager, wanted, ROOT_GIFTS);
  }

  private async insertWith(manager: EntityManager, wanted: AccountRequest, gifts: Gifts): Promise<number> {
    const userId = await this.repository.insert(manager, {
      username: wanted.username,
      usernameFolded: foldUsername(wanted.username),
      displayName: wanted.displayName,
      password: wanted.passwordHash,
      role: wanted.role,
      affCode: makeInviteCode(),
      inviterId: gifts.inviter?.id ?? 0,
      createdAt: Math.floor(this.clock.nowMs() / 1000),
      ...mailOf(wanted),
      ...(wanted.identity === undefined ? {} : boundTo(wanted.identity.provider, wanted.identity)),
    });
    await this.gifts.give(manager, userId, gifts, wanted.actorId);
    await wanted.countGift?.(manager, gifts.forAccount + gifts.forUsingCode + gifts.forInviting);
    return userId;
  }
}

const mailOf = ({ email = '' }: AccountRequest): Pick<UserEntity, 'email' | 'emailFolded'> => ({
  email,
  emailFolded: email === '' ? null : email.toLowerCase(),
});
