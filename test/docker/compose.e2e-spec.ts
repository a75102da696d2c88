import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { readEnv } from '../../server/config/env.js';
import { environmentSchema } from '../../server/config/env.schema.js';
import { blockOf, instanceEnvironment, readDockerFile } from '../support/compose-file.js';
import { createTestFolder } from '../support/servers.js';

const VALUES = {
  MYSQL_PASSWORD: 'm'.repeat(32),
  REDIS_PASSWORD: 'r'.repeat(32),
  SESSION_SECRET: 's'.repeat(48),
  CRYPTO_SECRET: 'c'.repeat(48),
};
/** Flushing the spool, closing pools: on top of both drain times. */
const CLOSE_GRACE_SECONDS = 15;

describe('docker/Dockerfile', () => {
  const dockerfile = readDockerFile('Dockerfile');
  const lines = dockerfile.split('\n');

  it('runs the server as an account without rights, which owns nothing but /data', () => {
    const image = dockerfile.slice(dockerfile.indexOf('# ---- the image ----'));
    expect(image.match(/^USER (.*)$/gm)).toEqual(['USER node']);
    expect(image.indexOf('USER node')).toBeLessThan(image.indexOf('CMD ['));
    expect(image).toContain('install -d -o node -g node -m 0700 /data');
    expect(image).toContain('VOLUME /data');
    expect(image).not.toMatch(/chown|chmod 777|--chown/);
  });

  it('starts the program itself, so that SIGTERM reaches it', () => {
    expect(lines.findLast((line) => line.startsWith('CMD '))).toMatch(
      /^CMD \["node", .*"dist\/server\/main\.js"\]$/,
    );
    expect(dockerfile).toContain('STOPSIGNAL SIGTERM');
  });

  it('installs what builds it once, with the script that leaves the mark the build looks for', () => {
    const build = dockerfile.slice(
      dockerfile.indexOf('# ---- build'),
      dockerfile.indexOf('# ---- dependencies'),
    );
    const copied = /^COPY (scripts\/.*) scripts\/$/m.exec(build)?.[1]?.split(' ') ?? [];
    const ensure = readDockerFile('../scripts/ensure.mjs');
    const needed = [...ensure.matchAll(/from '\.\/(.*)'/g)].map((match) => `scripts/${match[1]}`);
    expect(copied).toEqual(['scripts/ensure.mjs', ...needed]);
    expect(build.indexOf('RUN node scripts/ensure.mjs')).toBeLessThan(build.indexOf('RUN npm run build'));
    expect(build).not.toMatch(/npm (ci|install)\b.*--/);
  });

  describe('its health check', () => {
    const words = JSON.parse(/HEALTHCHECK[^]*?CMD (\[.*\])/.exec(dockerfile)?.[1] ?? '[]') as string[];
    const servers: { close: () => void }[] = [];
    afterEach(() => {
      for (const server of servers.splice(0)) server.close();
    });

    const codeFor = async (status: number | null): Promise<number | null> => {
      let asked = '';
      const server = createServer((request, response) => {
        asked = request.url ?? '';
        response.writeHead(status ?? 200, { connection: 'close' }).end();
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      if (status === null) server.close();
      else servers.push(server);
      const check = spawn(process.execPath, words.slice(1), {
        env: { PATH: process.env['PATH'], PORT: String(port) },
      });
      const [code] = (await once(check, 'exit')) as [number | null];
      if (status !== null) expect(asked).toBe('/readyz');
      return code;
    };

    it('passes at 200, and fails at 503 or without an answer', async () => {
      expect(words[0]).toBe('node');
      expect(await Promise.all([codeFor(200), codeFor(503), codeFor(null)])).toEqual([0, 1, 1]);
    });
  });
});

describe.each([
  ['compose.yml', ['server']],
  ['compose.cluster.yml', ['server', 'server-2']],
])('docker/%s', (file, instances) => {
  const text = readDockerFile(file);
  const settings = instanceEnvironment(text, VALUES);
  const shared = blockOf(text, 'x-instance');

  it.each(instances)('%s cannot write outside its own volume, nor gain rights', (name) => {
    const own = blockOf(blockOf(text, 'services'), name);
    const whole = own.includes('<<: *instance') ? `${own}\n${shared}` : own;
    expect(whole).toContain('read_only: true');
    expect(whole).toContain('tmpfs: [/tmp]');
    expect(whole).toContain('cap_drop: [ALL]');
    expect(whole).toContain("security_opt: ['no-new-privileges:true']");
    expect(whole.match(/volumes: \['([\w-]+):\/data'\]/)).not.toBeNull();
  });

  it('gives every instance a volume of its own', () => {
    const volumes = [...text.matchAll(/volumes: \['([\w-]+):\/data'\]/g)].map(([, volume]) => volume);
    expect(new Set(volumes).size).toBe(instances.length);
  });

  it('sets only variables that are read, to values that are accepted', () => {
    const own = Object.keys(instanceEnvironment(text.replace('env_file', 'x-none'), VALUES));
    for (const name of own) expect(Object.keys(environmentSchema.shape)).toContain(name);
    const env = readEnv({ ...settings, DATA_DIR: createTestFolder('compose') });
    expect(env.databaseUrl).toBe(`mysql://tollgate:${VALUES.MYSQL_PASSWORD}@mysql:3306/tollgate`);
    expect(env.redisUrl).toBe(`redis://:${VALUES.REDIS_PASSWORD}@redis:6379/0`);
    expect(env.isSupervised || env.workers === 1).toBe(true);
  });

  it('switches figures and traces on by docker/.env, and off without', () => {
    const watched = {
      METRICS_PORT: '9464',
      METRICS_TOKEN: 't'.repeat(16),
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
    };
    const folder = createTestFolder('compose');
    const env = readEnv({ ...instanceEnvironment(text, { ...VALUES, ...watched }), DATA_DIR: folder });
    expect([env.metricsPort, env.metricsToken]).toEqual([9464, 't'.repeat(16)]);
    expect(env.tracing?.url).toBe('http://collector:4318/v1/traces');
    for (const name of Object.keys(watched))
      expect(readDockerFile('.env.example')).toMatch(new RegExp(`^${name}=$`, 'm'));
    const plain = readEnv({ ...settings, DATA_DIR: folder });
    expect([plain.metricsPort, plain.metricsToken, plain.tracing]).toEqual([undefined, undefined, undefined]);
  });

  it('passes every variable of docs/configuration.md on from docker/.env', () => {
    const wanted = { ...VALUES, SAFE_MODE: '1', WORKERS: '3', LOG_LEVEL: 'warn', TRUST_PROXY: '2' };
    const env = readEnv({ ...instanceEnvironment(text, wanted), DATA_DIR: createTestFolder('compose') });
    expect([env.isSafeMode, env.workers, env.logLevel, env.trustProxy]).toEqual([true, 3, 'warn', '2']);
  });

  it('asks for every secret rather than make one', () => {
    for (const name of Object.keys(VALUES)) {
      expect(text).toMatch(new RegExp(`\\$\\{${name}:\\?`));
      expect(readDockerFile('.env.example')).toMatch(new RegExp(`^${name}=$`, 'm'));
    }
  });

  it('waits longer than a drain takes before it kills', () => {
    const env = readEnv({ ...settings, DATA_DIR: createTestFolder('compose') });
    const grace = Number(/stop_grace_period: (\d+)s/.exec(text)?.[1]);
    expect(grace).toBeGreaterThanOrEqual(
      (env.drainDelayMs + env.drainTimeoutMs) / 1_000 + CLOSE_GRACE_SECONDS,
    );
  });

  it('opens the address of nothing but the front door, and on this machine only', () => {
    const ports = [...text.matchAll(/ports: \['([^']+)'\]/g)].map(([, mapping]) => mapping);
    expect(ports).toHaveLength(1);
    expect(ports[0]).toMatch(/^127\.0\.0\.1:3000:/);
  });
});

describe('docker/compose.cluster.yml and docker/nginx.conf', () => {
  const nginx = readDockerFile('nginx.conf');

  it('names the same instances, and trusts one proxy', () => {
    const text = readDockerFile('compose.cluster.yml');
    const named = [...nginx.matchAll(/^\s+server ([\w-]+):3000 /gm)].map(([, name]) => name);
    expect(named).toEqual(['server', 'server-2']);
    expect(blockOf(text, 'nginx')).toContain('./nginx.conf:/etc/nginx/nginx.conf:ro');
    expect(instanceEnvironment(text, VALUES)['TRUST_PROXY']).toBe('1');
  });

  it('names them in docker/grafana/prometheus.yml too', () => {
    const targets = /targets: \[(.*)\]/.exec(readDockerFile('grafana/prometheus.yml'))?.[1];
    expect(targets).toBe(`'server:9464', 'server-2:9464'`);
  });

  it('waits longer than any pause of a stream, and takes bodies a little above the limit', () => {
    const env = readEnv({ DATA_DIR: createTestFolder('compose') });
    const seconds = Number(/proxy_read_timeout (\d+)s/.exec(nginx)?.[1]);
    expect(seconds).toBeGreaterThan(env.streamingTimeoutMs / 1_000);
    const megabytes = Number(/client_max_body_size (\d+)m/.exec(nginx)?.[1]);
    expect(megabytes).toBeGreaterThan(env.maxRequestBodyBytes / (1024 * 1024));
    const lingers = Number(
      /LINGER_MS = (\d+)_000/.exec(
        readFileSync(join(import.meta.dirname, '../../server/worker.ts'), 'utf8'),
      )?.[1],
    );
    expect(Number(/keepalive_timeout (\d+)s/.exec(nginx)?.[1])).toBeLessThan(lingers);
    expect(nginx).toContain('proxy_buffering off');
    expect(nginx).toContain('gzip off');
  });
});
