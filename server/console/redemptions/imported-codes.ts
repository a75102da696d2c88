import { type EntityManager, In } from 'typeorm';
import type { RedemptionKeys } from './redemption-keys.js';
import { RedemptionEntity } from './redemption.entity.js';

/** A code of another gateway as it is stored here. */
export type ImportedCode = Pick<
  RedemptionEntity,
  | 'userId'
  | 'status'
  | 'name'
  | 'quota'
  | 'createdTime'
  | 'redeemedTime'
  | 'expiredTime'
  | 'usedUserId'
  | 'deletedAtMs'
>;

/** Stores a code, with its own number if it has one. @returns its number. Fails: duplicate key. */
export async function insertImportedCode(
  manager: EntityManager,
  keys: RedemptionKeys,
  {
    row,
    code,
    number,
  }: { readonly row: ImportedCode; readonly code: string; readonly number: number | null },
): Promise<number> {
  const rows = manager.getRepository(RedemptionEntity);
  const keyDigest = keys.digest(code);
  const entity = rows.create({
    ...row,
    keyDigest,
    keyEncrypted: keys.seal(keyDigest, code),
    ...(number === null ? {} : { id: number }),
  });
  await rows.insert(entity);
  return entity.id;
}

/** True when the code is there already. */
export const isCodeTaken = (manager: EntityManager, keys: RedemptionKeys, code: string): Promise<boolean> =>
  manager.getRepository(RedemptionEntity).existsBy({ keyDigest: In([keys.digest(code)]) });
