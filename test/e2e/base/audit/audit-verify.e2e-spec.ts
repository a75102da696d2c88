import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { SecretBox } from '../../../../server/infra/crypto/secret-box.js';
import { openDatabase } from '../../../../server/infra/database/open-named-database.js';
import { AuditEventEntity } from '../../../../server/base/audit/audit-event.entity.js';
import { AuditLog } from '../../../../server/base/audit/audit-log.js';
import { loadAllEntities } from '../../../support/all-entities.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import { FakeClock } from '../../../support/fake-clock.js';
import { createTestFolder } from '../../../support/servers.js';

const PROGRAM = join(import.meta.dirname, '../../../../dist/server/audit-verify.js');
const CRYPTO_SECRET = 'c'.repeat(32);

interface Outcome {
  readonly exitCode: number;
  readonly output: string;
}

describe('npm run audit:verify', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await createTestDatabase('sqlite');
    const entities = await loadAllEntities();
    const secrets = new SecretBox(CRYPTO_SECRET);
    dataSource = await openDatabase(database.url, { entities, secrets });
    const log = new AuditLog(dataSource, secrets, new FakeClock());
    for (let index = 1; index <= 3; index += 1) {
      const target = { targetType: 'user' as const, targetId: index };
      await log.record(null, { actorId: 1, actorRole: 100, action: 'user.disable', ...target });
    }
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  async function verify(words: readonly string[] = [], secret = CRYPTO_SECRET): Promise<Outcome> {
    const environment = {
      PATH: process.env['PATH'],
      DATA_DIR: createTestFolder('audit'),
      DATABASE_URL: database.url,
      CRYPTO_SECRET: secret,
      SESSION_SECRET: 's'.repeat(32),
    };
    const child = spawn(process.execPath, [PROGRAM, ...words], {
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const parts: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (bytes: Buffer) => parts.push(bytes));
    const [exitCode] = (await once(child, 'close')) as [number];
    return { exitCode, output: Buffer.concat(parts).toString() };
  }

  it('reports that the log is intact, and the row to record elsewhere', async () => {
    const { exitCode, output } = await verify();
    expect(output).toMatch(/^The audit log is intact: rows 1 to 3\. Keep this elsewhere: 3:[0-9a-f]{64}\n$/);
    expect(exitCode).toBe(0);
    const head = /3:[0-9a-f]{64}/.exec(output)?.[0] ?? '';
    expect((await verify(['--head', head])).exitCode).toBe(0);
    const newer = await verify(['--head', `4:${'0'.repeat(64)}`]);
    expect(newer).toEqual({
      exitCode: 1,
      output: 'The audit log does not fit: row 4 is missing. Rows 1 to 3 fit.\n',
    });
  });

  it('names the first row that was changed, and ends with code 1', async () => {
    const events = dataSource.getRepository(AuditEventEntity);
    await events.update({ sequence: 2 }, { targetId: '99' });
    expect(await verify()).toEqual({
      exitCode: 1,
      output: 'The audit log does not fit: row 2 was changed after it was written. Rows 1 to 1 fit.\n',
    });
    await events.update({ sequence: 2 }, { targetId: '2' });
    expect((await verify()).exitCode).toBe(0);
  });

  it('distinguishes another CRYPTO_SECRET from a forged log', async () => {
    const { exitCode, output } = await verify([], 'd'.repeat(32));
    expect(output).toMatch(/CRYPTO_SECRET is not the one this database was set up with/);
    expect(exitCode).toBe(2);
  });

  it.each([[['--tail']], [['--head']], [['--head', '3']], [['--head', `3:${'x'.repeat(64)}`]]])(
    'does not guess what %j means',
    async (words) => {
      const { exitCode, output } = await verify(words);
      expect(output).toMatch(/not understood/);
      expect(exitCode).toBe(2);
    },
  );
});
