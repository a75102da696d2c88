import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, In } from 'typeorm';
import { UserEntity } from './user.entity.js';

export interface NamedAccount {
  readonly id: number;
  readonly username: string;
  readonly role: number;
  readonly group: string;
  readonly isDeregistered: boolean;
}

/** Names of accounts, for lists that hold only their ids. */
@Injectable()
export class AccountNames {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Accounts by id, deregistered ones too. Ids that no account has are missing. Fails: with the database's error. */
  async of(ids: readonly number[]): Promise<ReadonlyMap<number, NamedAccount>> {
    const wanted = [...new Set(ids)].filter((id) => id > 0);
    if (wanted.length === 0) return new Map();
    const rows = await this.dataSource.getRepository(UserEntity).find({
      select: { id: true, username: true, role: true, group: true, deletedAtMs: true },
      where: { id: In(wanted) },
    });
    return new Map(
      rows.map(({ id, username, role, group, deletedAtMs }) => [
        id,
        { id, username, role, group, isDeregistered: deletedAtMs !== null },
      ]),
    );
  }
}
