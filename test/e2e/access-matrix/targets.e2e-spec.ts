import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient, ApiReply } from '../../support/api-client.ts';
import { type Caller, CALLERS, type CallersFixture, ROLE_OF, startCallers } from './callers.ts';

/** Target of an action, as seen by the actor. */
const TARGETS = ['self', 'user', 'admin', 'root'] as const;
type Target = (typeof TARGETS)[number];

/** Actions on an account, and their calls. */
const ACTS: Readonly<Record<string, (client: ApiClient, id: number) => Promise<ApiReply>>> = {
  read: (client, id) => client.get(`/api/user/${id}`),
  edit: (client, id) => client.put('/api/user/', { id, display_name: 'Edited' }),
  group: (client, id) => client.put('/api/user/', { id, group: 'vip' }),
  password: (client, id) => client.put('/api/user/', { id, password: 'set-by-somebody' }),
  quota: (client, id) => client.put('/api/user/', { id, quota: 7, loaded_quota: 0 }),
  add_quota: (client, id) =>
    client.post('/api/user/manage', { id, action: 'add_quota', mode: 'add', value: 5 }),
  disable: (client, id) => client.post('/api/user/manage', { id, action: 'disable' }),
  enable: (client, id) => client.post('/api/user/manage', { id, action: 'enable' }),
  promote: (client, id) => client.post('/api/user/manage', { id, action: 'promote' }),
  demote: (client, id) => client.post('/api/user/manage', { id, action: 'demote' }),
  delete: (client, id) => client.post('/api/user/manage', { id, action: 'delete' }),
  remove: (client, id) => client.delete(`/api/user/${id}`),
  ledger: (client, id) => client.get(`/api/user/${id}/ledger`),
  factors: (client, id) => client.get(`/api/user/${id}/2fa`),
  'sign-ins': (client, id) => client.get(`/api/user/${id}/sign_ins`),
  'end sessions': (client, id) => client.delete(`/api/user/${id}/sessions`),
  'reset 2fa': (client, id) => client.delete(`/api/user/${id}/2fa`),
  'reset passkeys': (client, id) => client.delete(`/api/user/${id}/reset_passkey`),
  purge: (client, id) => client.post(`/api/user/${id}/purge`, {}),
  'free identity': (client, id) => client.delete(`/api/user/${id}/identity/github`),
};
const ACT_NAMES = Object.keys(ACTS);

/** Routes with an account id that the actions above cover; a new one fails this test until it is classified. */
const COVERED = new Set([
  'GET /api/user/:id',
  'DELETE /api/user/:id',
  'GET /api/user/:id/ledger',
  'GET /api/user/:id/2fa',
  'GET /api/user/:id/sign_ins',
  'DELETE /api/user/:id/sessions',
  'DELETE /api/user/:id/2fa',
  'DELETE /api/user/:id/reset_passkey',
  'DELETE /api/user/:id/identity/:provider',
  'POST /api/user/:id/purge',
]);

const ALL = new Set(ACT_NAMES);
const without = (...names: readonly string[]): ReadonlySet<string> =>
  new Set(ACT_NAMES.filter((name) => !names.includes(name)));
const NOTHING: ReadonlySet<string> = new Set();
/** On oneself: name and display name; a password needs the original one; group and quota are passed over. */
const OWN_PROFILE: ReadonlySet<string> = new Set([
  'read',
  'edit',
  'group',
  'quota',
  'ledger',
  'factors',
  'sign-ins',
  'end sessions',
]);

/** Allowed actions by actor and target. All others are refused. */
const ALLOWED: Readonly<Record<'user' | 'admin' | 'root', Readonly<Record<Target, ReadonlySet<string>>>>> = {
  user: { self: NOTHING, user: NOTHING, admin: NOTHING, root: NOTHING },
  admin: {
    self: OWN_PROFILE,
    user: without('promote', 'demote', 'free identity', 'purge'),
    admin: NOTHING,
    root: NOTHING,
  },
  root: {
    self: new Set([...OWN_PROFILE, 'add_quota', 'enable', 'free identity', 'purge']),
    user: without('demote'),
    admin: without('promote'),
    root: new Set([
      'read',
      'edit',
      'group',
      'password',
      'quota',
      'add_quota',
      'enable',
      'ledger',
      'factors',
      'sign-ins',
      'end sessions',
      'reset 2fa',
      'reset passkeys',
      'free identity',
      'purge',
    ]),
  },
};

/** Refused because there is nothing to do, whatever the caller. */
const POINTLESS = new Set(['two_factor_off', 'passkey_unknown', 'not_found', 'user_not_deregistered']);

let fixture: CallersFixture;
beforeAll(async () => {
  fixture = await startCallers();
});
afterAll(() => fixture.app.close());

const cells = CALLERS.flatMap((caller) =>
  TARGETS.flatMap((target) => ACT_NAMES.map((act) => ({ caller, target, act }))),
).filter(({ caller, target }) => !(caller === 'guest' && target === 'self'));
const roleName = (caller: Caller): 'user' | 'admin' | 'root' =>
  ROLE_OF[caller] === 1 ? 'user' : ROLE_OF[caller] === 10 ? 'admin' : 'root';

describe('who may do what to whom', () => {
  it('answers for every act, caller and target', () => {
    expect(cells).toHaveLength((6 * 4 - 1) * ACT_NAMES.length);
    expect(ALL.size).toBe(ACT_NAMES.length);
    const routes = fixture.app.accessTable
      .filter(({ path }) => /^\/api\/user\/:id\b/.test(path))
      .map(({ method, path }) => `${method} ${path}`);
    expect(routes.filter((route) => !COVERED.has(route))).toEqual([]);
  });

  it.each(CALLERS)(
    'holds for the caller %s, and a refusal changes nothing',
    async (caller) => {
      const wrong: string[] = [];
      for (const { target, act } of cells.filter((cell) => cell.caller === caller)) {
        const client = await fixture.client(caller);
        const id =
          target === 'self' && caller !== 'guest'
            ? fixture.ids[caller]
            : await fixture.makeAccount(ROLE_OF[target === 'self' ? 'user' : target]);
        const before = await fixture.row(id);
        const reply = await (ACTS[act] ?? (() => client.get('/')))(client, id);
        const isAllowed = caller !== 'guest' && ALLOWED[roleName(caller)][target].has(act);
        const what = `${caller} → ${target}: ${act} answered ${reply.status} ${JSON.stringify(reply.body).slice(0, 160)}`;
        const isRefused = reply.body.success !== true;
        if (isAllowed && isRefused && !POINTLESS.has(String(reply.body.code)))
          wrong.push(`${what}, and should be allowed`);
        if (!isAllowed && !isRefused) wrong.push(`${what}, and should be refused`);
        if (isRefused) {
          if (reply.body.data !== undefined) wrong.push(`${what}: tells something`);
          if (JSON.stringify(await fixture.row(id)) !== JSON.stringify(before))
            wrong.push(`${what}: changed the account`);
        }
        if (target === 'self')
          expect(await fixture.row(id)).toMatchObject({
            role: ROLE_OF[caller],
            status: 1,
            deletedAtMs: null,
            group: 'default',
          });
      }
      expect(wrong).toEqual([]);
    },
    120_000,
  );
});
