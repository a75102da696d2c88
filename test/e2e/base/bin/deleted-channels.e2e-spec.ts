import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ChannelEntity } from '../../../../server/gateway/channels/state/channel.entity.js';
import type { ApiClient } from '../../../support/api-client.ts';
import { signUp } from '../../../support/build-test-app.ts';
import { DATABASE_KINDS } from '../../../support/database.ts';
import { BinFixture } from './bin.fixture.ts';

describe.each(DATABASE_KINDS)('undo of channels and codes on %s', (kind) => {
  let bin: BinFixture;
  let root: ApiClient;
  let admin: ApiClient;
  let ann: ApiClient;
  let bob: ApiClient;
  beforeAll(async () => {
    bin = await BinFixture.start(kind);
    ({ root, admin, ann, bob } = bin.people);
  });
  afterAll(async () => expect(await bin.close()).toEqual([]));

  describe('of channels', () => {
    it('lets the administrator who deleted one undo it, no other one, and root from the bin', async () => {
      const other = await signUp(root, { username: 'keeper', role: 'admin' });
      const id = await bin.addChannel(admin, 'spare', 'only-here');
      const models = async () => root.expectSuccess<string[]>('GET', '/api/channel/models_enabled');
      await admin.expectSuccess('DELETE', `/api/channel/${id}`);
      expect(await models()).not.toContain('only-here');
      expect(await bin.listed('channel', id)).toMatchObject({ name: 'spare', deleted_by_name: 'warden' });
      for (const client of [other, root])
        expect((await bin.undo(client, 'channel', id)).body.code).toBe('undo_over');
      expect((await bin.undo(ann, 'channel', id)).body.code).toBe('not_permitted');
      expect((await bin.undo(admin, 'channel', id)).body.data).toBe(1);
      expect(await models()).toContain('only-here');
      await root.expectSuccess('DELETE', `/api/channel/${id}`);
      expect((await bin.undo(admin, 'channel', id)).body.code).toBe('undo_over');
      expect((await bin.inBin(admin, 'restore', 'channel', id)).body.code).toBe('not_permitted');
      expect((await bin.inBin(root, 'restore', 'channel', id)).body.data).toBe(1);
      expect(await bin.actsOn('channel', id)).toEqual([
        `channel.create by ${admin.userId}`,
        `channel.delete by ${admin.userId}`,
        `channel.restore by ${admin.userId}`,
        `channel.delete by ${root.userId}`,
        `channel.restore by ${root.userId}`,
      ]);
    });

    it('serves calls again with the key it had', async () => {
      const id = await bin.addChannel(admin, 'sole', 'fx-json');
      await admin.expectSuccess('POST', '/api/channel/batch', { ids: [id] });
      expect((await bin.undo(admin, 'channel', id)).body.data).toBe(1);
      const tested = await admin.get(`/api/channel/test/${id}?model=fx-json`);
      expect(tested.body.success).toBe(true);
      expect(bin.upstream.entriesOf('fx-json').at(-1)?.headers['authorization']).toBe('Bearer sk-up');
    });

    it('undoes the deletion of all disabled channels by the ids it answered', async () => {
      const ids = [await bin.addChannel(admin, 'off1', 'a'), await bin.addChannel(admin, 'off2', 'b')];
      for (const id of ids) await admin.expectSuccess('PUT', '/api/channel/', { id, status: 2 });
      const { body } = await admin.delete('/api/channel/disabled');
      expect(body).toMatchObject({ data: 2, ids });
      expect((await bin.undo(admin, 'channel', ...ids)).body.data).toBe(2);
      const row = await admin.expectSuccess<{ status: number }>('GET', `/api/channel/${ids[0]}`);
      expect(row.status).toBe(2);
    });

    it('deletes for good', async () => {
      const id = await bin.addChannel(root, 'gone', 'gone');
      await root.expectSuccess('DELETE', `/api/channel/${id}`);
      expect((await bin.inBin(root, 'wipe', 'channel', id)).body.data).toBe(1);
      const stored = await bin.app.dataSource
        .getRepository(ChannelEntity)
        .createQueryBuilder('channel')
        .addSelect('channel.key')
        .where({ id })
        .getOneOrFail();
      expect(stored.key).toBe('');
      expect((await bin.inBin(root, 'restore', 'channel', id)).body.code).toBe('restore_not_kept');
      expect((await bin.inBin(root, 'wipe', 'channel', id)).body.code).toBe('not_found');
    });
  });

  describe('of redemption codes', () => {
    it('restores unused ones only, as they were', async () => {
      const code = await bin.addCode();
      await admin.expectSuccess('DELETE', `/api/redemption/${code.id}`);
      expect((await ann.post('/api/user/topup', { key: code.key })).body.code).toBe('redemption_invalid');
      expect((await bin.undo(root, 'redemption', code.id)).body.code).toBe('undo_over');
      expect((await bin.undo(admin, 'redemption', code.id)).body.data).toBe(1);
      expect(await ann.expectSuccess('POST', '/api/user/topup', { key: code.key })).toBe(700);
      await admin.expectSuccess('DELETE', `/api/redemption/${code.id}`);
      expect(await bin.listed('redemption', code.id)).toBeUndefined();
      for (const refused of [
        bin.undo(admin, 'redemption', code.id),
        bin.inBin(root, 'restore', 'redemption', code.id),
      ])
        expect((await refused).body.code).toBe('restore_code_used');
      expect(await bin.actsOn('redemption', code.id)).toEqual([
        `redemption.delete by ${admin.userId}`,
        `redemption.restore by ${admin.userId}`,
        `redemption.delete by ${admin.userId}`,
      ]);
    });

    it('restores a clean-up in one action, expired and disabled as before', async () => {
      const expires = Math.floor(bin.clock.nowMs() / 1000) + 60;
      const expired = await bin.addCode({ expired_time: expires });
      const disabled = await bin.addCode();
      await admin.expectSuccess('PUT', '/api/redemption/?status_only=true', { id: disabled.id, status: 2 });
      bin.clock.advance(61_000);
      const { body } = await admin.delete('/api/redemption/invalid');
      expect(body['ids']).toEqual(expect.arrayContaining([expired.id, disabled.id]));
      expect((await bin.undo(admin, 'redemption', ...(body['ids'] as number[]))).body.success).toBe(true);
      expect((await bob.post('/api/user/topup', { key: expired.key })).body.success).toBe(false);
      const row = await admin.expectSuccess('GET', `/api/redemption/${disabled.id}`);
      expect(row).toMatchObject({ status: 2, key: disabled.key });
    });
  });
});
