import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { UNDO_MS } from '../../../../server/base/bin/bin-rules.js';
import { checkMoney } from '../../../../server/base/billing/checks/check-money.js';
import { TokenEntity } from '../../../../server/gateway/tokens/token.entity.js';
import type { ApiClient } from '../../../support/api-client.ts';
import { signUp } from '../../../support/build-test-app.ts';
import { DATABASE_KINDS } from '../../../support/database.ts';
import { until } from '../../../support/until.ts';
import { BinFixture } from './bin.fixture.ts';

describe.each(DATABASE_KINDS)('undo of API tokens on %s', (kind) => {
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

  it('refuses the key at once, and answers it at once after an undo by its owner, with the same quota', async () => {
    const token = await bin.addToken(ann);
    expect(await bin.statusOf(token)).toBe(200);
    await until(async () => (await bin.ownToken(ann, token.id)).used_quota > 0);
    const before = await bin.ownToken(ann, token.id);
    await ann.expectSuccess('DELETE', `/api/token/${token.id}`);
    expect(await bin.statusOf(token)).toBe(401);
    expect(await bin.listed('token', token.id)).toMatchObject({
      name: 'laptop',
      owner_name: 'ann',
      deleted_by: ann.userId,
      deleted_by_name: 'ann',
      hindrance: '',
    });
    expect((await bin.undo(ann, 'token', token.id)).body).toMatchObject({ success: true, data: 1 });
    expect(await bin.statusOf(token)).toBe(200);
    await until(async () => (await bin.ownToken(ann, token.id)).used_quota > before.used_quota);
    const after = await bin.ownToken(ann, token.id);
    expect(after.remain_quota + after.used_quota).toBe(before.remain_quota + before.used_quota);
    expect(await bin.listed('token', token.id)).toBeUndefined();
    expect(await bin.actsOn('token', token.id)).toEqual([
      `token.delete by ${ann.userId}`,
      `token.restore by ${ann.userId}`,
    ]);
  });

  it('keeps the books of a call that runs while its token is deleted and restored', async () => {
    const token = await bin.addToken(ann);
    const seen = bin.upstream.entriesOf('fx-std').length;
    const answer = bin.upstream.holdAnswers();
    const running = bin.call(token).then((response) => response.text());
    await bin.upstream.waitUntil((one) => one.entriesOf('fx-std').length > seen);
    await ann.expectSuccess('DELETE', `/api/token/${token.id}`);
    answer();
    await running.catch(() => undefined);
    expect((await bin.undo(ann, 'token', token.id)).body.data).toBe(1);
    await until(async () => (await bin.ownToken(ann, token.id)).used_quota > 0);
    const { remain_quota: remain, used_quota: used } = await bin.ownToken(ann, token.id);
    expect(remain + used).toBe(50_000);
    expect(await checkMoney(bin.app.dataSource)).toEqual([]);
  });

  it('shows no other account or administrator a token to undo, and none of them the bin', async () => {
    const token = await bin.addToken(ann);
    await ann.expectSuccess('DELETE', `/api/token/${token.id}`);
    for (const client of [bob, admin, root])
      expect((await bin.undo(client, 'token', token.id)).body.code).toBe('not_found');
    for (const client of [ann, bob, admin]) {
      expect((await client.get('/api/bin/token')).body.code).toBe('not_permitted');
      for (const act of ['restore', 'wipe'] as const)
        expect((await bin.inBin(client, act, 'token', token.id)).body.code).toBe('not_permitted');
    }
    expect(await bin.statusOf(token)).toBe(401);
    expect((await bin.undo(ann, 'token', token.id)).body.data).toBe(1);
  });

  it('ends an undo after five minutes; root restores from the bin then', async () => {
    const token = await bin.addToken(ann);
    await ann.expectSuccess('DELETE', `/api/token/${token.id}`);
    bin.clock.advance(UNDO_MS);
    expect((await bin.undo(ann, 'token', token.id)).body).toMatchObject({
      code: 'undo_over',
      message: expect.stringContaining('root restores it from the bin'),
    });
    expect((await bin.inBin(root, 'restore', 'token', token.id)).body.data).toBe(1);
    expect(await bin.statusOf(token)).toBe(200);
    expect((await bin.actsOn('token', token.id)).at(-1)).toBe(`token.restore by ${root.userId}`);
  });

  it('undoes a deletion of many by one call, all of them or none', async () => {
    const tokens = [await bin.addToken(ann), await bin.addToken(ann)];
    const foreign = await bin.addToken(bob);
    const ids = tokens.map(({ id }) => id);
    expect(await ann.expectSuccess('POST', '/api/token/batch', { ids })).toBe(2);
    await bob.expectSuccess('DELETE', `/api/token/${foreign.id}`);
    expect((await bin.undo(ann, 'token', ...ids, foreign.id)).body.code).toBe('not_found');
    expect((await ann.get(`/api/token/${ids[0]}`)).body.code).toBe('not_found');
    expect((await bin.undo(ann, 'token', ...ids)).body.data).toBe(2);
    for (const token of tokens) expect(await bin.statusOf(token)).toBe(200);
    expect((await bin.undo(ann, 'token', ...ids)).body.code).toBe('not_found');
  });

  it('restores no more tokens than an account may have', async () => {
    const carl = await signUp(root, { username: 'carl' });
    const token = await bin.addToken(carl);
    await carl.expectSuccess('DELETE', `/api/token/${token.id}`);
    await bin.addToken(carl);
    await root.expectSuccess('PUT', '/api/option/', { key: 'token_setting.max_user_tokens', value: '1' });
    const refused = await bin.undo(carl, 'token', token.id);
    await root.expectSuccess('PUT', '/api/option/', {
      key: 'token_setting.max_user_tokens',
      value: '1000',
    });
    expect(refused.body.code).toBe('token_limit_reached');
  });

  it('revives no token that has expired meanwhile', async () => {
    const expires = Math.floor(bin.clock.nowMs() / 1000) + 60;
    const token = await bin.addToken(ann, { expired_time: expires });
    await ann.expectSuccess('DELETE', `/api/token/${token.id}`);
    bin.clock.advance(61_000);
    expect((await bin.undo(ann, 'token', token.id)).body.data).toBe(1);
    expect(await bin.ownToken(ann, token.id)).toMatchObject({ status: 3, expired_time: expires });
    expect(await bin.statusOf(token)).toBe(401);
  });

  it('removes the sealed key for good, and refuses a restore with a sentence', async () => {
    const token = await bin.addToken(ann);
    expect((await bin.inBin(root, 'wipe', 'token', token.id)).body.code).toBe('not_found');
    await ann.expectSuccess('DELETE', `/api/token/${token.id}`);
    expect(await bin.sealedKeyOf(token.id)).not.toBe('');
    expect((await bin.inBin(root, 'wipe', 'token', token.id)).body.data).toBe(1);
    expect(await bin.sealedKeyOf(token.id)).toBe('');
    expect(await bin.listed('token', token.id)).toBeUndefined();
    const refused = { code: 'restore_not_kept', message: expect.stringContaining('no longer kept') };
    expect((await bin.undo(ann, 'token', token.id)).body).toMatchObject(refused);
    expect((await bin.inBin(root, 'restore', 'token', token.id)).body).toMatchObject(refused);
    expect((await bin.actsOn('token', token.id)).at(-1)).toBe(`token.wipe by ${root.userId}`);
  });

  it('lists a token that an older version deleted, and rejects its restore', async () => {
    const token = await bin.addToken(ann);
    await bin.app.dataSource
      .getRepository(TokenEntity)
      .update({ id: token.id }, { deletedAtMs: bin.clock.nowMs(), keyEncrypted: '' });
    expect(await bin.listed('token', token.id)).toMatchObject({
      hindrance: 'not_kept',
      deleted_by: 0,
      kept_until: 0,
    });
    expect((await bin.undo(ann, 'token', token.id)).body.code).toBe('undo_over');
    expect((await bin.inBin(root, 'restore', 'token', token.id)).body.code).toBe('restore_not_kept');
  });
});
