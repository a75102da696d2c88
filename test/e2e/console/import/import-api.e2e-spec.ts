import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuditEventEntity } from '../../../../server/base/audit/audit-event.entity.js';
import type { ImportStateView } from '../../../../server/console/import/dto/import.dto.js';
import { ImportRunEntity } from '../../../../server/console/import/runs/import-run.entity.js';
import { ImportLock } from '../../../../server/console/import/runs/import-lock.js';
import { SystemClock } from '../../../../server/infra/clock/system-clock.js';
import { ApiClient } from '../../../support/api-client.js';
import { setUpRoot, signUp, startTestApp, type TestApp } from '../../../support/build-test-app.js';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../../../support/database.js';
import { type ForeignDatabase, loadSample } from '../../../support/foreign-databases.js';
import { SAMPLES } from '../../../support/import-runs.js';
import { until } from '../../../support/until.js';

describe.each(DATABASE_KINDS)('imports over the API on %s', (kind) => {
  let database: TestDatabase;
  let app: TestApp;
  let root: ApiClient;
  let source: ForeignDatabase;

  beforeAll(async () => {
    source = await loadSample(join(SAMPLES, 'new-api', 'A-new-api.sqlite.gz'));
    database = await createTestDatabase(kind);
    app = await startTestApp({ env: { DATABASE_URL: database.url } });
    root = await setUpRoot(app);
  });
  afterAll(async () => {
    await app.close();
    await database.drop();
    await source.drop();
  });

  const state = () => root.expectSuccess<ImportStateView>('GET', '/api/import');
  const ended = async (): Promise<NonNullable<ImportStateView['run']>> => {
    await until(async () => (await state()).run?.status !== 'running');
    const { run } = await state();
    if (run === null) throw new Error('no run');
    return run;
  };
  const send = (id: string, query: string, bytes: Buffer) =>
    fetch(`${app.url}/api/import/file/${id}?${query}`, {
      method: 'PUT',
      headers: { ...root.headers, 'content-type': 'application/octet-stream' },
      body: new Uint8Array(bytes),
    }).then((answer) => answer.json() as Promise<{ success: boolean; code?: string }>);
  const upload = async (): Promise<string> => {
    const content = readFileSync(source.path);
    const half = Math.floor(content.length / 2);
    const { id } = await root.expectSuccess<{ id: string }>('POST', '/api/import/file', {
      name: 'one-api.db',
      size: content.length,
    });
    expect((await send(id, 'offset=0', content.subarray(0, half))).success).toBe(true);
    // The refusal of a repeated or early chunk names the offset to go on from.
    expect((await send(id, 'offset=0', content.subarray(0, half))).code).toBe('import_file_incomplete');
    expect((await root.post('/api/import/run', { trial: true, file_id: id })).body.code).toBe(
      'import_file_incomplete',
    );
    expect((await send(id, `offset=${half}`, content.subarray(half))).success).toBe(true);
    return id;
  };

  it('refuses everyone but root', async () => {
    const admin = await signUp(root, { username: 'warden', role: 'admin' });
    for (const [method, path] of [
      ['GET', '/api/import'],
      ['POST', '/api/import/run'],
      ['POST', '/api/import/file'],
      ['POST', '/api/import/1/undo'],
    ] as const)
      expect((await admin.send(method, path, method === 'GET' ? undefined : {})).body.code).toBe(
        'not_permitted',
      );
    await root.expectSuccess('DELETE', `/api/user/${admin.userId}`);
  });

  it('refuses files of this machine, sockets, and hosts of private networks', async () => {
    for (const [address, sentence] of [
      ['sqlite:/etc/passwd', 'upload'],
      ['mysql://root:hush@%2Ftmp%2Fmysql.sock/oneapi', 'sockets'],
      ['postgres://u:hush@db.example/x?sslrootcert=/etc/passwd', 'files of this machine'],
      ['mysql://root:hush@127.0.0.1:3306/oneapi', 'ALLOWED_PRIVATE_HOSTS_SERVICES'],
      ['postgres://u:hush@169.254.169.254:5432/x', 'Metadata'],
      ['mysql://root:hush@192.168.1.1:25/oneapi', 'port above 1023'],
      ['nonsense', 'none that is known'],
    ] as const) {
      const { body } = await root.post('/api/import/run', { trial: true, address });
      expect([address, body.code]).toEqual([address, expect.stringMatching(/^import_address_/)]);
      expect(body.message).toContain(sentence);
      expect(body.message).not.toContain('hush');
    }
    expect((await root.post('/api/import/run', { trial: true })).body.code).toBe('import_source_missing');
  });

  it('refuses an upload that is no SQLite file', async () => {
    const { id } = await root.expectSuccess<{ id: string }>('POST', '/api/import/file', {
      name: 'x.db',
      size: 20,
    });
    expect((await send(id, 'offset=0', Buffer.from('-- MySQL dump 10.13 '))).code).toBe(
      'import_file_not_sqlite',
    );
    expect((await state()).file).toBeNull();
  });

  it('tries an uploaded file out, and writes nothing', async () => {
    const id = await upload();
    expect((await state()).file).toMatchObject({ id, name: 'one-api.db' });
    await root.expectSuccess('POST', '/api/import/run', { trial: true, file_id: id, log_days: 0 });
    const run = await ended();
    expect(run).toMatchObject({ kind: 'trial', status: 'done', source: 'one-api.db' });
    const [notes] = run.report?.notes ?? [];
    expect(notes?.kind).toBe('balance');
    expect(run.report?.options.differences.length).toBeGreaterThan(0);
    expect((await state()).imports).toEqual([]);
  });

  it('refuses a second run while one holds the lease, and names its host', async () => {
    const { file } = await state();
    const lock = new ImportLock(app.dataSource, new SystemClock(), { owner: 'other', place: 'cellar' });
    const turn = await lock.take();
    const { body } = await root.post('/api/import/run', { trial: true, file_id: file?.id });
    expect(body).toMatchObject({ code: 'import_running' });
    expect(body.message).toContain('cellar');
    expect((await state()).busy_place).toBe('cellar');
    await turn.finish(null);
  });

  it('imports it, keeps a report over a reload, and removes the file', async () => {
    const { file } = await state();
    await root.expectSuccess('POST', '/api/import/run', { trial: false, file_id: file?.id, log_days: 0 });
    const run = await ended();
    expect(run).toMatchObject({ kind: 'import', status: 'done', fault: '' });
    expect(run.report?.sums.filter(({ is_equal: isEqual }) => !isEqual)).toEqual([]);
    const after = await state();
    expect(after.file).toBeNull();
    expect(existsSync(join(app.env.dataDir, 'imports'))).toBe(false);
    expect(after.imports).toMatchObject([{ product: 'new-api', status: 'done', runs: 1 }]);
    const actions = await app.dataSource.getRepository(AuditEventEntity).find();
    expect(actions.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['import.trial', 'import.run']),
    );
    const stored = JSON.stringify(await app.dataSource.getRepository(ImportRunEntity).find());
    expect(stored).not.toContain('sqlite:');
  });

  it('explains that the old program computed an imported charge', async () => {
    const lines = await root.expectSuccess<{ items: { id: number; type: number; request_id?: string }[] }>(
      'GET',
      '/api/log/?p=1&page_size=5&type=2',
    );
    const [line] = lines.items;
    const { body } = await root.get(`/api/log/${line?.id}/explain`);
    expect(body).toMatchObject({ code: 'explanation_imported' });
    expect(body.message).toContain('new-api');
  });

  it('takes it back', async () => {
    const [known] = (await state()).imports;
    await root.expectSuccess('POST', `/api/import/${known?.id}/undo`);
    const run = await ended();
    expect(run).toMatchObject({ kind: 'undo', status: 'done' });
    expect((await state()).imports).toMatchObject([{ status: 'undone' }]);
    expect((await root.post(`/api/import/${known?.id}/undo`, {})).body.code).toBe('not_found');
  });

  it('stops when it is asked to, and goes on with the next run', async () => {
    const id = await upload();
    await root.expectSuccess('POST', '/api/import/run', { trial: false, file_id: id, log_days: 0 });
    await root.expectSuccess('POST', '/api/import/run/stop');
    const run = await ended();
    // A small source may be through before the question arrives.
    expect(['stopped', 'done']).toContain(run.status);
    if (run.status === 'stopped') {
      expect(run.fault).toContain('goes on');
      await root.expectSuccess('POST', '/api/import/run', { trial: false, file_id: id, log_days: 0 });
      expect(await ended()).toMatchObject({ status: 'done' });
    }
    expect((await root.post('/api/import/run/stop', {})).body.code).toBe('import_not_running');
  });
});

describe('a database server that is named on the console', () => {
  let source: ForeignDatabase;
  let app: TestApp;
  let root: ApiClient;

  beforeAll(async () => {
    source = await loadSample(join(SAMPLES, 'one-api', 'A-one-api.mysql.sql.gz'));
    const { host } = new URL(source.url.replace('mariadb:', 'http:'));
    app = await startTestApp({ env: { ALLOWED_PRIVATE_HOSTS_SERVICES: host } });
    root = await setUpRoot(app);
  });
  afterAll(async () => {
    await app.close();
    await source.drop();
  });

  const state = () => root.expectSuccess<ImportStateView>('GET', '/api/import');

  it('reads it where the list of private hosts opens it, and stores no user and password', async () => {
    const address = source.url.replace('//root@', '//root:@');
    await root.expectSuccess('POST', '/api/import/run', { trial: true, address });
    await until(async () => (await state()).run?.status !== 'running');
    expect((await state()).run).toMatchObject({ status: 'done', fault: '', report: { product: 'one-api' } });
    const [stored] = await app.dataSource.getRepository(ImportRunEntity).find();
    expect(stored?.source).toMatch(/^mysql 127\.0\.0\.1:\d+\/\w+$/);
  });

  it('names a server of another kind, without the password', async () => {
    const { port } = new URL(source.url.replace('mariadb:', 'http:'));
    const address = `postgres://u:hush@127.0.0.1:${port}/x`;
    await root.expectSuccess('POST', '/api/import/run', { trial: true, address });
    await until(async () => (await state()).run?.status === 'failed');
    const { run } = await state();
    expect(run?.fault).toContain('Check the beginning of the address');
    expect(run?.fault).not.toContain('hush');
  });
});
