import { Inject, Injectable } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { toShownSum } from '../../../common/quota.js';
import { MONEY_DATA_SOURCE } from './billing.tokens.js';
import { LedgerEntryEntity } from './ledger-entry.entity.js';
import { read, toText } from './money-sql.js';

/** Money that entered or left an account other than through calls. */
export type LedgerMovementRow = Readonly<
  Pick<LedgerEntryEntity, 'id' | 'kind' | 'amount' | 'quotaAfter' | 'reason' | 'createdAtMs'>
>;

/** Sources of an account's money, as its owner may see them. */
@Injectable()
export class LedgerReader {
  constructor(@Inject(MONEY_DATA_SOURCE) private readonly dataSource: DataSource) {}

  /** Newest first. @param kind  empty = all */
  async page(
    userId: number,
    kind: string,
    { offset, limit }: { readonly offset: number; readonly limit: number },
  ): Promise<{ readonly rows: readonly LedgerMovementRow[]; readonly total: number }> {
    const [rows, total] = await this.dataSource.getRepository(LedgerEntryEntity).findAndCount({
      where: { userId, ...(kind === '' ? {} : { kind }) },
      order: { id: 'DESC' },
      skip: offset,
      take: limit,
    });
    return { rows, total };
  }

  /** Sum of all movements of an account by their kind. */
  async sumsOf(userId: number): Promise<Record<string, number>> {
    const rows = await read(
      this.dataSource,
      `SELECT "kind" AS "kind", SUM("amount") AS "amount" FROM "ledger" WHERE "user_id" = ? GROUP BY "kind" ORDER BY "kind"`,
      [userId],
    );
    return Object.fromEntries(rows.map((row) => [toText(row['kind']), toShownSum(row['amount'])]));
  }
}
