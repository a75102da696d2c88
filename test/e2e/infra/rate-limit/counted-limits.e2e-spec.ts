import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PasskeyEntity } from '../../../../server/console/passkeys/passkey.entity.js';
import { TokenEntity } from '../../../../server/gateway/tokens/token.entity.js';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../../../support/database.js';
import { SoftwareAuthenticator } from '../../../support/software-authenticator.js';
import { PasskeyFixture, PATH } from '../../../support/fixtures/passkey.fixture.js';

const AT_ONCE = 12;

/** Limits counted before a write must hold for many concurrent requests, on every database. */
describe.each(DATABASE_KINDS)('limits that are counted, asked by many at once on %s', (kind) => {
  const fixture = new PasskeyFixture();
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase(kind);
    await fixture.start({ DATABASE_URL: database.url });
  });
  afterAll(async () => {
    await fixture.app.close();
    await database.drop();
  });
  const atOnce = <T>(work: (index: number) => Promise<T>, times = AT_ONCE): Promise<T[]> =>
    Promise.all(Array.from({ length: times }, (_none, index) => work(index)));

  it('an account has as many tokens as it may have', async () => {
    const { client } = await fixture.person();
    await fixture.root.expectSuccess('PUT', '/api/option/', {
      key: 'token_setting.max_user_tokens',
      value: 2,
    });
    const replies = await atOnce((index) =>
      client.post('/api/token/', { name: `token ${index}`, unlimited_quota: true }),
    );
    expect(replies.filter(({ body }) => body.success)).toHaveLength(2);
    expect(new Set(replies.map(({ body }) => body['code']))).toEqual(
      new Set([undefined, 'token_limit_reached']),
    );
    expect(await fixture.app.dataSource.getRepository(TokenEntity).countBy({ userId: client.userId })).toBe(
      2,
    );
  });

  it('an account has as many passkeys as it may have', async () => {
    const owner = await fixture.withPasskey();
    const rows = fixture.app.dataSource.getRepository(PasskeyEntity);
    const first = await rows.findOneByOrFail({ userId: owner.client.userId });
    await rows.insert(
      Array.from({ length: 18 }, (_none, index) => ({
        ...first,
        id: undefined,
        credentialDigest: `${kind}-${index}-`.padEnd(64, '0'),
      })),
    );
    const credentials = [];
    for (let index = 0; index < 4; index += 1)
      credentials.push(new SoftwareAuthenticator(fixture.url).create(await fixture.begin(owner.client)));
    const replies = await Promise.all(
      credentials.map((credential) => owner.client.post(`${PATH}/register/finish`, { name: '', credential })),
    );
    expect(replies.filter(({ body }) => body.success)).toHaveLength(1);
    expect(await rows.countBy({ userId: owner.client.userId })).toBe(20);
  });

  it('a channel has as many keys as it may have, however they come', async () => {
    const { id } = await addRing(['key-of-a-ring-1', 'key-of-a-ring-2']);
    const edit = (added: readonly string[]) =>
      fixture.root.put('/api/channel/', {
        id,
        key: added.join('\n'),
        key_mode: 'append',
        multi_key_mode: 'random',
      });
    expect(
      (await edit(Array.from({ length: 996 }, (_none, index) => `key-added-${index}`))).body,
    ).toMatchObject({
      success: true,
    });
    // 998 of 1,000 are there.
    const replies = await atOnce((index) => edit([`key-at-once-${index}`]));
    expect(replies.filter(({ body }) => body.success)).toHaveLength(2);
    expect(new Set(replies.map(({ body }) => body['code']))).toEqual(
      new Set([undefined, 'channel_keys_too_many']),
    );
  });

  async function addRing(keys: readonly string[]): Promise<{ readonly id: number }> {
    const name = `ring on ${kind}`;
    await fixture.root.expectSuccess('POST', '/api/channel/', {
      mode: 'multi_to_single',
      multi_key_mode: 'random',
      name,
      type: 1,
      key: keys.join('\n'),
      base_url: 'https://vendor.example',
      models: 'm',
      group: 'default',
    });
    const items = await fixture.root.expectSuccess<{ id: number; name: string }[]>(
      'GET',
      '/api/channel/?p=0&page_size=100',
    );
    const made = items.find((channel) => channel.name === name);
    if (made === undefined) throw new Error('the channel is not there');
    return made;
  }
});
