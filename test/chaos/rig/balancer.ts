import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { getProgram } from '../../support/programs.js';
import { freePort } from '../../support/free-port.mjs';
import { spawnTied } from '../../support/real-servers.js';

const COMMITTED = join(import.meta.dirname, '../../../docker/nginx.conf');

/** nginx with the committed configuration before two instances; only ports and folders are this machine's. */
export class Balancer {
  private constructor(
    readonly url: string,
    private readonly child: ReturnType<typeof spawnTied>,
    private readonly said: { text: string },
  ) {}

  /** The last of what it complained about. */
  get complaints(): string {
    return this.said.text;
  }

  static async start(folder: string, instancePorts: readonly [number, number]): Promise<Balancer> {
    mkdirSync(folder, { recursive: true });
    const port = await freePort();
    const configuration = readFileSync(COMMITTED, 'utf8')
      .replace('server server:3000', `server 127.0.0.1:${instancePorts[0]}`)
      .replace('server server-2:3000', `server 127.0.0.1:${instancePorts[1]}`)
      .replace('listen 8080', `listen 127.0.0.1:${port}`)
      .replace('worker_processes auto', 'worker_processes 1')
      .replaceAll('/tmp/', `${folder}/`);
    const path = join(folder, 'nginx.conf');
    writeFileSync(path, configuration);
    const child = spawnTied({
      program: getProgram('nginx'),
      words: ['-p', folder, '-c', path, '-g', 'daemon off; master_process off;'],
      account: null,
    });
    const said = { text: '' };
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (bytes: Buffer) => (said.text = (said.text + bytes.toString()).slice(-4_000)));
    while (!(await accepts(port))) {
      if (child.exitCode !== null) throw new Error(`nginx ended: ${said.text}`);
      await pause(20);
    }
    return new Balancer(`http://127.0.0.1:${port}`, child, said);
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await gone;
  }
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
