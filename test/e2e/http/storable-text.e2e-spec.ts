import { Agent, request } from 'node:http';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { KindOfUse } from '../../../server/console/dashboard/asked-spans.js';
import { RateLimiter } from '../../../server/infra/rate-limit/rate-limiter.js';
import type { ApiClient } from '../../support/api-client.ts';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../../support/database.ts';
import { type CallersFixture, startCallers } from '../access-matrix/callers.ts';
import { type HostileRequest, hostileRequests } from './hostile-texts.ts';

interface Installation {
  readonly kind: string;
  readonly database: TestDatabase;
  readonly callers: CallersFixture;
  readonly countRows: () => Promise<Readonly<Record<string, number>>>;
}

/** Rows of these come with the time that passes. */
const BACKGROUND_TABLES = new Set(['jobs', 'status_minutes', 'worker_reports']);

const KINDS_OF_USE: readonly KindOfUse[] = ['models', 'references', 'attempts', 'tags', 'warnings'];

const agent = new Agent({ keepAlive: true });
let installations: Installation[] = [];

beforeAll(async () => {
  installations = await Promise.all(DATABASE_KINDS.map(install));
}, 60_000);
afterAll(async () => {
  agent.destroy();
  for (const { callers, database } of installations) {
    await callers.app.close();
    await database.drop();
  }
});

async function install(kind: (typeof DATABASE_KINDS)[number]): Promise<Installation> {
  const database = await createTestDatabase(kind);
  const callers = await startCallers({ DATABASE_URL: database.url });
  const root = await callers.client('root');
  await root.expectSuccess('POST', '/api/token/', { name: 'first' });
  await root.expectSuccess('POST', '/api/redemption/', { name: 'first', quota: 1, count: 1 });
  await root.expectSuccess('POST', '/api/channel/', {
    type: 1,
    name: 'first',
    key: 'sk-first-key',
    models: 'gpt-4o',
  });
  const { dataSource } = callers.app;
  const quote = (name: string): string => dataSource.driver.escape(name);
  const tables = dataSource.entityMetadatas
    .map(({ tableName }) => tableName)
    .filter((name) => !BACKGROUND_TABLES.has(name));
  const counts = tables.map((table) => `SELECT '${table}' AS t, COUNT(*) AS n FROM ${quote(table)}`);
  const sql = counts.join(' UNION ALL ');
  const countRows = async (): Promise<Record<string, number>> => {
    const rows = (await dataSource.query(sql)) as { t: string; n: string | number }[];
    return Object.fromEntries(rows.map(({ t, n }) => [t, Number(n)]));
  };
  return { kind, database, callers, countRows };
}

/** @returns status and code of the answer */
function send(client: ApiClient, { method, path, body }: HostileRequest): Promise<string> {
  const headers = {
    ...client.headers,
    ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': body.length }),
  };
  return new Promise((resolve) => {
    const sent = request(`${client.baseUrl}${path}`, { method, headers, agent }, (reply) => {
      const pieces: Buffer[] = [];
      reply.on('error', (error) => resolve(`5xx cut off: ${String(error)}`));
      reply.on('data', (piece: Buffer) => pieces.push(piece));
      reply.on('end', () => {
        const code = /"code":"(\w+)"/.exec(Buffer.concat(pieces).toString())?.[1] ?? '';
        resolve(`${reply.statusCode} ${code}`);
      });
    });
    sent.setTimeout(5_000, () => sent.destroy(new Error(`no answer: ${method} ${path.slice(0, 200)}`)));
    sent.on('error', (error) => resolve(`5xx ${String(error)}`));
    sent.end(body);
  });
}

const shown = ({ method, path, body }: HostileRequest): string =>
  `${method} ${path.slice(0, 120)} ${JSON.stringify(body?.toString().slice(0, 200) ?? '')}`;

const ROUTES = hostileRequests();
const ROUTES_A_PART = 30;
const PARTS = Array.from({ length: Math.ceil(ROUTES.length / ROUTES_A_PART) }, (_, part) =>
  ROUTES.slice(part * ROUTES_A_PART, (part + 1) * ROUTES_A_PART),
).map((routes) => [routes[0]?.route, routes.at(-1)?.route, routes] as const);

const WAITING = '429 login_too_often';

it('covers the routes of the API document', () => {
  expect(ROUTES.length).toBeGreaterThan(150);
});

it.each(PARTS)(
  'answers hostile texts alike on SQLite, MariaDB and PostgreSQL, never with a fault, and leaves as many rows: %s to %s',
  async (_first, _last, routes) => {
    const faults: unknown[] = [];
    for (const { route, requests } of routes) {
      const answers = await Promise.all(
        installations.map(async ({ callers }) => {
          const client = await callers.client('root');
          if (route.includes('/api/data')) await forgetQuestions(callers);
          const answered: string[] = [];
          for (const each of requests) answered.push(await send(client, each));
          return answered;
        }),
      );
      for (const [index, each] of requests.entries()) {
        const got = answers.map((answered) => answered[index]);
        // A wait after a wrong password ends by the clock, at another request on each installation.
        if (
          new Set(got.filter((answer) => answer !== WAITING)).size > 1 ||
          got.some((answer) => answer?.startsWith('5'))
        )
          faults.push([shown(each), ...got]);
      }
      const counts = await Promise.all(installations.map(({ countRows }) => countRows()));
      for (const [table, count] of Object.entries(counts[0] ?? {})) {
        const got = counts.map((each) => each[table]);
        if (got.some((other) => other !== count)) faults.push([`rows of ${table} after ${route}`, ...got]);
      }
    }
    expect(faults).toEqual([]);
  },
  90_000,
);

/** Routes of the dashboard share limits, which a fast database would reach within a minute and a slow one not. */
async function forgetQuestions({ app, ids }: CallersFixture): Promise<void> {
  const limiter = app.app.get(RateLimiter, { strict: false });
  for (const kind of KINDS_OF_USE) await limiter.reset(`dashboard:${kind}:${ids.root}`);
}
