import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ByteText } from '../../../../server/common/byte-text.js';
import { dialectOf } from '../../../../server/infra/database/data-source.js';
import { installationId } from '../../../../server/infra/database/installation-id.js';
import { installationIn } from '../../../../server/infra/spool/spool-installation.js';
import {
  decodeSegment,
  encodeRecord,
  type SpoolRecord,
} from '../../../../server/infra/spool/spool-record.js';
import type { Caller } from '../../../../server/relay-core/model/call.js';
import { DATABASE_KINDS } from '../../../support/database.js';
import { Books, Crew, type StartedCall, type Worker } from '../../../support/fixtures/money.fixture.js';

const QUARANTINE = 'quarantine';

describe.each(DATABASE_KINDS)('records of money know whose they are, on %s', (kind) => {
  let books: Books;
  let others: Books;
  const crew = new Crew(() => books);
  const strangers = new Crew(() => others);
  beforeAll(async () => {
    books = await Books.open(kind);
    others = await Books.open(kind);
  });
  afterEach(async () => {
    await crew.leave();
    await strangers.leave();
  });
  afterAll(async () => {
    await books.close();
    await others.close();
  });

  /** A worker that died with one charge on its spool that is booked nowhere. @returns its spool folder */
  async function dieWithCharge(
    of: Crew,
    userId: number,
    { tokenId = null, uids = {}, dataDir }: DyingCall = {},
  ): Promise<{ readonly folder: string; readonly call: StartedCall }> {
    const worker = await of.start(dataDir === undefined ? {} : { dataDir });
    const caller = { ...worker.caller(userId, tokenId), ...uids };
    const call = await worker.begin(caller);
    if (typeof call === 'string') throw new Error(call);
    await worker.engine.flusher.stop();
    worker.end(call);
    worker.engine.maintenance.stop();
    of.forget(worker);
    unlinkSync(join(worker.engine.spool.folder, 'owner.json'));
    return { folder: worker.engine.spool.folder, call };
  }
  const emptyDataDir = (): string => mkdtempSync(join(books.dataDir, 'data-'));
  /** Puts a spool into the data folder of another process. @returns that folder */
  function drop(folder: string, dataDir = emptyDataDir()): string {
    cpSync(folder, join(dataDir, 'spool', basename(folder)), { recursive: true });
    return dataDir;
  }
  const quarantined = (worker: Worker): string[] => {
    const folder = join(dirname(worker.engine.spool.folder), QUARANTINE);
    return existsSync(folder) ? readdirSync(folder) : [];
  };
  /** The first account of each installation has the same number as the other's. */
  async function sameNumbers(): Promise<number> {
    let [here, there] = [await books.addUser(10_000), await others.addUser(10_000)];
    while (here !== there) {
      if (here < there) here = await books.addUser(10_000);
      else there = await others.addUser(10_000);
    }
    return here;
  }

  it('names the installation in every segment, and account and token in every record of a charge', async () => {
    const userId = await books.addUser(10_000);
    const tokenId = await books.addToken(userId, null);
    const { digest } = await ownerOf(books, userId, tokenId);
    const uids = { accountUid: String(0), tokenUid: digest };
    const { folder, call } = await dieWithCharge(crew, userId, { tokenId, uids });
    const [heading, ...records] = recordsIn(folder);
    expect(installationIn(heading as SpoolRecord)).toBe(await installationId(books.dataSource));
    expect(records.map(({ type }) => type)).toEqual(['D', 'S']);
    for (const { payload } of records)
      expect(payload).toMatch(new RegExp(`"accountUid":"0".*"tokenUid":"${digest}"`));
    const next = await crew.start({ dataDir: drop(folder) });
    expect(await chargeOf(books, call)).toBe(110);
    expect(quarantined(next)).toEqual([]);
  });

  it('quarantines a segment of another installation, with a log line, and charges no account here', async () => {
    const userId = await sameNumbers();
    const before = await books.user(userId);
    const { folder, call } = await dieWithCharge(strangers, userId);
    const worker = await crew.start({ dataDir: drop(folder) });
    expect(await books.user(userId)).toEqual(before);
    expect(await chargeOf(books, call)).toBeUndefined();
    expect(quarantined(worker)).toEqual([`${basename(folder)}-00000001.spool`]);
    expect(worker.faults.join()).toMatch(
      /a segment of another installation \([0-9a-f-]{36}\) is in quarantine/,
    );
  });

  it('quarantines a single segment of another installation among our own, and none of ours', async () => {
    const userId = await sameNumbers();
    const own = await dieWithCharge(crew, userId);
    const strange = await dieWithCharge(strangers, userId);
    const dataDir = drop(own.folder);
    cpSync(
      join(strange.folder, '00000001.spool'),
      join(dataDir, 'spool', basename(own.folder), '00000002.spool'),
    );
    await crew.start({ dataDir });
    expect(await chargeOf(books, own.call)).toBe(110);
    expect(await chargeOf(books, strange.call)).toBeUndefined();
  });

  it.each([
    ['account', { accountUid: randomUUID() }],
    ['token', { tokenUid: randomUUID() }],
  ])('quarantines a record with a %s other than that of the id now', async (_what, uids) => {
    const userId = await books.addUser(10_000);
    const tokenId = await books.addToken(userId, null);
    const { folder, call } = await dieWithCharge(crew, userId, { tokenId, uids });
    const worker = await crew.start({ dataDir: drop(folder) });
    expect(await books.user(userId)).toMatchObject({ usedQuota: 0, requestCount: 0 });
    expect(quarantined(worker)).toEqual([`${call.callId}.json`]);
    expect(worker.faults.join()).toContain('that made the call');
  });

  it('books no record of the version before on an account, or a token, younger than its call', async () => {
    const tomorrow = Math.floor(Date.now() / 1_000) + 86_400;
    const young = await books.addUser(10_000);
    const owner = await books.addUser(10_000);
    const tokenId = await books.addToken(owner, null);
    const calls = [await dieWithCharge(crew, young), await dieWithCharge(crew, owner, { tokenId })];
    await books.dataSource.getRepository('users').update({ id: young }, { createdAt: tomorrow });
    await books.dataSource.getRepository('tokens').update({ id: tokenId }, { createdTime: tomorrow });
    for (const { folder, call } of calls) {
      const worker = await crew.start({ dataDir: drop(folder) });
      expect(await chargeOf(books, call)).toBeUndefined();
      expect(quarantined(worker)).toEqual([`${call.callId}.json`]);
    }
    expect(await books.check(false)).toEqual([]);
  });

  it('decides by the creation time for an account that the previous version makes without an id', async () => {
    const createdAt = 1_760_000_000;
    const userId = await books.addUser(10_000, { createdAt });
    const right = await dieWithCharge(crew, userId, { uids: { accountUid: String(createdAt) } });
    await crew.start({ dataDir: drop(right.folder) });
    expect(await chargeOf(books, right.call)).toBe(110);
    const wrong = await dieWithCharge(crew, userId, { uids: { accountUid: String(createdAt + 1) } });
    await crew.start({ dataDir: drop(wrong.folder) });
    expect(await chargeOf(books, wrong.call)).toBeUndefined();
  });

  it('books segments of the version before when the database knows their worker or their reservation', async () => {
    const userId = await books.addUser(10_000);
    const byWorker = await dieWithCharge(crew, userId);
    const byReservation = await dieWithCharge(crew, userId);
    for (const { folder } of [byWorker, byReservation]) leaveOutInstallation(folder);
    const renamed = renamedSpool(byReservation.folder);
    await crew.start({ dataDir: drop(byWorker.folder) });
    await crew.start({ dataDir: renamed });
    expect(await chargeOf(books, byWorker.call)).toBe(110);
    expect(await chargeOf(books, byReservation.call)).toBe(110);
  });

  it('quarantines segments of the version before that nothing here knows, unless a restore vouches for them', async () => {
    const userId = await sameNumbers();
    const { folder, call } = await dieWithCharge(strangers, userId);
    leaveOutInstallation(folder);
    const worker = await crew.start({ dataDir: drop(folder) });
    expect(await chargeOf(books, call)).toBeUndefined();
    expect(quarantined(worker)).toEqual([`${call.callId}.json`]);
    expect(worker.faults.join()).toContain('nothing says that it is a call of this installation');
    await crew.start({ dataDir: drop(folder), takesUnnamed: true });
    expect(await chargeOf(books, call)).toBe(110);
  });

  it('does not read a file as ours that lies where a new segment is to begin', async () => {
    const userId = await books.addUser(10_000);
    const worker = await crew.start();
    const { spool } = worker.engine;
    writeFileSync(join(spool.folder, '00000002.spool'), 'something of somebody else');
    const call = await worker.start(userId);
    Object.assign(spool, { segmentBytes: 1 });
    worker.end(call);
    const later = await worker.start(userId);
    worker.end(later);
    expect(await worker.engine.flusher.drain(10_000)).toBe(true);
    expect(await chargeOf(books, later)).toBe(110);
    expect(quarantined(worker)).toEqual([`${basename(spool.folder)}-00000002.spool`]);
  });

  it('gives no id of accounts and tokens twice, also after the database was restored', async () => {
    const dataDir = emptyDataDir();
    const owner = await books.addUser(0);
    const lost = await books.addUser(0);
    const lostToken = await books.addToken(owner, null);
    const worker = await crew.start({ dataDir });
    await worker.engine.stop();
    await putBack('users', lost);
    await putBack('tokens', lostToken);
    // A data folder that knows of nothing: the numbers are given again.
    await crew.start({ dataDir: emptyDataDir() });
    expect(await books.addUser(0)).toBe(lost);
    await putBack('users', lost);
    await crew.start({ dataDir });
    expect(await books.addUser(0)).toBeGreaterThan(lost);
    expect(await books.addToken(owner, null)).toBeGreaterThan(lostToken);
  });

  it('gives no id again that a spool names', async () => {
    const lost = await books.addUser(10_000);
    const { folder, call } = await dieWithCharge(crew, lost);
    const data = books.dataSource;
    for (const table of ['ledger', 'reservations']) await data.getRepository(table).delete({ userId: lost });
    await putBack('users', lost);
    const worker = await crew.start({ dataDir: drop(folder) });
    expect(quarantined(worker)).toEqual([`${call.callId}.json`]);
    expect(await books.addUser(0)).toBeGreaterThan(lost);
  });

  it('finds a charge that is older than its account or its token', async () => {
    const userId = await books.addUser(10_000);
    const tokenId = await books.addToken(userId, null);
    const worker = await crew.start();
    worker.end(await worker.start(userId, tokenId, false));
    await worker.engine.flusher.drain(10_000);
    expect(await books.check(false)).toEqual([]);
    const later = Math.floor(Date.now() / 1_000) + 3_600;
    await books.dataSource.getRepository('users').update({ id: userId }, { createdAt: later });
    await books.dataSource.getRepository('tokens').update({ id: tokenId }, { createdTime: later });
    const found = (await books.check(false)).map(({ invariant, subject }) => `${invariant} ${subject}`);
    expect(found).toEqual([`I17 user ${userId}: older charges`, `I17 token ${tokenId}: older charges`]);
    await books.dataSource.getRepository('users').update({ id: userId }, { createdAt: 0 });
    await books.dataSource.getRepository('tokens').update({ id: tokenId }, { createdTime: 0 });
  });

  /** Simulates a restored backup for an id given since: row and counter are gone. */
  async function putBack(table: 'users' | 'tokens', id: number): Promise<void> {
    const { dataSource } = books;
    await dataSource.getRepository(table).delete({ id });
    const dialect = dialectOf(dataSource);
    if (dialect === 'sqlite')
      await dataSource.query(`UPDATE sqlite_sequence SET seq = ? WHERE name = '${table}'`, [id - 1]);
    else if (dialect === 'mysql') await dataSource.query(`ALTER TABLE ${table} AUTO_INCREMENT = ${id}`);
    else
      await dataSource.query(`SELECT setval(pg_get_serial_sequence('${table}', 'id')::regclass, $1, false)`, [
        id,
      ]);
  }

  /** The same spool under the name of an unknown worker. @returns its data folder */
  function renamedSpool(folder: string): string {
    const dataDir = emptyDataDir();
    cpSync(folder, join(dataDir, 'spool', randomUUID()), { recursive: true });
    return dataDir;
  }
});

interface DyingCall {
  readonly tokenId?: number | null;
  readonly uids?: Partial<Pick<Caller, 'accountUid' | 'tokenUid'>>;
  readonly dataDir?: string;
}

const recordsIn = (folder: string): readonly SpoolRecord[] =>
  decodeSegment(readFileSync(join(folder, '00000001.spool'))).records;

/** Rewrites it as a version wrote it that named neither installations nor ids. */
function leaveOutInstallation(folder: string): void {
  const text = new ByteText(1024);
  for (const { type, payload } of recordsIn(folder).slice(1)) encodeRecord(type, payload, text);
  writeFileSync(join(folder, '00000001.spool'), text.bytes.subarray(0, text.length));
}

async function ownerOf(books: Books, userId: number, tokenId: number): Promise<{ readonly digest: string }> {
  const token = await books.dataSource.getRepository('tokens').findOneByOrFail({ id: tokenId, userId });
  return { digest: String(token['keyDigest']).slice(0, 16) };
}

async function chargeOf(books: Books, call: StartedCall): Promise<number | undefined> {
  const row = await books.dataSource.getRepository('settlements').findOneBy({ requestId: call.callId });
  return row === null ? undefined : Number(row['charged']);
}
