import { type EntityManager, In } from 'typeorm';
import type { TokenKeys } from './token-keys.js';
import { TokenEntity } from './token.entity.js';

/** A key of another gateway. */
export type ImportedKey =
  /** Without its prefix `sk-`. */
  | { readonly form: 'plain'; readonly text: string }
  /** Lower-case hexadecimal SHA-256 of the whole key; the key itself is not known. */
  | { readonly form: 'sha256'; readonly digest: string; readonly ending: string };

/** A token of another gateway as it is stored here. Its allowance is booked by the billing module. */
export type ImportedToken = Pick<
  TokenEntity,
  | 'userId'
  | 'status'
  | 'name'
  | 'createdTime'
  | 'accessedTime'
  | 'expiredTime'
  | 'unlimitedQuota'
  | 'modelLimitsEnabled'
  | 'modelLimits'
  | 'allowIps'
  | 'group'
  | 'deletedAtMs'
  | 'importId'
>;

const PER_QUERY = 300;

/** Text that the look-up digest of a key is made of. A key known by its SHA-256 has a digest of that. */
export const lookUpText = (key: ImportedKey): string =>
  key.form === 'plain' ? key.text : hashedKeyText(key.digest);

/** @param digest  lower-case hexadecimal SHA-256 of a whole key */
export const hashedKeyText = (digest: string): string => `sha256:${digest}`;

/** Stores a token, with its own number if it has one. @returns its number. Fails: duplicate key. */
export async function insertImportedToken(
  manager: EntityManager,
  keys: TokenKeys,
  {
    token,
    key,
    number,
  }: { readonly token: ImportedToken; readonly key: ImportedKey; readonly number: number | null },
): Promise<number> {
  const rows = manager.getRepository(TokenEntity);
  const entity = rows.create({
    ...token,
    keyDigest: keys.digest(lookUpText(key)),
    keyEncrypted: number === null || key.form === 'sha256' ? '' : keys.seal(number, key.text),
    keyForm: key.form,
    keyEnding: key.form === 'sha256' ? key.ending : '',
    ...(number === null ? {} : { id: number }),
  });
  await rows.insert(entity);
  if (number === null && key.form === 'plain')
    await rows.update({ id: entity.id }, { keyEncrypted: keys.seal(entity.id, key.text) });
  return entity.id;
}

/** Digests that tokens here have already. */
export async function takenDigests(manager: EntityManager, digests: readonly string[]): Promise<Set<string>> {
  const taken = new Set<string>();
  for (let from = 0; from < digests.length; from += PER_QUERY) {
    const rows = await manager.getRepository(TokenEntity).find({
      select: { id: true, keyDigest: true },
      where: { keyDigest: In(digests.slice(from, from + PER_QUERY)) },
    });
    for (const { keyDigest } of rows) taken.add(keyDigest);
  }
  return taken;
}

/** Imports whose tokens have one of these digests. */
export async function importsOfKeys(manager: EntityManager, digests: readonly string[]): Promise<number[]> {
  if (digests.length === 0) return [];
  const rows = await manager
    .getRepository(TokenEntity)
    .createQueryBuilder('token')
    .select('token.importId', 'import')
    .where({ keyDigest: In([...digests]) })
    .andWhere('token.importId > 0')
    .groupBy('token.importId')
    .getRawMany<{ import: number }>();
  return rows.map((row) => Number(row.import));
}
