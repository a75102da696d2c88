import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { SystemClock } from '../../../../server/infra/clock/system-clock.js';
import { SecretBox } from '../../../../server/infra/crypto/secret-box.js';
import { openDatabase } from '../../../../server/infra/database/open-named-database.js';
import { ChangeFeed, type ChangeTopic } from '../../../../server/infra/events/change-feed.js';
import { Revisions } from '../../../../server/infra/events/revisions.js';
import { DegradedModes } from '../../../../server/infra/observability/degraded-modes.js';
import { OutboundPolicy } from '../../../../server/infra/http-client/safe-url.js';
import type { Actor } from '../../../../server/base/access/current-actor.js';
import { AbilitiesRepository } from '../../../../server/gateway/channels/state/abilities.repository.js';
import { AbilityEntity } from '../../../../server/gateway/channels/state/ability.entity.js';
import { ChannelCheck } from '../../../../server/gateway/channels/admin/channel-check.js';
import { AuditLog } from '../../../../server/base/audit/audit-log.js';
import { ChannelAudit } from '../../../../server/gateway/channels/admin/channel-audit.js';
import { ChannelEntity } from '../../../../server/gateway/channels/state/channel.entity.js';
import { openChannelKey } from '../../../../server/gateway/channels/state/channel-key.js';
import { ChannelStore } from '../../../../server/gateway/channels/state/channel-store.js';
import { ChannelSwitch } from '../../../../server/gateway/channels/state/channel-switch.js';
import { ChannelTagsService } from '../../../../server/gateway/channels/admin/channel-tags.service.js';
import { ChannelsRepository } from '../../../../server/gateway/channels/state/channels.repository.js';
import { ChannelsService } from '../../../../server/gateway/channels/admin/channels.service.js';
import {
  channelEditSchema,
  channelInputSchema,
  channelSearchQuerySchema,
} from '../../../../server/gateway/channels/admin/dto/channel.dto.js';
import { LogWriter } from '../../../../server/base/logs/log-writer.js';
import { LogsRepository } from '../../../../server/base/logs/logs.repository.js';
import { loadAllEntities } from '../../../support/all-entities.js';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../../../support/database.js';
import { LogEntity } from '../../../../server/base/logs/log.entity.js';

class RecordedFeed extends ChangeFeed {
  readonly announced: ChangeTopic[] = [];

  override announce(topic: ChangeTopic): void {
    this.announced.push(topic);
  }

  override on(): () => void {
    return () => undefined;
  }
}

const actor: Actor = {
  id: 1,
  username: 'root',
  role: 100,
  group: 'default',
  way: 'session',
  sessionDigest: null,
};

describe.each(DATABASE_KINDS)('channels on %s', (kind) => {
  const box = new SecretBox('x'.repeat(40));
  const feed = new RecordedFeed();
  const clock = new SystemClock();
  let database: TestDatabase;
  let dataSource: DataSource;
  let channels: ChannelsService;
  let tags: ChannelTagsService;
  let store: ChannelStore;
  let abilities: AbilitiesRepository;
  let switcher: ChannelSwitch;

  beforeAll(async () => {
    await loadAllEntities();
    database = await createTestDatabase(kind);
    dataSource = await openDatabase(database.url);
    const rows = new ChannelsRepository(dataSource.getRepository(ChannelEntity));
    abilities = new AbilitiesRepository(dataSource.getRepository(AbilityEntity));
    const revisions = new Revisions(dataSource, clock, new DegradedModes(clock), feed);
    store = new ChannelStore(dataSource, rows, abilities, box, revisions);
    const audit = new ChannelAudit(
      new LogWriter(new LogsRepository(dataSource.getRepository(LogEntity)), clock),
      new AuditLog(dataSource, box, clock),
    );
    const check = new ChannelCheck(new OutboundPolicy({ allowedPrivateHosts: [], isLoopback: true }));
    channels = new ChannelsService(rows, store, check, audit, clock);
    tags = new ChannelTagsService(rows, store, audit);
    switcher = new ChannelSwitch(rows, store, clock);
  });

  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const create = (part: Record<string, unknown> = {}): Promise<number[]> =>
    channels.create(
      actor,
      channelInputSchema.parse({ name: 'one', key: 'sk-secret', models: 'a,b', ...part }),
    );

  const update = (part: Record<string, unknown>) => channels.update(actor, channelEditSchema.parse(part));

  const abilitiesOf = async (channelId: number): Promise<string[]> => {
    const found = await dataSource.getRepository(AbilityEntity).findBy({ channelId });
    return found
      .map((row) => `${row.group}/${row.model}:${row.enabled ? 'on' : 'off'}:${row.priority}:${row.weight}`)
      .toSorted();
  };

  const keyOf = async (id: number): Promise<string> => {
    const row = await dataSource
      .getRepository(ChannelEntity)
      .createQueryBuilder('channel')
      .addSelect('channel.key')
      .where({ id })
      .getOneOrFail();
    return openChannelKey(box, id, row.key);
  };

  it('creates one channel per key with its abilities, and seals each key for its own row', async () => {
    const ids = await create({ key: 'sk-1\nsk-2', group: 'default,vip', priority: 4, weight: 2 });
    expect(ids).toHaveLength(2);
    expect(await Promise.all(ids.map(keyOf))).toEqual(['sk-1', 'sk-2']);
    expect(await abilitiesOf(ids[0] ?? 0)).toEqual([
      'default/a:on:4:2',
      'default/b:on:4:2',
      'vip/a:on:4:2',
      'vip/b:on:4:2',
    ]);
    expect(feed.announced).toContain('channels');
  });

  it('keeps abilities in step with every edit, in one transaction', async () => {
    const [id = 0] = await create();
    await update({ id, models: ['b', 'c'], priority: -5 });
    expect(await abilitiesOf(id)).toEqual(['default/b:on:-5:0', 'default/c:on:-5:0']);
    await update({ id, status: 2 });
    expect(await abilitiesOf(id)).toEqual(['default/b:off:-5:0', 'default/c:off:-5:0']);
    await expect(update({ id, group: 'new', model_mapping: '{"a":"b","b":"a"}' })).rejects.toMatchObject({
      code: 'channel_model_mapping_cycle',
    });
    expect(await abilitiesOf(id)).toEqual(['default/b:off:-5:0', 'default/c:off:-5:0']);
  });

  it('refuses a new destination without the key, and stores nothing of the request [CH-02]', async () => {
    const [id = 0] = await create({ base_url: 'https://a.example' });
    await expect(update({ id, base_url: 'https://evil.example', name: 'renamed' })).rejects.toMatchObject({
      code: 'channel_key_retype',
    });
    await expect(update({ id, type: 43 })).rejects.toMatchObject({ code: 'channel_key_retype' });
    await expect(update({ id, setting: { proxy: 'http://evil.example:8080' } })).rejects.toMatchObject({
      code: 'channel_key_retype',
    });
    expect(await channels.get(id)).toMatchObject({
      baseUrl: 'https://a.example',
      name: 'one',
      type: 1,
      setting: '',
    });
    await update({ id, base_url: 'https://b.example', key: 'sk-new' });
    expect(await keyOf(id)).toBe('sk-new');
  });

  it('refuses data store ports and metadata services [CH-03]', async () => {
    for (const address of [
      'http://127.0.0.1:6379',
      'http://169.254.169.254',
      'http://metadata.google.internal',
    ]) {
      await expect(create({ base_url: address })).rejects.toMatchObject({ code: 'channel_address_refused' });
    }
  });

  it('an absent or empty key keeps the stored one; the mask of a proxy password keeps the password', async () => {
    const setting = '{"proxy":"http://user:secret@93.184.216.34:8080"}';
    const [id = 0] = await create({ setting });
    await update({ id, key: '', name: 'two' });
    await update({ id, setting: { proxy: 'http://user:******@93.184.216.34:8080' } });
    expect(await keyOf(id)).toBe('sk-secret');
    expect((await channels.get(id)).setting).toContain('secret');
  });

  it('copies inside the server, with the key, without counters', async () => {
    const [id = 0] = await create({ key: 'sk-copy', name: 'source', tag: 'copies' });
    const copyId = await channels.copy(actor, id, undefined);
    expect(await keyOf(copyId)).toBe('sk-copy');
    expect(await channels.get(copyId)).toMatchObject({
      name: 'source_copy',
      tag: 'copies',
      usedQuota: 0,
      status: 1,
    });
    const [third = 0] = await create({ key: '', copy_from: id, name: 'third' });
    expect(await keyOf(third)).toBe('sk-copy');
    await expect(create({ key: '', copy_from: id, base_url: 'https://evil.example' })).rejects.toMatchObject({
      code: 'channel_key_retype',
    });
  });

  it('changes whole tags, dissolves them, and carries weight 0 to the abilities [CHAN-108, CHAN-109]', async () => {
    const [first = 0, second = 0] = await create({ key: 'k1\nk2', weight: 7 });
    expect(await tags.tagChannels(actor, [first, second, 999_999], 'team')).toBe(2);
    await tags.edit(actor, { tag: 'team', weight: 0, priority: 3, models: '', groups: null });
    expect(await abilitiesOf(second)).toEqual(['default/a:on:3:0', 'default/b:on:3:0']);
    await tags.setStatus(actor, 'team', 2);
    expect((await channels.get(first)).status).toBe(2);
    expect(await abilitiesOf(first)).toEqual(['default/a:off:3:0', 'default/b:off:3:0']);
    await tags.edit(actor, { tag: 'team', new_tag: '', models: 'z' });
    expect(await channels.get(first)).toMatchObject({ tag: '', models: 'z' });
    expect(await abilitiesOf(first)).toEqual(['default/z:off:3:0']);
  });

  it('lists by priority or id, in tag mode by tag', async () => {
    const [low = 0] = await create({ tag: 'zz-1', priority: -900 });
    const [high = 0] = await create({ tag: 'zz-1', priority: 900 });
    const byPriority = await channels.list({ p: 0, page_size: 1, id_sort: false, tag_mode: false });
    expect(byPriority.rows.map((row) => row.id)).toEqual([high]);
    const byId = await channels.list({ p: 0, page_size: 2, id_sort: true, tag_mode: false });
    expect(byId.rows.map((row) => row.id)).toEqual([high, low]);
    expect(byId.total).toBeGreaterThan(2);
    const tagged = await channels.list({ p: 0, page_size: 100, id_sort: true, tag_mode: true });
    expect(tagged.rows.every((row) => row.tag !== '')).toBe(true);
    expect(tagged.rows.filter((row) => row.tag === 'zz-1').map((row) => row.id)).toEqual([high, low]);
  });

  const search = async (part: Record<string, string>): Promise<number[]> =>
    (await channels.search(channelSearchQuerySchema.parse(part))).rows.map((row) => row.id);

  it('searches name, id, address, model and group; wildcards and quotes are letters [DB-01, DB-03]', async () => {
    const [id = 0] = await create({
      name: '100%_Real ÄÖ',
      key: 'sk-findme',
      models: 'Find-Model,x',
      group: 'default,find-group',
      base_url: 'https://find.example/v1',
    });
    expect(await search({ keyword: '100%_real' })).toEqual([id]);
    expect(await search({ keyword: 'ÄÖ' })).toEqual([id]);
    expect(await search({ keyword: String(id) })).toContain(id);
    expect(await search({ keyword: 'FIND.EXAMPLE' })).toEqual([id]);
    expect(await search({ model: 'find-m' })).toEqual([id]);
    expect(await search({ group: 'find-group' })).toEqual([id]);
    expect(await search({ group: 'find' })).toEqual([]);
    // The key is not searched.
    expect(await search({ keyword: 'sk-findme' })).toEqual([]);
    for (const keyword of ['%%', '100__', `' OR '1'='1`, `"; DROP TABLE channels; --`, '\\', '!']) {
      expect(await search({ keyword })).toEqual([]);
    }
    expect(await search({ group: 'null', keyword: 'find.example' })).toEqual([id]);
  });

  it('deletes softly: out of every list, without abilities, its key sealed for a restore [CH-07, CHAN-106]', async () => {
    const [id = 0, other = 0] = await create({ key: 'k1\nk2' });
    await update({ id: other, status: 2 });
    expect(await channels.remove(actor, [id, 999_999])).toBe(1);
    await expect(channels.get(id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await abilitiesOf(id)).toEqual([]);
    const row = await dataSource
      .getRepository(ChannelEntity)
      .createQueryBuilder('channel')
      .addSelect('channel.key')
      .where({ id })
      .getOne();
    expect(row?.key).toMatch(/^v1\./);
    expect(row).toMatchObject({ name: 'one', deletedBy: actor.id });
    expect(await channels.removeDisabled(actor)).toContain(other);
    expect(await abilitiesOf(other)).toEqual([]);
  });

  it('repairs missing, surplus and wrong abilities [CHAN-107]', async () => {
    const [id = 0] = await create();
    const rows = dataSource.getRepository(AbilityEntity);
    await rows.delete({ channelId: id, model: 'a' });
    await rows.update({ channelId: id, model: 'b' }, { enabled: false, weight: 44 });
    await rows.insert({
      group: 'ghost',
      model: 'm',
      channelId: 888_888,
      enabled: true,
      priority: 0,
      weight: 0,
      tag: '',
    });
    expect(await channels.repair(actor)).toBeGreaterThan(0);
    expect(await abilitiesOf(id)).toEqual(['default/a:on:0:0', 'default/b:on:0:0']);
    expect(await abilitiesOf(888_888)).toEqual([]);
  });

  it('switches channels off automatically with a reason, and clears it when they come back [CHAN-111]', async () => {
    const [id = 0, stubborn = 0] = await create({ key: 'k1\nk2' });
    await update({ id: stubborn, auto_ban: 0 });
    expect(await switcher.disable(id, 'status 401')).toBe(true);
    expect(await switcher.disable(id, 'again')).toBe(false);
    expect(await switcher.disable(stubborn, 'status 401')).toBe(false);
    const off = await channels.get(id);
    expect(off.status).toBe(3);
    expect(JSON.parse(off.otherInfo)).toMatchObject({
      status_reason: 'status 401',
      status_time: expect.any(Number),
    });
    await update({ id, status: 1 });
    expect(await channels.get(id)).toMatchObject({ status: 1, otherInfo: '' });
    expect(await abilitiesOf(id)).toEqual(['default/a:on:0:0', 'default/b:on:0:0']);
    expect(await switcher.enable(id)).toBe(false);
  });

  it('two administrators editing one channel at once end with one consistent state', async () => {
    const [id = 0] = await create();
    await Promise.all(
      Array.from({ length: 8 }, (_, turn) => update({ id, models: `m${turn},n${turn}`, weight: turn })),
    );
    const after = await channels.get(id);
    const turn = after.weight;
    expect(after.models).toBe(`m${turn},n${turn}`);
    expect(await abilitiesOf(id)).toEqual([`default/m${turn}:on:0:${turn}`, `default/n${turn}:on:0:${turn}`]);
  });

  it('names the models behind enabled channels, by group', async () => {
    const [id = 0] = await create({ models: 'only-vip', group: 'vip-models' });
    expect(await abilities.enabledModels(['vip-models'])).toEqual(['only-vip']);
    expect(await abilities.enabledModels([])).toEqual([]);
    await update({ id, status: 2 });
    expect(await abilities.enabledModels(['vip-models'])).toEqual([]);
  });

  it('writes a line of type 3 for every change, without keys [LOG-108]', async () => {
    const [id = 0] = await create({ name: 'audited' });
    await update({ id, key: 'sk-canary-audit', name: 'audited 2' });
    const lines = await new LogsRepository(dataSource.getRepository(LogEntity)).search({ type: 3 });
    const [newest] = lines;
    expect(newest?.content).toBe(`Changed channel ${id} (audited 2): key, name`);
    expect(JSON.stringify(lines)).not.toContain('sk-');
  });
});
