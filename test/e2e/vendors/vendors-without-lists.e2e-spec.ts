import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { VendorFixture } from './vendor.fixture.js';

/** In the order in which they are added: the number of a channel is its place. */
const CHANNELS = [
  { type: 15, key: 'client|secret', models: ['baidu-model'] },
  { type: 18, key: 'app|secret|key', models: ['spark-model'] },
  { type: 21, key: 'sk-library', other: 'library', models: ['library-model'] },
  { type: 23, key: '1|id|secret', models: ['tencent-model'] },
  { type: 49, key: 'pat_x', other: 'bot', models: ['coze-model'] },
];

let fixture: VendorFixture;
beforeAll(async () => {
  fixture = await VendorFixture.start(CHANNELS);
});
afterAll(() => fixture?.stop());

interface Said {
  readonly success: boolean;
  readonly message: string;
}
interface Type {
  readonly code: number;
  readonly has_balance: boolean;
  readonly lists_models: boolean;
}

describe('a vendor with neither a list of models nor a balance', () => {
  it.each(CHANNELS.map(({ type }, at) => [type, at + 1]))(
    'sends type %i neither request, and shows the operator the reason',
    async (_type, id) => {
      const ask = (path: string) => fixture.admin.sendRaw<Said>('GET', `/api/channel/${path}/${id}`);
      const models = await ask('fetch_models');
      expect(models.success).toBe(false);
      expect(models.message).toMatch(/offers no list of its models/);
      expect(await ask('update_balance')).toMatchObject({
        success: false,
        message: 'The balance of this channel type cannot be read',
      });
      expect(fixture.vendor.requests).toEqual([]);
    },
  );

  it('marks them in the list of types; keys of Tencent’s other form have a list', async () => {
    const types = await fixture.admin.send<readonly Type[]>('GET', '/api/channel/types');
    const shown = CHANNELS.map(({ type }) => types.find(({ code }) => code === type));
    expect(shown.map((type) => type?.has_balance)).toEqual([false, false, false, false, false]);
    expect(shown.map((type) => type?.lists_models)).toEqual([false, false, false, true, false]);
  });
});
