import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { getProgram, installMissing } from './programs.ts';
import { freePort } from './free-port.mjs';
import { spawnTied } from './real-servers.ts';
import { createTestFolder } from './servers.ts';
import { until } from './until.ts';

/** Several Redis processes that belong together. */
export interface RedisGroup {
  /** Address for REDIS_URL. */
  readonly url: string;
  /** Kills the server that has the data (of a cluster: one of the three). */
  killMaster(): Promise<void>;
  stop(): Promise<void>;
}

interface Node {
  readonly port: number;
  readonly process: ChildProcess;
}

/** A cluster of three masters with a third of the keys each. */
export async function startRedisCluster(): Promise<RedisGroup> {
  const folder = prepare('redis-cluster');
  const ports = await freePorts(3);
  // Left to itself a node takes a port 10,000 above its own, which a connection of any program may have.
  const busPorts = await freePorts(3);
  const nodes = await Promise.all(
    ports.map((port, index) =>
      launch(folder, port, [
        '--port',
        String(port),
        '--cluster-enabled',
        'yes',
        '--cluster-port',
        String(busPorts[index]),
        '--cluster-config-file',
        `nodes-${port}.conf`,
        '--cluster-node-timeout',
        '2000',
        '--save',
        '',
        '--appendonly',
        'no',
      ]),
    ),
  );
  const clients = ports.map((port) => new Redis({ host: '127.0.0.1', port }));
  const [first] = clients as [Redis];
  for (const index of [1, 2])
    await first.call('CLUSTER', 'MEET', '127.0.0.1', String(ports[index]), String(busPorts[index]));
  for (const [index, client] of clients.entries()) {
    const from = Math.floor((16_384 * index) / 3);
    const to = Math.floor((16_384 * (index + 1)) / 3) - 1;
    await client.call('CLUSTER', 'ADDSLOTSRANGE', String(from), String(to));
  }
  for (const client of clients) {
    await until(async () => {
      const info = String(await client.cluster('INFO'));
      return info.includes('cluster_state:ok') && info.includes('cluster_known_nodes:3');
    });
    client.disconnect();
  }
  return group(
    `redis+cluster://${ports.map((port) => `127.0.0.1:${port}`).join(',')}`,
    folder,
    nodes,
    async () => {
      await end(nodes[0] as Node);
    },
  );
}

/** A master, a replica of it, and three sentinels that agree within a second that it is gone. */
export async function startRedisSentinels(): Promise<RedisGroup> {
  const folder = prepare('redis-sentinel');
  const data = ['--save', '', '--appendonly', 'no', '--repl-diskless-sync-delay', '0'];
  const master = await launch(folder, await freePort(), data);
  const replica = await launch(folder, await freePort(), [
    ...data,
    '--replicaof',
    `127.0.0.1 ${master.port}`,
  ]);
  const replicaClient = new Redis({ host: '127.0.0.1', port: replica.port });
  await until(async () => (await replicaClient.info('replication')).includes('master_link_status:up'));
  replicaClient.disconnect();
  const sentinels: Node[] = [];
  for (let index = 0; index < 3; index += 1) {
    const port = await freePort();
    const config = join(folder, `sentinel-${port}.conf`);
    writeFileSync(
      config,
      [
        `port ${port}`,
        'bind 127.0.0.1',
        `dir ${folder}`,
        `sentinel monitor money 127.0.0.1 ${master.port} 2`,
        'sentinel down-after-milliseconds money 700',
        'sentinel failover-timeout money 3000',
        '',
      ].join('\n'),
    );
    sentinels.push(await launch(folder, port, [config, '--sentinel'], /Sentinel ID is|monitor master/));
  }
  for (const { port } of sentinels) {
    const client = new Redis({ host: '127.0.0.1', port });
    await until(async () => {
      const reply = (await client.call('SENTINEL', 'MASTER', 'money')) as string[];
      const valueOf = (name: string): string | undefined => reply[reply.indexOf(name) + 1];
      return valueOf('num-other-sentinels') === '2' && valueOf('num-slaves') === '1';
    });
    client.disconnect();
  }
  const hosts = sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',');
  return group(`redis+sentinel://${hosts}/money`, folder, [master, replica, ...sentinels], () => end(master));
}

function prepare(name: string): string {
  installMissing(['redis-server'], () => undefined);
  return createTestFolder(name);
}

async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) ports.push(await freePort());
  return ports;
}

function group(
  url: string,
  folder: string,
  nodes: readonly Node[],
  killMaster: () => Promise<void>,
): RedisGroup {
  return {
    url,
    killMaster,
    stop: async () => {
      await Promise.all(nodes.map(end));
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    },
  };
}

async function end({ process: child }: Node): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

function launch(
  folder: string,
  port: number,
  words: readonly string[],
  ready = /Ready to accept connections/,
): Promise<Node> {
  const own = join(folder, String(port));
  mkdirSync(own, { recursive: true });
  const isFile = words[0]?.endsWith('.conf') === true;
  const common = isFile ? [] : ['--port', String(port), '--bind', '127.0.0.1', '--dir', own];
  const child = spawnTied({
    program: getProgram('redis-server'),
    words: [...(isFile ? words : [...common, ...words])],
    account: null,
  });
  child.stderr.resume();
  return new Promise((resolve, reject) => {
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString('utf8')).slice(-8_000);
      if (ready.test(said)) resolve({ port, process: child });
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`Redis ended while starting. It said:\n${said}`)));
  });
}
