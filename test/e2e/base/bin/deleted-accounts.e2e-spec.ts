import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { KEPT_MS } from '../../../../server/base/bin/bin-rules.js';
import { DeregisteredAccounts } from '../../../../server/base/users/deregistered-accounts.service.js';
import { UserEntity } from '../../../../server/base/users/user.entity.js';
import { CodeBin } from '../../../../server/console/redemptions/code-bin.js';
import { RedemptionEntity } from '../../../../server/console/redemptions/redemption.entity.js';
import { ChannelBin } from '../../../../server/gateway/channels/admin/channel-bin.js';
import { ChannelEntity } from '../../../../server/gateway/channels/state/channel.entity.js';
import { TokenBin } from '../../../../server/gateway/tokens/token-bin.js';
import { ApiClient } from '../../../support/api-client.ts';
import { ROOT_ACCOUNT, signUp } from '../../../support/build-test-app.ts';
import { DATABASE_KINDS } from '../../../support/database.ts';
import { BinFixture, type Section } from './bin.fixture.ts';

describe.each(DATABASE_KINDS)('the bin for accounts on %s', (kind) => {
  let bin: BinFixture;
  let root: ApiClient;
  let admin: ApiClient;
  let ann: ApiClient;
  beforeAll(async () => {
    bin = await BinFixture.start(kind);
    ({ root, admin, ann } = bin.people);
  });
  afterAll(async () => expect(await bin.close()).toEqual([]));

  describe('of accounts', () => {
    it('brings an account that an administrator deleted back to root alone, with everything but its logins', async () => {
      const eve = await signUp(root, { username: 'eve' });
      const users = bin.app.dataSource.getRepository(UserEntity);
      const contact = { email: 'Eve@example.com', emailFolded: 'eve@example.com', githubId: 'gh-eve' };
      await users.update({ id: eve.userId }, contact);
      await bin.give(eve.userId, 10_000);
      const token = await bin.addToken(eve);
      const lost = await bin.addToken(eve);
      await eve.expectSuccess('DELETE', `/api/token/${lost.id}`);
      const before = await users.findOneByOrFail({ id: eve.userId });
      await admin.expectSuccess('POST', '/api/user/manage', { id: eve.userId, action: 'delete' });
      expect(await bin.statusOf(token)).toBe(401);
      expect(await bin.listed('user', eve.userId)).toMatchObject({
        name: 'eve',
        deleted_by_name: 'warden',
        identities: ['github'],
      });
      expect(await bin.listed('token', lost.id)).toMatchObject({ hindrance: 'owner_deregistered' });
      expect((await bin.inBin(root, 'restore', 'token', lost.id)).body).toMatchObject({
        code: 'restore_owner_deregistered',
        message: expect.stringContaining('restore the account first'),
      });
      expect((await bin.inBin(admin, 'restore', 'user', eve.userId)).body.code).toBe('not_permitted');
      expect((await bin.inBin(root, 'restore', 'user', eve.userId)).body.data).toBe(1);
      const after = await users.findOneByOrFail({ id: eve.userId });
      expect(after).toEqual({ ...before, authVersion: before.authVersion + 2 });
      expect((await eve.get('/api/user/self')).status).toBe(401);
      expect(await bin.statusOf(token)).toBe(200);
      const again = await ApiClient.signIn(bin.app.url, 'eve', 'password-of-a-test');
      expect((await again.get(`/api/token/${lost.id}`)).body.code).toBe('not_found');
      expect((await bin.inBin(root, 'restore', 'user', eve.userId)).body.code).toBe('user_not_deregistered');
      const acts = await bin.actsOn('user', eve.userId);
      expect(acts.filter((act) => !act.startsWith('login.')).slice(-2)).toEqual([
        `user.delete by ${admin.userId}`,
        `user.restore by ${root.userId}`,
      ]);
    });

    it('brings no account back that its owner deleted', async () => {
      const fay = await signUp(root, { username: 'fay' });
      await fay.expectSuccess('DELETE', '/api/user/self', { username: 'fay' });
      expect(await bin.listed('user', fay.userId)).toMatchObject({ hindrance: 'left', kept_until: 0 });
      expect((await bin.inBin(root, 'restore', 'user', fay.userId)).body).toMatchObject({
        code: 'restore_left_account',
        message: expect.stringContaining('The owner deleted this account'),
      });
    });

    it('brings no account back that was purged or that an older version deleted', async () => {
      const gus = await signUp(root, { username: 'gus' });
      await root.expectSuccess('DELETE', `/api/user/${gus.userId}`);
      const users = bin.app.dataSource.getRepository(UserEntity);
      await users.update({ id: gus.userId }, { deletedBy: null });
      expect(await bin.listed('user', gus.userId)).toMatchObject({ hindrance: 'not_kept' });
      expect((await bin.inBin(root, 'restore', 'user', gus.userId)).body.code).toBe('restore_not_kept');
      await root.expectSuccess('POST', `/api/user/${gus.userId}/purge`);
      expect(await bin.listed('user', gus.userId)).toBeUndefined();
      expect((await bin.inBin(root, 'restore', 'user', gus.userId)).body.code).toBe('user_not_found');
    });
  });

  describe('after 30 days', () => {
    it('removes sealed keys by a job, not a moment earlier, and restores nothing from then on', async () => {
      const hal = await signUp(root, { username: 'hal' });
      const token = await bin.addToken(ann);
      const channel = await bin.addChannel(root, 'old', 'old');
      const code = await bin.addCode();
      await ann.expectSuccess('DELETE', `/api/token/${token.id}`);
      await root.expectSuccess('DELETE', `/api/channel/${channel}`);
      await admin.expectSuccess('DELETE', `/api/redemption/${code.id}`);
      await admin.expectSuccess('DELETE', `/api/user/${hal.userId}`);
      const rows = { token: token.id, channel, redemption: code.id, user: hal.userId };
      const sweep = async () => {
        await bin.app.app.get(TokenBin, { strict: false }).sweep();
        await bin.app.app.get(ChannelBin, { strict: false }).sweep();
        await bin.app.app.get(CodeBin, { strict: false }).sweep();
        await bin.app.app.get(DeregisteredAccounts, { strict: false }).sweep();
      };
      const sealed = async () => {
        const [{ key } = { key: '' }] = await bin.app.dataSource
          .getRepository(ChannelEntity)
          .find({ where: { id: channel }, select: { id: true, key: true } });
        const [{ keyEncrypted } = { keyEncrypted: '' }] = await bin.app.dataSource
          .getRepository(RedemptionEntity)
          .find({ where: { id: code.id }, select: { id: true, keyEncrypted: true } });
        return [await bin.sealedKeyOf(token.id), key, keyEncrypted].map((text) => text !== '');
      };
      bin.clock.advance(KEPT_MS - 60_000);
      await sweep();
      root = await ApiClient.signIn(bin.app.url, ROOT_ACCOUNT.username, ROOT_ACCOUNT.password);
      expect(await sealed()).toEqual([true, true, true]);
      for (const [section, id] of Object.entries(rows))
        expect(await bin.listed(section as Section, id, root)).toMatchObject({ hindrance: '' });
      bin.clock.advance(60_000);
      for (const [section, id] of Object.entries(rows)) {
        expect(await bin.listed(section as Section, id, root)).toMatchObject({ hindrance: 'not_kept' });
        expect((await bin.inBin(root, 'restore', section as Section, id)).body.code).toBe('restore_not_kept');
      }
      await sweep();
      expect(await sealed()).toEqual([false, false, false]);
      for (const section of ['token', 'channel', 'redemption'] as const)
        expect(await bin.listed(section, rows[section], root)).toBeUndefined();
      expect(await bin.listed('user', hal.userId, root)).toMatchObject({ hindrance: 'not_kept' });
      for (const [section, id] of Object.entries(rows))
        expect((await bin.inBin(root, 'restore', section as Section, id)).body.code).toBe('restore_not_kept');
    });
  });
});
