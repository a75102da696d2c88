import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CallersFixture, startCallers } from './callers.ts';

const UNKNOWN = 'no_such_parameter=1&Type=2&sort[]=x&__proto__=1';

/** Answers of these contain the time, a random text or a count. */
const CHANGING = new Set(['/api/oauth/state', '/api/status/process', '/api/user/passkey/register/begin']);

const concrete = (path: string): string =>
  path
    .replace(/:id\b/g, '2147483000')
    .replace(/:provider\b/, 'github')
    .replace(/:\w+/g, 'x');

let fixture: CallersFixture;
beforeAll(async () => {
  fixture = await startCallers();
});
afterAll(() => fixture.app.close());

describe('parameters of a query that a route does not know', () => {
  it('ignores them on every route of the console API that reads', async () => {
    const paths = fixture.app.accessTable
      .filter(({ method, path }) => method === 'GET' && path.startsWith('/api/'))
      .map(({ path }) => path);
    expect(paths.length).toBeGreaterThan(60);
    const wrong: unknown[] = [];
    for (const path of new Set(paths)) {
      const [plain, asked] = await Promise.all(
        ['', `?${UNKNOWN}`].map(async (query) => (await fixture.client('root')).get(concrete(path) + query)),
      );
      const verdict = (reply: typeof plain) => [reply?.status, reply?.body.success, reply?.body.code];
      if (CHANGING.has(path)) continue;
      if (JSON.stringify(verdict(plain)) !== JSON.stringify(verdict(asked)))
        wrong.push({ path, plain: verdict(plain), asked: verdict(asked) });
    }
    expect(wrong).toEqual([]);
  }, 120_000);

  it('ignores them on every route of the console API that changes something', async () => {
    const routes = fixture.app.accessTable.filter(
      ({ method, path, access }) =>
        !['GET', 'OPTIONS'].includes(method) && path.startsWith('/api/') && access !== 'public',
    );
    expect(routes.length).toBeGreaterThan(60);
    const wrong: unknown[] = [];
    for (const { method, path } of routes) {
      const client = await fixture.client('root');
      const { body } = await client.send(method, `${concrete(path)}?${UNKNOWN}`, { no_such_member: 1 });
      const message = String(body.message);
      if (/no_such_parameter|sort|__proto__/.test(message)) wrong.push({ method, path, message });
    }
    expect(wrong).toEqual([]);
  }, 120_000);

  it('stands in the API document', async () => {
    const document = await (await fetch(`${fixture.app.url}/api/openapi.json`)).text();
    expect(document).toContain(
      'Parameters of a query that a route does not name are ignored, on every route alike',
    );
  });
});
