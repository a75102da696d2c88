import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { generateSync } from 'otplib';
import { ageSteps } from '../../../../support/age-steps.js';
import type { ApiReply } from '../../../../support/api-client.js';
import { ApiClient, sessionCookieOf } from '../../../../support/api-client.js';
import {
  ROOT_ACCOUNT,
  setUpRoot,
  signUp,
  startTestApp,
  type TestApp,
} from '../../../../support/build-test-app.js';
import { createTestDatabase } from '../../../../support/database.js';
import { FakeClock } from '../../../../support/fake-clock.js';
import { testRedisUrl } from '../../../../support/redis.js';

const PASSWORD = 'password-of-a-test';
const STEP_MS = 30_000;

const clock = new FakeClock();
let app: TestApp;
let root: ApiClient;
let count = 0;

beforeAll(async () => {
  app = await startTestApp({ clock });
  root = await setUpRoot(app);
});

afterAll(() => app.close());

/** Limits of earlier tests are forgotten. */
beforeEach(() => clock.advance(24 * 3_600_000));

const codeOf = (secret: string, shiftMs = 0): string =>
  generateSync({ secret, epoch: Math.floor((clock.nowMs() + shiftMs) / 1000) });

/** A code that no earlier one of this test used up. */
function nextCode(secret: string): string {
  clock.advance(STEP_MS);
  return codeOf(secret);
}

const messageOf = (reply: ApiReply): string => reply.body.message ?? '';
/** The ticket's cookie, which the browser that began sends along. */
const stepCookies = new Map<string, string>();
const login = async (username: string, password = PASSWORD, url = app.url) => {
  const reply = await new ApiClient(url).post('/api/user/login', { username, password });
  const cookie = reply.headers.getSetCookie().find((text) => text.startsWith('login_step='));
  if (cookie !== undefined) stepCookies.set(ticketOf(reply), cookie.split(';', 1)[0] ?? '');
  return reply;
};
const ticketOf = (reply: ApiReply): string => (reply.body.data as { ticket: string }).ticket;
const confirm = (ticket: string | undefined, code: string, client = new ApiClient(app.url)) => {
  const cookie = stepCookies.get(ticket ?? '');
  if (cookie !== undefined) client.headers['cookie'] = cookie;
  return client.post('/api/user/login/2fa', { ticket, code });
};

interface Person {
  readonly client: ApiClient;
  readonly name: string;
}

async function person(): Promise<Person> {
  count += 1;
  const admin = await ApiClient.signIn(app.url, ROOT_ACCOUNT.username, ROOT_ACCOUNT.password);
  const name = `ann${count}`;
  return { client: await signUp(admin, { username: name }), name };
}

interface Enrolled extends Person {
  readonly secret: string;
  readonly recovery: string[];
}

async function enrolled(): Promise<Enrolled> {
  const { client, name } = await person();
  const { secret } = await client.expectSuccess<{ secret: string }>('POST', '/api/user/2fa/setup', {});
  const { backup_codes: recovery } = await client.expectSuccess<{ backup_codes: string[] }>(
    'POST',
    '/api/user/2fa/enable',
    { code: codeOf(secret), password: PASSWORD },
  );
  return { client, name, secret, recovery };
}

const auditOf = async (target: number, action: string): Promise<{ actor_id: number; detail: string }[]> => {
  const admin = await ApiClient.signIn(app.url, ROOT_ACCOUNT.username, ROOT_ACCOUNT.password);
  const page = await admin.expectSuccess<{ items: { actor_id: number; detail: string }[] }>(
    'GET',
    `/api/audit?target_type=user&target_id=${target}&action=${action}&page_size=100`,
  );
  return page.items;
};

describe('turning codes on', () => {
  it('shows a secret and an address for the QR code, and nothing is on before a code was right', async () => {
    const { client, name } = await person();
    const set = await client.expectSuccess<{ secret: string; qr_code_data: string }>(
      'POST',
      '/api/user/2fa/setup',
      {},
    );
    expect(set.secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(set.qr_code_data).toContain(`secret=${set.secret}`);
    expect(set.qr_code_data).toContain(name);
    expect((await login(name)).body.data).toMatchObject({ username: name });
    const status = await client.expectSuccess('GET', '/api/user/2fa/status');
    expect(status).toEqual({ enabled: false, locked: false, backup_codes_remaining: 0, has_password: true });
  });

  it('needs the password and a code of the secret that was shown to this login', async () => {
    const { client, name } = await person();
    const enable = (code: string, password: string, by = client) =>
      by.post('/api/user/2fa/enable', { code, password });
    expect(messageOf(await enable('123456', PASSWORD))).toMatch(/scan a new QR code/);
    const { secret } = await client.expectSuccess<{ secret: string }>('POST', '/api/user/2fa/setup', {});
    expect(messageOf(await enable(codeOf(secret), ''))).toMatch(/enter your password/);
    expect(messageOf(await enable(codeOf(secret), 'not this one'))).toBe('The password is wrong');
    expect(messageOf(await enable('000000', PASSWORD))).toMatch(/code is wrong/);
    const elsewhere = await ApiClient.signIn(app.url, name, PASSWORD);
    expect(messageOf(await enable(codeOf(secret), PASSWORD, elsewhere))).toMatch(/scan a new QR code/);
    const status = await client.expectSuccess<{ enabled: boolean }>('GET', '/api/user/2fa/status');
    expect(status.enabled).toBe(false);
    expect((await enable(codeOf(secret), PASSWORD)).body.success).toBe(true);
  });

  it('forgets a secret that was not used within ten minutes', async () => {
    const { client } = await person();
    const { secret } = await client.expectSuccess<{ secret: string }>('POST', '/api/user/2fa/setup', {});
    await ageSteps(app.dataSource, 10 * 60_000 + 1);
    const reply = await client.post('/api/user/2fa/enable', { code: codeOf(secret), password: PASSWORD });
    expect(messageOf(reply)).toMatch(/scan a new QR code/);
  });

  it('gives ten recovery codes once, ends other logins, and is in the audit log', async () => {
    const { client, name } = await person();
    const elsewhere = await ApiClient.signIn(app.url, name, PASSWORD);
    const { secret } = await client.expectSuccess<{ secret: string }>('POST', '/api/user/2fa/setup', {});
    const change = { code: codeOf(secret), password: PASSWORD };
    const answer = await client.expectSuccess<{ backup_codes: string[] }>(
      'POST',
      '/api/user/2fa/enable',
      change,
    );
    expect(new Set(answer.backup_codes).size).toBe(10);
    expect((await elsewhere.get('/api/user/self')).status).toBe(401);
    expect((await client.get('/api/user/self')).status).toBe(200);
    expect(messageOf(await client.post('/api/user/2fa/setup', {}))).toMatch(/already on/);
    const rows = await auditOf(client.userId, 'two_factor.enable');
    expect(rows).toHaveLength(1);
    expect(rows[0]?.detail).not.toContain(secret);
  });

  it('keeps neither secret nor codes readable in the database', async () => {
    const { client, secret, recovery } = await enrolled();
    const stored = JSON.stringify([
      await app.dataSource.query('SELECT * FROM two_factor WHERE user_id = ?', [client.userId]),
      await app.dataSource.query('SELECT * FROM recovery_codes WHERE user_id = ?', [client.userId]),
    ]);
    expect(stored).toMatch(/v1\./);
    for (const text of [secret, ...recovery, ...recovery.map((code) => code.replaceAll('-', ''))])
      expect(stored).not.toContain(text);
  });

  it('refuses system access tokens [TOK-09]', async () => {
    const { client } = await person();
    const token = await client.expectSuccess<string>('GET', '/api/user/token');
    const program = new ApiClient(app.url);
    Object.assign(program.headers, { Authorization: token, 'New-Api-User': String(client.userId) });
    for (const path of ['setup', 'enable', 'disable', 'backup_codes'])
      expect(messageOf(await program.post(`/api/user/2fa/${path}`, {}))).toMatch(/needs a login/);
  });
});

describe('signing in with a second step', () => {
  it('opens no session between password and code', async () => {
    const { name, secret, client } = await enrolled();
    const first = await login(name);
    expect(first.body).toMatchObject({ success: true, data: { require_2fa: true } });
    expect(Object.keys(first.body.data as object).toSorted()).toEqual(['require_2fa', 'ticket']);
    expect(sessionCookieOf(first)).toBe('');
    const stolen = new ApiClient(app.url);
    stolen.headers['cookie'] = `session=${ticketOf(first)}`;
    stolen.headers['New-Api-User'] = String(client.userId);
    expect((await stolen.get('/api/user/self')).status).toBe(401);
    const second = await confirm(ticketOf(first), nextCode(secret));
    expect(second.body).toMatchObject({ success: true, data: { id: client.userId, username: name } });
    const signedIn = new ApiClient(app.url);
    signedIn.headers['cookie'] = sessionCookieOf(second);
    signedIn.headers['New-Api-User'] = String(client.userId);
    expect((await signedIn.get('/api/user/self')).status).toBe(200);
    const sessions = await signedIn.expectSuccess<{ way: string; current: boolean }[]>(
      'GET',
      '/api/user/self/sessions',
    );
    expect(sessions.find(({ current }) => current)?.way).toBe('two-factor');
  });

  it('clients that send the code alone carry the ticket as a cookie', async () => {
    const { name, secret } = await enrolled();
    const first = await login(name);
    const cookie = first.headers.getSetCookie().find((text) => text.startsWith('login_step=')) ?? '';
    expect(cookie).toMatch(/HttpOnly/);
    expect(cookie).toMatch(/SameSite=Strict/);
    const client = new ApiClient(app.url);
    client.headers['cookie'] = cookie.split(';', 1)[0] ?? '';
    expect((await client.post('/api/user/login/2fa', { code: nextCode(secret) })).body.success).toBe(true);
  });

  it('refuses a ticket in another browser than the one that began [AUTH-04]', async () => {
    const { name, secret } = await enrolled();
    const ticket = ticketOf(await login(name));
    const code = nextCode(secret);
    const elsewhere = new ApiClient(app.url);
    expect(messageOf(await elsewhere.post('/api/user/login/2fa', { ticket, code }))).toMatch(/log in again/);
    elsewhere.headers['cookie'] = stepCookies.get(ticketOf(await login(name))) ?? '';
    expect(messageOf(await elsewhere.post('/api/user/login/2fa', { ticket, code }))).toMatch(/log in again/);
    expect((await confirm(ticket, code)).body.success).toBe(true);
  });

  it('accepts a code once, also when it is replayed', async () => {
    const { name, secret } = await enrolled();
    const code = nextCode(secret);
    const tickets = [ticketOf(await login(name)), ticketOf(await login(name))];
    expect((await confirm(tickets[0], code)).body.success).toBe(true);
    expect(messageOf(await confirm(tickets[1], code))).toMatch(/used already/);
    expect(messageOf(await confirm(tickets[1], codeOf(secret, -STEP_MS)))).toMatch(/used already/);
    expect((await confirm(tickets[1], nextCode(secret))).body.success).toBe(true);
  });

  it('lets one of twenty right codes at once in', async () => {
    const { name, secret } = await enrolled();
    const ticket = ticketOf(await login(name));
    const code = nextCode(secret);
    const replies = await Promise.all(Array.from({ length: 20 }, () => confirm(ticket, code)));
    expect(replies.filter(({ body }) => body.success)).toHaveLength(1);
  });

  it('accepts a ticket for one login; refuses used, old, foreign and made-up ones', async () => {
    const { name, secret } = await enrolled();
    const used = ticketOf(await login(name));
    expect((await confirm(used, nextCode(secret))).body.success).toBe(true);
    expect(messageOf(await confirm(used, nextCode(secret)))).toMatch(/log in again/);
    const old = ticketOf(await login(name));
    await ageSteps(app.dataSource, 5 * 60_000 + 1);
    expect(messageOf(await confirm(old, codeOf(secret)))).toMatch(/log in again/);
    for (const madeUp of ['', 'x', 'A'.repeat(43)])
      expect(messageOf(await confirm(madeUp, codeOf(secret)))).toMatch(/log in again/);
    const other = await enrolled();
    const theirs = ticketOf(await login(other.name));
    expect(messageOf(await confirm(theirs, codeOf(secret)))).toMatch(/code is wrong/);
  });

  it('ends the login on a ban or a new password between the steps', async () => {
    const { name, secret, client } = await enrolled();
    const admin = await ApiClient.signIn(app.url, ROOT_ACCOUNT.username, ROOT_ACCOUNT.password);
    const ticket = ticketOf(await login(name));
    await admin.expectSuccess('POST', '/api/user/manage', { id: client.userId, action: 'disable' });
    expect(messageOf(await confirm(ticket, nextCode(secret)))).toMatch(/log in again/);
    await admin.expectSuccess('POST', '/api/user/manage', { id: client.userId, action: 'enable' });
    expect(messageOf(await confirm(ticket, nextCode(secret)))).toMatch(/log in again/);
    const second = ticketOf(await login(name));
    await admin.expectSuccess('PUT', '/api/user/', { id: client.userId, password: 'another-password' });
    expect(messageOf(await confirm(second, nextCode(secret)))).toMatch(/log in again/);
  });

  it('locks codes of all logins for a while after five wrong ones, the right one too', async () => {
    const { name, secret, client } = await enrolled();
    for (let turn = 0; turn < 5; turn += 1) {
      const reply = await confirm(ticketOf(await login(name)), '000000');
      expect(messageOf(reply)).toMatch(/code is wrong/);
    }
    const locked = await confirm(ticketOf(await login(name)), nextCode(secret));
    expect(locked.status).toBe(429);
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(600);
    const status = await client.expectSuccess<{ locked: boolean }>('GET', '/api/user/2fa/status');
    expect(status.locked).toBe(true);
    expect(await auditOf(client.userId, 'login.code_wrong')).toHaveLength(5);
    clock.advance(15 * 60_000);
    expect((await confirm(ticketOf(await login(name)), codeOf(secret))).body.success).toBe(true);
  });

  it('counts a hundred parallel guesses as five', async () => {
    const { name, secret } = await enrolled();
    const ticket = ticketOf(await login(name));
    const guesses = Array.from({ length: 100 }, (_, index) => String(index).padStart(6, '0')).filter(
      (code) => code !== codeOf(secret),
    );
    const replies = await Promise.all(guesses.map((code) => confirm(ticket, code)));
    expect(replies.filter(({ status }) => status !== 429)).toHaveLength(5);
  });
});

describe('recovery codes', () => {
  it('signs in once each, however they are typed', async () => {
    const { name, recovery, client } = await enrolled();
    const [first = '', second = ''] = recovery;
    const typed = first.toLowerCase().replaceAll('-', ' ');
    expect((await confirm(ticketOf(await login(name)), typed)).body.success).toBe(true);
    expect(messageOf(await confirm(ticketOf(await login(name)), first))).toMatch(/used already/);
    const status = await client.expectSuccess('GET', '/api/user/2fa/status');
    expect(status).toMatchObject({ backup_codes_remaining: 9 });
    const [success] = await auditOf(client.userId, 'login.success');
    expect(success?.detail).toContain('recovery-code');
    expect(success?.detail).not.toContain(first);
    const tickets = await Promise.all(Array.from({ length: 4 }, async () => ticketOf(await login(name))));
    const replies = await Promise.all(tickets.map((ticket) => confirm(ticket, second)));
    expect(replies.filter(({ body }) => body.success)).toHaveLength(1);
  });

  it('replaces them whole, by a code', async () => {
    const { client, name, secret, recovery } = await enrolled();
    expect(messageOf(await client.post('/api/user/2fa/backup_codes', { code: '000000' }))).toMatch(/wrong/);
    const answer = await client.expectSuccess<{ backup_codes: string[] }>(
      'POST',
      '/api/user/2fa/backup_codes',
      { code: nextCode(secret) },
    );
    expect(answer.backup_codes).toHaveLength(10);
    expect(messageOf(await confirm(ticketOf(await login(name)), recovery[0] ?? ''))).toMatch(/wrong/);
    const [fresh = ''] = answer.backup_codes;
    expect((await confirm(ticketOf(await login(name)), fresh)).body.success).toBe(true);
  });

  it('belongs to one account', async () => {
    const ann = await enrolled();
    const bob = await enrolled();
    expect(messageOf(await confirm(ticketOf(await login(bob.name)), ann.recovery[0] ?? ''))).toMatch(/wrong/);
  });
});

describe('turning codes off', () => {
  it('needs the password and a code', async () => {
    const { client, name, secret } = await enrolled();
    const disable = (code: string, password: string) =>
      client.post('/api/user/2fa/disable', { code, password });
    expect(messageOf(await disable(nextCode(secret), ''))).toMatch(/enter your password/);
    expect(messageOf(await disable(nextCode(secret), 'not this one'))).toBe('The password is wrong');
    expect(messageOf(await disable('000000', PASSWORD))).toMatch(/wrong/);
    expect((await login(name)).body.data).toMatchObject({ require_2fa: true });
    expect((await disable(nextCode(secret), PASSWORD)).body.success).toBe(true);
    expect((await login(name)).body.data).toMatchObject({ username: name });
    expect(messageOf(await disable(nextCode(secret), PASSWORD))).toMatch(/not on/);
    expect(await auditOf(client.userId, 'two_factor.disable')).toHaveLength(1);
  });

  it('lets administrators do it only for accounts below them, with the logins of that account', async () => {
    const { client, name } = await enrolled();
    const admin = await ApiClient.signIn(app.url, ROOT_ACCOUNT.username, ROOT_ACCOUNT.password);
    const helper = await signUp(admin, { username: `helper${count}`, role: 'admin' });
    const peer = await signUp(admin, { username: `peer${count}`, role: 'admin' });
    const path = `/api/user/${client.userId}/2fa`;
    const factors = await helper.expectSuccess('GET', path);
    expect(factors).toEqual({ enabled: true, passkeys: 0 });
    expect(messageOf(await helper.delete(`/api/user/${peer.userId}/2fa`))).toMatch(/same or a higher level/);
    expect(messageOf(await helper.delete(`/api/user/${root.userId}/2fa`))).toMatch(/same or a higher level/);
    expect(messageOf(await helper.delete(`/api/user/${helper.userId}/2fa`))).toMatch(/personal settings/);
    expect(messageOf(await client.delete(path))).toMatch(/no permission/);
    expect((await helper.delete(path)).body.success).toBe(true);
    expect((await client.get('/api/user/self')).status).toBe(401);
    expect((await login(name)).body.data).toMatchObject({ username: name });
    expect(await auditOf(client.userId, 'two_factor.reset')).toMatchObject([{ actor_id: helper.userId }]);
    expect(messageOf(await helper.delete(path))).toMatch(/not on/);
    expect(messageOf(await helper.delete('/api/user/999999/2fa'))).toMatch(/does not exist/);
  });
});

describe('bad input', () => {
  it.each([
    ['a number', { code: 123_456 }],
    ['null', { code: null }],
    ['a list', { code: ['123456'] }],
    ['a text without end', { code: '1'.repeat(10_000) }],
    ['a foreign ticket type', { ticket: 7, code: '123456' }],
  ])('%s is refused and counts as no try', async (_, body) => {
    const { name, secret } = await enrolled();
    const ticket = ticketOf(await login(name));
    for (let turn = 0; turn < 6; turn += 1)
      expect((await new ApiClient(app.url).post('/api/user/login/2fa', { ticket, ...body })).status).toBe(
        400,
      );
    expect((await confirm(ticket, nextCode(secret))).body.success).toBe(true);
  });

  it('text that only looks like digits is wrong', async () => {
    const { name, secret } = await enrolled();
    const ticket = ticketOf(await login(name));
    const wide = nextCode(secret).replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));
    for (const code of [wide, `\u202e${codeOf(secret)}`, `${codeOf(secret)}\u200b`, ''])
      expect(messageOf(await confirm(ticket, code))).toMatch(/wrong/);
  });
});

describe('over two instances with one Redis and one MariaDB', () => {
  it('finishes a login of the other instance, and uses up codes at both', async () => {
    const database = await createTestDatabase('mariadb');
    const env = { REDIS_URL: testRedisUrl(), DATABASE_URL: database.url, WORKERS: '1' };
    const here = await startTestApp({ env });
    const there = await startTestApp({ env });
    try {
      const name = 'over-there';
      const client = await signUp(await setUpRoot(here), { username: name });
      const { secret } = await client.expectSuccess<{ secret: string }>('POST', '/api/user/2fa/setup', {});
      const codeAt = (shiftSeconds: number): string =>
        generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + shiftSeconds });
      const elsewhere = new ApiClient(there.url);
      Object.assign(elsewhere.headers, client.headers);
      const change = { code: codeAt(0), password: PASSWORD };
      await elsewhere.expectSuccess('POST', '/api/user/2fa/enable', change);
      const begin = async () => ticketOf(await login(name, PASSWORD, here.url));
      // The step after the one that is used up already.
      const code = codeAt(30);
      expect((await confirm(await begin(), code, new ApiClient(there.url))).body.success).toBe(true);
      expect(messageOf(await confirm(await begin(), code, new ApiClient(here.url)))).toMatch(/used already/);
    } finally {
      await here.close();
      await there.close();
      await database.drop();
    }
  });
});
