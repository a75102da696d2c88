import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { freePort } from '../support/free-port.mjs';
import { GatewayConsole } from '../support/gateway-console.js';
import { GatewayProcess } from '../support/gateway-process.js';
import { getProgram } from '../support/programs.js';
import { complaintsOf, signIn, test } from './support/stage.js';

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.once('error', () => resolve(false)).once('close', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

/** A real nginx that has other things at its root and the gateway below a path. */
async function startNginx(port: number, location: string): Promise<{ stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-prefix-'));
  const path = join(folder, 'nginx.conf');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join('\n');
  await writeFile(
    path,
    `pid ${folder}/pid; error_log stderr; worker_processes 1; events {}
     http { access_log off; ${temporary}
       server { listen 127.0.0.1:${port};
         location / { return 404 'somebody else'; }
         ${location}
       } }`,
  );
  const child: ChildProcess = spawn(getProgram('nginx'), ['-p', folder, '-c', path, '-g', 'daemon off;'], {
    stdio: 'ignore',
  });
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error('nginx ended');
    await new Promise((resolve) => setImmediate(resolve));
  }
  return {
    async stop() {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const HEADERS =
  'proxy_set_header Host $http_host; proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;';

for (const [name, env, locationOf] of [
  [
    'keeps the path',
    { BASE_PATH: '/gateway' },
    (upstream: string) => `location /gateway/ { proxy_pass ${upstream}; ${HEADERS} }`,
  ],
  [
    'takes the path away and says so',
    { TRUST_PROXY: '1' },
    (upstream: string) =>
      `location /gateway/ { proxy_pass ${upstream}/; ${HEADERS} proxy_set_header X-Forwarded-Prefix /gateway; }`,
  ],
] as const)
  test(`the console works below a path of an nginx that ${name}`, async ({ page }) => {
    const port = await freePort();
    const gateway = await GatewayProcess.start({ env });
    const nginx = await startNginx(port, locationOf(gateway.url));
    try {
      const address = `http://127.0.0.1:${port}/gateway`;
      // At its own address: a request through a proxy that passes our name on needs the set-up code.
      await new GatewayConsole(`${gateway.url}${env.BASE_PATH ?? ''}`).setUp();
      const complaints = complaintsOf(page);
      const foreign: string[] = [];
      page.on('response', (response) => {
        if (response.status() === 404) foreign.push(response.url());
      });
      await signIn(page, address);
      await page.goto(`${address}/token`);
      await expect(page.getByRole('heading', { name: 'Tokens' }).first()).toBeVisible();
      await page.getByRole('link', { name: 'Channels' }).first().click();
      await page.waitForURL(`${address}/channel`);
      await page.reload();
      await expect(page.getByRole('heading', { name: 'Channels' }).first()).toBeVisible();
      expect(foreign).toEqual([]);
      const [cookie] = (await page.context().cookies(`${address}/`)).filter((one) => one.name === 'session');
      expect(cookie?.path).toBe('/gateway');
      expect(complaints).toEqual([]);
    } finally {
      await nginx.stop();
      await gateway.stop();
    }
  });
