import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../test/support/free-port.mjs';
import { GATEWAY_CORE, startProgram, untilReady } from '../lib/processes.mjs';
import { callsWith } from './start-targets.mjs';

const configuration = (folder, port, mockPort) => `
worker_processes 1;
daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log stderr error;
events { worker_connections 4096; }
http {
  access_log off;
  client_body_temp_path ${folder}/bodies;
  proxy_temp_path ${folder}/proxied;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  keepalive_requests 1000000000;
  upstream mock { server 127.0.0.1:${mockPort}; keepalive 512; keepalive_requests 1000000000; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://mock;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_buffering off;
      client_max_body_size 32m;
    }
  }
}
`;

/**
 * nginx as a plain reverse proxy on the gateway's core: the least that any program can do.
 * @returns {Promise<import('./start-targets.mjs').Target>}
 */
export async function startNginx(parent, mockPort) {
  const folder = join(parent, 'nginx');
  mkdirSync(folder, { recursive: true });
  const port = await freePort();
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, configuration(folder, port, mockPort));
  const child = startProgram({
    name: 'nginx',
    core: GATEWAY_CORE,
    command: 'nginx',
    args: ['-c', file, '-e', 'stderr'],
  });
  await untilReady(child, async () => (await fetch(`http://127.0.0.1:${port}/v1/models`)).status === 200);
  return {
    key: 'nginx',
    label: 'nginx',
    child,
    port,
    pids: () => [child.pid],
    calls: callsWith([{ authorization: 'Bearer bench' }]),
  };
}
