import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { isAlive, type ProgramRun, ProgramRuns } from '../../support/program-run.ts';
import { startRedis, type TestRedis } from '../../support/redis.ts';

let folder: string;
let programs: ProgramRuns;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-main-'));
  programs = new ProgramRuns();
});
afterEach(async () => {
  await programs.end();
  rmSync(folder, { recursive: true, force: true });
});

const run = (variables: Record<string, string>): ProgramRun =>
  programs.run({ DATA_DIR: folder, PORT: '0', DRAIN_TIMEOUT_SECONDS: '2', ...variables });

describe('the program', () => {
  it('names every fault of the environment in one message', async () => {
    const program = run({
      PORT: 'eighty',
      DATABASE_URL: 'oracle://x',
      REDIS_URL: 'redis://127.0.0.1:1',
      LOG_LEVEL: 'loud',
    });
    expect(await program.ended()).toBe(1);
    expect(program.text()).toContain('The environment has 5 faults:');
    for (const name of ['PORT', 'DATABASE_URL', 'LOG_LEVEL', 'SESSION_SECRET', 'CRYPTO_SECRET'])
      expect(program.text()).toContain(`${name}:`);
    expect(program.text()).not.toMatch(/\n\s+at /);
  });

  it('needs shared secrets when instances share a store', async () => {
    const program = run({ REDIS_URL: 'redis://127.0.0.1:1' });
    expect(await program.ended()).toBe(1);
    expect(program.text()).toMatch(/SESSION_SECRET: is required[^\n]*\n\s*CRYPTO_SECRET: is required/);
  });

  describe('reports in one sentence why it cannot start', () => {
    const sentenceOf = async (variables: Record<string, string>): Promise<string> => {
      const program = run(variables);
      expect(await program.ended()).toBe(1);
      expect(program.text()).not.toMatch(/\n\s+at |"level":/);
      return program.text();
    };

    it.each(['PORT', 'METRICS_PORT'])('%s is taken', async (variable) => {
      const occupant = createServer().listen(0, '127.0.0.1');
      await once(occupant, 'listening');
      const { port } = occupant.address() as AddressInfo;
      try {
        expect(await sentenceOf({ [variable]: String(port) })).toBe(
          `Tollgate could not start. ${variable}: 127.0.0.1:${port} (EADDRINUSE) is in use by another program: stop that one, or choose another port.\n`,
        );
      } finally {
        occupant.close();
      }
    });

    it.each([
      [
        'no.such.host.invalid',
        'is a name that leads nowhere \\(ENOTFOUND|is a name that cannot be looked up now \\(EAI_AGAIN',
      ],
      ['192.0.2.1', 'is no address of this machine \\(EADDRNOTAVAIL'],
    ])('HOST %s is to blame, not PORT', async (host, reason) => {
      expect(await sentenceOf({ HOST: host })).toMatch(
        new RegExp(`^Tollgate could not start\\. HOST: ${host} (${reason})\\): write 0\\.0\\.0\\.0 for all`),
      );
    });

    it('DATA_DIR is a file', async () => {
      const file = join(folder, 'file');
      writeFileSync(file, '');
      expect(await sentenceOf({ DATA_DIR: file })).toContain(`DATA_DIR: ${file} is, or lies in, something`);
      expect(await sentenceOf({ DATA_DIR: join(file, 'data') })).toContain('DATA_DIR: ');
    });

    it.each(['mysql', 'mariadb', 'postgres'])('no %s answers', async (type) => {
      const text = await sentenceOf({ DATABASE_URL: `${type}://user:hidden@127.0.0.1:1/tollgate` });
      expect(text).toContain(
        'DATABASE_URL: no database can be reached at 127.0.0.1:1 (ECONNREFUSED). Start it, or',
      );
      expect(text).not.toContain('hidden');
    });

    it('the log database cannot be opened', async () => {
      const text = await sentenceOf({ LOG_DATABASE_URL: `sqlite:${folder}` });
      expect(text).toMatch(/LOG_DATABASE_URL: /);
    });

    it('CRYPTO_SECRET is another one than at the first start', async () => {
      const first = run({});
      await first.until(/Tollgate is ready/);
      first.child.kill('SIGTERM');
      await first.ended();
      rmSync(join(folder, 'crypto-secret'));
      expect(await sentenceOf({})).toMatch(/^Tollgate could not start\. CRYPTO_SECRET is not the one/);
    });
  });

  it('prints the address of the console, keeps its secrets for itself, and ends with 0 on SIGTERM and SIGINT', async () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const program = run({ METRICS_PORT: '0', LOG_LEVEL: 'info' });
      const [, address = ''] = await program.until(/Tollgate is ready: (\S+)/);
      expect((await fetch(`${address}/readyz`)).status).toBe(200);
      const [, metrics = ''] = await program.until(/metrics on (\S+\/metrics)/);
      expect(await (await fetch(metrics)).text()).toContain('tollgate_process_cpu_seconds_total');
      expect((await fetch(`${address}/metrics`)).headers.get('content-type')).not.toContain('version=0.0.4');
      program.child.kill(signal);
      expect(await program.ended()).toBe(0);
      for (const name of ['session-secret', 'crypto-secret']) {
        expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
        expect(program.text()).not.toContain(readFileSync(join(folder, name), 'utf8').trim());
      }
    }
  });
});

describe('several workers', () => {
  let redis: TestRedis;
  beforeEach(async () => {
    redis = await startRedis();
  });
  afterEach(() => redis.stop());

  it('ends with code 1 when none of them can listen', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const gateway = run({
      WORKERS: '2',
      REDIS_URL: redis.url,
      SESSION_SECRET: 's'.repeat(40),
      CRYPTO_SECRET: 'c'.repeat(40),
      PORT: String((taken.address() as AddressInfo).port),
    });
    expect(await gateway.ended()).toBe(1);
    expect(gateway.text()).toContain('EADDRINUSE');
    taken.close();
  });

  it('shares a port; replaces a dead one within 2 s; ends all with the supervisor', async () => {
    const program = run({
      REDIS_URL: redis.url,
      WORKERS: '2',
      LOG_LEVEL: 'info',
      DRAIN_DELAY_SECONDS: '0',
      SESSION_SECRET: 's'.repeat(40),
      CRYPTO_SECRET: 'c'.repeat(40),
    });
    const [, address = ''] = await program.until(/Tollgate is ready: (\S+)/);
    const listening = /"pid":(\d+),"context":"Server","msg":"listening/g;
    await program.until(/(?:[^]*"context":"Server"){2}/);
    const [first = ''] = [...program.text().matchAll(listening)].map((match) => match[1]);
    process.kill(Number(first), 'SIGKILL');
    await program.until(/a new one starts in 100 ms/);
    await program.until(/(?:[^]*"context":"Server"){3}/);
    for (let index = 0; index < 4; index += 1) expect((await fetch(`${address}/readyz`)).status).toBe(200);
    expect(program.text().match(/Tollgate is ready/g)).toHaveLength(1);
    program.child.kill('SIGTERM');
    expect(await program.ended()).toBe(0);
    const pids = [...program.text().matchAll(listening)].map((match) => Number(match[1]));
    expect(pids.filter(isAlive)).toEqual([]);
  });
});
