import type { DataSource, EntityManager } from 'typeorm';
import { dialectOf } from '../../../infra/database/data-source.js';
import { runInSnapshot } from '../../../infra/database/run-in-transaction.js';
import type { PriceSnapshot } from '../../../relay-core/model/price-snapshot.js';
import type { Usage } from '../../../relay-core/model/usage.js';
import { calculateQuota } from '../../pricing/calculate-quota.js';
import { checkLimits } from './check-limits.js';
import { checkOwners } from './check-owners.js';
import { checkRefunded, checkTasks } from './check-tasks.js';
import { checkOrders, checkRedemptions } from './check-wallet.js';
import type { InvariantId } from './invariants.js';
import { toText, type Row } from '../ledger/money-sql.js';
import { IMPORTED_LINE } from '../opening/imported-line.js';
import { PRICES_OF_SETTLEMENT, SETTLEMENTS_WITH_PRICES } from '../ledger/price-snapshots.js';

/** A broken money invariant. */
export interface Violation {
  /** The rule that does not hold; `INVARIANTS` has its sentence. */
  readonly invariant: InvariantId;
  /** Subject of the violation: `user 5`, `token 7`, `call 0190…`. */
  readonly subject: string;
  readonly expected: string;
  readonly found: string;
}

export interface MoneyCheckOptions {
  /** No call runs and nothing waits to be booked: the invariants that hold only then are checked too. */
  readonly isQuiet?: boolean;
  /** Consumption logging was always on and logs live here and were never pruned: charges are compared with log rows too. */
  readonly hasAllLogs?: boolean;
}

type Read = (sql: string) => Promise<readonly Row[]>;

/** Use of the rows of a table before they were imported, joined as "o". */
const opening = (scope: 'account' | 'token' | 'channel', id: string): string =>
  `LEFT JOIN "opening_figures" "o" ON "o"."scope" = '${scope}' AND "o"."owner_id" = ${id}`;

const CHARGES_AND_OPENING = 'COALESCE("s"."v", 0) + COALESCE("o"."used_quota", 0)';
const CALLS_AND_OPENING = 'COALESCE("s"."v", 0) + COALESCE("o"."request_count", 0)';

/** Settlements read at once for the recomputation. */
const PAGE = 2_000;

/**
 * Verifies the money invariants on one consistent snapshot, changing nothing.
 * @returns what is wrong, empty when all is well
 */
export async function checkMoney(
  dataSource: DataSource,
  options: MoneyCheckOptions = {},
): Promise<Violation[]> {
  return runInSnapshot(dataSource, async (manager) => {
    const read = reader(manager);
    const quiet =
      options.isQuiet === false ? [] : [...(await checkCounters(read)), ...(await checkChannels(read))];
    return [
      ...(await checkBalances(read)),
      ...(await checkConservation(read)),
      ...(await checkFloors(read)),
      ...(await checkTokens(read)),
      ...quiet,
      ...(options.hasAllLogs === true ? await checkLogs(read) : []),
      ...(await checkTwice(read)),
      ...[...(await checkRedemptions(read)), ...(await checkOrders(read))].map(
        ({ invariant, subject, row }) => differing(invariant, `${subject} ${toText(row['id'])}`, row),
      ),
      ...(await checkTasks(read)).map(({ subject, row }) =>
        differing('I16', `${subject} ${toText(row['id'])}`, row),
      ),
      ...(await checkRefunded(read)).map(({ subject, row }) =>
        differing('I18', `${subject} ${toText(row['id'])}: refunded quota`, row),
      ),
      ...(await checkLimits(read)).map(({ subject, row }) => differing('I19', subject, row)),
      ...(await checkOwners(read)).map(({ subject, row }) =>
        differing('I17', `${subject} ${toText(row.id)}: older charges`, row),
      ),
      ...(await checkInvitations(read)),
      ...(await checkLedgerTrail(read)),
      ...(await checkRecomputed(read)),
    ];
  });
}

function reader(manager: EntityManager): Read {
  const isMysql = dialectOf(manager.dataSource) === 'mysql';
  return async (sql) => (await manager.query(isMysql ? sql.replaceAll('"', '`') : sql)) as readonly Row[];
}

const grouped = (
  table: string,
  { key, value, where = '1 = 1' }: { readonly key: string; readonly value: string; readonly where?: string },
): string =>
  `(SELECT "${key}" AS "k", SUM(${value}) AS "v" FROM "${table}" WHERE ${where} GROUP BY "${key}")`;

/** Compared as text: a sum over many accounts can exceed the safe integers. */
const compared = (found: string, expected: string): string =>
  `CONCAT(${found}) AS "found", CONCAT(${expected}) AS "expected"`;

const OPEN_USER = `"state" = 'open' AND "scope" = 'user'`;
const OPEN_TOKEN = `"state" = 'open' AND "scope" = 'token'`;

/** For every account: quota = ledger − settlements − open reservations. */
async function checkBalances(read: Read): Promise<Violation[]> {
  const expected = 'COALESCE("l"."v", 0) - COALESCE("s"."v", 0) - COALESCE("r"."v", 0)';
  const rows = await read(
    `SELECT "u"."id" AS "id", ${compared('"u"."quota"', expected)} FROM "users" "u"
     LEFT JOIN ${grouped('ledger', { key: 'user_id', value: '"amount"' })} "l" ON "l"."k" = "u"."id"
     LEFT JOIN ${grouped('settlements', { key: 'user_id', value: '"charged"' })} "s" ON "s"."k" = "u"."id"
     LEFT JOIN ${grouped('reservations', { key: 'user_id', value: '"amount"', where: OPEN_USER })} "r" ON "r"."k" = "u"."id"
     WHERE "u"."quota" <> ${expected}`,
  );
  return rows.map((row) => differing('I1', `user ${toText(row['id'])}`, row));
}

/** Nothing appears and nothing vanishes, over all accounts, including rows of accounts that do not exist. */
async function checkConservation(read: Read): Promise<Violation[]> {
  const found = `(SELECT COALESCE(SUM("quota"), 0) FROM "users")
       + (SELECT COALESCE(SUM("amount"), 0) FROM "reservations" WHERE ${OPEN_USER})
       + (SELECT COALESCE(SUM("charged"), 0) FROM "settlements")`;
  const [row] = await read(`SELECT ${compared(found, '(SELECT COALESCE(SUM("amount"), 0) FROM "ledger")')}`);
  return row === undefined || row['found'] === row['expected'] ? [] : [differing('I11', 'all accounts', row)];
}

/** No balance below its floor, no reservation below 0, nothing left in a closed one. */
async function checkFloors(read: Read): Promise<Violation[]> {
  const users = await read(
    `SELECT "id" AS "id", "quota" AS "found", "quota_floor" AS "expected" FROM "users" WHERE "quota" < "quota_floor"`,
  );
  const reservations = await read(
    `SELECT "id" AS "id", "amount" AS "found", 0 AS "expected" FROM "reservations"
     WHERE "amount" < 0 OR ("state" <> 'open' AND "amount" <> 0)`,
  );
  return [
    ...users.map((row) => differing('I4', `user ${toText(row['id'])}: below its floor`, row)),
    ...reservations.map((row) => differing('I4', `reservation ${toText(row['id'])}`, row)),
  ];
}

/** Allowance of tokens: grants − charges − open reservations. */
async function checkTokens(read: Read): Promise<Violation[]> {
  const expected = 'COALESCE("g"."v", 0) - COALESCE("s"."v", 0) - COALESCE("r"."v", 0)';
  const rows = await read(
    `SELECT "t"."id" AS "id", ${compared('"t"."remain_quota"', expected)} FROM "tokens" "t"
     LEFT JOIN ${grouped('token_grants', { key: 'token_id', value: '"amount"' })} "g" ON "g"."k" = "t"."id"
     LEFT JOIN ${grouped('settlements', { key: 'token_id', value: '"charged"', where: '"token_limited" = 1' })} "s" ON "s"."k" = "t"."id"
     LEFT JOIN ${grouped('reservations', { key: 'token_id', value: '"amount"', where: OPEN_TOKEN })} "r" ON "r"."k" = "t"."id"
     WHERE "t"."remain_quota" <> ${expected}
       OR (NOT "t"."unlimited_quota" AND "t"."remain_quota" < 0)`,
  );
  return rows.map((row) => differing('I5', `token ${toText(row['id'])}`, row));
}

/** Counters that calls raise: used quota and calls of accounts, used quota of tokens. */
async function checkCounters(read: Read): Promise<Violation[]> {
  const used = await read(
    `SELECT "u"."id" AS "id", ${compared('"u"."used_quota"', CHARGES_AND_OPENING)} FROM "users" "u"
     LEFT JOIN ${grouped('settlements', { key: 'user_id', value: '"charged"' })} "s" ON "s"."k" = "u"."id"
     ${opening('account', '"u"."id"')}
     WHERE "u"."used_quota" <> ${CHARGES_AND_OPENING}`,
  );
  const counts = await read(
    `SELECT "u"."id" AS "id", ${compared('"u"."request_count"', CALLS_AND_OPENING)} FROM "users" "u"
     LEFT JOIN ${grouped('settlements', { key: 'user_id', value: '1' })} "s" ON "s"."k" = "u"."id"
     ${opening('account', '"u"."id"')}
     WHERE "u"."request_count" <> ${CALLS_AND_OPENING}`,
  );
  const tokens = await read(
    `SELECT "t"."id" AS "id", ${compared('"t"."used_quota"', CHARGES_AND_OPENING)} FROM "tokens" "t"
     LEFT JOIN ${grouped('settlements', { key: 'token_id', value: '"charged"' })} "s" ON "s"."k" = "t"."id"
     ${opening('token', '"t"."id"')}
     WHERE "t"."used_quota" <> ${CHARGES_AND_OPENING}`,
  );
  return [
    ...used.map((row) => differing('I2', `user ${toText(row['id'])}: used quota`, row)),
    ...counts.map((row) => differing('I3', `user ${toText(row['id'])}: number of calls`, row)),
    ...tokens.map((row) => differing('I5', `token ${toText(row['id'])}: used quota`, row)),
  ];
}

/** Used quota of channels. */
async function checkChannels(read: Read): Promise<Violation[]> {
  const rows = await read(
    `SELECT "c"."id" AS "id", ${compared('"c"."used_quota"', CHARGES_AND_OPENING)} FROM "channels" "c"
     LEFT JOIN ${grouped('settlements', { key: 'channel_id', value: '"charged"' })} "s" ON "s"."k" = "c"."id"
     ${opening('channel', '"c"."id"')}
     WHERE "c"."used_quota" <> ${CHARGES_AND_OPENING}`,
  );
  return rows.map((row) => differing('I14', `channel ${toText(row['id'])}: used quota`, row));
}

/** A charge has its log row with the same amount, and a log row its charge. */
async function checkLogs(read: Read): Promise<Violation[]> {
  const rows = await read(
    `SELECT "s"."request_id" AS "id", "l"."quota" AS "found", "s"."charged" AS "expected" FROM "settlements" "s"
     LEFT JOIN "logs" "l" ON "l"."request_id" = "s"."request_id" AND "l"."type" = 2
     WHERE "l"."quota" IS NULL OR "l"."quota" <> "s"."charged"`,
  );
  const orphans = await read(
    `SELECT "l"."request_id" AS "id", "l"."quota" AS "found", 'no settlement' AS "expected" FROM "logs" "l"
     LEFT JOIN "settlements" "s" ON "s"."request_id" = "l"."request_id"
     WHERE "l"."type" = 2 AND "l"."request_id" IS NOT NULL AND "l"."request_id" NOT LIKE '${IMPORTED_LINE}%'
       AND "s"."request_id" IS NULL`,
  );
  return [...rows, ...orphans].map((row) => differing('I2', `call ${toText(row['id'])}: log row`, row));
}

/** One charge per call, one ledger entry per cause: also when an operator dropped the unique keys. */
async function checkTwice(read: Read): Promise<Violation[]> {
  const settlements = await read(
    `SELECT "request_id" AS "id", COUNT(*) AS "found", 1 AS "expected" FROM "settlements" GROUP BY "request_id" HAVING COUNT(*) > 1`,
  );
  const ledger = await read(
    `SELECT "kind" AS "kind", "ref" AS "ref", COUNT(*) AS "found", 1 AS "expected" FROM "ledger"
     GROUP BY "kind", "ref" HAVING COUNT(*) > 1`,
  );
  const empty = await read(
    `SELECT "id" AS "id", 0 AS "found", 'not 0' AS "expected" FROM "ledger" WHERE "amount" = 0`,
  );
  return [
    ...settlements.map((row) => differing('I6', `call ${toText(row['id'])}: settlements`, row)),
    ...ledger.map((row) =>
      differing('I13', `ledger ${toText(row['kind'])} ${toText(row['ref'])}: entries`, row),
    ),
    ...empty.map((row) => differing('I13', `ledger entry ${toText(row['id'])}: amount`, row)),
  ];
}

/** Invitation earnings have no ledger of their own: what waits is all that was earned minus what was moved, never below 0. */
async function checkInvitations(read: Read): Promise<Violation[]> {
  const expected = '"u"."aff_history" - COALESCE("l"."v", 0) - COALESCE("o"."earnings_moved", 0)';
  const rows = await read(
    `SELECT "u"."id" AS "id", ${compared('"u"."aff_quota"', expected)} FROM "users" "u"
     LEFT JOIN ${grouped('ledger', { key: 'user_id', value: '"amount"', where: `"kind" = 'aff_in'` })} "l" ON "l"."k" = "u"."id"
     ${opening('account', '"u"."id"')}
     WHERE "u"."aff_quota" <> ${expected} OR "u"."aff_quota" < 0`,
  );
  return rows.map((row) => differing('I10', `user ${toText(row['id'])}: invite earnings`, row));
}

/** Accounts named by ledger, settlements and reservations exist: a deleted row would hide its money. */
async function checkLedgerTrail(read: Read): Promise<Violation[]> {
  const found: Violation[] = [];
  for (const table of ['ledger', 'settlements', 'reservations']) {
    const rows = await read(
      `SELECT "x"."user_id" AS "id", 'nothing' AS "found", 'an account' AS "expected" FROM "${table}" "x"
       LEFT JOIN "users" "u" ON "u"."id" = "x"."user_id" WHERE "u"."id" IS NULL GROUP BY "x"."user_id"`,
    );
    found.push(...rows.map((row) => differing('I1', `user ${toText(row['id'])}, named by ${table}`, row)));
  }
  return found;
}

/** Every charge, computed again from the usage and prices stored with it. */
async function checkRecomputed(read: Read): Promise<Violation[]> {
  const found: Violation[] = [];
  let after = '';
  for (;;) {
    const rows = await read(
      `SELECT "request_id" AS "id", "usage" AS "usage", ${PRICES_OF_SETTLEMENT} AS "snapshot", CONCAT("charged") AS "charged", CONCAT("writeoff") AS "writeoff"
       FROM ${SETTLEMENTS_WITH_PRICES} WHERE "request_id" > '${after}' ORDER BY "request_id" LIMIT ${PAGE}`,
    );
    for (const row of rows) {
      const expected = recompute(row);
      const charged = BigInt(toText(row['charged']));
      const writeoff = BigInt(toText(row['writeoff']));
      const booked = String(charged + writeoff);
      const isNegative = charged < 0n || writeoff < 0n;
      if (expected !== booked || isNegative) {
        found.push({
          invariant: 'I12',
          subject: `call ${toText(row['id'])}: charge`,
          expected,
          found: booked,
        });
      }
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return found;
    after = toText(last['id']).replaceAll(`'`, '');
  }
}

function recompute(row: Row): string {
  try {
    const usage = JSON.parse(toText(row['usage'])) as Usage;
    return String(calculateQuota(usage, JSON.parse(toText(row['snapshot'])) as PriceSnapshot));
  } catch (error) {
    // A damaged document is a finding, not a reason to stop looking.
    return `nothing: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function differing(invariant: InvariantId, subject: string, row: Row): Violation {
  return { invariant, subject, expected: toText(row['expected']), found: toText(row['found']) };
}
