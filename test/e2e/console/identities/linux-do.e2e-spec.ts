import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { UserEntity } from '../../../../server/base/users/user.entity.js';
import { signUp } from '../../../support/build-test-app.ts';
import { type IdentityFixture, startIdentityFixture } from './identity.fixture.ts';

let fixture: IdentityFixture;

beforeAll(async () => {
  fixture = await startIdentityFixture();
});
afterAll(() => fixture.close());

const member = { id: 501, username: 'neo', name: 'Neo', active: true, silenced: false, trust_level: 2 };
const pass = (person: object, aff = '') =>
  fixture.passThrough('linuxdo', fixture.browser(), { ...member, ...person }, aff);

it('sends people there and back to the configured address [OAUTH-108]', async () => {
  const { url } = await fixture
    .browser()
    .expectSuccess<{ url: string }>('POST', '/api/oauth/start', { provider: 'linuxdo' });
  expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({
    response_type: 'code',
    client_id: 'client-of-a-test',
    redirect_uri: 'http://console.test/oauth/linuxdo',
  });
});

it('opens an account with an inviter, and finds the member by number', async () => {
  const inviter = await signUp(fixture.root, { username: 'inviter' });
  const aff = await inviter.expectSuccess<string>('GET', '/api/user/aff');
  const reply = await pass({}, aff);
  const { id } = reply.body.data as { id: number };
  expect(await fixture.app.dataSource.getRepository(UserEntity).findOneByOrFail({ id })).toMatchObject({
    linuxDoId: '501',
    displayName: 'Neo',
    inviterId: inviter.userId,
    email: '',
  });
  expect((await pass({ username: 'renamed', name: '' })).body.data).toMatchObject({ id });
});

it.each([
  [{ active: false }, 'identity_not_welcome', 'This Linux DO account is not active or is restricted there'],
  [{ silenced: true }, 'identity_not_welcome', 'This Linux DO account is not active or is restricted there'],
  [{ id: 0 }, 'identity_answer_unreadable', undefined],
  [{ id: '501' }, 'identity_answer_unreadable', undefined],
])('refuses a member with %j [OAUTH-109]', async (person, code, message) => {
  const reply = await pass(person);
  expect(reply.body.code).toBe(code);
  if (message !== undefined) expect(reply.body.message).toBe(message);
});

it('requires the trust level of the options, of old members too', async () => {
  await fixture.setOptions({ LinuxDOMinimumTrustLevel: 3 });
  const reply = await pass({});
  expect(reply.body).toMatchObject({
    code: 'identity_trust_too_low',
    message: 'Your trust level at Linux DO is 2; level 3 is required',
  });
  expect((await pass({ id: 502, trust_level: undefined })).body.code).toBe('identity_trust_too_low');
  expect((await pass({ trust_level: 3 })).body.success).toBe(true);
  await fixture.setOptions({ LinuxDOMinimumTrustLevel: 0 });
});

it.each([
  ['refuses the code', '/oauth2/token', 400, '{"error":"invalid_grant"}', 'identity_refused'],
  ['forgets the token', '/oauth2/token', 200, '{}', 'identity_answer_unreadable'],
  ['takes the token for nobody', '/api/user', 401, '{}', 'identity_refused'],
])('signs no one in when Linux DO %s', async (_what, path, status, body, code) => {
  fixture.linuxdo.overrides.set(path, (reply) => reply.writeHead(status).end(body));
  const reply = await pass({ id: 600 });
  fixture.linuxdo.overrides.clear();
  expect(reply.body.code).toBe(code);
});

it('answers in Chinese to clients with Chinese settings', async () => {
  const browser = fixture.browser();
  browser.headers['accept-language'] = 'zh-CN';
  const reply = await browser.get('/api/oauth/linuxdo?code=x&state=y');
  expect(reply.body.message).toBe('登录状态无效、已过期、已使用或来自其他浏览器，请重新发起');
});
