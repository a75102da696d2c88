import { randomUUID } from 'node:crypto';
import { type EntityManager, In } from 'typeorm';
import { UserEntity } from './user.entity.js';

/** An account of another gateway as it is stored here. Its money is booked by the billing module. */
export type ImportedAccount = Pick<
  UserEntity,
  | 'username'
  | 'usernameFolded'
  | 'displayName'
  | 'password'
  | 'role'
  | 'status'
  | 'email'
  | 'emailFolded'
  | 'accessTokenDigest'
  | 'group'
  | 'affCode'
  | 'affCount'
  | 'inviterId'
  | 'githubId'
  | 'oidcId'
  | 'wechatId'
  | 'telegramId'
  | 'linuxDoId'
  | 'githubIssuer'
  | 'oidcIssuer'
  | 'linuxDoIssuer'
  | 'wechatIssuer'
  | 'setting'
  | 'createdAt'
  | 'lastLoginAt'
  | 'deletedAtMs'
>;

/** Values that only one account can have. */
export const UNIQUE_ACCOUNT_COLUMNS = [
  'usernameFolded',
  'emailFolded',
  'accessTokenDigest',
  'affCode',
  'githubId',
  'oidcId',
  'wechatId',
  'telegramId',
  'linuxDoId',
] as const;
export type UniqueAccountColumn = (typeof UNIQUE_ACCOUNT_COLUMNS)[number];

const PER_QUERY = 300;

/** Stores an account, with its own number if it has one. @returns its number. Fails: duplicate key. */
export async function insertImportedAccount(
  manager: EntityManager,
  account: ImportedAccount,
  number: number | null,
): Promise<number> {
  const rows = manager.getRepository(UserEntity);
  const entity = rows.create({ ...account, uid: randomUUID(), ...(number === null ? {} : { id: number }) });
  await rows.insert(entity);
  return entity.id;
}

/** Values of a column that accounts here have already, with the number of the account. */
export async function accountsHaving(
  manager: EntityManager,
  column: UniqueAccountColumn,
  values: readonly string[],
): Promise<Map<string, number>> {
  const taken = new Map<string, number>();
  for (let from = 0; from < values.length; from += PER_QUERY) {
    const rows = await manager.getRepository(UserEntity).find({
      select: { id: true, [column]: true },
      where: { [column]: In(values.slice(from, from + PER_QUERY)) },
    });
    for (const row of rows) taken.set(row[column] ?? '', row.id);
  }
  return taken;
}

/** Numbers of accounts that are there, by role at least `role`. */
export async function accountNumbers(manager: EntityManager, role = 0): Promise<number[]> {
  const rows = await manager
    .getRepository(UserEntity)
    .createQueryBuilder('user')
    .select('user.id', 'id')
    .where('user.role >= :role', { role })
    .getRawMany<{ id: number }>();
  return rows.map(({ id }) => Number(id));
}

/** Names the inviter of accounts that were imported before it. */
export async function setInviter(manager: EntityManager, userId: number, inviterId: number): Promise<void> {
  await manager.getRepository(UserEntity).update({ id: userId }, { inviterId });
}
