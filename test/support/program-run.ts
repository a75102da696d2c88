import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { COMPILE_CACHE } from './compile-cache.ts';

const MAIN = join(import.meta.dirname, '../../dist/server/main.js');

/** The built program, run as an operator runs it. */
export interface ProgramRun {
  readonly child: ChildProcess;
  /** Everything it wrote so far. */
  text(): string;
  /** Resolves when its output matches. Fails: when it ends before. */
  until(pattern: RegExp): Promise<RegExpMatchArray>;
  /** Resolves with the exit code. */
  ended(): Promise<number | null>;
}

/** Starts programs for one test and ends those that are left. */
export class ProgramRuns {
  private readonly started: ChildProcess[] = [];

  /**
   * @param variables  the whole environment beside PATH and the compile cache
   * @param words  flags of Node
   */
  run(variables: Readonly<Record<string, string>>, words: readonly string[] = []): ProgramRun {
    if (!existsSync(MAIN)) throw new Error(`${MAIN} is missing: run npm run build first`);
    const child = spawn(process.execPath, [...words, MAIN], {
      env: { PATH: process.env['PATH'], ...COMPILE_CACHE, ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.started.push(child);
    let text = '';
    const collect = (bytes: Buffer): void => void (text += bytes.toString());
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    const exited = once(child, 'close') as Promise<[number | null]>;
    return {
      child,
      text: () => text,
      ended: async () => (await exited)[0],
      until: (pattern) =>
        new Promise((resolve, reject) => {
          const look = (): void => {
            const match = pattern.exec(text);
            if (match !== null) resolve(match);
          };
          child.stdout.on('data', look);
          child.stderr.on('data', look);
          exited.then(() => reject(new Error(`it ended before ${pattern}:\n${text}`)), reject);
          look();
        }),
    };
  }

  /** Sends SIGKILL to every program that still runs. */
  async end(): Promise<void> {
    for (const child of this.started.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    }
  }
}

/** False once the process is gone. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    // No such process: that is the answer.
    return false;
  }
}
