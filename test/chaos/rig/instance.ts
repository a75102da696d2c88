import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { COMPILE_CACHE } from '../../support/compile-cache.ts';
import { V8_FLAGS } from '../../support/v8-flags.ts';

const START_MS = 180_000;

export interface InstanceSettings {
  readonly name: string;
  /** `dist/server/main.js` of the build under test. */
  readonly program: string;
  /** Started in its place the first time: the version before. */
  readonly firstProgram?: string;
  readonly port: number;
  readonly dataDir: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** One instance: a supervisor with its workers, on a port and a data folder it keeps over restarts. */
export class Instance {
  private child: ChildProcess | undefined;
  private said: string[] = [];
  private readonly killed = new Set<number>();

  constructor(readonly settings: InstanceSettings) {}

  get name(): string {
    return this.settings.name;
  }

  get url(): string {
    return `http://127.0.0.1:${this.settings.port}`;
  }

  get isRunning(): boolean {
    return this.child !== undefined && this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Everything it ever said, over all starts. */
  get log(): string {
    return this.said.join('');
  }

  /** @param extra  variables of this start only */
  launch(extra: Readonly<Record<string, string>> = {}): void {
    const { port, dataDir, environment, firstProgram } = this.settings;
    const program =
      this.child === undefined ? (firstProgram ?? this.settings.program) : this.settings.program;
    const child = spawn(process.execPath, [...V8_FLAGS, program], {
      env: {
        ...COMPILE_CACHE,
        PATH: process.env['PATH'],
        NODE_ENV: 'test',
        HOST: '127.0.0.1',
        PORT: String(port),
        DATA_DIR: dataDir,
        LOG_LEVEL: 'info',
        GLOBAL_API_RATE_LIMIT: '0',
        ...environment,
        ...extra,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (bytes: Buffer) => this.said.push(bytes.toString()));
    // Nothing of the rig outlives it; workers end when their supervisor has gone.
    const endWithUs = (): void => void child.kill('SIGKILL');
    process.once('exit', endWithUs);
    child.once('exit', () => process.removeListener('exit', endWithUs));
    this.child = child;
  }

  /** Until it may receive traffic. Fails: when it ended, or is not ready in a minute. */
  async untilReady(): Promise<void> {
    const deadline = performance.now() + START_MS;
    while (!(await this.isReady())) {
      if (!this.isRunning) throw new Error(`${this.name} ended:\n${this.log.slice(-4_000)}`);
      if (performance.now() > deadline)
        throw new Error(`${this.name} was not ready in ${START_MS} ms:\n${this.log.slice(-4_000)}`);
      await pause(50);
    }
  }

  async isReady(): Promise<boolean> {
    try {
      return (await fetch(`${this.url}/readyz`, { signal: AbortSignal.timeout(1_000) })).ok;
    } catch {
      return false; // Not listening, or too busy to say so.
    }
  }

  /** Process id of the supervisor; undefined = never started. */
  get supervisor(): number | undefined {
    return this.child?.pid;
  }

  /** Process ids of the workers, oldest first. */
  workers(): number[] {
    const supervisor = this.child?.pid;
    return supervisor === undefined ? [] : childrenOf(supervisor);
  }

  /** SIGKILL to one worker. */
  killWorker(index: number): number {
    const pid = this.workers().at(index);
    if (pid === undefined) throw new Error(`${this.name} has no worker ${index}`);
    this.killed.add(pid);
    process.kill(pid, 'SIGKILL');
    return pid;
  }

  /** SIGSTOP to one worker, whose supervisor is expected to notice and to kill it. */
  freezeWorker(index: number): number {
    const pid = this.workers().at(index);
    if (pid === undefined) throw new Error(`${this.name} has no worker ${index}`);
    this.killed.add(pid);
    process.kill(pid, 'SIGSTOP');
    return pid;
  }

  /** SIGKILL to the supervisor and all workers in one breath: a machine that is gone. */
  async kill(): Promise<void> {
    const { child } = this;
    if (child === undefined || !this.isRunning) return;
    const gone = once(child, 'exit');
    for (const pid of [...this.workers(), child.pid ?? 0]) signalIfThere(pid, 'SIGKILL');
    await gone;
  }

  /** Freezes or wakes every process of it. */
  signalAll(signal: 'SIGSTOP' | 'SIGCONT'): void {
    for (const pid of [...this.workers(), this.child?.pid ?? 0]) signalIfThere(pid, signal);
  }

  /** A signal to the supervisor alone. */
  signal(signal: NodeJS.Signals): void {
    this.child?.kill(signal);
  }

  /** SIGTERM, and waits. @returns the exit code */
  async stop(): Promise<number | null> {
    const { child } = this;
    if (child === undefined || !this.isRunning) return child?.exitCode ?? null;
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    await gone;
    return child.exitCode;
  }

  /** True once this worker has served. */
  hasServed(pid: number): boolean {
    return new RegExp(`"pid":${pid},"context":"Server","msg":"listening`).test(this.log);
  }

  /**
   * Workers that ended without a kill of ours, in their supervisor's words. A worker that could not start because a store was away
   * is restarted by its supervisor, which is correct.
   */
  unexpectedDeaths(): string[] {
    return [...this.log.matchAll(/worker \d+ \(pid (\d+)\) (?:ended|has been hung)[^"\n]*/g)].flatMap(
      ([words, pid]) => (this.killed.has(Number(pid)) || !this.hasServed(Number(pid)) ? [] : [words]),
    );
  }

  removeSpool(): void {
    rmSync(join(this.settings.dataDir, 'spool'), { recursive: true, force: true });
  }

  /** Records that could not be booked or read. */
  quarantined(): string[] {
    const folder = join(this.settings.dataDir, 'spool/quarantine');
    return existsSync(folder) ? readdirSync(folder) : [];
  }
}

function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // Gone by itself meanwhile, as a worker is when its supervisor went first.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function childrenOf(pid: number): number[] {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads
      .flatMap((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' '))
      .filter((word) => word.trim() !== '')
      .map(Number)
      .sort((one, other) => one - other);
  } catch {
    return []; // The process ended between two reads.
  }
}
