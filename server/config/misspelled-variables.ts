import { environmentSchema } from './env.schema.js';

const KNOWN = Object.keys(environmentSchema.shape);

/** Locations of books and secrets: with the default instead, a start would look right and be another installation. */
const WHERE_MONEY_IS: ReadonlySet<string> = new Set([
  'DATA_DIR',
  'DATABASE_URL',
  'LOG_DATABASE_URL',
  'REDIS_URL',
  'SESSION_SECRET',
  'CRYPTO_SECRET',
]);

/** Names of the variable in other products. */
const COMMON_NAMES: Readonly<Record<string, string>> = {
  SQL_DSN: 'DATABASE_URL',
  LOG_SQL_DSN: 'LOG_DATABASE_URL',
  REDIS_CONN_STRING: 'REDIS_URL',
};

/** Variables that name the database of another gateway: it is moved by an import, never used as it is. */
const SOURCES_OF_IMPORTS: ReadonlySet<string> = new Set(['SQL_DSN', 'LOG_SQL_DSN']);

/** Variables of new-api and one-api that mean nothing here. */
const WITHOUT_COUNTERPART: ReadonlySet<string> = new Set([
  'SYNC_FREQUENCY',
  'NODE_TYPE',
  'BATCH_UPDATE_ENABLED',
  'BATCH_UPDATE_INTERVAL',
  'MEMORY_CACHE_ENABLED',
  'CHANNEL_UPDATE_FREQUENCY',
  'CHANNEL_TEST_FREQUENCY',
  'FRONTEND_BASE_URL',
]);

/** Shorter names are too near to what other programs read: HOME and HOST. */
const SHORTEST = 8;

/**
 * Variables that look like one of ours, which is not set. An environment is full of other programs' variables: so only near misses.
 * @returns faults: variables that stop a start. warnings: variables that are only reported.
 */
export function findMisspelledVariables(source: Readonly<Record<string, string | undefined>>): {
  readonly faults: readonly string[];
  readonly warnings: readonly string[];
} {
  const faults: string[] = [];
  const warnings: string[] = [];
  const missing = KNOWN.filter((name) => source[name] === undefined);
  for (const name of Object.keys(source)) {
    if (KNOWN.includes(name)) continue;
    if (WITHOUT_COUNTERPART.has(name)) warnings.push(`${name}: has no counterpart here; take it out`);
    const meant = suggestionFor(name, missing);
    if (meant === undefined) continue;
    const sentence = `${name}: is not read; if ${meant} is meant, call it that, else take it out`;
    const move = SOURCES_OF_IMPORTS.has(name)
      ? `; npm run import moves the installation it names (docs/moving.md)`
      : '';
    (WHERE_MONEY_IS.has(meant) ? faults : warnings).push(sentence + move);
  }
  return { faults, warnings };
}

function suggestionFor(name: string, missing: readonly string[]): string | undefined {
  const known = Object.hasOwn(COMMON_NAMES, name) ? COMMON_NAMES[name] : undefined;
  if (known !== undefined) return missing.includes(known) ? known : undefined;
  const plain = normalized(name);
  if (plain.length < SHORTEST - 1) return undefined;
  return missing.find(
    (ours) => ours.length >= SHORTEST && mistakesIn(plain, normalized(ours)) <= allowedIn(normalized(ours)),
  );
}

const normalized = (name: string): string => name.toUpperCase().replace(/[^A-Z0-9]/g, '');

const allowedIn = (name: string): number => (name.length < 10 ? 1 : 2);

/** Number of characters that are wrong, missing, surplus or swapped. */
function mistakesIn(left: string, right: string): number {
  let before: number[] = [];
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= right.length; j++) {
      const isSame = left[i - 1] === right[j - 1];
      let least = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1])
        least = Math.min(least, (before[j - 2] ?? 0) + 1);
      next.push(least);
    }
    before = row;
    row = next;
  }
  return row[right.length] ?? 0;
}
