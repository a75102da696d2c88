import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installMissing } from '../support/programs.js';
import { readOptions, UsageError, type ChaosOptions } from './options.js';
import { reportLine } from './report-line.js';
import { SqlServer } from './rig/sql-server.js';
import { runScenario, type RunReport } from './run-scenario.js';

/**
 * `npm run chaos`: faults while calls run, against real processes, and proof that no charge was lost or made twice.
 * Exit code 0: everything held; 1: something did not; 2: the rig did not work.
 */
async function main(options: ChaosOptions): Promise<number> {
  installMissing(['nginx', 'redis-server'], () => undefined);
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-chaos-'));
  const { server } = options;
  const sql = server === undefined ? await SqlServer.start(options.database, folder) : SqlServer.at(server);
  let failures = 0;
  try {
    for (const scenario of options.scenarios) {
      if (!options.isJson) process.stderr.write(`… ${scenario.name} (${scenario.row}): ${scenario.what}\n`);
      const report = await runScenario(scenario, options, sql, folder);
      if (report.complaints.length > 0) failures += 1;
      say(report, options);
    }
  } finally {
    await sql.stop('SIGKILL');
    if (failures === 0 && !options.keepsLogs) rmSync(folder, { recursive: true, force: true });
  }
  if (!options.isJson && options.scenarios.length > 1)
    process.stdout.write(
      `${options.scenarios.length - failures} of ${options.scenarios.length} scenarios held\n`,
    );
  return failures === 0 ? 0 : 1;
}

function say(report: RunReport, options: ChaosOptions): void {
  if (options.isJson) {
    process.stdout.write(`${JSON.stringify({ ...report, notes: Object.fromEntries(report.notes) })}\n`);
    return;
  }
  process.stdout.write(`${reportLine(report)}\n`);
  const regrets = report.regrets.filter((regret) => !report.complaints.includes(regret));
  for (const regret of regrets) process.stdout.write(`      not counted: ${regret}\n`);
  for (const complaint of report.complaints) process.stdout.write(`      ${complaint}\n`);
  if (report.logs !== undefined) process.stdout.write(`      logs: ${report.logs}\n`);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

try {
  process.exitCode = await main(readOptions(process.argv.slice(2)));
} catch (error) {
  process.stderr.write(`${error instanceof UsageError ? error.message : (error as Error).stack}\n`);
  process.exitCode = 2;
}
// Sockets of a server that was killed may linger; everything that matters has ended.
process.exit();
