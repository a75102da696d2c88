import type { DataSource } from 'typeorm';
import { LimitEntity } from '../../server/base/limits/limit.entity.js';
import type { MemorySharedStore } from '../../server/infra/shared-store/memory-shared-store.js';
import type { LimitDefinition } from '../../server/base/limits/limit-definition.js';
import { limitRow } from '../support/fixtures/limits.fixture.js';

/** Calls of one model are limited, so that the others have their holds from slices. Nothing is refused: windows and books are compared. */
const everyone = {
  scope: 'everyone',
  subject: '',
  model: 'fx-price',
  amount: 1_000_000_000,
  period: 'ever',
} as const;

export const LIMITS: readonly LimitDefinition[] = [
  limitRow({ ...everyone, id: 1, measure: 'requests' }),
  limitRow({ ...everyone, id: 2, measure: 'quota' }),
  limitRow({ ...everyone, id: 3, scope: 'account', each: true, measure: 'requests' }),
  limitRow({ ...everyone, id: 4, measure: 'in_flight', period: '' }),
];

/** Rows of the limits, so that recovery finds the windows of calls that were admitted without the store. */
export async function insertLimits(dataSource: DataSource): Promise<void> {
  await dataSource.getRepository(LimitEntity).insert([...LIMITS]);
}

interface WindowInside {
  readonly sums: ReadonlyMap<number, number>;
  readonly isFilled: boolean;
}

/**
 * With everything booked, windows of requests count exactly what the books have, and no call is in flight.
 * @returns the windows that differ, as sentences
 */
export async function compareLimits(dataSource: DataSource, store: MemorySharedStore): Promise<string[]> {
  const { windows } = store.limits as unknown as { readonly windows: ReadonlyMap<string, WindowInside> };
  const rows: { readonly id: unknown; readonly value: string; readonly used: unknown }[] =
    await dataSource.query(
      "SELECT limit_id AS id, value AS value, SUM(used) AS used FROM limit_use WHERE kind = 'use' GROUP BY limit_id, value",
    );
  const booked = new Map(rows.map(({ id, value, used }) => [`${Number(id)} ${value}`, Number(used)]));
  return [...windows].flatMap(([key, { sums, isFilled }]) => {
    const [, id = '', measure = '', value = ''] = /^(\d+)\.[a-z_]+\.([a-z_]+)\.[^:]*:(.*)$/.exec(key) ?? [];
    if (!isFilled || (measure !== 'requests' && measure !== 'in_flight')) return [];
    const counted = [...sums.values()].reduce((sum, used) => sum + used, 0);
    const should = measure === 'in_flight' ? 0 : (booked.get(`${id} ${value}`) ?? 0);
    return counted === should ? [] : [`window ${key}: counts ${counted}, the books have ${should}`];
  });
}
