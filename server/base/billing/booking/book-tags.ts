import { marksOf, type TagKind } from '../../../relay-core/model/tag-text.js';
import { ALL_USERS } from '../ledger/all-users.js';
import { execute, integerList, type Row, type SqlTarget, toInteger, toText } from '../ledger/money-sql.js';
import type { BookedCharge } from './batch-totals.js';
import { addToSums, type ChargeSum, sumInOrder } from './charge-sums.js';

/** An account's tags, or its end users, of one day. */
interface Place {
  readonly userId: number;
  readonly kind: TagKind;
  /** Start of the day in UTC, seconds. */
  readonly day: number;
}

interface TagSum extends Place, ChargeSum {
  readonly value: string;
}

const DAY_SECONDS = 86_400;
/** The value of sums above the bound. */
const OTHER = '';

const keyOf = ({ userId, kind, day, value }: Place & Pick<TagSum, 'value'>): string =>
  JSON.stringify([userId, kind, day, value]);
const placeOf = ({ userId, kind, day }: Place): string => JSON.stringify([userId, kind, day]);

/** Sums of a batch by tag and end user, in one order for all writers. */
export const tagSums = (booked: readonly BookedCharge[]): readonly TagSum[] =>
  sumInOrder(booked.flatMap(partsOf), keyOf);

function partsOf({ document, charged }: BookedCharge): TagSum[] {
  const { user_id: userId, tags = '', end_user: endUser = '' } = document;
  if (tags === '' && endUser === '') return [];
  const seconds = Math.floor(document.created_at_ms / 1_000);
  const day = seconds - (seconds % DAY_SECONDS);
  const tokens = document.prompt_tokens + document.completion_tokens;
  return marksOf(tags, endUser).map(([kind, value]) => ({
    userId,
    kind,
    day,
    value,
    tokens,
    count: 1,
    quota: charged,
  }));
}

/**
 * Puts values for which there is no room under "other".
 * @param known  keys of values that have a sum already
 * @param room   how many new values a place may still take
 */
export function withinBound(
  sums: readonly TagSum[],
  known: ReadonlySet<string>,
  room: ReadonlyMap<string, number>,
): readonly TagSum[] {
  const left = new Map(room);
  const bounded = sums.map((sum) => {
    if (known.has(keyOf(sum))) return sum;
    const place = placeOf(sum);
    const rest = left.get(place) ?? 0;
    left.set(place, rest - 1);
    return rest > 0 ? sum : { ...sum, value: OTHER };
  });
  return sumInOrder(bounded, keyOf);
}

/** Sums of all tags, and of all end users, of each account: under `ALL_USERS` by the id of the account. */
export const accountSums = (sums: readonly TagSum[]): readonly TagSum[] =>
  sumInOrder(
    sums.map((sum) => ({ ...sum, userId: ALL_USERS, value: String(sum.userId) })),
    keyOf,
  );

const KEYS = ['user_id', 'kind', 'created_at', 'value'] as const;

/**
 * Adds booked settlements to the sums by tag and by end user. Call it behind the locks of the accounts, which make the count of values
 * exact.
 * @param mostValues  distinct values of each kind an account may have on a day
 */
export async function addTagTotals(
  target: SqlTarget,
  booked: readonly BookedCharge[],
  mostValues: number,
): Promise<void> {
  const sums = tagSums(booked);
  if (sums.length === 0) return;
  const known = await knownValues(target, sums);
  const fresh = sums.filter((sum) => !known.has(keyOf(sum)));
  const room = await roomFor(target, fresh, mostValues);
  const named = isCrowded(fresh, room) ? await limitedValues(target, fresh) : NONE;
  const bounded = withinBound(sums, new Set([...known, ...named]), room);
  const rows = [...bounded, ...accountSums(sums)];
  await addToSums(target, 'tag_totals', KEYS, rows, ({ userId, kind, day, value }) => [
    userId,
    kind,
    day,
    value,
  ]);
}

const NONE: ReadonlySet<string> = new Set();

/** True when some place has more new values than room. */
function isCrowded(fresh: readonly TagSum[], room: ReadonlyMap<string, number>): boolean {
  return [...Map.groupBy(fresh, placeOf)].some(([place, values]) => values.length > (room.get(place) ?? 0));
}

/** Values in one statement. */
const VALUES_PER_STATEMENT = 500;

/** Keys of values that a limit names: they are never "other". */
async function limitedValues(target: SqlTarget, sums: readonly TagSum[]): Promise<ReadonlySet<string>> {
  const values = [...new Set(sums.map(({ value }) => value))];
  const named = new Map<string, Set<number>>();
  for (let from = 0; from < values.length; from += VALUES_PER_STATEMENT) {
    const portion = values.slice(from, from + VALUES_PER_STATEMENT);
    const { rows } = await execute(
      target,
      `SELECT "scope" AS "kind", "subject" AS "value", COALESCE("account_id", ${ALL_USERS}) AS "user_id" FROM "limits"
       WHERE "scope" IN ('tag', 'end_user') AND "subject" IN (${portion.map(() => '?').join(', ')})`,
      portion,
    );
    for (const row of rows) {
      const name = JSON.stringify([toText(row['kind']), toText(row['value'])]);
      named.set(name, (named.get(name) ?? new Set()).add(toInteger(row['user_id'])));
    }
  }
  const isNamed = ({ kind, value, userId }: TagSum): boolean => {
    const accounts = named.get(JSON.stringify([kind, value]));
    return accounts !== undefined && (accounts.has(ALL_USERS) || accounts.has(userId));
  };
  return new Set(sums.filter(isNamed).map(keyOf));
}

/** SQLite nests conditions at most 1,000 deep. */
const PLACES_PER_STATEMENT = 200;

/** The places of some sums with their values, in portions of one statement. */
function* portionsOf(sums: readonly TagSum[]): Iterable<readonly (readonly [TagSum, ...TagSum[]])[]> {
  const places = [...Map.groupBy(sums, placeOf).values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [[first, ...others] as const],
  );
  for (let from = 0; from < places.length; from += PLACES_PER_STATEMENT)
    yield places.slice(from, from + PLACES_PER_STATEMENT);
}

// Place by place: lists of accounts, days and values beside each other would be all of their combinations.
const isAt = ({ userId, kind, day }: Place): string =>
  `"user_id" = ${integerList([userId])} AND "kind" = '${kind}' AND "created_at" = ${integerList([day])}`;

const PLACE_COLUMNS = '"user_id" AS "user_id", "kind" AS "kind", "created_at" AS "day"';

const toPlace = (row: Row): Place => ({
  userId: toInteger(row['user_id']),
  kind: row['kind'] === 'tag' ? 'tag' : 'end_user',
  day: toInteger(row['day']),
});

/** Keys of those that have a sum already. */
async function knownValues(target: SqlTarget, sums: readonly TagSum[]): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  for (const places of portionsOf(sums)) {
    const conditions = places.map(
      (ofPlace) => `(${isAt(ofPlace[0])} AND "value" IN (${ofPlace.map(() => '?').join(', ')}))`,
    );
    const { rows } = await execute(
      target,
      `SELECT ${PLACE_COLUMNS}, "value" AS "value" FROM "tag_totals" WHERE ${conditions.join(' OR ')}`,
      places.flat().map(({ value }) => value),
    );
    for (const row of rows) known.add(keyOf({ ...toPlace(row), value: toText(row['value']) }));
  }
  return known;
}

/** Number of new values that each place may still take. */
async function roomFor(
  target: SqlTarget,
  sums: readonly TagSum[],
  mostValues: number,
): Promise<ReadonlyMap<string, number>> {
  const room = new Map(sums.map((sum) => [placeOf(sum), mostValues]));
  for (const places of portionsOf(sums)) {
    const conditions = places.map(([first]) => `(${isAt(first)})`);
    const { rows } = await execute(
      target,
      `SELECT ${PLACE_COLUMNS}, COUNT(*) AS "count" FROM "tag_totals"
       WHERE (${conditions.join(' OR ')}) AND "value" <> '' GROUP BY "user_id", "kind", "created_at"`,
    );
    for (const row of rows)
      room.set(placeOf(toPlace(row)), Math.max(0, mostValues - toInteger(row['count'])));
  }
  return room;
}
