import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Logger } from '@nestjs/common';
import { loadEnv } from '../config/env-file.js';
import type { Env } from '../config/env.js';
import { DomainError } from '../common/errors/domain-error.js';
import { renderRefusal } from '../common/errors/render-refusal.js';
import { type ImportCommand, readImportCommand } from '../console/import/import-command.js';
import { reportLines } from '../console/import/present-report.js';
import type { ImportHouse } from '../console/import/import-house.js';
import { type ImportOrder, runImport } from '../console/import/run-import.js';
import { sourceAddress } from '../console/import/source-address.js';
import { ImportStopped, isFatal } from '../console/import/write/import-context.js';
import { undoImport } from '../console/import/undo-import.js';
import { collectGarbageOnce } from '../process/collect-garbage-once.js';
import { openImportHouse } from './open-import-house.js';
import { runProgram } from './run-program.js';

/** Lines after which the heap is collected: V8 would let it grow to 340 MB, since the machine has more. */
const LINES_OF_GARBAGE = 20_000;
const ACTOR = { id: 0, username: 'import' };
const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** `npm run import -- FROM`: imports the database of another gateway. `npm run import -- undo ID` takes an import back. */
async function main(): Promise<number> {
  const command = readImportCommand(process.argv.slice(2), Date.now());
  if (command.help !== undefined) {
    say(command.help);
    return 0;
  }
  Logger.overrideLogger(['error', 'fatal']);
  const env = loadEnv();
  return withHouse(env, async (house) => {
    if (command.undo === undefined) return importFrom(house, command, env);
    const removed = await undoImport(house, command.undo, ACTOR);
    say(
      `Taken back: ${Object.entries(removed)
        .map(([table, count]) => `${count} ${table}`)
        .join(', ')}.`,
    );
    return 0;
  });
}

async function importFrom(house: ImportHouse, command: ImportCommand, env: Env): Promise<number> {
  const address = command.from ?? env.importSource ?? (await askForSource());
  const from = sourceAddress(address, process.cwd());
  const config = command.config === undefined ? null : readConfig(command.config);
  const order: ImportOrder = { ...command.order, from, logs: logsOf(command), config, actor: ACTOR };
  let shown = 0;
  let collectedAt = 0;
  const report = await runImport(house, order, async (part, { found, added, moved }) => {
    if (part === 'log' && added - collectedAt >= LINES_OF_GARBAGE) {
      collectedAt = added;
      await collectGarbageOnce();
    }
    if (Date.now() - shown < 1_000) return;
    shown = Date.now();
    process.stderr.write(`${part}: ${added + moved} of ${found}\n`);
  });
  for (const line of reportLines(report)) say(line);
  if (!report.isDryRun)
    say(
      'Running instances follow within 5 s. Payment, registration and scheduled tests are switched off until root turns them on; a mail server is not taken over.',
    );
  return report.sums.every(({ isEqual }) => isEqual) ? 0 : 1;
}

function readConfig(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`${path} cannot be read (${code ?? 'unknown'}): name the config.yaml of LiteLLM`, {
      cause: error,
    });
  }
}

function logsOf({ order }: ImportCommand): ImportOrder['logs'] {
  if (order.logs === null) return null;
  return { ...order.logs, from: order.logs.from === '' ? '' : sourceAddress(order.logs.from, process.cwd()) };
}

async function withHouse(env: Env, work: (house: ImportHouse) => Promise<number>): Promise<number> {
  const { house, close } = await openImportHouse(env);
  try {
    return await work(house);
  } catch (error) {
    if (error instanceof DomainError)
      throw new Error(renderRefusal(error.code, error.values, 'en').body.message, { cause: error });
    if (isFatal(error) && !(error instanceof ImportStopped))
      throw new Error(
        `the database here is full or away (${error instanceof Error ? error.message.slice(0, 200) : String(error)}). Make room or start it, and start the import again: it goes on where it stopped`,
        { cause: error },
      );
    throw error;
  } finally {
    await close();
  }
}

/** An address with a password would show in the list of processes. */
async function askForSource(): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
  process.stderr.write('Address of the source (mysql://…, postgres://…, sqlite:PATH): ');
  for await (const line of lines) {
    lines.close();
    return line;
  }
  return '';
}

await runProgram('Nothing more was imported', main);
