import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SECTIONS_TO_TICK } from '../../../server/base/options/option-sections.js';
import { OptionsService } from '../../../server/base/options/options.service.js';
import type { ApiReply } from '../../support/api-client.ts';
import { type Caller, CALLERS, type CallersFixture, ROLE_OF, SOMEBODY, startCallers } from './callers.ts';

/** Lowest role per level; what is not here is not decided by role. */
const LOWEST_ROLE: Readonly<Record<string, number>> = { public: 0, guest: 0, user: 1, admin: 10, root: 100 };

/** Names no existing object, in every form handlers read bodies: an admitted call changes nothing. */
const NOTHING = {
  id: 2_147_483_000,
  ids: [2_147_483_000],
  key: 'NoSuchOption',
  username: '\u0001nobody',
  action: 'nothing',
  provider: 'nothing',
  well_known: 'nothing',
  quota: -1,
  value: 'nothing',
};

type Verdict = 'not signed in' | 'not permitted' | 'let in' | 'broken';

function verdictOf({ status, body }: ApiReply): Verdict {
  if (status === 401 && body.code === 'not_signed_in') return 'not signed in';
  if (status === 200 && body.code === 'not_permitted') return 'not permitted';
  return status >= 500 && body.code !== 'server_busy' && body.code !== 'store_unavailable'
    ? 'broken'
    : 'let in';
}

function expectedOf(level: string, caller: Caller): Verdict {
  const lowest = LOWEST_ROLE[level];
  if (lowest === undefined) throw new Error(`no rule for the level ${level}`);
  if (ROLE_OF[caller] >= lowest) return 'let in';
  return caller === 'guest' ? 'not signed in' : 'not permitted';
}

const concrete = (path: string): string =>
  path
    .replace(/:id\b/g, '2147483000')
    .replace(/:provider\b/, 'github')
    .replace(/:\w+/g, 'x');

let fixture: CallersFixture;
beforeAll(async () => {
  fixture = await startCallers();
  // Which settings an administrator may change is tried option by option elsewhere; here the route decides.
  await fixture.app.app
    .get(OptionsService, { strict: false })
    .update({ id: fixture.ids.root, role: ROLE_OF.root }, [
      { key: 'AdministratorSections', value: SECTIONS_TO_TICK.join(',') },
    ]);
});
afterAll(() => fixture.app.close());

/** Every row of the tables an act could leave something in. */
async function contents(): Promise<Record<string, unknown>> {
  const skipped = new Set([
    'sessions',
    'logs',
    'audit_events',
    'audit_chain',
    // Written by workers themselves, as time goes by.
    'worker_reports',
    'status_minutes',
    'instances',
    'jobs',
  ]);
  const all: Record<string, unknown> = {};
  for (const { tableName, target } of fixture.app.dataSource.entityMetadatas)
    if (!skipped.has(tableName)) all[tableName] = await fixture.app.dataSource.getRepository(target).find();
  return all;
}

describe('who may call what: every route, every caller', () => {
  it('decides by the level the route declares, and a refusal changes nothing', async () => {
    const table = fixture.app.accessTable.filter(({ access }) => Object.hasOwn(LOWEST_ROLE, access));
    expect(table.length).toBeGreaterThan(120);
    const before = await contents();
    const wrong: string[] = [];
    let cells = 0;
    const refused = table.flatMap((route) =>
      CALLERS.filter((caller) => expectedOf(route.access, caller) !== 'let in').map((caller) => ({
        ...route,
        caller,
      })),
    );
    for (const { method, path, access, caller } of refused) {
      const client = await fixture.client(caller);
      const reply = await client.send(method, concrete(path), method === 'GET' ? undefined : NOTHING);
      cells += 1;
      const verdict = verdictOf(reply);
      if (verdict !== expectedOf(access, caller))
        wrong.push(`${caller} ${method} ${path}: ${verdict} (${reply.status})`);
      if (reply.body.data !== undefined)
        wrong.push(`${caller} ${method} ${path} was told ${JSON.stringify(reply.body.data)}`);
    }
    expect(wrong).toEqual([]);
    expect(await contents()).toEqual(before);

    const letIn = table.flatMap((route) =>
      CALLERS.filter((caller) => expectedOf(route.access, caller) === 'let in').map((caller) => ({
        ...route,
        caller,
      })),
    );
    for (const { method, path, caller } of letIn) {
      // A session of its own for each cell: some routes end the one they are called in.
      const client = await fixture.client(caller);
      const reply = await client.send(method, concrete(path), method === 'GET' ? undefined : NOTHING);
      cells += 1;
      const verdict = verdictOf(reply);
      if (verdict !== 'let in')
        wrong.push(`${caller} ${method} ${path}: ${verdict} (${reply.status} ${JSON.stringify(reply.body)})`);
    }
    expect(wrong).toEqual([]);
    expect(cells).toBe(table.length * CALLERS.length);
    for (const caller of SOMEBODY)
      expect(await fixture.row(fixture.ids[caller])).toMatchObject({
        role: ROLE_OF[caller],
        status: 1,
        deletedAtMs: null,
        quota: expect.any(Number),
      });
  }, 180_000);

  it('lets no cookie in without the user it belongs to [AUTH-05]', async () => {
    const wrong: string[] = [];
    const guarded = fixture.app.accessTable.filter(({ access }) => (LOWEST_ROLE[access] ?? 0) > 0);
    const client = await fixture.client('root');
    for (const { method, path } of guarded) {
      for (const claim of ['', '-1', '0', String(fixture.ids.user), `${fixture.ids.root}.0`, 'root']) {
        const reply = await client.send(method, concrete(path), method === 'GET' ? undefined : NOTHING, {
          'New-Api-User': claim,
        });
        if (verdictOf(reply) !== 'not signed in')
          wrong.push(`${method} ${path} as ${claim}: ${reply.status}`);
      }
    }
    expect(wrong).toEqual([]);
  }, 120_000);

  it('lets no other site change or read anything with a cookie [AUTH-05]', async () => {
    const wrong: string[] = [];
    const guarded = fixture.app.accessTable.filter(({ access }) => (LOWEST_ROLE[access] ?? 0) > 0);
    const client = await fixture.client('root');
    for (const { method, path } of guarded) {
      for (const [name, value] of [
        ['origin', 'https://evil.test'],
        ['sec-fetch-site', 'cross-site'],
      ] as const) {
        const reply = await client.send(method, concrete(path), method === 'GET' ? undefined : NOTHING, {
          [name]: value,
        });
        if (reply.body.code !== 'foreign_origin')
          wrong.push(`${method} ${path}: ${reply.status} ${reply.body.code}`);
        if (reply.headers.get('access-control-allow-origin') !== null)
          wrong.push(`${method} ${path} allows an origin`);
      }
    }
    expect(wrong).toEqual([]);
  }, 120_000);

  it('takes no login for a key: routes of API tokens refuse every caller of the console [AUTH-06]', async () => {
    const byToken = fixture.app.accessTable.filter(
      // No client of this test can send TRACE and CONNECT.
      ({ access, method }) => access === 'token' && method !== 'TRACE' && method !== 'CONNECT',
    );
    expect(byToken.length).toBeGreaterThan(50);
    const statuses: Record<string, number[]> = {};
    for (const caller of CALLERS) {
      const client = await fixture.client(caller);
      for (const { method, path } of byToken) {
        const { status } = await client.send(method, concrete(path), method === 'GET' ? undefined : NOTHING);
        (statuses[`${method} ${path}`] ??= []).push(status);
      }
    }
    // No caller is served, and a login makes no difference to the answer.
    const served = Object.entries(statuses).filter(([, all]) => all.some((status) => status < 400));
    const differing = Object.entries(statuses).filter(([, all]) => new Set(all).size !== 1);
    expect([served, differing]).toEqual([[], []]);
    expect(Object.values(statuses).filter(([status]) => status === 401).length).toBeGreaterThan(15);
  }, 120_000);

  it('answers an unsigned notification of a payment service alike for all callers, and books nothing', async () => {
    const before = await contents();
    for (const { method, path } of fixture.app.accessTable.filter(({ access }) => access === 'notify')) {
      const answers = new Set<string>();
      for (const caller of CALLERS) {
        const reply = await (
          await fixture.client(caller)
        ).send(method, concrete(path), method === 'GET' ? undefined : NOTHING);
        answers.add(`${reply.status} ${String(reply.body.code)} ${String(reply.body['text'])}`);
      }
      expect(answers.size).toBe(1);
      expect([...answers].join()).not.toMatch(/success/);
    }
    expect(await contents()).toEqual(before);
  });

  it('covers every level there is', () => {
    const levels = new Set(fixture.app.accessTable.map(({ access }) => access));
    expect([...levels].filter((level) => !Object.hasOwn(LOWEST_ROLE, level)).toSorted()).toEqual([
      'notify',
      'token',
    ]);
  });
});
