import type { DataSource } from 'typeorm';
import type { MemorySharedStore } from '../../server/infra/shared-store/memory-shared-store.js';

interface PoolInside {
  readonly reservationId: string;
  readonly balance: number;
}

/** Private state of the memory store's pools; only this comparison reads it. */
interface PoolsInsides {
  readonly accounts: ReadonlyMap<
    number,
    { readonly own: PoolInside | undefined; readonly tokens: ReadonlyMap<number, PoolInside> }
  >;
  readonly holds: ReadonlyMap<
    string,
    {
      readonly amount: number;
      readonly userReservationId: string;
      readonly tokenReservationId: string | null;
    }
  >;
}

/**
 * With everything booked no pool, together with what is held of it, can spend more than SQL has set aside for it.
 * @returns the pools that can, as sentences
 */
export async function comparePools(dataSource: DataSource, store: MemorySharedStore): Promise<string[]> {
  const { accounts, holds } = store.pools as unknown as PoolsInsides;
  const spendable = new Map<string, number>();
  const add = (id: string | null, amount: number): void => {
    if (id !== null && id !== '') spendable.set(id, (spendable.get(id) ?? 0) + amount);
  };
  for (const { own, tokens } of accounts.values())
    for (const pool of [own, ...tokens.values()])
      if (pool !== undefined) add(pool.reservationId, pool.balance);
  for (const { amount, userReservationId, tokenReservationId } of holds.values()) {
    add(userReservationId, amount);
    add(tokenReservationId, amount);
  }
  const rows = (await dataSource.query('SELECT id, amount FROM reservations')) as {
    readonly id: string;
    readonly amount: number;
  }[];
  const reserved = new Map(rows.map(({ id, amount }) => [id, Number(amount)]));
  return [...spendable].flatMap(([id, amount]) =>
    amount > (reserved.get(id) ?? 0)
      ? [`pool of ${id}: can spend ${amount}, SQL has ${reserved.get(id) ?? 0}`]
      : [],
  );
}
