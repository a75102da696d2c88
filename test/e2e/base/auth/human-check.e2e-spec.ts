import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiReply } from '../../../support/api-client.ts';
import { signUp } from '../../../support/build-test-app.ts';
import {
  startTurnstileServer,
  TURNSTILE_SECRET,
  type TurnstileServer,
} from '../../../support/turnstile-server.ts';
import { type AccountsFixture, PASSWORD, startAccounts } from '../../../support/fixtures/accounts.fixture.ts';

let fixture: AccountsFixture;
let turnstile: TurnstileServer;
let count = 0;

beforeAll(async () => {
  turnstile = await startTurnstileServer();
  fixture = await startAccounts('SQLite, in one process', { TURNSTILE_VERIFY_URL: turnstile.url });
  await signUp(fixture.root, { username: 'person' });
  await fixture.set(
    { key: 'TurnstileSiteKey', value: 'site-key' },
    { key: 'TurnstileSecretKey', value: TURNSTILE_SECRET },
    { key: 'TurnstileCheckEnabled', value: true },
  );
});
afterEach(() => {
  turnstile.mode = 'works';
});
afterAll(async () => {
  await fixture.close();
  await turnstile.close();
});

/** A token of a page of the gateway. */
const issue = (action = ''): string => turnstile.issue({ hostname: 'gate.example', action });
const query = (token: string): string => `turnstile=${encodeURIComponent(token)}`;

/** Every route that is guarded, as its page calls it. */
const GUARDED = {
  login: (token) =>
    fixture.guest().post(`/api/user/login?${query(token)}`, { username: 'person', password: PASSWORD }),
  register: (token) =>
    fixture
      .guest()
      .post(`/api/user/register?${query(token)}`, { username: `human${(count += 1)}`, password: PASSWORD }),
  verification: (token) =>
    fixture.guest().get(`/api/verification?email=v${(count += 1)}@example.test&${query(token)}`),
  reset: (token) =>
    fixture.guest().get(`/api/reset_password?email=r${(count += 1)}@example.test&${query(token)}`),
} as const satisfies Record<string, (token: string) => Promise<ApiReply>>;
const ROUTES = Object.keys(GUARDED) as (keyof typeof GUARDED)[];

describe.each(ROUTES)('the human check of %s', (route) => {
  const call = GUARDED[route];

  it("lets a person through, and sends the client's address to the service", async () => {
    expect((await call(issue())).body).toMatchObject({ success: true });
    expect(turnstile.verifications.at(-1)).toMatchObject({
      secret: TURNSTILE_SECRET,
      remoteIp: expect.stringMatching(/^203\.0\./),
    });
  });

  it('asks to wait when there is no token', async () => {
    expect((await call('')).body).toMatchObject({ success: false, code: 'human_check_required' });
  });

  it('refuses a used token, an unknown one and one that is too long [AUTH-08]', async () => {
    const token = issue();
    await call(token);
    const asked = turnstile.verifications.length;
    expect((await call(token)).body.code).toBe('human_check_failed');
    // Not even asked about again: a service that forgot the token would let it through.
    expect(turnstile.verifications).toHaveLength(asked);
    expect((await call('made up')).body.code).toBe('human_check_failed');
    expect((await call('x'.repeat(3_000))).body.code).toBe('human_check_failed');
  });

  it('refuses a token solved on another site or for another action [AUTH-08]', async () => {
    expect((await call(turnstile.issue({ hostname: 'evil.example' }))).body.code).toBe('human_check_failed');
    expect((await call(issue('pay'))).body.code).toBe('human_check_failed');
    expect((await call(issue(route))).body.success).toBe(true);
  });

  it('fails closed when the service does not answer, but for a few logins [AUTH-107]', async () => {
    turnstile.mode = 'away';
    const { body } = await call(issue());
    if (route === 'login') expect(body.success).toBe(true);
    else expect(body.code).toBe('human_check_away');
  });
});

describe('the human check', () => {
  it('lets at most five unchecked logins through per network [AUTH-08]', async () => {
    turnstile.mode = 'away';
    const client = fixture.guest();
    const statuses = [];
    for (let index = 0; index < 7; index += 1) {
      const path = `/api/user/login?${query(issue())}`;
      statuses.push((await client.post(path, { username: 'person', password: PASSWORD })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
  });

  it('does not wait longer than five seconds [AUTH-107]', async () => {
    turnstile.mode = 'silent';
    const startedAt = performance.now();
    expect((await GUARDED.register(issue())).body.code).toBe('human_check_away');
    expect(performance.now() - startedAt).toBeLessThan(7_000);
  });

  it('comes before the name is looked at, so that names cannot be tried', async () => {
    const form = { username: 'person', password: PASSWORD };
    expect((await fixture.guest().post('/api/user/register', form)).body.code).toBe('human_check_required');
    expect((await fixture.guest().post(`/api/user/register?${query(issue())}`, form)).body.code).toBe(
      'username_taken',
    );
  });

  it('asks for nothing while it is switched off, and ignores what is sent', async () => {
    await fixture.set({ key: 'TurnstileCheckEnabled', value: false });
    try {
      const asked = turnstile.verifications.length;
      expect((await GUARDED.login('whatever')).body.success).toBe(true);
      expect(turnstile.verifications).toHaveLength(asked);
    } finally {
      await fixture.set({ key: 'TurnstileCheckEnabled', value: true });
    }
  });

  it('refuses a secret the service does not know', async () => {
    await fixture.set({ key: 'TurnstileSecretKey', value: 'another' });
    expect((await GUARDED.register(issue())).body.code).toBe('human_check_failed');
    await fixture.set({ key: 'TurnstileSecretKey', value: TURNSTILE_SECRET });
  });
});
