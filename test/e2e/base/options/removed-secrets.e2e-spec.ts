import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OPTION_CATALOGUE, type OptionKey } from '../../../../server/base/options/option-catalogue.js';
import { OptionsService } from '../../../../server/base/options/options.service.js';
import { AuditEventEntity } from '../../../../server/base/audit/audit-event.entity.js';
import { ChannelEntity } from '../../../../server/gateway/channels/state/channel.entity.js';
import type { ApiClient } from '../../../support/api-client.ts';
import { setUpRoot, startTestApp, type TestApp } from '../../../support/build-test-app.ts';

const SECRETS = (Object.keys(OPTION_CATALOGUE) as OptionKey[]).filter(
  (key) => OPTION_CATALOGUE[key].class === 'secret',
);

let app: TestApp;
let root: ApiClient;
beforeAll(async () => {
  app = await startTestApp();
  root = await setUpRoot(app);
});
afterAll(() => app.close());

/** Detail of the newest audit entry of this name. */
async function lastAudit(action: string): Promise<string> {
  const [row] = await app.dataSource
    .getRepository(AuditEventEntity)
    .find({ where: { action }, order: { sequence: 'DESC' }, take: 1 });
  return JSON.stringify(row);
}

describe.each(SECRETS)('the stored secret %s', (key) => {
  const value = (): unknown => app.app.get(OptionsService).values()[key];

  it('stays when nothing or an empty text is sent, and goes with null, which is audited without it', async () => {
    const secret = `canary-${key}-0123456789`;
    await root.expectSuccess('PUT', '/api/option/', { key, value: secret });
    await root.expectSuccess('PUT', '/api/option/', { key, value: '' });
    await root.expectSuccess('PUT', '/api/option/', { key: 'Footer', value: `about ${key.length}` });
    expect(value()).toBe(secret);
    await root.expectSuccess('PUT', '/api/option/', { key, value: null });
    expect(value()).toBe('');
    const audit = await lastAudit('option.change');
    expect(audit).toContain(key);
    expect(audit).not.toContain('canary-');
  });
});

describe.each(['single', 'multi_to_single'])('the stored key of a channel (%s)', (mode) => {
  const channelOf = async (id: number): Promise<ChannelEntity | null> =>
    app.dataSource
      .getRepository(ChannelEntity)
      .findOne({ where: { id }, select: { id: true, key: true, status: true, channelInfo: true } });
  const put = (body: Record<string, unknown>) => root.send('PUT', '/api/channel/', body);

  async function create(): Promise<number> {
    const { ids } = await root.expectSuccess<{ ids: number[] }>('POST', '/api/channel/', {
      type: 1,
      name: mode,
      models: 'gpt-4o',
      group: 'default',
      base_url: 'http://127.0.0.1:45999',
      mode,
      key:
        mode === 'single' ? 'sk-canary-one-0123456789' : 'sk-canary-one-0123456789\nsk-canary-two-0123456789',
    });
    return ids[0] ?? 0;
  }

  it('stays when it is left out or empty, and goes with null: the channel is off then, and the act is audited', async () => {
    const id = await create();
    const before = (await channelOf(id))?.key;
    await put({ id, weight: 3 });
    await put({ id, key: '', weight: 4 });
    expect((await channelOf(id))?.key).toBe(before);
    expect((await put({ id, key: null })).body.success).toBe(true);
    expect(await channelOf(id)).toMatchObject({ key: '', status: 2, channelInfo: null });
    const audit = await lastAudit('channel.update');
    expect(audit).toContain('key (removed)');
    expect(audit).not.toContain('canary');
  });

  it('cannot be done without: the channel comes back only with another one', async () => {
    const id = await create();
    await put({ id, key: null, status: 1 });
    expect(await channelOf(id)).toMatchObject({ key: '', status: 2 });
    expect((await put({ id, status: 1 })).body.code).toBe('channel_name_and_key_required');
    expect((await put({ id, name: 'still editable', tag: `of-${mode}` })).body.success).toBe(true);
    await root.expectSuccess('POST', '/api/channel/tag/enabled', { tag: `of-${mode}` });
    expect((await channelOf(id))?.status).toBe(2);
    expect((await put({ id, status: 1, key: 'sk-canary-new-0123456789' })).body.success).toBe(true);
    const after = await channelOf(id);
    expect([after?.status, after?.key === '']).toEqual([1, false]);
  });
});
