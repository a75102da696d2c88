import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TokenEntity } from '../../../server/gateway/tokens/token.entity.js';
import type { ApiClient, ApiReply } from '../../support/api-client.ts';
import { CALLERS, type CallersFixture, startCallers } from './callers.ts';

/**
 * Routes that name one object by an id, and the object's owner. `owner`: one account's own, tried below. `operator`: the
 * installation's, decided by role. `account`: an account, see targets. `other`: nothing with an owner.
 */
const WHOSE: Readonly<Record<string, 'owner' | 'operator' | 'account' | 'other'>> = {
  '/api/token/:id': 'owner',
  '/api/token/:id/key': 'owner',
  '/api/token/:id/activity': 'owner',
  '/api/token/:id/lock': 'account',
  '/api/token/:id/unlock': 'account',
  '/api/user/passkey/:id': 'owner',
  '/api/user/self/sessions/:id': 'owner',
  '/api/user/topup/self/:trade_no': 'owner',
  '/api/log/:reference/explain': 'owner',
  '/api/limits/:id': 'owner',
  '/api/limits/:id/history': 'owner',
  '/api/limits/:id/override': 'owner',
  '/api/limits/:id/reset': 'owner',
  '/api/user/self/identities/:provider': 'other',
  '/api/docs/:file': 'other',
  '/api/operations/alerts/:id/acknowledge': 'operator',
  '/api/operations/jobs/:name/run': 'operator',
  '/api/import/:id/undo': 'operator',
  '/api/import/file/:file': 'operator',
  '/api/channel/:id': 'operator',
  '/api/channel/test/:id': 'operator',
  '/api/channel/health/:id': 'operator',
  '/api/channel/copy/:id': 'operator',
  '/api/channel/fetch_models/:id': 'operator',
  '/api/channel/update_balance/:id': 'operator',
  '/api/channel/job/:name': 'operator',
  '/api/redemption/:id': 'operator',
  '/api/user/topup/order/:trade_no': 'operator',
  '/api/pricing/versions/:id': 'operator',
  '/api/pricing/versions/:id/rollback': 'operator',
  '/api/user/:id': 'account',
  '/api/user/:id/2fa': 'account',
  '/api/user/:id/purge': 'account',
  '/api/user/:id/reset_passkey': 'account',
  '/api/user/:id/ledger': 'account',
  '/api/user/:id/sessions': 'account',
  '/api/user/:id/sign_ins': 'account',
  '/api/user/:id/identity/:provider': 'account',
};

let fixture: CallersFixture;
let owner: ApiClient;
beforeAll(async () => {
  fixture = await startCallers();
  owner = await fixture.client('user');
});
afterAll(() => fixture.app.close());

const tokens = () => fixture.app.dataSource.getRepository(TokenEntity);

async function makeToken(): Promise<number> {
  await owner.expectSuccess('POST', '/api/token/', { name: 'mine', remain_quota: 5, expired_time: -1 });
  const [token] = await tokens().find({
    where: { userId: fixture.ids.user },
    order: { id: 'DESC' },
    take: 1,
  });
  if (token === undefined) throw new Error('no token was made');
  return token.id;
}

type Call = (client: ApiClient, id: number) => Promise<ApiReply>;
const TOKEN_CALLS: Readonly<Record<string, Call>> = {
  'GET /api/token/:id': (client, id) => client.get(`/api/token/${id}`),
  'GET /api/token/:id/activity': (client, id) => client.get(`/api/token/${id}/activity`),
  'POST /api/token/:id/key': (client, id) => client.post(`/api/token/${id}/key`, {}),
  'PUT /api/token': (client, id) =>
    client.put('/api/token/', { id, name: 'theirs', remain_quota: 9, expired_time: -1 }),
  'PUT /api/token?status_only': (client, id) => client.put('/api/token/?status_only=true', { id, status: 2 }),
  'DELETE /api/token/:id': (client, id) => client.delete(`/api/token/${id}`),
};

describe('what belongs to one account', () => {
  it('lists an owner for every route that names an object', () => {
    const named = fixture.app.accessTable.filter(
      ({ path, access }) => path.startsWith('/api/') && path.includes('/:') && access !== 'token',
    );
    const unknown = named.map(({ path }) => path).filter((path) => !Object.hasOwn(WHOSE, path));
    expect([...new Set(unknown)]).toEqual([]);
    const gone = Object.keys(WHOSE).filter((path) => !named.some((route) => route.path === path));
    expect(gone).toEqual([]);
  });

  it.each(Object.keys(TOKEN_CALLS).flatMap((call) => CALLERS.map((caller) => [caller, call] as const)))(
    'tokens: %s %s',
    async (caller, name) => {
      const id = await makeToken();
      const call = TOKEN_CALLS[name];
      if (call === undefined) throw new Error('no such call');
      const client = await fixture.client(caller);
      const before = await tokens().findOneBy({ id });
      const reply = await call(client, id);
      if (caller === 'user') {
        expect(reply.body.success).toBe(true);
        return;
      }
      const missing = await call(client, 2_147_483_000);
      // Foreign and missing are the same answer.
      expect([reply.status, reply.body]).toEqual([missing.status, missing.body]);
      expect(reply.body.success).toBe(false);
      expect(await tokens().findOneBy({ id })).toEqual(before);
    },
  );

  it.each(CALLERS)('a batch of %s removes own tokens only', async (caller) => {
    const id = await makeToken();
    const reply = await (await fixture.client(caller)).post('/api/token/batch', { ids: [id] });
    expect((await tokens().findOneBy({ id })) === null || reply.body.data === 1).toBe(caller === 'user');
  });

  it.each(CALLERS)('sessions: %s ends own sessions only', async (caller) => {
    const session = await fixture.client('user');
    const list = await session.expectSuccess<{ id: string; current: boolean }[]>(
      'GET',
      '/api/user/self/sessions',
    );
    const current = list.find((entry) => entry.current)?.id ?? '';
    const reply = await (await fixture.client(caller)).delete(`/api/user/self/sessions/${current}`);
    expect(reply.body.success).toBe(caller === 'user');
    expect((await session.get('/api/user/self')).status).toBe(caller === 'user' ? 401 : 200);
  });

  it.each(CALLERS)('finds none of another account’s passkeys and orders: %s', async (caller) => {
    const client = await fixture.client(caller);
    for (const reply of [
      await client.delete('/api/user/passkey/1'),
      await client.put('/api/user/passkey/1', { name: 'theirs' }),
      await client.get('/api/user/topup/self/somebody-elses'),
      await client.get('/api/log/somebody-elses/explain'),
    ])
      expect(reply.body.success).toBe(false);
  });

  it.each(CALLERS)('lists of %s hold what is their own', async (caller) => {
    const id = await makeToken();
    const reply = await (await fixture.client(caller)).get('/api/token/?p=0&size=100');
    expect(JSON.stringify(reply.body).includes(`"id":${id},`)).toBe(caller === 'user');
  });
});
