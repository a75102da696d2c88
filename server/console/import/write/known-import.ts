import type { DataSource } from 'typeorm';
import { read, toInteger, toText } from '../../../base/billing/ledger/money-sql.js';
import { foldUsername } from '../../../base/users/user-rules.js';
import { importsOfKeys, lookUpText } from '../../../gateway/tokens/imported-tokens.js';
import type { TokenKeys } from '../../../gateway/tokens/token-keys.js';
import { ImportEntity } from '../import.entity.js';
import type { SourceContents } from '../source/records.js';

/** Keys compared to recognise a source. */
const SAMPLE = 300;

/**
 * The import that an earlier run of the same source began; null = this source is new. Keys decide: no two sources share one. Without any,
 * accounts decide: most of those that were imported must still have their numbers and names.
 */
export async function findKnownImport(
  dataSource: DataSource,
  tokenKeys: TokenKeys,
  product: string,
  { tokens, users }: Pick<SourceContents, 'tokens' | 'users'>,
): Promise<ImportEntity | null> {
  const imports = dataSource.getRepository(ImportEntity);
  const digests = tokens.slice(0, SAMPLE).map(({ key }) => tokenKeys.digest(lookUpText(key)));
  for (const importId of await importsOfKeys(dataSource.manager, digests)) {
    const known = await imports.findOneBy({ id: importId, product });
    if (known !== null && known.status !== 'undone') return known;
  }
  const names = new Map(users.map((user) => [user.sourceId, foldUsername(user.username)]));
  for (const known of await imports.findBy({ product })) {
    if (known.status === 'undone') continue;
    const rows = await read(
      dataSource,
      `SELECT "r"."source_id" AS "source_id", "u"."username_folded" AS "name" FROM "imported_rows" "r"
       JOIN "users" "u" ON "u"."id" = "r"."target_id" WHERE "r"."import_id" = ${toInteger(known.id)} AND "r"."kind" = 'user'`,
    );
    const same = rows.filter((row) => {
      const name = names.get(toText(row['source_id']));
      return name !== undefined && toText(row['name']).startsWith(name);
    });
    if (rows.length > 0 && same.length * 2 > rows.length) return known;
  }
  return null;
}

/** True while nothing is here but perhaps a root: then rows keep their numbers. */
export async function isFresh(dataSource: DataSource): Promise<boolean> {
  const [row] = await read(
    dataSource,
    `SELECT (SELECT COUNT(*) FROM "users") AS "users", (SELECT COUNT(*) FROM "tokens") AS "tokens",
       (SELECT COUNT(*) FROM "channels") AS "channels", (SELECT COUNT(*) FROM "settlements") AS "charges"`,
  );
  return (
    toInteger(row?.['users']) <= 1 &&
    toInteger(row?.['tokens']) === 0 &&
    toInteger(row?.['channels']) === 0 &&
    toInteger(row?.['charges']) === 0
  );
}
