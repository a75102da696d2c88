import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../support/free-port.mjs';
import { startRedis, type TestRedis } from '../../support/redis.js';
import type { GatewayConsole } from '../../support/gateway-console.js';
import { Books } from '../check/books.js';
import { checkMoney, type MoneyCheck } from '../check/check-money.js';
import { makeAccounts, setUpGateway, type ChaosToken } from './accounts.js';
import { Balancer } from './balancer.js';
import { ChildService } from './child-service.js';
import type { LineFault } from './fault-proxy.js';
import { Instance } from './instance.js';
import type { SqlServer } from './sql-server.js';
import type { JournalEntry, UpstreamFault } from './upstream-models.js';

export interface WorldSettings {
  readonly folder: string;
  readonly program: string;
  /** Program of the instances until their next start. */
  readonly firstProgram?: string;
  readonly sql: SqlServer;
  readonly seed: number;
  readonly accounts: number;
  /** Variables of one instance only, by its position. */
  readonly environmentOf?: (index: 0 | 1) => Readonly<Record<string, string>>;
  /** The data of the second instance lie on a disk of this size. */
  readonly smallDiskMegabytes?: number;
}

export const DRAIN_DELAY_SECONDS = 3;
const INSTANCES = [0, 1] as const;
export type Store = 'redis' | 'sql';

/** Two instances of two workers behind nginx, Redis and a database behind faulty lines, and the upstream. */
export class World {
  private constructor(
    readonly settings: WorldSettings,
    readonly database: string,
    readonly redis: TestRedis,
    private readonly lines: ChildService,
    private readonly upstream: ChildService,
    readonly instances: readonly [Instance, Instance],
    readonly balancer: Balancer,
    readonly root: GatewayConsole,
    readonly tokens: readonly ChaosToken[],
    readonly books: Books,
  ) {}

  static async build(settings: WorldSettings): Promise<World> {
    const { sql, folder, seed } = settings;
    mkdirSync(folder, { recursive: true });
    const database = `chaos_${process.pid}_${Date.now().toString(36)}`;
    await sql.execute(`CREATE DATABASE ${database}`);
    const redis = await startRedis();
    const [lines, upstream] = [
      ChildService.start('proxies-child.ts'),
      ChildService.start('upstream-child.ts'),
    ];
    const upstreamPort = await upstream.ask<number>('open');
    const instances: Instance[] = [];
    for (const index of INSTANCES) {
      const open = (store: Store, port: number): Promise<number> =>
        lines.ask('open', { name: `${store}${index}`, host: '127.0.0.1', port, seed: seed + index });
      const redisPort = await open('redis', Number(new URL(redis.url).port));
      const sqlPort = await open('sql', sql.port);
      const dataDir = join(folder, `data-${index}`);
      mkdirSync(dataDir, { recursive: true });
      if (index === 1 && settings.smallDiskMegabytes !== undefined)
        mountSmallDisk(dataDir, settings.smallDiskMegabytes);
      instances.push(
        new Instance({
          name: `instance ${index + 1}`,
          program: settings.program,
          firstProgram: settings.firstProgram,
          port: await freePort(),
          dataDir,
          environment: {
            DATABASE_URL: sql.url(database, sqlPort),
            REDIS_URL: `redis://127.0.0.1:${redisPort}`,
            SESSION_SECRET: 's'.repeat(40),
            CRYPTO_SECRET: 'c'.repeat(40),
            WORKERS: '2',
            TRUST_PROXY: '1',
            DRAIN_DELAY_SECONDS: String(DRAIN_DELAY_SECONDS),
            DRAIN_TIMEOUT_SECONDS: '60',
            ...settings.environmentOf?.(index),
          },
        }),
      );
    }
    const [first, second] = instances as [Instance, Instance];
    first.launch();
    await first.untilReady();
    second.launch();
    const root = await setUpGateway(first.url, upstreamPort);
    const tokens = await makeAccounts(root, settings.accounts);
    await second.untilReady();
    const balancer = await Balancer.start(join(folder, 'nginx'), [first.settings.port, second.settings.port]);
    const books = new Books(sql, database);
    return new World(
      settings,
      database,
      redis,
      lines,
      upstream,
      [first, second],
      balancer,
      root,
      tokens,
      books,
    );
  }

  /** @param instance  position; undefined = both */
  async setLine(store: Store, fault: LineFault, instance?: 0 | 1): Promise<void> {
    for (const index of instance === undefined ? INSTANCES : [instance])
      await this.lines.ask('set', { name: `${store}${index}`, fault });
  }

  setUpstream(fault: UpstreamFault): Promise<void> {
    return this.upstream.ask('set', fault);
  }

  journal(): Promise<JournalEntry[]> {
    return this.upstream.ask('journal');
  }

  upstreamCalls(): Promise<number> {
    return this.upstream.ask('count');
  }

  lostCommits(): Promise<number> {
    return this.lines.ask('lostCommits');
  }

  /** `npm run money:check -- --logs` over the books as they are. */
  checkMoney(): Promise<MoneyCheck> {
    const { program, folder, sql } = this.settings;
    return checkMoney(program, join(folder, 'check'), sql.url(this.database));
  }

  /** All faults the rig itself can take back. */
  async heal(): Promise<void> {
    this.redis.resume();
    this.settings.sql.resume();
    await this.setUpstream({ kind: 'none' });
    for (const store of ['redis', 'sql'] as const) await this.setLine(store, { kind: 'none' });
    for (const instance of this.instances) instance.signalAll('SIGCONT');
  }

  /** Output of every process, for an analysis by hand. */
  keepLogs(): string {
    const path = `${this.settings.folder}.log`;
    writeFileSync(path, this.instances.map((one) => `== ${one.name}\n${one.log}`).join('\n'));
    return path;
  }

  async close(): Promise<void> {
    for (const instance of this.instances) await instance.kill();
    await this.balancer.stop();
    await this.books.close();
    this.upstream.stop();
    this.lines.stop();
    await this.redis.stop();
    await this.settings.sql.execute(`DROP DATABASE ${this.database}`);
    if (this.settings.smallDiskMegabytes !== undefined)
      spawnSync('umount', [this.instances[1].settings.dataDir]);
    rmSync(this.settings.folder, { recursive: true, force: true });
  }
}

function mountSmallDisk(folder: string, megabytes: number): void {
  const result = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], {
    encoding: 'utf8',
  });
  if (result.status !== 0)
    throw new Error(`this scenario mounts a small disk, which needs root here: ${result.stderr.trim()}`);
}
