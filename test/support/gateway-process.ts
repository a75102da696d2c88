import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMPILE_CACHE } from './compile-cache.ts';
import { freePort } from './free-port.mjs';
import { V8_FLAGS } from './v8-flags.ts';

const ROOT = join(import.meta.dirname, '../..');
const MAIN = join(ROOT, 'dist/server/main.js');
const MONEY_CHECK = join(ROOT, 'dist/server/money-check.js');
// A machine that runs everything at once starts slowly.
const START_MS = 90_000;

export interface GatewaySettings {
  /** By default SQLite in the data folder. */
  readonly databaseUrl?: string;
  readonly redisUrl?: string;
  /** Kept after `stop`, for a second process on the same data. By default a temporary folder. */
  readonly dataDir?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** By default a free one. */
  readonly port?: number;
  /** Further flags of Node, for every process of the gateway. */
  readonly flags?: readonly string[];
}

/** The built product as a process of its own, for tests that kill it. */
export class GatewayProcess {
  private constructor(
    readonly url: string,
    readonly dataDir: string,
    private readonly child: ChildProcess,
    private readonly environment: NodeJS.ProcessEnv,
    private readonly output: string[],
    private readonly ownsData: boolean,
  ) {}

  static async start(settings: GatewaySettings = {}): Promise<GatewayProcess> {
    if (!existsSync(MAIN)) throw new Error(`${MAIN} is missing: run npm run build first`);
    const dataDir = settings.dataDir ?? mkdtempSync(join(tmpdir(), 'tollgate-process-'));
    const port = settings.port ?? (await freePort());
    const environment: NodeJS.ProcessEnv = {
      PATH: process.env['PATH'],
      ...COMPILE_CACHE,
      NODE_ENV: 'test',
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      WORKERS: '1',
      GLOBAL_API_RATE_LIMIT: '0',
      DRAIN_DELAY_SECONDS: '0',
      DRAIN_TIMEOUT_SECONDS: '5',
      SESSION_SECRET: 's'.repeat(40),
      CRYPTO_SECRET: 'c'.repeat(40),
      ...(settings.databaseUrl === undefined ? {} : { DATABASE_URL: settings.databaseUrl }),
      ...(settings.redisUrl === undefined ? {} : { REDIS_URL: settings.redisUrl }),
      ...settings.env,
    };
    const child = spawn(process.execPath, [...V8_FLAGS, ...(settings.flags ?? []), MAIN], {
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (bytes: Buffer) => output.push(bytes.toString()));
    const gateway = new GatewayProcess(
      `http://127.0.0.1:${port}`,
      dataDir,
      child,
      environment,
      output,
      settings.dataDir === undefined,
    );
    await gateway.untilReady();
    return gateway;
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  get pid(): number {
    return this.child.pid ?? -1;
  }

  get log(): string {
    return this.output.join('');
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** SIGKILL: what a power cut or an out-of-memory killer does. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  /** Sends SIGTERM or SIGHUP without waiting. */
  signal(name: NodeJS.Signals): void {
    this.child.kill(name);
  }

  /** SIGTERM, then the folder is removed when it is ours. @returns the exit code */
  async stop({ keepData = false } = {}): Promise<number | null> {
    await this.end('SIGTERM');
    if (this.ownsData && !keepData) this.removeData();
    return this.child.exitCode;
  }

  removeData(): void {
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  /** `npm run money:check` on this gateway's data. */
  async checkMoney(): Promise<{ readonly exitCode: number; readonly output: string }> {
    const check = spawn(process.execPath, [MONEY_CHECK], {
      env: this.environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const parts: Buffer[] = [];
    for (const stream of [check.stdout, check.stderr])
      stream.on('data', (bytes: Buffer) => parts.push(bytes));
    const [exitCode] = (await once(check, 'exit')) as [number];
    return { exitCode, output: Buffer.concat(parts).toString() };
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    if (!this.isRunning) return;
    const exited = once(this.child, 'exit');
    this.child.kill(signal);
    await exited;
  }

  private async untilReady(): Promise<void> {
    const deadline = performance.now() + START_MS;
    for (;;) {
      if (!this.isRunning) throw new Error(`the gateway ended at once:\n${this.log}`);
      if (await isReady(this.url)) return;
      if (performance.now() > deadline) {
        await this.kill();
        throw new Error(`the gateway was not ready after ${START_MS} ms:\n${this.log}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/readyz`)).ok;
  } catch {
    return false; // not listening yet
  }
}
