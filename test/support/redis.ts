import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { getProgram, installMissing } from './programs.ts';
import { freePort } from './free-port.mjs';
import { REDIS_DATABASES, redisWords, spawnTied } from './real-servers.ts';
import { createTestFolder, REDIS_CLAIMS_VARIABLE, REDIS_VARIABLE } from './servers.ts';

/** A Redis of its own: for tests that pause, flush or kill it. */
export interface TestRedis {
  readonly url: string;
  /** Freezes the process: connections stay open and nothing answers. */
  pause(): void;
  resume(): void;
  flush(): Promise<void>;
  /** Kills the process outright. */
  kill(): Promise<void>;
  /** Starts it again, empty, on the same port, after `kill`. */
  restart(): Promise<void>;
  /** Ends it and removes its folder. */
  stop(): Promise<void>;
}

/**
 * Address of a database in the shared Redis that no other caller of this run was given.
 * Fails: when all numbers are taken.
 */
export function testRedisUrl(): string {
  const server = process.env[REDIS_VARIABLE];
  const claims = process.env[REDIS_CLAIMS_VARIABLE];
  if (server === undefined || claims === undefined) {
    throw new Error('no shared Redis: this test must run in the integration project');
  }
  for (let database = 0; database < REDIS_DATABASES; database += 1) {
    try {
      writeFileSync(join(claims, String(database)), '', { flag: 'wx' });
      return `${server}/${database}`;
    } catch (error) {
      // The number is taken: try the next one.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  throw new Error(`all ${REDIS_DATABASES} Redis databases of this run are taken`);
}

/** Starts a Redis of its own; the caller stops it. */
export async function startRedis(): Promise<TestRedis> {
  installMissing(['redis-server'], () => undefined);
  const folder = createTestFolder('redis');
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  let child = await launch(port, folder);
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  return {
    url,
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    flush: () => onConnection(url, (client) => client.flushall()),
    kill,
    restart: async () => {
      await kill();
      child = await launch(port, folder);
    },
    stop: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function launch(port: number, folder: string): Promise<ChildProcess> {
  const child = spawnTied({
    program: getProgram('redis-server'),
    words: redisWords(port, folder),
    account: null,
  });
  const endWithUs = (): void => void child.kill('SIGKILL');
  process.once('exit', endWithUs);
  child.once('exit', () => process.removeListener('exit', endWithUs));
  child.stderr.resume();
  return new Promise((resolve, reject) => {
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString('utf8')).slice(-8_000);
      if (said.includes('Ready to accept connections')) resolve(child);
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`Redis ended while starting. It said:\n${said}`)));
  });
}

async function onConnection(url: string, work: (client: Redis) => Promise<unknown>): Promise<void> {
  const client = new Redis(url, { lazyConnect: true, maxRetriesPerRequest: 1 });
  await client.connect();
  await work(client);
  await client.quit();
}
