import { type Moment, momentOf } from '../../../../server/common/moment.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource, InsertResult } from 'typeorm';
import type { Result } from '../../../../server/common/result.js';
import type { Env } from '../../../../server/config/env.js';
import { SecretBox } from '../../../../server/infra/crypto/secret-box.js';
import { openDatabase } from '../../../../server/infra/database/open-named-database.js';
import {
  ChangeFeed,
  type ChangeListener,
  type ChangeTopic,
} from '../../../../server/infra/events/change-feed.js';
import { OPTION_FALLBACKS, type OptionValues } from '../../../../server/base/options/option-catalogue.js';
import { Revisions } from '../../../../server/infra/events/revisions.js';
import { DegradedModes } from '../../../../server/infra/observability/degraded-modes.js';
import type { OptionsService } from '../../../../server/base/options/options.service.js';
import { CallerCredentials } from '../../../../server/gateway/tokens/caller-credentials.js';
import { StoredCallerDirectory } from '../../../../server/gateway/tokens/stored-caller-directory.js';
import { makeTokenKey } from '../../../../server/gateway/tokens/token-key.js';
import { TokenKeys } from '../../../../server/gateway/tokens/token-keys.js';
import { TokenEntity } from '../../../../server/gateway/tokens/token.entity.js';
import { UserEntity } from '../../../../server/base/users/user.entity.js';
import type { Caller } from '../../../../server/relay-core/model/call.js';
import type { RelayError } from '../../../../server/relay-core/model/relay-error.js';
import { Clock } from '../../../../server/common/clock.js';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../../../support/database.js';
import { tokenRow, userRow, withoutId } from '../../../support/stored-rows.js';

const SECRET = 'a secret of at least 32 characters!';
const LEGACY_KEY = 'OlderKeyWithoutChecksum0123456789';

const idOf = (inserted: InsertResult): number => Number(inserted.identifiers[0]?.['id']);

class LocalFeed extends ChangeFeed {
  private readonly listeners = new Map<ChangeTopic, ChangeListener[]>();
  override announce(topic: ChangeTopic, id?: number): void {
    for (const listener of this.listeners.get(topic) ?? []) listener(id);
  }
  override on(topic: ChangeTopic, listener: ChangeListener): () => void {
    this.listeners.set(topic, [...(this.listeners.get(topic) ?? []), listener]);
    return () => undefined;
  }
}

class SteppedClock extends Clock {
  now = Date.now();
  override nowMs = (): Moment => momentOf(this.now);
  override monotonicMs = (): number => this.now;
  private readonly timers = new Set<{ readonly dueMs: number; readonly action: () => void }>();
  override after = (delayMs: number, action: () => void): (() => void) => {
    const timer = { dueMs: this.now + delayMs, action };
    this.timers.add(timer);
    return () => this.timers.delete(timer);
  };
  /** Lets time pass with its timers, and those they set. */
  advance(ms: number): void {
    const untilMs = this.now + ms;
    for (;;) {
      const [due] = [...this.timers]
        .filter(({ dueMs }) => dueMs <= untilMs)
        .sort((left, right) => left.dueMs - right.dueMs);
      if (due === undefined) break;
      this.timers.delete(due);
      this.now = Math.max(this.now, due.dueMs);
      due.action();
    }
    this.now = untilMs;
  }
}

describe.each(DATABASE_KINDS)('StoredCallerDirectory on %s', (kind) => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let clock: SteppedClock;
  let feed: LocalFeed;
  let options: { current: OptionValues };
  let directory: StoredCallerDirectory;
  let keys: TokenKeys;
  let key: string;
  let queries: number;
  let userId: number;
  let tokenId: number;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    dataSource = await openDatabase(database.url);
    keys = new TokenKeys({ cryptoSecret: SECRET } as Env, new SecretBox(SECRET));
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  beforeEach(async () => {
    await dataSource.getRepository(TokenEntity).clear();
    await dataSource.createQueryBuilder().delete().from(UserEntity).execute();
    key = makeTokenKey();
    clock = new SteppedClock();
    feed = new LocalFeed();
    options = { current: OPTION_FALLBACKS };
    queries = 0;
    const counted = new Proxy(dataSource, {
      get(target, name) {
        if (name === 'query') queries += 1;
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    directory = new StoredCallerDirectory(
      counted,
      new CallerCredentials(keys, new Revisions(dataSource, clock, new DegradedModes(clock), feed)),
      { values: () => options.current } as OptionsService,
      clock,
      feed,
    );
    userId = await addUser();
    tokenId = await addToken(key);
  });

  const addUser = async (): Promise<number> => {
    const inserted = await dataSource.getRepository(UserEntity).insert(withoutId(userRow()));
    return idOf(inserted);
  };

  const addToken = async (tokenKey: string): Promise<number> => {
    const inserted = await dataSource
      .getRepository(TokenEntity)
      .insert(withoutId(tokenRow({ userId, keyDigest: keys.digest(tokenKey) })));
    return idOf(inserted);
  };

  const changeToken = (fields: Partial<TokenEntity>) =>
    dataSource.getRepository(TokenEntity).update({ id: tokenId }, fields);
  const identify = async (
    credential = `sk-${key}`,
    address = '203.0.113.5',
  ): Promise<Result<Caller, RelayError>> => directory.identify(credential, address);
  const kindOf = async (credential?: string, address?: string): Promise<string> => {
    const result = await identify(credential, address);
    return result.ok ? 'ok' : result.error.kind;
  };

  it('refuses 10,000 well-formed keys with a wrong checksum without asking the database [TOK-01]', async () => {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
    for (let index = 0; index < 10_000; index += 1) {
      const made = `${letters[index % 26]}${String(index).padStart(5, '0')}${'x'.repeat(42)}`;
      const result = await identify(`sk-${made}`);
      if (result.ok) throw new Error(`${made} was accepted`);
      expect(result.error.kind).toBe('unauthenticated');
    }
    expect(queries).toBe(0);
  });

  it('rejects an unknown key, looks it up once a second, and accepts it as soon as it is created', async () => {
    const other = makeTokenKey();
    expect(await kindOf(other)).toBe('unauthenticated');
    expect(await kindOf(other)).toBe('unauthenticated');
    expect(queries).toBe(1);
    feed.announce('token', await addToken(other));
    expect(await kindOf(other)).toBe('ok');
  });

  it.each<[string, Partial<TokenEntity>, string]>([
    ['disabled', { status: 2 }, 'unauthenticated'],
    ['expired', { expiredTime: 1_000 }, 'unauthenticated'],
    ['deleted', { deletedAtMs: 1 }, 'unauthenticated'],
    ['of a group that is not offered', { group: 'secret' }, 'forbidden'],
    ['of a group without a price factor', { group: 'ghost' }, 'forbidden'],
    ['for other addresses', { allowIps: '198.51.100.0/24\n2001:db8::/32' }, 'address-refused'],
    ['G15 with an address list that cannot be read', { allowIps: 'everybody' }, 'address-refused'],
    [
      'G15 with one unreadable line in its address list',
      { allowIps: '203.0.113.5\n1.2.3.4/99' },
      'address-refused',
    ],
  ])('refuses a token that is %s [TOK-04]', async (_, fields, expected) => {
    options.current = {
      ...OPTION_FALLBACKS,
      GroupRatio: { default: 1, secret: 1 },
      UserUsableGroups: { default: 'd', ghost: 'g' },
    };
    await changeToken(fields);
    expect(await kindOf()).toBe(expected);
  });

  it.each<[string, Partial<UserEntity>, string]>([
    ['banned', { status: 2 }, 'account-banned'],
    ['deleted', { deletedAtMs: 1 }, 'unauthenticated'],
  ])('refuses the token of an owner who is %s [TOK-04]', async (_, fields, expected) => {
    await dataSource.getRepository(UserEntity).update({ id: userId }, fields);
    expect(await kindOf()).toBe(expected);
  });

  it.each([
    ['203.0.113.5', '203.0.113.5', 'ok'],
    ['203.0.113.0/24', '::ffff:203.0.113.5', 'ok'],
    ['::ffff:203.0.113.0/120', '203.0.113.5', 'ok'],
    ['2001:db8::/32', '2001:db8:1::9', 'ok'],
    ['2001:db8::1, 203.0.113.5', '203.0.113.5', 'ok'],
    ['203.0.113.5', '203.0.113.6', 'address-refused'],
    ['0.0.0.0/0', '2001:db8::1', 'address-refused'],
    ['203.0.113.5', 'unknown', 'address-refused'],
    ['203.0.113.5', '', 'address-refused'],
  ])('judges with the list %s the address %s: %s [TOK-05]', async (allowIps, address, expected) => {
    await changeToken({ allowIps });
    expect(await kindOf(undefined, address)).toBe(expected);
  });

  it('lets only administrators pin a channel [TOK-04]', async () => {
    expect(await kindOf(`sk-${key}-5`)).toBe('forbidden');
    await dataSource.getRepository(UserEntity).update({ id: userId }, { role: 10 });
    feed.announce('user', userId);
    const result = await identify(`sk-${key}-5`);
    expect(result).toMatchObject({ ok: true, value: { pinnedChannelId: 5 } });
    expect(await identify()).toMatchObject({ ok: true, value: { pinnedChannelId: null } });
  });

  it('takes an older key, with and without prefix', async () => {
    await addToken(LEGACY_KEY);
    expect(await kindOf(LEGACY_KEY)).toBe('ok');
    expect(await kindOf(`sk-${LEGACY_KEY}`)).toBe('ok');
  });

  it('describes the caller', async () => {
    await dataSource
      .getRepository(UserEntity)
      .update({ id: userId }, { setting: '{"accept_unset_model_ratio_model":true}' });
    await changeToken({ modelLimitsEnabled: true, modelLimits: 'a, b', group: 'vip', unlimitedQuota: false });
    const account = await dataSource.getRepository(UserEntity).findOneByOrFail({ id: userId });
    const result = await identify();
    expect(result).toEqual({
      ok: true,
      value: {
        userId,
        accountUid: String(account.createdAt),
        username: 'ann',
        tokenId,
        tokenUid: keys.digest(key).slice(0, 16),
        tokenName: 'laptop',
        tokenLimited: true,
        group: 'vip',
        userGroup: 'default',
        modelLimits: new Set(['a', 'b']),
        acceptsUnsetPrice: true,
        pinnedChannelId: null,
      },
    });
  });

  it('answers from memory, renews in the background, and forgets at once when notified [TOK-08]', async () => {
    await identify();
    expect(queries).toBe(1);
    clock.now += 400;
    expect(directory.identify(`sk-${key}`, '203.0.113.5')).toMatchObject({ ok: true });
    expect(queries).toBe(1);
    clock.now += 200;
    expect(directory.identify(`sk-${key}`, '203.0.113.5')).toMatchObject({ ok: true });
    expect(queries).toBe(2);
    await changeToken({ status: 2 });
    feed.announce('token', tokenId);
    expect(await kindOf()).toBe('unauthenticated');
  });

  it('detects a change without a notification within a second [TOK-08]', async () => {
    await identify();
    await changeToken({ status: 2 });
    clock.now += 1_000;
    expect(await kindOf()).toBe('unauthenticated');
  });

  it('sends one query for a hundred callers at the same moment', async () => {
    const results = await Promise.all(Array.from({ length: 100 }, () => identify()));
    expect(results.every((result) => result.ok)).toBe(true);
    expect(queries).toBe(1);
  });

  /** @param answer  what a query becomes */
  const replaceDatabase = (answer: () => Promise<never>): void => {
    const replaced = new Proxy(dataSource, {
      get: (target, name) => (name === 'query' ? answer : (Reflect.get(target, name, target) as unknown)),
    });
    Object.assign(directory, { dataSource: replaced });
  };
  const unavailable = { ok: false, error: { kind: 'unavailable', retryAfterMs: 1_000 } };

  it('continues for a minute with its cached entries when the database is away, then refuses', async () => {
    await identify();
    replaceDatabase(() => Promise.reject(new Error('connection lost')));
    clock.now += 1_500;
    expect(await kindOf()).toBe('ok');
    expect(await identify(makeTokenKey())).toMatchObject(unavailable);
    clock.now += 58_000;
    expect(await kindOf()).toBe('ok');
    clock.now += 1_000;
    expect(await identify()).toMatchObject(unavailable);
  });

  it('forgets a revoked key although the database is away', async () => {
    await identify();
    replaceDatabase(() => Promise.reject(new Error('connection lost')));
    clock.now += 1_500;
    feed.announce('token', tokenId);
    expect(await identify()).toMatchObject(unavailable);
  });

  it('waits half a second for a database that hangs, and once only', async () => {
    await identify();
    replaceDatabase(() => new Promise(() => undefined));
    clock.now += 1_500;
    const known = identify();
    const unknown = identify(makeTokenKey());
    clock.advance(499);
    const late = identify();
    const settled: string[] = [];
    void known.then(() => settled.push('known'));
    void unknown.then(() => settled.push('unknown'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(settled).toEqual([]);
    clock.advance(1);
    expect(await known).toMatchObject({ ok: true });
    expect(await late).toMatchObject({ ok: true });
    expect(await unknown).toMatchObject(unavailable);
    clock.now += 2_000;
    expect(await kindOf()).toBe('ok');
  });

  it('sends another query when a look-up has had no answer for five seconds', async () => {
    await identify();
    replaceDatabase(() => new Promise(() => undefined));
    clock.now += 1_500;
    const waiting = identify();
    clock.advance(500);
    expect(await waiting).toMatchObject({ ok: true });
    Object.assign(directory, { dataSource });
    clock.now += 4_500;
    await changeToken({ status: 2 });
    expect(await kindOf()).toBe('unauthenticated');
  });

  it('refuses a call that waits for a hanging database when its token is revoked meanwhile', async () => {
    await identify();
    replaceDatabase(() => new Promise(() => undefined));
    clock.now += 1_500;
    const waiting = identify();
    feed.announce('token', tokenId);
    clock.advance(500);
    expect(await waiting).toMatchObject(unavailable);
  });
});
