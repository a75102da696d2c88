import { afterEach, describe, expect, it } from '@jest/globals';
import { UserEntity } from '../../../../server/base/users/user.entity.js';
import { ApiClient } from '../../../support/api-client.ts';
import {
  ROOT_ACCOUNT,
  setUpRoot,
  startTestApp,
  type TestApp,
  type TestAppOptions,
} from '../../../support/build-test-app.ts';

const FORM = {
  ...ROOT_ACCOUNT,
  confirmPassword: ROOT_ACCOUNT.password,
  SelfUseModeEnabled: false,
  DemoSiteEnabled: false,
};

describe('set-up', () => {
  let running: TestApp | undefined;
  const start = async (wanted?: TestAppOptions): Promise<{ app: TestApp; guest: ApiClient }> => {
    running = await startTestApp(wanted);
    return { app: running, guest: new ApiClient(running.url) };
  };
  afterEach(async () => {
    await running?.close();
    running = undefined;
  });

  it('lets one of two parallel posts win, and makes one root [AUTH-11]', async () => {
    const { app, guest } = await start();
    const names = ['root-a', 'root-b', 'root-c', 'root-d'];
    const replies = await Promise.all(
      names.map((username) => guest.post('/api/setup', { ...FORM, username })),
    );
    expect(replies.filter(({ body }) => body.success === true)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 400)).toHaveLength(names.length - 1);
    expect(await app.dataSource.getRepository(UserEntity).countBy({ role: 100 })).toBe(1);
    expect(await app.dataSource.getRepository(UserEntity).count()).toBe(1);
  });

  it.each([
    ['passwords that differ', { ...FORM, confirmPassword: 'another one' }, 'setup_passwords_differ'],
    ['a short password', { ...FORM, password: 'short', confirmPassword: 'short' }, 'setup_password_length'],
    ['SETUP-102 a blank name', { ...FORM, username: '   ' }, 'setup_username_invalid'],
    ['SETUP-102 a name with markup', { ...FORM, username: '<b>root</b>' }, 'setup_username_invalid'],
    [
      'SETUP-103 two modes at once',
      { ...FORM, SelfUseModeEnabled: true, DemoSiteEnabled: true },
      'setup_one_mode',
    ],
    ['a body of another shape', { ...FORM, username: ['root'] }, 'malformed_input'],
  ])('refuses %s with 400 and leaves everything as it was', async (_name, form, code) => {
    const { guest } = await start();
    const reply = await guest.post('/api/setup', form);
    expect([reply.status, reply.body.code]).toEqual([400, code]);
    expect((await guest.get('/api/setup')).body.data).toMatchObject({
      status: false,
      root_init: false,
      database_type: 'sqlite',
    });
  });

  it('needs the code of SETUP_TOKEN when there is one [SETUP-104]', async () => {
    const { guest } = await start({ env: { SETUP_TOKEN: 'blue-elephant' } });
    expect((await guest.get('/api/setup')).body.data).toMatchObject({ token_required: true });
    expect((await guest.post('/api/setup', FORM)).status).toBe(403);
    expect((await guest.post('/api/setup', { ...FORM, setup_token: 'blue-elephan' })).body.code).toBe(
      'setup_token_wrong',
    );
    expect((await guest.post('/api/setup', { ...FORM, setup_token: 'blue-elephant' })).body.success).toBe(
      true,
    );
  });

  it('makes the root of INITIAL_ROOT_USERNAME at start', async () => {
    const { app, guest } = await start({
      env: { INITIAL_ROOT_USERNAME: 'chief', INITIAL_ROOT_PASSWORD: 'long enough' },
    });
    expect((await guest.get('/api/setup')).body.data).toMatchObject({ status: true });
    const chief = await ApiClient.signIn(app.url, 'chief', 'long enough');
    expect((await chief.get('/api/user/self')).body.data).toMatchObject({
      role: 100,
      quota: 100_000_000,
      group: 'default',
    });
  });

  it('refuses to start with an INITIAL_ROOT_PASSWORD that is well known but for its last digits [AUTH-11]', async () => {
    const env = { INITIAL_ROOT_USERNAME: 'chief', INITIAL_ROOT_PASSWORD: 'rootroot1' };
    await expect(start({ env })).rejects.toThrow(/^INITIAL_ROOT_PASSWORD: is one of the passwords/);
  });

  it('stores the mode, gives root its quota and reports that it is done', async () => {
    const { app, guest } = await start();
    const reply = await guest.post('/api/setup/', { ...FORM, SelfUseModeEnabled: true });
    expect(reply.body).toMatchObject({ success: true });
    expect((await guest.get('/api/setup')).body.data).toEqual({
      status: true,
      root_init: true,
      database_type: '',
      token_required: false,
    });
    expect((await guest.get('/api/status')).body.data).toMatchObject({
      setup: true,
      self_use_mode_enabled: true,
      demo_site_enabled: false,
    });
    const root = await ApiClient.signIn(app.url, ROOT_ACCOUNT.username, ROOT_ACCOUNT.password);
    expect((await root.get('/api/user/self')).body.data).toMatchObject({
      role: 100,
      status: 1,
      quota: 100_000_000,
    });
    expect((await guest.post('/api/setup', FORM)).body.code).toBe('setup_done');
  });

  it('signs the root in with the helper of the other tests', async () => {
    const { app } = await start();
    const root = await setUpRoot(app);
    expect((await root.get('/api/status/test')).body).toMatchObject({ success: true });
  });
});
