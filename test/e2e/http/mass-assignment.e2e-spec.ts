import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EntityTarget, ObjectLiteral } from 'typeorm';
import { ChannelEntity } from '../../../server/gateway/channels/state/channel.entity.js';
import { TokenEntity } from '../../../server/gateway/tokens/token.entity.js';
import type { ApiClient } from '../../support/api-client.js';
import { setUpRoot, startTestApp, type TestApp } from '../../support/build-test-app.js';

type Row = Record<string, unknown>;

/** Names a client might try for each column: the entity's, the table's, and the format's. */
describe('a write touches only the columns its action is about', () => {
  let app: TestApp;
  let root: ApiClient;

  beforeAll(async () => {
    app = await startTestApp();
    root = await setUpRoot(app);
  });

  afterAll(() => app.close());

  const columnsOf = (entity: EntityTarget<ObjectLiteral>) => app.dataSource.getMetadata(entity).columns;

  /** A hostile value for every column of an entity, under all its names. */
  const everyColumn = (entity: EntityTarget<ObjectLiteral>, except: readonly string[]): Row => {
    const body: Row = {};
    for (const column of columnsOf(entity)) {
      const hostile = column.type === 'varchar' || column.type === 'text' ? 'hostile' : 987_654_321;
      for (const name of [column.propertyName, column.databaseName])
        if (!except.includes(name)) body[name] = hostile;
    }
    return body;
  };

  const rowOf = async (entity: EntityTarget<ObjectLiteral>, id: number): Promise<Row> => {
    const query = app.dataSource
      .getRepository(entity)
      .createQueryBuilder('row')
      .where('row.id = :id', { id });
    for (const column of columnsOf(entity)) query.addSelect(`row.${column.propertyName}`);
    return (await query.getOneOrFail()) as Row;
  };

  const changedColumns = (before: Row, after: Row): string[] =>
    Object.keys(before).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));

  const tokenBody = { name: 'mine', expired_time: -1, remain_quota: 5, unlimited_quota: false, group: 'vip' };
  const tokenMembers = [
    ...Object.keys(tokenBody),
    'model_limits_enabled',
    'model_limits',
    'allow_ips',
    'tags',
    'needs_end_user',
  ];

  it("POST /api/token/ starts with the server's own figures", async () => {
    const body = { ...everyColumn(TokenEntity, tokenMembers), ...tokenBody };
    const { id } = await root.expectSuccess<{ id: number }>('POST', '/api/token/', body);
    const row = await rowOf(TokenEntity, id);
    expect(row).toMatchObject({
      userId: root.userId,
      status: 1,
      usedQuota: 0,
      remainQuota: 5,
      deletedAtMs: null,
    });
    expect(id).not.toBe(987_654_321);
    expect(JSON.stringify(row)).not.toMatch(/hostile|987654321/);
  });

  it('PUT /api/token/ changes nothing but what its form holds', async () => {
    const { id } = await root.expectSuccess<{ id: number }>('POST', '/api/token/', {
      ...tokenBody,
      name: 'before',
      group: '',
    });
    const before = await rowOf(TokenEntity, id);
    await root.expectSuccess('PUT', '/api/token/', {
      ...everyColumn(TokenEntity, tokenMembers),
      ...tokenBody,
      id,
      remain_quota: 9,
    });
    expect(changedColumns(before, await rowOf(TokenEntity, id)).toSorted()).toEqual([
      'group',
      'name',
      'remainQuota',
    ]);
  });

  it('PUT /api/token/?status_only=true changes nothing but the status', async () => {
    const { id } = await root.expectSuccess<{ id: number }>('POST', '/api/token/', { ...tokenBody });
    const before = await rowOf(TokenEntity, id);
    await root.expectSuccess('PUT', '/api/token/?status_only=true', {
      ...everyColumn(TokenEntity, tokenMembers),
      ...tokenBody,
      name: 'other',
      remain_quota: 99,
      id,
      status: 2,
    });
    expect(changedColumns(before, await rowOf(TokenEntity, id))).toEqual(['status']);
  });

  const channelBody = {
    type: 1,
    name: 'mine',
    key: 'sk-x',
    models: 'a',
    group: 'default',
    weight: 1,
    priority: 2,
    base_url: '',
    other: '',
    tag: 't',
    setting: '',
    param_override: '',
    model_mapping: '',
    status_code_mapping: '',
    openai_organization: '',
    test_model: '',
    auto_ban: 1,
    header_override: '',
    settings: '',
    max_input_tokens: 0,
    remark: '',
  };
  const channelMembers = [...Object.keys(channelBody), 'status'];

  it("POST /api/channel/ starts with the server's own figures", async () => {
    const body = { ...everyColumn(ChannelEntity, channelMembers), ...channelBody };
    const { ids } = await root.expectSuccess<{ ids: number[] }>('POST', '/api/channel/', body);
    const row = await rowOf(ChannelEntity, ids[0] ?? 0);
    expect(row).toMatchObject({
      status: 1,
      usedQuota: 0,
      balance: 0,
      responseTime: 0,
      testTime: 0,
      deletedAtMs: null,
      otherInfo: '',
    });
    expect(JSON.stringify(row)).not.toMatch(/hostile|987654321/);
  });

  it('PUT /api/channel/ changes nothing but what its form holds', async () => {
    const { ids } = await root.expectSuccess<{ ids: number[] }>('POST', '/api/channel/', channelBody);
    const id = ids[0] ?? 0;
    const before = await rowOf(ChannelEntity, id);
    const body = {
      ...everyColumn(ChannelEntity, channelMembers),
      ...channelBody,
      key: '',
      id,
      name: 'after',
      weight: 7,
    };
    await root.expectSuccess('PUT', '/api/channel/', body);
    expect(changedColumns(before, await rowOf(ChannelEntity, id)).toSorted()).toEqual(['name', 'weight']);
  });

  it('PUT /api/channel/tag changes nothing but priority, weight, models, groups, mapping and tag', async () => {
    const { ids } = await root.expectSuccess<{ ids: number[] }>('POST', '/api/channel/', {
      ...channelBody,
      tag: 'bulk',
    });
    const id = ids[0] ?? 0;
    const before = await rowOf(ChannelEntity, id);
    const body = {
      ...everyColumn(ChannelEntity, ['priority', 'weight', 'models', 'model_mapping', 'tag']),
      tag: 'bulk',
      priority: 77,
    };
    await root.expectSuccess('PUT', '/api/channel/tag', body);
    expect(changedColumns(before, await rowOf(ChannelEntity, id))).toEqual(['priority']);
  });
});
