import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { GatewayProcess, type GatewaySettings } from '../../../support/gateway-process.ts';
import { testRedisUrl } from '../../../support/redis.ts';
import { ShiftedClock } from '../../../support/shifted-clock.ts';
import { until } from '../../../support/until.ts';
import { type AlertsFixture, startAlertsFixture } from './alerts.fixture.ts';

/** Two instances on Redis and MariaDB; one watches, with a clock of the test's own, the other is a process that is killed. */
describe('an instance that is killed', () => {
  let database: TestDatabase;
  let fixture: AlertsFixture;
  let settings: GatewaySettings;
  let other: GatewayProcess;

  beforeAll(async () => {
    database = await createTestDatabase('mariadb');
    const redisUrl = testRedisUrl();
    const secrets = { SESSION_SECRET: 's'.repeat(40), CRYPTO_SECRET: 'c'.repeat(40) };
    fixture = await startAlertsFixture(
      { DATABASE_URL: database.url, REDIS_URL: redisUrl, ...secrets },
      new ShiftedClock(),
    );
    settings = { databaseUrl: database.url, redisUrl };
    other = await GatewayProcess.start(settings);
  });
  afterAll(async () => {
    await other.stop();
    await fixture.close();
    await database.drop();
  });

  /** Reports travel by themselves; the answer is at most two seconds old. Leaps of our clock would age the reports of the other. */
  const untilInstances = async (states: readonly string[]): Promise<void> => {
    const wanted = states.toSorted().join();
    const shown = async () => (await fixture.status()).instances.map(({ state }) => state);
    await until(async () => (await shown()).sort().join() === wanted, 100);
  };

  it('appears beside the other, then goes missing, causes one alert, and one more when it comes back', async () => {
    await untilInstances(['up', 'up']);
    expect((await fixture.status()).findings.filter(({ rule }) => rule !== 'clock-skew')).toEqual([]);

    await other.kill();
    // Advances the database by half a minute as well.
    await fixture.app.dataSource.query(`UPDATE worker_reports SET last_seen_ms = last_seen_ms - 30000`);
    await fixture.look(25_000);
    await fixture.look();
    expect(fixture.told()).toEqual(['alert_instance-gone']);
    const { findings, level } = await fixture.status();
    // The leaps of our clock are seen as well.
    const seen = findings.map(({ rule }) => rule).filter((rule) => rule !== 'clock-skew');
    expect([level, seen]).toEqual(['fault', ['instance-gone']]);

    other = await GatewayProcess.start({ ...settings, dataDir: other.dataDir });
    await untilInstances(['up', 'up']);
    await fixture.look();
    // A revision that only one of them has for ten seconds of our leaping clock is seen as well.
    const told = fixture.told().filter((act) => !act.startsWith('alert_revision-differs'));
    expect(told).toEqual(['alert_instance-gone', 'alert_instance-gone_over']);
  });
});
