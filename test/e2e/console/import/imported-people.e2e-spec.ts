import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiClient } from '../../../support/api-client.js';
import { startTestApp, type TestApp } from '../../../support/build-test-app.js';
import { type ForeignDatabase, loadSample } from '../../../support/foreign-databases.js';
import { expectedOf, ImportTarget, SAMPLES } from '../../../support/import-runs.js';

interface Key {
  readonly key: string;
  readonly reason?: string;
}
interface Login {
  /** Absent at LiteLLM, whose people sign in by e-mail, or by the id of those without one. */
  readonly username?: string;
  readonly email?: string | null;
  readonly user_id?: string;
  readonly password: string;
}

const nameOf = ({ username, email, user_id: id }: Login): string => username ?? email ?? id ?? '';

/** Every place a client may send its key in. */
const PLACES: readonly (readonly [
  string,
  (key: string) => { path: string; headers: Record<string, string> },
])[] = [
  ['Authorization', (key) => ({ path: '/v1/models', headers: { authorization: `Bearer ${key}` } })],
  [
    'x-api-key',
    (key) => ({ path: '/v1/models', headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01' } }),
  ],
  ['x-goog-api-key', (key) => ({ path: '/v1beta/models', headers: { 'x-goog-api-key': key } })],
  ['?key=', (key) => ({ path: `/v1beta/models?key=${encodeURIComponent(key)}`, headers: {} })],
];

describe.each([
  ['new-api', 'A-new-api.sqlite.gz'],
  ['one-api', 'A-one-api.sqlite.gz'],
  ['litellm', 'A-litellm.postgres.sql.gz'],
] as const)('people of %s after the import', (product, file) => {
  const expected = expectedOf(product, file);
  const keys = expected['keys_that_work'] as readonly Key[];
  const refused = expected['keys_that_must_fail'] as readonly Key[];
  let source: ForeignDatabase;
  let target: ImportTarget;
  let running: TestApp;

  beforeAll(async () => {
    source = await loadSample(join(SAMPLES, product, file));
    const salt = expected['salt_key'];
    target = await ImportTarget.open('sqlite', typeof salt === 'string' ? { LITELLM_SALT_KEY: salt } : {});
    await target.run(source.url);
    running = await startTestApp({ env: target.variables });
  });
  afterAll(async () => {
    await running.close();
    await target.close();
    await source.drop();
  });

  const ask = async (path: string, headers: Record<string, string>): Promise<number> =>
    (await fetch(`${running.url}${path}`, { headers })).status;

  it.each(PLACES)('answers every key that worked there, in %s', async (_name, place) => {
    const answers = await Promise.all(
      keys.map(async ({ key }) => {
        const { path, headers } = place(key);
        return [key, await ask(path, headers)] as const;
      }),
    );
    expect(answers.filter(([, status]) => status !== 200)).toEqual([]);
  });

  it('refuses calls of every key that was refused there', async () => {
    const answers = await Promise.all(
      refused.map(async ({ key, reason }) => {
        const answer = await fetch(`${running.url}/v1/chat/completions`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] }),
        });
        return [reason, answer.status] as const;
      }),
    );
    expect(answers.filter(([, status]) => status < 400 || status >= 500)).toEqual([]);
  });

  it('signs in with every password that was right there, a second time with argon2id', async () => {
    for (const login of expected['passwords_that_work'] as readonly Login[]) {
      await ApiClient.signIn(running.url, nameOf(login), login.password);
      await ApiClient.signIn(running.url, nameOf(login), login.password);
    }
    const rows: unknown = await target.house.dataSource.query(
      `SELECT username FROM users WHERE password LIKE '$argon2id$%'`,
    );
    // Those whose hash is argon2id from the import on are among them.
    expect((rows as unknown[]).length).toBeGreaterThanOrEqual(
      (expected['passwords_that_work'] as readonly Login[]).length,
    );
  });

  it('refuses the passwords of banned and deleted people', async () => {
    for (const login of (expected['passwords_that_must_fail'] ?? []) as readonly Login[])
      await expect(ApiClient.signIn(running.url, nameOf(login), login.password)).rejects.toThrow('refused');
  });

  it('asks people with an authenticator app for its code', async () => {
    for (const { username, password } of (expected['passwords_with_second_factor'] ??
      []) as readonly Login[]) {
      const reply = await new ApiClient(running.url).post('/api/user/login', { username, password });
      expect(reply.body.data).toMatchObject({ require_2fa: true });
    }
  });

  it('refuses a key with the number of a channel that was not imported', async () => {
    const headers = { authorization: `Bearer ${keys[0]?.key ?? ''}-4711` };
    expect(await ask('/v1/models', headers)).toBe(403);
  });
});
