import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ApiClient, type ApiReply } from '../../../support/api-client.js';
import { setUpRoot, startTestApp, type TestApp } from '../../../support/build-test-app.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import { until } from '../../../support/until.js';
import { FaultProxy } from '../../../chaos/rig/fault-proxy.js';

let database: TestDatabase;
let line: FaultProxy;
let app: TestApp;
let root: ApiClient;

beforeAll(async () => {
  database = await createTestDatabase('mariadb');
  const url = new URL(database.url);
  line = await FaultProxy.open({ host: url.hostname, port: Number(url.port) }, Math.random);
  url.port = String(line.port);
  app = await startTestApp({ env: { DATABASE_URL: url.href, LOG_LEVEL: 'fatal' } });
  root = await setUpRoot(app);
});
afterAll(async () => {
  line.set({ kind: 'none' });
  await app.close();
  line.close();
  await database.drop();
});

it('refuses reporting first while every answer of the database is late, and goes on with what one needs [F-64]', async () => {
  const ask = (path: string): Promise<ApiReply> => root.get(path);
  const REPORT = '/api/log/?p=0&page_size=10';
  expect((await ask(REPORT)).status).toBe(200);
  // A question is one trip; a list behind a login is several.
  line.set({ kind: 'delay', delayMs: 700 });
  // The first ones fail while calls wait; later ones are refused before they queue.
  await until(async () => {
    const startedAt = performance.now();
    const { status, body, headers } = await ask(REPORT);
    if (status !== 503) return false;
    expect(body.code).toBe('database_unavailable');
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    return performance.now() - startedAt < 3_000;
  });
  // A few questions stand behind the reports that are still being given up.
  await until(async () => (await ask('/api/user/self')).status === 200);
  expect((await ask('/api/status')).status).toBe(200);

  line.set({ kind: 'none' });
  await until(async () => (await ask(REPORT)).status === 200);
});

it('shows the outage in the status to administrators who were signed in while the database is away, and answers nothing else from memory [F-66]', async () => {
  interface Status {
    readonly database_readable: boolean;
    readonly level: string;
    readonly findings: readonly { readonly rule: string }[];
  }
  const status = async (): Promise<{ code: number; data: Status | undefined }> => {
    const { status: code, body } = await root.get('/api/operations/status');
    return { code, data: body.data as Status | undefined };
  };
  expect((await status()).data).toMatchObject({ database_readable: true });
  line.set({ kind: 'black-hole' });
  await until(async () => {
    const { code, data } = await status();
    return code === 200 && data?.database_readable === false;
  });
  const { data } = await status();
  expect(data?.level).not.toBe('ok');
  expect(data?.findings.map(({ rule }) => rule)).toContain('database-away');
  expect((await root.get('/api/operations/alerts')).status).toBe(503);
  expect((await root.get('/api/option/')).status).toBe(503);
  // An unauthenticated caller gets no status.
  expect((await new ApiClient(app.url).get('/api/operations/status')).status).not.toBe(200);
  line.set({ kind: 'none' });
  await until(async () => (await status()).data?.database_readable === true);
});
