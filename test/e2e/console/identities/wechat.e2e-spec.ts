import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { UserEntity } from '../../../../server/base/users/user.entity.js';
import { signUp } from '../../../support/build-test-app.ts';
import { FakeClock } from '../../../support/fake-clock.ts';
import { type IdentityFixture, startIdentityFixture } from './identity.fixture.ts';

const TOKEN = 'token of the helper server';

/** The helper server: an official account gives people a code, and resolves it for holders of the token. */
const codes = new Map<string, string>();
let answer: { status: number; body: string } | null = null;
const asked: string[] = [];
const helper: Server = createServer((request, reply) => {
  asked.push(request.url ?? '');
  const url = new URL(request.url ?? '', 'http://helper.test');
  const json = (status: number, body: unknown): void =>
    void reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  if (answer !== null) return void reply.writeHead(answer.status).end(answer.body);
  if (request.headers.authorization !== TOKEN)
    return json(200, { success: false, message: 'invalid token', data: '' });
  if (url.pathname !== '/api/wechat/user') return json(404, {});
  const id = codes.get(url.searchParams.get('code') ?? '');
  json(200, { success: id !== undefined, message: id === undefined ? 'invalid code' : '', data: id ?? '' });
});

let fixture: IdentityFixture;
const clock = new FakeClock(Date.now());

beforeAll(async () => {
  await new Promise<void>((resolve) => helper.listen(0, '127.0.0.1', resolve));
  const address = helper.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  fixture = await startIdentityFixture({ clock });
  await fixture.setOptions({
    WeChatServerAddress: `http://127.0.0.1:${address.port}/`,
    WeChatServerToken: TOKEN,
    WeChatAuthEnabled: true,
  });
});
afterAll(async () => {
  await fixture.close();
  helper.closeAllConnections();
  await new Promise<void>((resolve) => helper.close(() => resolve()));
});
beforeEach(() => {
  answer = null;
  codes.clear();
  asked.length = 0;
});

const login = (code: string) => fixture.browser().get(`/api/oauth/wechat?code=${encodeURIComponent(code)}`);

it('opens an account, finds it again, and takes a code once in its three minutes', async () => {
  codes.set('a1B2', 'open-id-1').set('c3D4', 'open-id-1');
  const browser = fixture.browser();
  const first = await browser.get('/api/oauth/wechat?code=a1B2');
  expect(first.body).toMatchObject({
    success: true,
    data: { username: expect.stringMatching(/^wechat_[a-z2-9]{8}$/), role: 1 },
  });
  expect(await browser.enter(first).expectSuccess('GET', '/api/user/self')).toMatchObject({
    wechat_id: 'open-id-1',
  });
  expect((await login('c3D4')).body.data).toMatchObject({ id: browser.userId });
  clock.advance(179_000);
  const again = await login('a1B2');
  expect([again.body.code, again.body.message]).toEqual([
    'wechat_code_wrong',
    'The code is wrong or has expired',
  ]);
});

it('accepts one of two sign-ins with one code at once', async () => {
  codes.set('same', 'open-id-2');
  const replies = await Promise.all(Array.from({ length: 4 }, () => login('same')));
  expect(replies.filter(({ body }) => body.success === true)).toHaveLength(1);
});

it.each(['1&x=y', '', 'abc', 'a'.repeat(13), '../user', 'a b c', '１２３４', 'code\n'])(
  'rejects %j as a code without a request [WX-01]',
  async (code) => {
    expect((await login(code)).body.code).toBe('wechat_code_wrong');
    expect(asked).toEqual([]);
  },
);

it.each([
  [500, 'oops', 'identity_refused'],
  [200, '<html>', 'identity_answer_unreadable'],
  [200, '{"success":true,"data":{"id":1}}', 'identity_answer_unreadable'],
  [200, '{"success":true,"data":""}', 'wechat_code_wrong'],
  [200, '{"success":false,"data":"open-id-9"}', 'wechat_code_wrong'],
  [200, `{"success":true,"data":"${'x'.repeat(192)}"}`, 'identity_answer_unreadable'],
])('signs no one in when the helper answers %i %s', async (status, body, code) => {
  answer = { status, body };
  expect((await login('1234')).body.code).toBe(code);
});

it('refuses with a wrong token of ours, for a page of another site, and while it is off', async () => {
  codes.set('good', 'open-id-3');
  await fixture.setOptions({ WeChatServerToken: 'wrong' });
  expect((await login('good')).body.code).toBe('wechat_code_wrong');
  await fixture.setOptions({ WeChatServerToken: TOKEN });
  expect(
    (await fixture.browser().get('/api/oauth/wechat?code=good', { 'sec-fetch-site': 'cross-site' })).body
      .code,
  ).toBe('foreign_origin');
  await fixture.setOptions({ WeChatAuthEnabled: false });
  expect((await login('good')).body.code).toBe('identity_provider_off');
  await fixture.setOptions({ WeChatAuthEnabled: true });
});

it('stops an address that guesses [WX-01]', async () => {
  const browser = fixture.browser();
  const replies: number[] = [];
  for (let attempt = 0; attempt < 11; attempt += 1)
    replies.push((await browser.get(`/api/oauth/wechat?code=${1000 + attempt}`)).status);
  expect(replies).toEqual([...Array<number>(10).fill(200), 429]);
});

it('binds by GET and by POST, only for who is signed in', async () => {
  await signUp(fixture.root, { username: 'bygets' });
  await signUp(fixture.root, { username: 'byposts' });
  const [one, two] = [await fixture.browser().signIn('bygets'), await fixture.browser().signIn('byposts')];
  codes.set('get1', 'open-id-4').set('post', 'open-id-5').set('take', 'open-id-4');
  expect((await fixture.browser().get('/api/oauth/wechat/bind?code=get1')).status).toBe(401);
  const foreign = one.copy();
  foreign.userId = two.userId;
  expect((await foreign.get('/api/oauth/wechat/bind?code=get1')).status).toBe(401);
  expect((await one.get('/api/oauth/wechat/bind?code=get1')).body).toEqual({ success: true, message: '' });
  expect((await two.post('/api/oauth/wechat/bind', { code: 'take' })).body.code).toBe('identity_taken');
  expect((await two.post('/api/oauth/wechat/bind', { code: 'post' })).body.success).toBe(true);
  const rows = fixture.app.dataSource.getRepository(UserEntity);
  expect((await rows.findOneByOrFail({ id: one.userId })).wechatId).toBe('open-id-4');
  expect((await rows.findOneByOrFail({ id: two.userId })).wechatId).toBe('open-id-5');
  await two.expectSuccess('DELETE', '/api/user/self/identities/wechat');
  expect((await rows.findOneByOrFail({ id: two.userId })).wechatId).toBeNull();
});

it('opens no account while registering is off', async () => {
  codes.set('late', 'open-id-6');
  await fixture.setOptions({ RegisterEnabled: false });
  expect((await login('late')).body.code).toBe('register_off');
  await fixture.setOptions({ RegisterEnabled: true });
});
