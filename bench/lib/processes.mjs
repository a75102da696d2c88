import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** The core of the gateway under test; everything else shares the other one. */
export const GATEWAY_CORE = 0;
export const OTHER_CORE = 1;

const running = new Set();
let logFolder;

/** From now on everything a program prints is also written to a file of its own in this folder. */
export function keepLogsIn(folder) {
  mkdirSync(folder, { recursive: true });
  logFolder = folder;
}

/**
 * Starts a program pinned to one core.
 * @param {{name: string, core: number, command: string, args: string[], env?: object, cwd?: string, ipc?: boolean}} program
 * @returns the child with `output()`, its last lines of output, for messages about its failure
 */
export function startProgram({ name, core, command, args, env, cwd, ipc = false }) {
  const child = spawn('taskset', ['-c', String(core), command, ...args], {
    env: env ?? process.env,
    cwd,
    stdio: ipc ? ['ignore', 'pipe', 'pipe', 'ipc'] : ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  const listen = (chunk) => {
    said = (said + chunk).slice(-16_384);
    if (logFolder !== undefined) appendFileSync(join(logFolder, `${name.replace(/\W+/g, '-')}.log`), chunk);
  };
  child.stdout.on('data', listen);
  child.stderr.on('data', listen);
  child.programName = name;
  child.output = () => said;
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Waits until `probe` answers true. Fails when the program ended or the time is over, with its output. */
export async function untilReady(child, probe, timeoutMs = 30_000) {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`${child.programName} ended before it was ready:\n${child.output()}`);
    }
    if (await probe().catch(() => false)) return;
    if (Date.now() > deadline)
      throw new Error(`${child.programName} was not ready in time:\n${child.output()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Ends a program: politely, then after `patienceMs` for good. */
export async function stopProgram(child, patienceMs = 10_000) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs);
  await gone;
  clearTimeout(timer);
}

export async function stopEverything() {
  await Promise.all([...running].map((child) => stopProgram(child, 5_000)));
}
