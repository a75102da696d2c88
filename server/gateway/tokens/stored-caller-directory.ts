import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { accountUid, tokenUid } from '../../common/record-owners.js';
import { fail, ok, type Result } from '../../common/result.js';
import { StatementTimeouts } from '../../infra/database/statement-timeouts.js';
import { burstQueue } from '../../infra/database/gate-connections.js';
import { ChangeFeed } from '../../infra/events/change-feed.js';
import type { Caller } from '../../relay-core/model/call.js';
import { refusal } from '../../relay-core/model/refusals.js';
import type { RelayError } from '../../relay-core/model/relay-error.js';
import { CallerDirectory } from '../../relay-core/ports/caller-directory.js';
import { Clock } from '../../common/clock.js';
import { groupRule, CallerRecord, type CallerRow } from './caller-record.js';
import { OptionsService } from '../../base/options/options.service.js';
import { CallerCredentials, type KnownCredential } from './caller-credentials.js';

/** An entry is used this long; hits in its second half renew it in the background, so that busy keys never wait. */
const FRESH_MS = 1_000;
const RENEW_AFTER_MS = 500;
/** Longest wait of a call for an unresponsive database to identify a key; then the look-up goes on without a waiter. */
const LOOK_UP_MS = 500;
/** A query without an answer for this long may never get one (a dead connection): the next call starts another. */
const ABANDON_MS = 5_000;
/** With the database away nothing can be changed in it: what is known holds this long. News of a change still ends it. */
const AWAY_MS = 60_000;
/** When memory is short, unknown keys expire after this time. */
const UNKNOWN_KEPT_MS = 5_000;
const MAX_ENTRIES = 100_000;
/** Texts of working keys whose digest is remembered: working it out costs more than everything else about a caller. */
const MAX_CREDENTIALS = 10_000;
const RETRY_AFTER_MS = 1_000;

interface Entry {
  readonly digest: string;
  /** Null = there is no such key. */
  record: CallerRecord | null | undefined;
  readAtMs: number;
  /** Time of the last query for the row; `Infinity` while a look-up waits for its turn. */
  askedAtMs: number;
  /** The running look-up, shared by all callers that wait for it. */
  reading: LookUp | undefined;
}

interface LookUp {
  /** Resolves when no caller should wait for it any more. */
  readonly isLate: Promise<false>;
  /** True when the row was read. Never rejects. */
  readonly isDone: Promise<boolean>;
}

/** Finds callers by the digest of their key, from memory for at most a second, from the database otherwise. */
@Injectable()
export class StoredCallerDirectory extends CallerDirectory implements OnApplicationShutdown {
  private readonly entries = new Map<string, Entry>();
  private readonly credentials = new Map<string, KnownCredential>();
  /** The look-up in the words of the database; worked out once. */
  private lookUpSql: string | undefined;
  private readonly stopListening: readonly (() => void)[];
  private readonly turns = burstQueue();
  private readonly watch: StatementTimeouts;
  private onRefusal: ((tokenId: number, refusal: RelayError) => void) | undefined;
  /** Raised by every change: a look-up that began before is not kept. */
  private generation = 0;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly texts: CallerCredentials,
    private readonly options: OptionsService,
    private readonly clock: Clock,
    changes: ChangeFeed,
  ) {
    super();
    this.watch = StatementTimeouts.of(dataSource, clock, LOOK_UP_MS, this.turns);
    this.stopListening = [
      changes.on('token', (id) => this.forget((record) => record.tokenId === id, id)),
      changes.on('user', (id) => this.forget((record) => record.userId === id, id)),
    ];
  }

  onApplicationShutdown(): void {
    for (const stop of this.stopListening) stop();
    this.credentials.clear();
  }

  /** @param listener  called with every refusal of a key that exists */
  watchRefusals(listener: (tokenId: number, refusal: RelayError) => void): void {
    this.onRefusal = listener;
  }

  override identify(
    credential: string,
    clientAddress: string,
  ): Result<Caller, RelayError> | Promise<Result<Caller, RelayError>> {
    const remembered = this.credentials.get(credential);
    const known = remembered ?? this.texts.read(credential);
    if (known === null) return fail(unknownKey());
    if (known.missingChannel !== null)
      return fail(refusal('chosen-channel-gone', { channel: known.missingChannel }));
    const entry = this.entryOf(known.digest);
    const { record } = entry;
    if (record === undefined) return this.identifyLater(entry, clientAddress, known.channelId);
    const ageMs = this.clock.monotonicMs() - entry.readAtMs;
    if (ageMs >= FRESH_MS) return this.identifyLater(entry, clientAddress, known.channelId);
    if (ageMs > RENEW_AFTER_MS && entry.reading === undefined) void this.read(entry);
    if (remembered === undefined && record !== null) this.rememberCredential(credential, known);
    return this.judge(record, clientAddress, known.channelId);
  }

  override async findClosure(credential: string): Promise<RelayError | null> {
    const known = this.credentials.get(credential) ?? this.texts.read(credential);
    if (known === null) return null;
    const entry = this.entryOf(known.digest);
    const isFresh = this.clock.monotonicMs() - entry.readAtMs < FRESH_MS;
    if (!isFresh && !(await this.inTime(this.read(entry)))) return null;
    return entry.record === null ? unknownKey() : (entry.record?.closure() ?? null);
  }

  /** Keys of callers that exist; made-up ones would only fill the memory. */
  private rememberCredential(credential: string, known: KnownCredential): void {
    if (this.credentials.size >= MAX_CREDENTIALS) this.credentials.clear();
    this.credentials.set(credential, known);
  }

  private async identifyLater(
    entry: Entry,
    clientAddress: string,
    channelId: number | null,
  ): Promise<Result<Caller, RelayError>> {
    const isRead = await this.inTime(this.read(entry));
    const ageMs = this.clock.monotonicMs() - entry.readAtMs;
    if (entry.record !== undefined && (isRead || ageMs < AWAY_MS))
      return this.judge(entry.record, clientAddress, channelId);
    return fail({ ...refusal('keys-unreadable'), retryAfterMs: RETRY_AFTER_MS });
  }

  private judge(
    record: CallerRecord | null,
    clientAddress: string,
    channelId: number | null,
  ): Result<Caller, RelayError> {
    if (record === null) return fail(unknownKey());
    const refusal = record.refusal(channelId, clientAddress, this.clock.nowMs(), (userGroup, tokenGroup) =>
      groupRule(this.options.values(), userGroup, tokenGroup),
    );
    if (refusal === null) return ok(record.callerFor(channelId));
    this.onRefusal?.(record.tokenId, refusal);
    return fail(refusal);
  }

  /** Reads the entry's row, once for all waiting callers. A failed read leaves the entry as it was. */
  private read(entry: Entry): LookUp {
    const underWay = entry.reading;
    if (underWay !== undefined && this.clock.monotonicMs() - entry.askedAtMs < ABANDON_MS) return underWay;
    entry.askedAtMs = Infinity;
    const late = Promise.withResolvers<false>();
    const stopWatching = this.watch.begin(() => late.resolve(false));
    const isDone = this.load(entry).finally(() => {
      stopWatching();
      if (entry.reading === lookUp) entry.reading = undefined;
    });
    const lookUp: LookUp = { isDone, isLate: late.promise };
    entry.reading = lookUp;
    return lookUp;
  }

  /** False when the look-up failed, or takes too long: a database that hangs must not hold the calls as well. */
  private inTime({ isDone, isLate }: LookUp): Promise<boolean> {
    return Promise.race([isDone, isLate]);
  }

  private async load(entry: Entry): Promise<boolean> {
    for (;;) {
      let found: Awaited<ReturnType<StoredCallerDirectory['ask']>>;
      try {
        found = await this.turns.pass(() => this.ask(entry));
      } catch {
        // The database is away: `identifyLater` decides by the age of what is known.
        return false;
      }
      const { row, generation, askedAtMs } = found;
      if (generation !== this.generation) continue;
      // An abandoned look-up that came to its end after all.
      if (askedAtMs < entry.readAtMs) return true;
      entry.record = row === null ? null : new CallerRecord(row);
      entry.readAtMs = askedAtMs;
      return true;
    }
  }

  /** Queries the row. Its age counts from the query, not from the wait for a turn before it. */
  private async ask(entry: Entry) {
    const { generation } = this;
    const askedAtMs = this.clock.monotonicMs();
    entry.askedAtMs = askedAtMs;
    return { row: await this.findRow(entry.digest), generation, askedAtMs };
  }

  private async findRow(digest: string): Promise<CallerRow | null> {
    this.lookUpSql ??= this.writeLookUp();
    const rows: unknown = await this.dataSource.query(this.lookUpSql, [digest]);
    const row: unknown = Array.isArray(rows) ? rows[0] : undefined;
    return row === undefined ? null : readRow(row as Readonly<Record<string, unknown>>);
  }

  private writeLookUp(): string {
    const group = this.dataSource.driver.escape('group');
    return this.dataSource
      .createQueryBuilder()
      .select('token.id', 'token_id')
      .addSelect('token.key_digest', 'key_digest')
      .addSelect('token.name', 'token_name')
      .addSelect('token.status', 'token_status')
      .addSelect('token.locked_at_ms', 'locked_at_ms')
      .addSelect('token.expired_time', 'expired_time')
      .addSelect('token.unlimited_quota', 'unlimited_quota')
      .addSelect('token.model_limits_enabled', 'model_limits_enabled')
      .addSelect('token.model_limits', 'model_limits')
      .addSelect('token.allow_ips', 'allow_ips')
      .addSelect(`token.${group}`, 'token_group')
      .addSelect('token.tags', 'token_tags')
      .addSelect('token.needs_end_user', 'needs_end_user')
      .addSelect('account.id', 'user_id')
      .addSelect('account.uid', 'uid')
      .addSelect('account.created_at', 'created_at')
      .addSelect('account.username', 'username')
      .addSelect('account.role', 'role')
      .addSelect('account.status', 'user_status')
      .addSelect(`account.${group}`, 'user_group')
      .addSelect('account.setting', 'user_setting')
      .from('tokens', 'token')
      .innerJoin('users', 'account', 'account.id = token.user_id')
      .where('token.key_digest = :digest', { digest: '' })
      .andWhere('token.deleted_at_ms IS NULL')
      .andWhere('account.deleted_at_ms IS NULL')
      .getQueryAndParameters()[0];
  }

  private entryOf(digest: string): Entry {
    let entry = this.entries.get(digest);
    if (entry !== undefined) return entry;
    if (this.entries.size >= MAX_ENTRIES) this.dropOld();
    entry = { digest, record: undefined, readAtMs: -Infinity, askedAtMs: Infinity, reading: undefined };
    this.entries.set(digest, entry);
    return entry;
  }

  /** Entries past their use go; when a flood of keys keeps them all young, everything goes. */
  private dropOld(): void {
    const nowMs = this.clock.monotonicMs();
    for (const [digest, entry] of this.entries) {
      const keptMs = entry.record ? AWAY_MS : UNKNOWN_KEPT_MS;
      if (nowMs - entry.readAtMs > keptMs && entry.reading === undefined) this.entries.delete(digest);
    }
    if (this.entries.size >= MAX_ENTRIES) this.entries.clear();
  }

  private forget(concerns: (record: CallerRecord) => boolean, id: number | undefined): void {
    this.generation += 1;
    for (const [digest, entry] of this.entries) {
      // A new token may have been looked up before it existed.
      const isConcerned =
        id === undefined || entry.record === null || (entry.record !== undefined && concerns(entry.record));
      if (!isConcerned) continue;
      this.entries.delete(digest);
      // Calls that wait for its look-up hold the entry still, and must not fall back on what was revoked.
      entry.record = undefined;
    }
  }
}

/** The three drivers differ in how they hand over numbers and flags; PostgreSQL folds names, hence the snake case. */
function readRow(row: Readonly<Record<string, unknown>>): CallerRow {
  const text = (name: string): string => String(row[name] ?? '');
  const number = (name: string): number => Number(row[name]);
  const flag = (name: string): boolean => row[name] === true || Number(row[name]) === 1;
  return {
    tokenId: number('token_id'),
    tokenUid: tokenUid(text('key_digest')),
    tokenName: text('token_name'),
    tokenStatus: number('token_status'),
    isLocked: row['locked_at_ms'] !== null,
    expiredTime: number('expired_time'),
    unlimitedQuota: flag('unlimited_quota'),
    modelLimitsEnabled: flag('model_limits_enabled'),
    modelLimits: text('model_limits'),
    allowIps: text('allow_ips'),
    tokenGroup: text('token_group'),
    tags: text('token_tags'),
    needsEndUser: flag('needs_end_user'),
    userId: number('user_id'),
    accountUid: accountUid(row['uid'] === null ? null : text('uid'), number('created_at')),
    username: text('username'),
    role: number('role'),
    userStatus: number('user_status'),
    userGroup: text('user_group'),
    userSetting: text('user_setting'),
  };
}

const unknownKey = (): RelayError => refusal('key-unknown');
