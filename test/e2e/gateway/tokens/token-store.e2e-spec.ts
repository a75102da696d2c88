import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type DataSource, IsNull } from 'typeorm';
import { SystemClock } from '../../../../server/infra/clock/system-clock.js';
import { SecretBox } from '../../../../server/infra/crypto/secret-box.js';
import { openDatabase } from '../../../../server/infra/database/open-named-database.js';
import { ChangeFeed, type ChangeTopic } from '../../../../server/infra/events/change-feed.js';
import { UuidIds } from '../../../../server/infra/ids/uuid-ids.js';
import { MemorySharedStore } from '../../../../server/infra/shared-store/memory-shared-store.js';
import { Revisions } from '../../../../server/infra/events/revisions.js';
import { DegradedModes } from '../../../../server/infra/observability/degraded-modes.js';
import { readEnv } from '../../../../server/config/env.js';
import type { Actor } from '../../../../server/base/access/current-actor.js';
import { RateLimiter } from '../../../../server/infra/rate-limit/rate-limiter.js';
import { AuditLog } from '../../../../server/base/audit/audit-log.js';
import { AccountMoney } from '../../../../server/base/billing/ledger/account-money.service.js';
import { PoolReturns } from '../../../../server/base/billing/ledger/pool-returns.js';
import { TokenGrantEntity } from '../../../../server/base/billing/ledger/token-grant.entity.js';
import { OptionsRepository } from '../../../../server/base/options/options.repository.js';
import { OptionsService } from '../../../../server/base/options/options.service.js';
import { tokenEditSchema, tokenInputSchema } from '../../../../server/gateway/tokens/dto/token.dto.js';
import { TokenAllowances } from '../../../../server/gateway/tokens/token-allowances.js';
import { TokenEntity } from '../../../../server/gateway/tokens/token.entity.js';
import { TokenKeys } from '../../../../server/gateway/tokens/token-keys.js';
import { TokenPolicy } from '../../../../server/gateway/tokens/token-policy.js';
import { TokenStore } from '../../../../server/gateway/tokens/token-store.js';
import { TokensRepository } from '../../../../server/gateway/tokens/tokens.repository.js';
import { TokensService } from '../../../../server/gateway/tokens/tokens.service.js';
import { loadAllEntities } from '../../../support/all-entities.js';
import type { AccountsService } from '../../../../server/base/users/accounts.service.js';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../../../support/database.js';
import { ALONE, LimitShares } from '../../../../server/infra/rate-limit/limit-shares.js';
import { OptionChangeEntity } from '../../../../server/base/options/option.entity.js';
import { OptionVersionEntity } from '../../../../server/base/options/option-version.entity.js';

class RecordedFeed extends ChangeFeed {
  readonly announced: string[] = [];

  override announce(topic: ChangeTopic, id?: number): void {
    this.announced.push(`${topic} ${id ?? ''}`);
  }

  override on(): () => void {
    return () => undefined;
  }
}

const actorOf = (id: number): Actor => ({
  id,
  username: `user${id}`,
  role: 1,
  group: 'default',
  way: 'session',
  sessionDigest: null,
});

const FIRST_PAGE = { p: 0, size: 0, page_size: 0 };

describe.each(DATABASE_KINDS)('tokens on %s', (kind) => {
  const feed = new RecordedFeed();
  const clock = new SystemClock();
  const ann = actorOf(1);
  const bob = actorOf(2);
  let database: TestDatabase;
  let dataSource: DataSource;
  let tokens: TokensService;
  let keys: TokenKeys;
  let folder: string;

  beforeAll(async () => {
    await loadAllEntities();
    database = await createTestDatabase(kind);
    dataSource = await openDatabase(database.url);
    folder = mkdtempSync(join(tmpdir(), 'tollgate-tokens-'));
    const env = readEnv({ DATA_DIR: folder, CRYPTO_SECRET: 'c'.repeat(40), SESSION_SECRET: 's'.repeat(40) });
    const box = new SecretBox(env.cryptoSecret);
    const store = new MemorySharedStore(clock, 'epoch-1');
    const money = new AccountMoney(dataSource, new PoolReturns(dataSource, store, clock), clock);
    const options = new OptionsService(
      new OptionsRepository(
        dataSource,
        dataSource.getRepository(OptionChangeEntity),
        dataSource.getRepository(OptionVersionEntity),
        new AuditLog(dataSource, box, clock),
      ),
      box,
      clock,
      new Revisions(dataSource, clock, new DegradedModes(clock), feed),
    );
    const rows = new TokensRepository(dataSource.getRepository(TokenEntity));
    keys = new TokenKeys(env, box);
    tokens = new TokensService(
      new TokenStore(dataSource, rows, keys, feed, new AuditLog(dataSource, box, clock)),
      rows,
      new TokenAllowances(money, new UuidIds()),
      new TokenPolicy(options, new RateLimiter(store, new LimitShares(clock, ALONE), dataSource), {
        // Its owners are numbers: no concurrent creations here.
        lock: async () => undefined,
      } as unknown as AccountsService),
      clock,
    );
  });

  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  const create = (actor: Actor, part: Record<string, unknown> = {}) =>
    tokens.create(actor, tokenInputSchema.parse({ name: 'one', remain_quota: 1_000, ...part }));
  const idOf = async (key: string) =>
    (
      await dataSource
        .getRepository(TokenEntity)
        .findOneBy({ keyDigest: keys.digest(key), deletedAtMs: IsNull() })
    )?.id;
  const update = (actor: Actor, part: Record<string, unknown>) =>
    tokens.update(actor, tokenEditSchema.parse(part));

  it('stores neither the key nor anything it can be read from without the secret', async () => {
    const token = await create(ann);
    expect(token.key).toMatch(/^[0-9A-Za-z]{48}$/);
    const row = await dataSource
      .getRepository(TokenEntity)
      .createQueryBuilder('token')
      .addSelect('token.keyEncrypted')
      .where({ id: token.id })
      .getOneOrFail();
    expect(JSON.stringify(row)).not.toContain(token.key);
    expect(row.keyEncrypted).toMatch(/^v1\./);
    expect(await idOf(token.key)).toBe(token.id);
    expect(await idOf(token.key.toLowerCase())).toBeUndefined();
    expect(feed.announced).toContain(`token ${token.id}`);
  });

  it('reports another account\'s token as "not found" in every verb, and changes nothing [TOK-03]', async () => {
    const token = await create(ann, { name: 'private' });
    const notFound = { code: 'not_found' };
    await expect(tokens.get(bob, token.id)).rejects.toMatchObject(notFound);
    await expect(update(bob, { id: token.id, name: 'stolen' })).rejects.toMatchObject(notFound);
    await expect(tokens.changeStatus(bob, token.id, 2)).rejects.toMatchObject(notFound);
    await expect(tokens.remove(bob, token.id)).rejects.toMatchObject(notFound);
    expect(await tokens.removeMany(bob, [token.id])).toBe(0);
    expect((await tokens.search(bob, { ...FIRST_PAGE, keyword: 'private', token: '' })).items).toEqual([]);
    expect(await tokens.get(ann, token.id)).toEqual(token);
  });

  it('books the allowance as grants, never as a bare column [I5]', async () => {
    const token = await create(ann, { remain_quota: 500 });
    await update(ann, { id: token.id, remain_quota: 800 });
    await update(ann, { id: token.id, remain_quota: 0 });
    const grants = await dataSource.getRepository(TokenGrantEntity).findBy({ tokenId: token.id });
    expect(grants.map((grant) => grant.amount).toSorted((a, b) => a - b)).toEqual([-800, 300, 500]);
    expect(await tokens.get(ann, token.id)).toMatchObject({ remain_quota: 0, status: 4 });
  });

  it('applies the difference to the figure the form was opened with [TOK-104]', async () => {
    const token = await create(ann, { remain_quota: 1_000 });
    // Calls charged 300 while the form was open.
    await dataSource.getRepository(TokenEntity).update({ id: token.id }, { remainQuota: 700 });
    const raised = await update(ann, { id: token.id, remain_quota: 1_500, remain_quota_before: 1_000 });
    expect(raised.remain_quota).toBe(1_200); // 700 + (1,500 − 1,000)
    const lowered = await update(ann, { id: token.id, remain_quota: 0, remain_quota_before: 5_000 });
    expect(lowered.remain_quota).toBe(0); // never below 0
  });

  it('parallel quota edits add up exactly', async () => {
    const token = await create(ann, { remain_quota: 0 });
    await Promise.all(
      Array.from({ length: 10 }, () =>
        update(ann, { id: token.id, remain_quota: 10, remain_quota_before: 0 }),
      ),
    );
    expect((await tokens.get(ann, token.id)).remain_quota).toBe(100);
  });

  it('changes only the members that are present', async () => {
    const token = await create(ann, {
      model_limits: 'a,b',
      model_limits_enabled: true,
      allow_ips: '10.0.0.0/8',
    });
    const renamed = await update(ann, { id: token.id, name: 'two' });
    expect(renamed).toEqual({ ...token, name: 'two' });
  });

  it('derives expired and exhausted, and refuses to enable what is still past its limit [TOK-108]', async () => {
    const token = await create(ann, { remain_quota: 0 });
    expect(token.status).toBe(4);
    await expect(tokens.changeStatus(ann, token.id, 1)).rejects.toMatchObject({
      code: 'token_still_exhausted',
    });
    expect((await update(ann, { id: token.id, unlimited_quota: true })).status).toBe(1);
    await dataSource.getRepository(TokenEntity).update({ id: token.id }, { expiredTime: 1_000 });
    expect((await tokens.get(ann, token.id)).status).toBe(3);
    await expect(tokens.changeStatus(ann, token.id, 1)).rejects.toMatchObject({
      code: 'token_still_expired',
    });
    expect((await tokens.changeStatus(ann, token.id, 2)).status).toBe(2);
  });

  it('searches names literally and keys by part, with or without prefix [DB-03]', async () => {
    const token = await create(ann, { name: '50%_off' });
    const found = async (keyword: string, part = '') =>
      (await tokens.search(ann, { ...FIRST_PAGE, keyword, token: part })).items.map((item) => item.id);
    expect(await found('50%_OFF')).toEqual([token.id]);
    expect(await found('%%')).toEqual([]);
    expect(await found('', `sk-${token.key}`)).toEqual([token.id]);
    expect(await found('50', token.key.slice(10, 30))).toEqual([token.id]);
    expect(await found('', 'sk-not-a-key')).toEqual([]);
  });

  it('deletes softly and keeps the sealed key for a restore', async () => {
    const token = await create(ann);
    await tokens.remove(ann, token.id);
    expect(await idOf(token.key)).toBeUndefined();
    const row = await dataSource
      .getRepository(TokenEntity)
      .findOneOrFail({ where: { id: token.id }, select: { id: true, keyEncrypted: true, deletedBy: true } });
    expect(row).toMatchObject({ deletedBy: ann.id, keyEncrypted: expect.stringMatching(/^v1\./) });
    await expect(tokens.remove(ann, token.id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('refuses a group that is not open to users, but not the own one', async () => {
    await expect(create(ann, { group: 'svip' })).rejects.toMatchObject({ code: 'group_not_usable' });
    expect((await create({ ...ann, group: 'svip' }, { group: 'svip' })).group).toBe('svip');
    expect((await create(ann, { group: 'vip' })).group).toBe('vip');
  });

  it('pages newest first with the total beside it', async () => {
    const eve = actorOf(3);
    for (const name of ['a', 'b', 'c']) await create(eve, { name });
    const page = await tokens.list(eve, { p: 1, size: 2 });
    expect(page.items.map((item) => item.name)).toEqual(['a']);
    expect(page.total).toBe(3);
  });
});
