import { createHash, createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { UserEntity } from '../../../../server/base/users/user.entity.js';
import { signUp } from '../../../support/build-test-app.ts';
import { FakeClock } from '../../../support/fake-clock.ts';
import type { Browser } from './browser.ts';
import { type IdentityFixture, startIdentityFixture } from './identity.fixture.ts';

const BOT_TOKEN = '110201543:token-of-a-test';

let fixture: IdentityFixture;
const clock = new FakeClock(Date.now());

beforeAll(async () => {
  fixture = await startIdentityFixture({ clock });
  await fixture.setOptions({
    TelegramBotToken: BOT_TOKEN,
    TelegramBotName: 'tollgate_bot',
    TelegramOAuthEnabled: true,
  });
});
afterAll(() => fixture.close());

type Fields = Readonly<Record<string, string>>;

/** Signed fields of Telegram's widget: the documented fields and their hash. */
function signed(fields: Fields, botToken = BOT_TOKEN): Record<string, string> {
  const text = Object.keys(fields)
    .toSorted()
    .map((name) => `${name}=${fields[name] ?? ''}`)
    .join('\n');
  const key = createHash('sha256').update(botToken).digest();
  return { ...fields, hash: createHmac('sha256', key).update(text).digest('hex') };
}
const now = (aheadSeconds = 0): string => String(Math.floor(clock.nowMs() / 1000) + aheadSeconds);
const confirmation = (id: string, more: Fields = {}): Fields => ({
  id,
  first_name: 'Grace',
  username: 'grace',
  photo_url: 'https://t.me/i/userpic/320/grace.jpg',
  auth_date: now(),
  ...more,
});
const login = (fields: Fields, browser = fixture.browser()) =>
  browser.get(`/api/oauth/telegram/login?${new URLSearchParams(fields).toString()}`);

/** Makes an account with this Telegram id bound. */
async function bound(username: string, id: string): Promise<Browser> {
  await signUp(fixture.root, { username });
  const browser = await fixture.browser().signIn(username);
  const { state } = await browser.expectSuccess<{ state: string }>('POST', '/api/oauth/start', {
    provider: 'telegram',
    intent: 'bind',
  });
  await browser.expectSuccess('POST', '/api/oauth/telegram/bind', {
    ...signed(confirmation(id, { last_name: username })),
    state,
  });
  clock.advance(1_000);
  return browser;
}

it('signs in who is bound, with the fields the widget sends, and opens no account', async () => {
  const owner = await bound('graceful', '4711');
  const reply = await login(signed(confirmation('4711', { lang: 'en' })));
  expect(reply.body).toMatchObject({ success: true, data: { id: owner.userId, username: 'graceful' } });
  const stranger = await login(signed(confirmation('4712')));
  expect(stranger.body.code).toBe('identity_unknown');
  expect(await fixture.app.dataSource.getRepository(UserEntity).existsBy({ telegramId: '4712' })).toBe(false);
});

it.each<readonly [string, () => Fields, string]>([
  [
    'TG-01 another id under the same hash',
    () => ({ ...signed(confirmation('1')), id: '4711' }),
    'telegram_forged',
  ],
  [
    'TG-01 a field that is not signed',
    () => ({ ...signed(confirmation('4711')), last_name: 'added' }),
    'telegram_forged',
  ],
  ['TG-01 the token of another bot', () => signed(confirmation('4711'), 'other'), 'telegram_forged'],
  ['TG-01 an empty token', () => signed(confirmation('4711'), ''), 'telegram_forged'],
  [
    'a hash in capitals',
    () => ({
      ...signed(confirmation('4711')),
      hash: signed(confirmation('4711'))['hash']?.toUpperCase() ?? '',
    }),
    'telegram_forged',
  ],
  ['a short hash', () => ({ ...confirmation('4711'), hash: 'abcd' }), 'telegram_forged'],
  ['an id that is none', () => signed(confirmation('4711 ')), 'telegram_forged'],
  [
    'TG-02 an old confirmation',
    () => signed(confirmation('4711', { auth_date: now(-301) })),
    'telegram_expired',
  ],
  [
    'TG-02 one from the future',
    () => signed(confirmation('4711', { auth_date: now(121) })),
    'telegram_expired',
  ],
  ['a moment that is none', () => signed(confirmation('4711', { auth_date: 'now' })), 'telegram_expired'],
])('refuses %s', async (_what, fields, code) => {
  expect((await login(fields())).body.code).toBe(code);
});

it('refuses another field though it is signed, and a field given twice [TG-01]', async () => {
  expect((await login(signed({ ...confirmation('4711'), role: '100' }))).status).toBe(400);
  const fields = new URLSearchParams(signed(confirmation('4711')));
  fields.append('id', '4711');
  expect((await fixture.browser().get(`/api/oauth/telegram/login?${fields.toString()}`)).status).toBe(400);
});

it('rejects everything with an empty token of ours, whatever the switch [TG-01]', async () => {
  const { isGenuine } = await import('../../../../server/console/identities/telegram.identity.js');
  const fields = { ...signed(confirmation('1'), ''), hash: signed(confirmation('1'), '')['hash'] ?? '' };
  expect(isGenuine(fields, '')).toBe(false);
  expect((await fixture.root.put('/api/option/', { key: 'TelegramBotToken', value: null })).body.code).toBe(
    'option_incomplete',
  );
});

it('takes a confirmation once: in parallel, after a second and after six minutes [TG-02]', async () => {
  const fields = signed(confirmation('4711', { last_name: 'replayed' }));
  const replies = await Promise.all(Array.from({ length: 4 }, () => login(fields)));
  expect(replies.filter(({ body }) => body.success === true)).toHaveLength(1);
  for (const pauseMs of [1_000, 359_000]) {
    clock.advance(pauseMs);
    expect((await login(fields)).body.code).toBe('telegram_expired');
  }
});

it('binds only by a state of the same session: not by a link, not twice, not for another account [TG-03]', async () => {
  await signUp(fixture.root, { username: 'linked' });
  const victim = await fixture.browser().signIn('linked');
  const query = (fields: Fields): string =>
    `/api/oauth/telegram/bind?${new URLSearchParams(fields).toString()}`;
  const attackers = signed(confirmation('666'));
  const fromElsewhere = { 'sec-fetch-site': 'cross-site', 'New-Api-User': '-1' };
  expect((await victim.get(query({ ...attackers, state: '' }), fromElsewhere)).body.code).toBe(
    'identity_state_invalid',
  );
  expect((await victim.get(query(attackers), fromElsewhere)).body.code).toBe('identity_state_invalid');
  const attacker = await bound('attacking', '667');
  const { state } = await attacker.expectSuccess<{ state: string }>('POST', '/api/oauth/start', {
    provider: 'telegram',
    intent: 'bind',
  });
  expect((await victim.get(query({ ...attackers, state }), fromElsewhere)).body.code).toBe(
    'identity_state_invalid',
  );
  const login = await victim.expectSuccess<{ state: string }>('POST', '/api/oauth/start', {
    provider: 'telegram',
  });
  expect((await victim.get(query({ ...attackers, state: login.state }), fromElsewhere)).body.code).toBe(
    'identity_state_invalid',
  );
  expect(
    (await fixture.app.dataSource.getRepository(UserEntity).findOneByOrFail({ id: victim.userId }))
      .telegramId,
  ).toBeNull();

  const own = await victim.expectSuccess<{ state: string }>('POST', '/api/oauth/start', {
    provider: 'telegram',
    intent: 'bind',
  });
  const path = query({ ...signed(confirmation('668')), state: own.state });
  const done = await victim.get(path, fromElsewhere);
  expect([done.status, done.headers.get('location')]).toEqual([302, '/personal']);
  expect((await victim.get(path, fromElsewhere)).body.code).toBe('identity_state_invalid');
  expect((await fixture.browser().get(path)).status).toBe(401);
});

it('refuses while it is off, and refuses a page of another site', async () => {
  const fields = signed(confirmation('4711', { last_name: 'off' }));
  const path = `/api/oauth/telegram/login?${new URLSearchParams(fields).toString()}`;
  expect((await fixture.browser().get(path, { 'sec-fetch-site': 'cross-site' })).body.code).toBe(
    'foreign_origin',
  );
  await fixture.setOptions({ TelegramOAuthEnabled: false });
  expect((await login(fields)).body.code).toBe('identity_provider_off');
  await fixture.setOptions({ TelegramOAuthEnabled: true });
  expect((await login(fields)).body.success).toBe(true);
});

it('refuses a banned account', async () => {
  const { userId } = await bound('banished', '99');
  await fixture.root.expectSuccess('POST', '/api/user/manage', { id: userId, action: 'disable' });
  expect((await login(signed(confirmation('99')))).body.code).toBe('account_banned');
});
