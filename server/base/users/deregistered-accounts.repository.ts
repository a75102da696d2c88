import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Brackets, type EntityManager, IsNull, MoreThan, Not, type Repository } from 'typeorm';
import { EXTERNAL_IDENTITIES, type IdentityColumn, ISSUER_COLUMNS } from '../access/identity-providers.js';
import { raiseAuthVersion } from './accounts.repository.js';
import { type UserOwnedEntity, PersonalDataTables } from './personal-data-tables.js';
import { UserEntity } from './user.entity.js';

/** Reads, clears and restores the rows of deregistered accounts. */
@Injectable()
export class DeregisteredAccountsRepository {
  constructor(
    @InjectRepository(UserEntity) private readonly rows: Repository<UserEntity>,
    private readonly personal: PersonalDataTables,
  ) {}

  /** Accounts that were deregistered before `beforeMs` and still have personal fields, or rows of theirs elsewhere. */
  async listUncleared(beforeMs: number, limit: number): Promise<Pick<UserEntity, 'id' | 'emailFolded'>[]> {
    return this.rows
      .createQueryBuilder('user')
      .select(['user.id', 'user.emailFolded'])
      .where('user.deletedAtMs < :beforeMs', { beforeMs })
      .andWhere(
        new Brackets((any) => {
          for (const column of ['email', 'displayName', 'setting', 'password'])
            any.orWhere(`user.${column} <> ''`);
          for (const table of this.personal.list()) any.orWhere(ownedRows(this.rows, table));
        }),
      )
      .orderBy('user.id', 'ASC')
      .limit(limit)
      .getMany();
  }

  /** Ids of accounts that were purged after `sinceMs`. */
  async listPurged(sinceMs: number, limit: number): Promise<number[]> {
    const rows = await this.rows.find({
      where: { purgedAtMs: MoreThan(sinceMs) },
      order: { purgedAtMs: 'DESC' },
      select: { id: true },
      take: limit,
    });
    return rows.map(({ id }) => id);
  }

  /** Clears what is personal in a deregistered account; its name stays taken, its money stays in the ledger. */
  async clearPersonal(manager: EntityManager, id: number, mailMark: string | null): Promise<void> {
    const { affected } = await manager
      .getRepository(UserEntity)
      .update(
        { id, deletedAtMs: Not(IsNull()) },
        { email: '', emailFolded: mailMark, displayName: '', setting: '', password: '', deletedBy: null },
      );
    if (affected !== 1) return;
    for (const table of this.personal.list()) await manager.getRepository(table).delete({ userId: id });
  }

  /** Clears what is personal in the usage log, which may be another database. Outside of transactions. */
  async clearElsewhere(id: number): Promise<void> {
    await this.personal.clearElsewhere(id);
  }

  /** Takes every outside identity and the invite code off a deregistered account, and off every list. */
  async markPurged(manager: EntityManager, id: number, nowMs: number): Promise<void> {
    const identities = Object.fromEntries(
      [...EXTERNAL_IDENTITIES, ...ISSUER_COLUMNS].map((column) => [column, null] as const),
    );
    await manager
      .getRepository(UserEntity)
      .update({ id, deletedAtMs: Not(IsNull()) }, { ...identities, affCode: null, purgedAtMs: nowMs });
  }

  async clearIdentity(manager: EntityManager, id: number, column: IdentityColumn): Promise<void> {
    await manager.getRepository(UserEntity).update({ id, deletedAtMs: Not(IsNull()) }, { [column]: null });
  }

  /**
   * Puts a deregistered account back into use. Name, address, identities and second factors it still has are its own again; no login and
   * no system access token comes back. Call it behind the lock of the row.
   * @returns false when the account is not deregistered, or nothing personal is left of it
   */
  async restore(manager: EntityManager, id: number): Promise<boolean> {
    const { affected } = await manager
      .getRepository(UserEntity)
      .update(
        { id, deletedAtMs: Not(IsNull()), deletedBy: Not(IsNull()), purgedAtMs: IsNull() },
        { deletedAtMs: null, deletedBy: null },
      );
    if (affected !== 1) return false;
    await raiseAuthVersion(manager, id);
    return true;
  }

  /** One page of deregistered accounts that were not purged, the last one first, with the name of the account that deleted each. */
  async listDeregistered(
    offset: number,
    limit: number,
  ): Promise<{ rows: { readonly user: UserEntity; readonly deletedByName: string }[]; total: number }> {
    const query = () =>
      this.rows
        .createQueryBuilder('user')
        .where('user.deletedAtMs IS NOT NULL')
        .andWhere('user.purgedAtMs IS NULL');
    const total = await query().getCount();
    const { entities, raw } = await query()
      .leftJoin(UserEntity, 'deleter', 'deleter.id = user.deletedBy')
      .addSelect('deleter.username', 'deleter_name')
      .orderBy('user.deletedAtMs', 'DESC')
      .addOrderBy('user.id', 'DESC')
      .offset(offset)
      .limit(limit)
      .getRawAndEntities<Record<string, unknown>>();
    const rows = entities.map((user, index) => {
      const name = raw[index]?.['deleter_name'];
      return { user, deletedByName: typeof name === 'string' ? name : '' };
    });
    return { rows, total };
  }
}

/** True when the account of the query has rows in a table. */
function ownedRows(users: Repository<UserEntity>, table: UserOwnedEntity): string {
  const rows = users.manager
    .createQueryBuilder()
    .subQuery()
    .select('1')
    .from(table, 'owned')
    .where('owned.userId = user.id');
  return `EXISTS ${rows.getQuery()}`;
}
