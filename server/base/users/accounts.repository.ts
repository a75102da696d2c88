import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import {
  Brackets,
  type EntityManager,
  In,
  IsNull,
  MoreThanOrEqual,
  Not,
  type Repository,
  type SelectQueryBuilder,
} from 'typeorm';
import { accountUid } from '../../common/record-owners.js';
import { escapeLike } from '../../common/text.js';
import { type Account, type Recipient, RECIPIENT_COLUMNS } from './account.js';
import type { AccountSort } from './account-sort.js';
import type { DeregisteredFilter } from './deregistered-filter.js';
import { type IdentityColumn, ISSUER_COLUMNS, type IssuerColumn } from '../access/identity-providers.js';
import { ROLE, USER_STATUS } from '../access/user.codes.js';
import { UserEntity } from './user.entity.js';
import { withRowLock } from '../../infra/database/dialect-of.js';

/** The columns of an account that are not money. */
export type ProfileChanges = Partial<
  Pick<
    UserEntity,
    | 'username'
    | 'usernameFolded'
    | 'displayName'
    | 'password'
    | 'email'
    | 'emailFolded'
    | 'group'
    | 'role'
    | 'status'
    | 'setting'
    | 'accessTokenDigest'
    | 'deletedAtMs'
    | 'deletedBy'
    | IdentityColumn
    | IssuerColumn
  >
>;

export type NewAccount = Pick<
  UserEntity,
  | 'username'
  | 'usernameFolded'
  | 'displayName'
  | 'password'
  | 'email'
  | 'emailFolded'
  | 'role'
  | 'affCode'
  | 'inviterId'
  | 'createdAt'
> &
  Partial<Pick<UserEntity, IdentityColumn | IssuerColumn>>;

/** An account with what reset links and notices need. */
export type AccountWithMail = Account & Pick<UserEntity, 'email' | 'emailFolded' | 'password'>;

/** Recipients one query names at most. */
const MAX_RECIPIENTS = 1_000;

const IDENTITY_COLUMNS = ['id', 'username', 'displayName', 'role', 'status', 'group', 'authVersion'] as const;

/** Reads and writes the users table; money columns belong to billing, rows of deleted accounts to DeregisteredAccountsRepository. */
@Injectable()
export class AccountsRepository {
  constructor(@InjectRepository(UserEntity) private readonly rows: Repository<UserEntity>) {}

  /** Null when there is none or it is deregistered. */
  async findIdentity(id: number): Promise<Account | null> {
    return this.users().findOne({ where: { id, deletedAtMs: IsNull() }, select: columns(IDENTITY_COLUMNS) });
  }

  async findByAccessToken(digest: string): Promise<Account | null> {
    return this.users().findOne({
      where: { accessTokenDigest: digest, deletedAtMs: IsNull() },
      select: columns(IDENTITY_COLUMNS),
    });
  }

  /** The account a login names, with its password hash. By mail address only when the text holds an `@`. */
  async findForLogin(folded: string): Promise<(Account & { password: string }) | null> {
    const name = folded.includes('@') ? { emailFolded: folded } : { usernameFolded: folded };
    return this.users().findOne({
      where: { ...name, deletedAtMs: IsNull() },
      select: columns([...IDENTITY_COLUMNS, 'password'] as const),
    });
  }

  /** Account of an identity at an external provider; deregistered accounts keep theirs. */
  async findByIdentity(
    column: IdentityColumn,
    subject: string,
  ): Promise<(Account & Pick<UserEntity, 'deletedAtMs' | IssuerColumn>) | null> {
    return this.users().findOne({
      where: { [column]: subject },
      select: columns([...IDENTITY_COLUMNS, 'deletedAtMs', ...ISSUER_COLUMNS] as const),
    });
  }

  /** Takes an identity off its account when another issuer vouched for it. @returns whether it did */
  async releaseIdentity(
    manager: EntityManager,
    id: number,
    [column, subject]: readonly [IdentityColumn, string],
    [issuerColumn, issuer]: readonly [IssuerColumn, string],
  ): Promise<boolean> {
    const result = await manager
      .getRepository(UserEntity)
      .update({ id, [column]: subject, [issuerColumn]: issuer }, { [column]: null, [issuerColumn]: null });
    return result.affected === 1;
  }

  /** Writes the issuer of identities that were bound without one. */
  async fillIssuers(column: IdentityColumn, issuerColumn: IssuerColumn, issuer: string): Promise<void> {
    await this.users().update(
      { [column]: Not(IsNull()), [issuerColumn]: IsNull() },
      { [issuerColumn]: issuer },
    );
  }

  /** Accounts, deregistered ones left out, that are bound to an identity of an issuer. */
  async countBound(column: IdentityColumn, issuerColumn: IssuerColumn, issuer: string): Promise<number> {
    return this.users().countBy({
      [column]: Not(IsNull()),
      [issuerColumn]: issuer,
      deletedAtMs: IsNull(),
    });
  }

  /** Accounts of role root that are neither deregistered nor banned. */
  async listRoots(): Promise<UserEntity[]> {
    return this.users().find({
      where: { role: ROLE.root, status: USER_STATUS.active, deletedAtMs: IsNull() },
    });
  }

  /** Names of administrators and roots, without deregistered ones. */
  async listStaffNames(): Promise<string[]> {
    const rows = await this.users().find({
      where: { role: MoreThanOrEqual(ROLE.admin), deletedAtMs: IsNull() },
      select: columns(['id', 'username'] as const),
      take: MAX_RECIPIENTS,
    });
    return rows.map(({ username }) => username);
  }

  async mailOf(id: number): Promise<string> {
    const row = await this.users().findOneOrFail({ where: { id }, select: { id: true, email: true } });
    return row.email;
  }

  /** Settings, and what records of money name the account by. */
  async callerFactsOf(id: number): Promise<{ readonly setting: string; readonly uid: string }> {
    const row = await this.users().findOneOrFail({
      where: { id },
      select: { id: true, setting: true, uid: true, createdAt: true },
    });
    return { setting: row.setting ?? '', uid: accountUid(row.uid, row.createdAt) };
  }

  /** Live, active accounts as notices see them. */
  async listRecipients(
    which: { readonly ids: readonly number[] } | { readonly role: number },
  ): Promise<Recipient[]> {
    const condition = 'ids' in which ? { id: In([...which.ids]) } : { role: which.role };
    return this.users().find({
      where: { ...condition, status: USER_STATUS.active, deletedAtMs: IsNull() },
      select: columns(RECIPIENT_COLUMNS),
      take: MAX_RECIPIENTS,
    });
  }

  async passwordOf(id: number): Promise<string> {
    const row = await this.users().findOneOrFail({ where: { id }, select: { id: true, password: true } });
    return row.password;
  }

  async renewHash(id: number, before: string, after: string): Promise<void> {
    await this.users().update({ id, password: before }, { password: after });
  }

  async signInFactsOf(
    id: number,
  ): Promise<{ readonly hasPassword: boolean; readonly hasAccessToken: boolean }> {
    const row = await this.users().findOneOrFail({
      where: { id },
      select: { id: true, password: true, accessTokenDigest: true },
    });
    return { hasPassword: row.password !== '', hasAccessToken: row.accessTokenDigest !== null };
  }

  /** The whole row without its secrets. Deregistered accounts only when asked for. */
  async find(id: number, options: { readonly withDeregistered: boolean }): Promise<UserEntity | null> {
    const alive = options.withDeregistered ? {} : { deletedAtMs: IsNull() };
    return this.users().findOne({ where: { id, ...alive } });
  }

  /** Locks the row until the transaction ends, so that a role cannot change meanwhile. */
  async findLocked(manager: EntityManager, id: number): Promise<UserEntity | null> {
    const query = manager.getRepository(UserEntity).createQueryBuilder('user').where('user.id = :id', { id });
    return withRowLock(query).getOne();
  }

  async hasRoot(manager: EntityManager = this.rows.manager): Promise<boolean> {
    return manager.getRepository(UserEntity).existsBy({ role: 100 });
  }

  /** Deregistered accounts count: their names are not given away again. */
  async isNameTaken(folded: string): Promise<boolean> {
    return this.users().existsBy({ usernameFolded: folded });
  }

  /**
   * Deregistered accounts count: what an address was given once is not given again.
   * @param mark  replacement of the address in an account whose personal fields were cleared
   */
  async isMailTaken(folded: string, mark: string): Promise<boolean> {
    return this.users().existsBy({ emailFolded: In([folded, mark]) });
  }

  /** The account of an address, unless it is deregistered. */
  async findByMail(folded: string): Promise<AccountWithMail | null> {
    return this.users().findOne({
      where: { emailFolded: folded, deletedAtMs: IsNull() },
      select: columns([...IDENTITY_COLUMNS, 'email', 'emailFolded', 'password'] as const),
    });
  }

  /** Null = the invite code is unknown, or its account is banned or deregistered. */
  async findInviter(affCode: string): Promise<Pick<UserEntity, 'id' | 'username'> | null> {
    return this.users().findOne({
      where: { affCode, status: USER_STATUS.active, deletedAtMs: IsNull() },
      select: columns(['id', 'username'] as const),
    });
  }

  /** @returns the new id. Fails: duplicate key when the name is taken. */
  async insert(manager: EntityManager, account: NewAccount): Promise<number> {
    const entity = manager.getRepository(UserEntity).create({ ...account, uid: randomUUID(), setting: '' });
    const { identifiers } = await manager.getRepository(UserEntity).insert(entity);
    return (identifiers[0] as { id: number }).id;
  }

  /**
   * @param endsLogins  sessions and the system access token stop
   * @returns false when the account does not exist or is deregistered
   */
  async update(
    manager: EntityManager,
    id: number,
    changes: ProfileChanges,
    { endsLogins }: { readonly endsLogins: boolean },
  ): Promise<boolean> {
    if (Object.keys(changes).length > 0) {
      const result = await manager.getRepository(UserEntity).update({ id, deletedAtMs: IsNull() }, changes);
      if (result.affected !== 1) return false;
    }
    if (endsLogins) await raiseAuthVersion(manager, id);
    return true;
  }

  async setLastLogin(id: number, nowSeconds: number): Promise<void> {
    await this.users().update({ id }, { lastLoginAt: nowSeconds });
  }

  /** Gives the account an invite code unless it has one by now. @returns false when the code belongs to another account */
  async claimAffCode(id: number, affCode: string): Promise<string | null> {
    await this.users().update({ id, affCode: IsNull() }, { affCode });
    const row = await this.users().findOneOrFail({ where: { id }, select: { id: true, affCode: true } });
    return row.affCode;
  }

  /** One page, newest account first, or the largest figure. Purged accounts are on none. */
  async list(filter: {
    readonly sort: AccountSort;
    readonly deregistered: DeregisteredFilter;
    readonly keyword: string;
    readonly group: string;
    /** 0 = any. */
    readonly role: number;
    /** 0 = any. */
    readonly status: number;
    readonly offset: number;
    readonly limit: number;
  }): Promise<{
    readonly rows: readonly UserEntity[];
    readonly total: number;
  }> {
    const query = this.users()
      .createQueryBuilder('user')
      .where('user.purgedAtMs IS NULL')
      .skip(filter.offset)
      .take(filter.limit);
    if (filter.sort !== '') query.orderBy(`user.${SORT_COLUMNS[filter.sort]}`, 'DESC');
    query.addOrderBy('user.id', 'DESC');
    if (filter.deregistered === 'hide') query.andWhere('user.deletedAtMs IS NULL');
    if (filter.deregistered === 'only') query.andWhere('user.deletedAtMs IS NOT NULL');
    if (filter.keyword !== '') matchKeyword(query, filter.keyword);
    if (filter.group !== '') query.andWhere('user.group = :group', { group: filter.group });
    if (filter.role !== 0) query.andWhere('user.role = :role', { role: filter.role });
    if (filter.status !== 0)
      query.andWhere('user.status = :status AND user.deletedAtMs IS NULL', { status: filter.status });
    const [rows, total] = await query.getManyAndCount();
    return { rows, total };
  }

  /**
   * Names of accounts that contain a text in any case, sorted; deregistered accounts are left out.
   * @param limit  most names that are returned
   */
  async namesContaining(part: string, limit: number): Promise<readonly string[]> {
    const rows = await this.users()
      .createQueryBuilder('user')
      .select('user.username', 'username')
      .where(`LOWER(user.username) LIKE :part ESCAPE '!'`, { part: `%${escapeLike(part.toLowerCase())}%` })
      .andWhere('user.deletedAtMs IS NULL')
      .orderBy('user.username', 'ASC')
      .limit(limit)
      .getRawMany<{ username: string }>();
    return rows.map(({ username }) => username);
  }

  private users() {
    return this.rows;
  }
}

const SORT_COLUMNS = {
  quota: 'quota',
  used_quota: 'usedQuota',
  request_count: 'requestCount',
} as const satisfies Readonly<Record<Exclude<AccountSort, ''>, keyof UserEntity>>;

function matchKeyword(query: SelectQueryBuilder<UserEntity>, keyword: string): void {
  const pattern = `%${escapeLike(keyword.toLowerCase())}%`;
  query.andWhere(
    new Brackets((any) => {
      for (const column of ['username', 'email', 'displayName']) {
        any.orWhere(`LOWER(user.${column}) LIKE :pattern ESCAPE '!'`, { pattern });
      }
      if (/^\d{1,9}$/.test(keyword)) any.orWhere('user.id = :id', { id: Number(keyword) });
    }),
  );
}

function columns<const Name extends string>(names: readonly Name[]): Record<Name, true> {
  return Object.fromEntries(names.map((name) => [name, true])) as Record<Name, true>;
}

/** Ends every session and the system access token of the account. */
export async function raiseAuthVersion(manager: EntityManager, id: number): Promise<void> {
  await manager
    .getRepository(UserEntity)
    .createQueryBuilder()
    .update()
    .set({
      authVersion: () => `${manager.connection.driver.escape('auth_version')} + 1`,
      accessTokenDigest: null,
    })
    .where({ id })
    .execute();
}
