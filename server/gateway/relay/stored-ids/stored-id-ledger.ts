import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, In, LessThanOrEqual, MoreThan } from 'typeorm';
import { runInTransaction } from '../../../infra/database/run-in-transaction.js';
import { SecretBox } from '../../../infra/crypto/secret-box.js';
import { MAX_COLUMN_INTEGER } from '../../../common/query.js';
import { Clock } from '../../../common/clock.js';
import { IdLedger } from '../../../relay-core/ports/id-ledger.js';
import type { RequiredAccount, VendorAccount } from '../../../relay-core/ports/channel-picker.js';
import { StoredIdEntity } from './stored-id.entity.js';

/** As long as OpenAI keeps responses (https://platform.openai.com/docs/guides/conversation-state, read 2026-11-25). */
const RETENTION_MS = 30 * 86_400_000;
/** Ids this process remembers without asking. */
const MAX_KNOWN = 20_000;
const ROWS_AT_ONCE = 500;
/** Rows one sweep removes at most in one statement. */
const ROWS_SWEPT = 1_000;
/** An answer waits no longer for its ids to be written down. */
const MAX_WAIT_MS = 1_000;

type Entry = Readonly<
  Pick<StoredIdEntity, 'digest' | 'userId' | 'channelId' | 'vendorAccount' | 'inputTokens' | 'untilMs'>
>;

/** Owner and location of a stored id. */
type Owned = Pick<Entry, 'userId' | 'channelId' | 'vendorAccount'>;

/** In the main database, which all instances share. The first account an id is handed out to keeps it. */
@Injectable()
export class StoredIdLedger extends IdLedger {
  private readonly logger = new Logger('StoredIds');
  private readonly known = new Map<string, Owned>();
  private waiting: Entry[] = [];
  private writing: Promise<void> | undefined;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly secrets: SecretBox,
  ) {
    super();
  }

  override async findPlaces(
    userId: number,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, RequiredAccount | undefined>> {
    const found = new Map<string, RequiredAccount | undefined>();
    const missing = new Map<string, string>();
    for (const id of ids) {
      const digest = digestOf(id);
      const known = this.known.get(digest);
      if (known?.userId === userId) found.set(id, this.placeOf(known));
      else missing.set(digest, id);
    }
    if (missing.size === 0) return found;
    const rows = await this.dataSource.getRepository(StoredIdEntity).find({
      where: { digest: In([...missing.keys()]), userId, untilMs: MoreThan(this.clock.nowMs()) },
    });
    for (const { digest, channelId, vendorAccount } of rows) {
      const id = missing.get(digest);
      if (id === undefined) continue;
      const owned = { userId, channelId, vendorAccount };
      found.set(id, this.placeOf(owned));
      this.remember(digest, owned);
    }
    return found;
  }

  override record(
    userId: number,
    ids: readonly string[],
    account: VendorAccount,
    inputTokens?: number,
  ): Promise<void> {
    const untilMs = this.clock.nowMs() + RETENTION_MS;
    const { channelId } = account;
    const vendorAccount = this.nameOf(account);
    const entry = { userId, channelId, vendorAccount, inputTokens: storedTokens(inputTokens), untilMs };
    const entries: Entry[] = [];
    const goneOn: string[] = [];
    for (const digest of ids.map(digestOf))
      if (this.known.get(digest)?.userId === userId) goneOn.push(digest);
      else if (!this.known.has(digest)) entries.push({ digest, ...entry });
    const updating = inputTokens === undefined ? [] : goneOn;
    if (entries.length === 0 && updating.length === 0) return Promise.resolve();
    this.waiting.push(...entries);
    const writing = [
      ...(entries.length === 0 ? [] : [this.write()]),
      ...(updating.length === 0 ? [] : [this.updateInput(userId, updating, inputTokens)]),
    ];
    const written = Promise.all(writing).catch((error: unknown) => {
      this.logger.warn(`${ids.length} ids of stored things were not written down: ${String(error)}`);
    });
    return new Promise((settle) => {
      const cancel = this.clock.after(MAX_WAIT_MS, settle);
      void written.then(() => {
        cancel();
        settle();
      });
    });
  }

  override async findInput(userId: number, ids: readonly string[]): Promise<number> {
    const rows = await this.dataSource.getRepository(StoredIdEntity).find({
      select: { digest: true, inputTokens: true },
      where: { digest: In(ids.map(digestOf)), userId, untilMs: MoreThan(this.clock.nowMs()) },
    });
    return Math.max(0, ...rows.map(({ inputTokens }) => inputTokens ?? 0));
  }

  /** A conversation that went on keeps its id. */
  private async updateInput(
    userId: number,
    digests: readonly string[],
    inputTokens: number | undefined,
  ): Promise<void> {
    await this.dataSource
      .getRepository(StoredIdEntity)
      .update({ digest: In(digests), userId }, { inputTokens: storedTokens(inputTokens) });
  }

  /** Forgets those whose time is over, a part at a time. @returns how many it forgot; 0 = none is left */
  async removeExpired(): Promise<number> {
    const rows = this.dataSource.getRepository(StoredIdEntity);
    const nowMs = this.clock.nowMs();
    const over = await rows.find({
      where: { untilMs: LessThanOrEqual(nowMs) },
      order: { untilMs: 'ASC' },
      take: ROWS_SWEPT,
    });
    if (over.length === 0) return 0;
    await rows.delete({ digest: In(over.map(({ digest }) => digest)), untilMs: LessThanOrEqual(nowMs) });
    return over.length;
  }

  /** Ids of many answers go with one statement: who comes while one is written goes with the next. */
  private async write(): Promise<void> {
    if (this.writing !== undefined) {
      await this.writing.catch(() => undefined);
      // Another waiting caller may have written ours, too.
      if (this.writing !== undefined) return this.writing;
    }
    this.writing = this.writeWaiting().finally(() => {
      this.writing = undefined;
    });
    return this.writing;
  }

  private async writeWaiting(): Promise<void> {
    // In one order everywhere, so that two instances never wait for each other.
    const entries = this.waiting.toSorted((one, other) => (one.digest < other.digest ? -1 : 1));
    this.waiting = [];
    for (let from = 0; from < entries.length; from += ROWS_AT_ONCE) {
      const rows = entries.slice(from, from + ROWS_AT_ONCE);
      await runInTransaction(this.dataSource, (manager) =>
        manager
          .createQueryBuilder()
          .insert()
          .into(StoredIdEntity)
          .values(rows)
          .orIgnore()
          .updateEntity(false)
          .execute(),
      );
    }
  }

  /** Only what was read: another instance may have been first with an id that was written here. */
  private remember(digest: string, owned: Owned): void {
    if (this.known.size >= MAX_KNOWN) this.known.clear();
    this.known.set(digest, owned);
  }

  private placeOf({ channelId, vendorAccount }: Owned): RequiredAccount | undefined {
    if (channelId === null) return undefined;
    const isAt = (account: VendorAccount): boolean =>
      (account.channelId === channelId && account.keyIndex === undefined) ||
      this.nameOf(account) === vendorAccount;
    return { channelId, isAt };
  }

  /** Keyed, so that who reads the database cannot try keys on it. */
  private nameOf({ channelType, baseUrl, credential }: VendorAccount): string {
    return this.secrets
      .sign('vendor-account', JSON.stringify([channelType, baseUrl, credential]))
      .toString('base64url');
  }
}

const digestOf = (id: string): string => createHash('sha256').update(id).digest('base64url');

/** An absurd report must not fail the statement that writes other callers' ids, too. */
const storedTokens = (tokens: number | undefined): number | null =>
  tokens === undefined ? null : Math.min(Math.max(0, Math.trunc(tokens)), MAX_COLUMN_INTEGER);
