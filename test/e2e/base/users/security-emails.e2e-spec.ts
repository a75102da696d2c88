import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generateSync } from 'otplib';
import { UserEntity } from '../../../../server/base/users/user.entity.js';
import type { ApiClient } from '../../../support/api-client.js';
import { signUp } from '../../../support/build-test-app.js';
import { type MailServer, mailOptions, startMailServer } from '../../../support/mail-server.js';
import { PASSWORD, PasskeyFixture, PATH, type Person } from '../../../support/fixtures/passkey.fixture.js';

const fixture = new PasskeyFixture();
let mail: MailServer;

beforeAll(async () => {
  mail = await startMailServer();
  await fixture.start();
  await fixture.root.expectSuccess('PUT', '/api/option/', mailOptions(mail));
});
afterAll(async () => {
  await fixture.app.close();
  await mail.close();
});

async function personWithMail(language = ''): Promise<Person & { address: string }> {
  const owner = await fixture.person();
  const address = `${owner.name}@mail.test`;
  await fixture.app.dataSource.getRepository(UserEntity).update(
    { id: owner.client.userId },
    {
      email: address,
      emailFolded: address,
      ...(language === '' ? {} : { setting: JSON.stringify({ language }) }),
    },
  );
  return { ...owner, address };
}

async function turnOn(client: ApiClient): Promise<string> {
  const { secret } = await client.expectSuccess<{ secret: string }>('POST', '/api/user/2fa/setup', {});
  await client.expectSuccess('POST', '/api/user/2fa/enable', { code: codeOf(secret), password: PASSWORD });
  return secret;
}

function codeOf(secret: string): string {
  fixture.clock.advance(30_000);
  return generateSync({ secret, epoch: Math.floor(fixture.clock.nowMs() / 1000) });
}

describe('letters about what guards an account [AUTH-12]', () => {
  it('mails the owner when codes, recovery codes and passkeys come and go, without their values', async () => {
    const owner = await personWithMail();
    const { client, address } = owner;
    const secret = await turnOn(client);
    const on = await mail.letterTo(address, 1);
    expect(on.text).toContain(`Two-factor authentication of the account ${owner.name} was turned on.`);
    expect(on.text).toContain('If this was not you');
    await client.expectSuccess('POST', '/api/user/2fa/backup_codes', { code: codeOf(secret) });
    expect((await mail.letterTo(address, 2)).text).toContain('New recovery codes were created');
    await client.expectSuccess('POST', '/api/user/2fa/disable', { code: codeOf(secret), password: PASSWORD });
    expect((await mail.letterTo(address, 3)).text).toContain('was turned off');
    expect((await fixture.addPasskey(owner)).body.success).toBe(true);
    expect((await mail.letterTo(address, 4)).text).toContain('A passkey was added');
    const [passkey] = (await fixture.listOf(client)).items;
    await client.expectSuccess('DELETE', `${PATH}/${passkey?.id}`);
    expect((await mail.letterTo(address, 5)).text).toContain('A passkey was removed');
    await client.expectSuccess('POST', '/api/user/token');
    expect((await mail.letterTo(address, 6)).text).toContain('A new system access token');
    expect(JSON.stringify(mail.letters)).not.toContain(secret);
  });

  it('uses the language of the account, also when an administrator removed a factor', async () => {
    const { client, name, address } = await personWithMail('zh');
    await turnOn(client);
    expect((await mail.letterTo(address, 1)).text).toContain(`账户 ${name} 已启用两步验证。`);
    const helper = await signUp(await fixture.rootAnew(), { username: 'mail-helper', role: 'admin' });
    await helper.expectSuccess('DELETE', `/api/user/${client.userId}/2fa`);
    expect((await mail.letterTo(address, 2)).text).toContain(`账户 ${name} 已停用两步验证。`);
  });

  it('continues when the mail server refuses', async () => {
    const { client } = await personWithMail();
    mail.refusal = 550;
    const refused = mail.nextRefusal();
    await turnOn(client);
    await refused;
    mail.refusal = undefined;
    expect(await client.expectSuccess('GET', '/api/user/2fa/status')).toMatchObject({ enabled: true });
  });
});
