import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SqlServer } from '../rig/sql-server.js';
import { growthOf, growthTable } from './growth.js';
import { runSoak, type SoakOptions } from './run-soak.js';

const USAGE = `npm run soak -- [--minutes N] [--rate N] [--sessions N] [--seed N] [--accounts N] [--database mariadb|postgres]
                [--every SECONDS] [--samples FILE]`;

/**
 * `npm run soak`: one gateway of two workers under a moderate mixed load for long, and a look every half minute at all that must not
 * grow. Exit code 0: everything was flat and every charge right; 1: something was not; 2: the rig did not work.
 */
function readOptions(words: readonly string[]): SoakOptions & { readonly samples: string | undefined } {
  const { values } = parseArgs({
    args: [...words],
    options: {
      minutes: { type: 'string', default: '60' },
      rate: { type: 'string', default: '100' },
      sessions: { type: 'string', default: '50' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      accounts: { type: 'string', default: '16' },
      database: { type: 'string', default: 'postgres' },
      every: { type: 'string', default: '30' },
      samples: { type: 'string' },
      program: { type: 'string', default: join(import.meta.dirname, '../../../dist/server/main.js') },
    },
  });
  const whole = (name: 'minutes' | 'rate' | 'sessions' | 'seed' | 'accounts' | 'every'): number => {
    const value = Number(values[name]);
    if (!Number.isSafeInteger(value) || value < 1)
      throw new Error(`--${name} takes a whole number\n${USAGE}`);
    return value;
  };
  const { database, program, samples } = values;
  if (database !== 'mariadb' && database !== 'postgres')
    throw new Error(`--database is mariadb or postgres\n${USAGE}`);
  return {
    minutes: whole('minutes'),
    callsPerSecond: whole('rate'),
    sessions: whole('sessions'),
    seed: whole('seed'),
    accounts: whole('accounts'),
    everySeconds: whole('every'),
    database,
    program,
    samples,
  };
}

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-soak-'));
  mkdirSync(join(folder, 'check'));
  const sql = await SqlServer.start(options.database, folder);
  let hasFailed = true;
  try {
    const say = (line: string): void => void process.stderr.write(`${line}\n`);
    const report = await runSoak(options, sql, folder, say);
    if (options.samples !== undefined)
      writeFileSync(
        options.samples,
        report.samples
          .map(({ hours, values }) => `${JSON.stringify({ hours, ...Object.fromEntries(values) })}\n`)
          .join(''),
      );
    const growths = growthOf(report.samples);
    const complaints = report.complaints.concat(
      growths.filter(({ verdict }) => verdict === 'GROWS').map(({ name }) => `${name} grows`),
    );
    process.stdout.write(`${growthTable(growths)}\n\n${report.figures}\n`);
    for (const complaint of complaints) process.stdout.write(`BAD ${complaint}\n`);
    hasFailed = complaints.length > 0;
    if (hasFailed) process.stdout.write(`logs: ${report.keepLog()}\n`);
    return hasFailed ? 1 : 0;
  } finally {
    await sql.stop('SIGTERM');
    if (!hasFailed) rmSync(folder, { recursive: true, force: true });
  }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${(error as Error).stack}\n`);
  process.exitCode = 2;
}
// Sockets of a server that was killed may linger; everything that matters has ended.
process.exit();
