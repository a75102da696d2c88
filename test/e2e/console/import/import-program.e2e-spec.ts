import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkMoney } from '../../../../server/base/billing/checks/check-money.js';
import { read, toInteger } from '../../../../server/base/billing/ledger/money-sql.js';
import { DATABASE_KINDS } from '../../../support/database.js';
import { type ForeignDatabase, loadSample } from '../../../support/foreign-databases.js';
import { ImportTarget, SAMPLES } from '../../../support/import-runs.js';
import { SeededRandom } from '../../../simulator/seeded-random.js';
import { until } from '../../../support/until.js';

const ROOT = join(import.meta.dirname, '../../../..');
const KILLS = 10;
/** Columns that differ between two imports of the same source are left out: seals, random ids, moments. */
const COMPARED = [
  'SELECT "id", "username", "quota", "used_quota", "request_count" FROM "users" ORDER BY "id"',
  'SELECT "id", "user_id", "key_digest", "status", "remain_quota" FROM "tokens" ORDER BY "id"',
  'SELECT "id", "name", "status", "used_quota" FROM "channels" ORDER BY "id"',
  'SELECT "user_id", "amount" FROM "ledger" ORDER BY "user_id", "amount"',
  'SELECT "request_id", "status" FROM "tasks" ORDER BY "request_id"',
  'SELECT "user_id", "model_name", "created_at", "count", "quota" FROM "quota_data" ORDER BY 1, 2, 3',
  'SELECT "request_id", "quota", "user_id" FROM "logs" ORDER BY "request_id"',
];

interface Ended {
  readonly code: number | null;
  readonly text: string;
}

describe.each(DATABASE_KINDS)('npm run import on %s', (kind) => {
  let source: ForeignDatabase;
  let whole: ImportTarget;
  let broken: ImportTarget;
  const children: ChildProcess[] = [];

  beforeAll(async () => {
    source = await loadSample(join(SAMPLES, 'new-api', 'A-new-api.sqlite.gz'));
    whole = await ImportTarget.open(kind);
    broken = await ImportTarget.open(kind);
    await whole.run(source.url, { logs: { since: 0, from: '' } });
  });
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    await whole.close();
    await broken.close();
    await source.drop();
  });

  const start = (words: readonly string[]): { child: ChildProcess; ended: Promise<Ended> } => {
    const child = spawn(
      process.execPath,
      [
        '--import',
        join(ROOT, 'test/support/register-typescript.mjs'),
        join(ROOT, 'server/cli/import.ts'),
        ...words,
      ],
      { env: { PATH: process.env['PATH'], NODE_ENV: 'test', ...broken.variables }, cwd: ROOT },
    );
    children.push(child);
    let text = '';
    child.stdout.on('data', (bytes: Buffer) => void (text += bytes.toString()));
    child.stderr.on('data', (bytes: Buffer) => void (text += bytes.toString()));
    const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, text }));
    return { child, ended };
  };
  const rowsOf = async ({ house }: ImportTarget): Promise<number> => {
    const [row] = await read(
      house.dataSource,
      `SELECT (SELECT COUNT(*) FROM "imported_rows") + (SELECT COUNT(*) FROM "logs") AS "rows"`,
    );
    return toInteger(row?.['rows']);
  };
  const stateOf = ({ house }: ImportTarget): Promise<unknown[]> =>
    Promise.all(COMPARED.map((sql) => read(house.dataSource, sql)));

  it('refuses a second run while one goes on', async () => {
    const turn = await broken.house.lock.take();
    const { ended } = start([source.url]);
    const { code, text } = await ended;
    await turn.finish(null);
    expect(code).toBe(1);
    expect(text).toContain('another import is running');
    expect(await rowsOf(broken)).toBe(0);
  });

  it(`ends like a run that was never killed, after ${KILLS} kills at random points`, async () => {
    const total = await rowsOf(whole);
    const random = new SeededRandom(49);
    const points = Array.from({ length: KILLS }, () => random.below(total)).toSorted((a, b) => a - b);
    let killed = 0;
    for (const point of points) {
      const { child, ended } = start([source.url, '--logs', 'all']);
      let isOver = false;
      void ended.then(() => (isOver = true));
      await until(async () => isOver || (await rowsOf(broken)) >= point);
      child.kill('SIGKILL');
      if ((await ended).code === null) killed += 1;
    }
    expect(killed).toBeGreaterThan(KILLS / 2);
    const { code, text } = await start([source.url, '--logs', 'all']).ended;
    expect(text).not.toContain('DIFFERS');
    expect(code).toBe(0);
    expect(await stateOf(broken)).toEqual(await stateOf(whole));
    expect(await checkMoney(broken.house.dataSource, { hasAllLogs: true })).toEqual([]);
  });
});
