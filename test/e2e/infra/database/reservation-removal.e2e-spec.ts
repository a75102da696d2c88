import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { firstIdSince } from '../../../../server/infra/ids/ids-by-time.js';
import { UuidIds } from '../../../../server/infra/ids/uuid-ids.js';
import { ClosedReservations } from '../../../../server/base/billing/holds/closed-reservations.js';
import { ReservationEntity } from '../../../../server/base/billing/ledger/reservation.entity.js';
import { startTestApp, type TestApp } from '../../../support/build-test-app.ts';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../../../support/database.ts';

const DAY_MS = 86_400_000;
const ids = new UuidIds();
/** More than two portions. */
const MANY = 2_345;

describe.each(DATABASE_KINDS)('reservations that ended long ago, on %s', (kind) => {
  let database: TestDatabase;
  let app: TestApp;
  beforeAll(async () => {
    database = await createTestDatabase(kind);
    app = await startTestApp({ env: { DATABASE_URL: database.url } });
  });
  afterAll(async () => {
    await app.close();
    await database.drop();
  });

  /** An id as it was made then. */
  const idOf = (ms: number): string => firstIdSince(ms).slice(0, 13) + ids.callId().slice(13);
  const reservation = (
    state: ReservationEntity['state'],
    daysAgo: number,
    usedDaysAgo = daysAgo,
  ): Partial<ReservationEntity> => ({
    id: idOf(Date.now() - daysAgo * DAY_MS),
    kind: 'call',
    scope: 'user',
    userId: 1,
    requestId: null,
    epoch: '',
    amount: 0,
    state,
    promptEstimate: 0,
    owner: 'o',
    leaseUntilMs: Date.now() - usedDaysAgo * DAY_MS,
    createdAtMs: 1,
  });

  it('removes them in portions; keeps open ones and those of this week, however old they are', async () => {
    const rows = app.dataSource.getRepository(ReservationEntity);
    const kept = [
      ...(['settled', 'released', 'recovered'] as const).map((state) => reservation(state, 6.9)),
      reservation('open', 400),
      reservation('released', 400, 1),
    ];
    const ended = (['settled', 'released', 'recovered'] as const).map((state) => reservation(state, 7.1));
    const outage = Array.from({ length: MANY - ended.length }, () => reservation('settled', 30));
    await rows.save([...kept, ...ended, ...outage], { chunk: 500 });
    const upkeep = app.app.get(ClosedReservations);
    expect(await upkeep.remove()).toBe(MANY);
    expect((await rows.find()).map(({ id }) => id).toSorted()).toEqual(kept.map(({ id }) => id).toSorted());
    expect(await upkeep.remove()).toBe(0);
  });
});
