import type { EntityManager } from 'typeorm';
import { TopUpEntity } from './top-up.entity.js';

/** A payment order of another gateway as it is stored here. */
export type ImportedOrder = Pick<
  TopUpEntity,
  | 'userId'
  | 'amount'
  | 'moneyMinor'
  | 'currency'
  | 'quotaToCredit'
  | 'tradeNo'
  | 'provider'
  | 'paymentMethod'
  | 'merchantId'
  | 'status'
  | 'createTime'
  | 'completeTime'
>;

/** Stores an order, with its own number if it has one. @returns its number. Fails: duplicate key. */
export async function insertImportedOrder(
  manager: EntityManager,
  order: ImportedOrder,
  number: number | null,
): Promise<number> {
  const rows = manager.getRepository(TopUpEntity);
  const entity = rows.create({ ...order, ...(number === null ? {} : { id: number }) });
  await rows.insert(entity);
  return entity.id;
}

/** True when an order has this number of the trade already. */
export const isTradeTaken = (manager: EntityManager, tradeNo: string): Promise<boolean> =>
  manager.getRepository(TopUpEntity).existsBy({ tradeNo });
