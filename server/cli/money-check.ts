import 'reflect-metadata';
import { commandArguments } from '../config/command-arguments.js';
import { loadEnv } from '../config/env-file.js';
import { openDataSource } from '../infra/database/data-source.js';
import { checkMoney, type Violation } from '../base/billing/checks/check-money.js';
import { INVARIANT_IDS, INVARIANTS } from '../base/billing/checks/invariants.js';
import { runProgram } from './run-program.js';

const HELP = `npm run money:check -- [--running] [--logs]
Compares balances, charges and ledger on one consistent state of DATABASE_URL and changes nothing.
--running  calls are running: counters that are booked a moment later are not compared
--logs     compares charges with the usage log, which must be complete

${INVARIANT_IDS.map((id) => `${id.padEnd(4)} ${INVARIANTS[id]}`).join('\n')}
`;

/** `npm run money:check`: proves the books, or names the accounts that differ and ends with code 1. */
async function main(): Promise<number> {
  const words = commandArguments(['--running', '--logs', '--help']);
  if (words.has('--help')) {
    process.stdout.write(HELP);
    return 0;
  }
  const env = loadEnv();
  const isQuiet = !words.has('--running');
  const hasAllLogs = words.has('--logs');
  // One snapshot cannot span two databases: every call would seem to lack its log row.
  if (hasAllLogs && env.logDatabaseUrl !== undefined && env.logDatabaseUrl !== env.databaseUrl)
    throw new Error('--logs needs the usage log in the same database; LOG_DATABASE_URL names another one');
  const dataSource = await openDataSource(env.databaseUrl, { entities: [] });
  try {
    const violations = await checkMoney(dataSource, { isQuiet, hasAllLogs });
    process.stdout.write(violations.length === 0 ? 'The books are right.\n' : `${table(violations)}\n`);
    return violations.length === 0 ? 0 : 1;
  } finally {
    await dataSource.destroy();
  }
}

function table(violations: readonly Violation[]): string {
  const rows = [
    ['Rule', 'Where', 'Expected', 'Found', 'What must hold'],
    ...violations.map(({ invariant, subject, expected, found }) => [
      invariant,
      subject,
      expected,
      found,
      INVARIANTS[invariant],
    ]),
  ];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n${violations.length} difference(s). Money is never corrected automatically. docs/money.md explains the rules.`;
}

await runProgram('money:check could not read the books', main, 2);
