import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { GatewayProcess } from '../../../support/gateway-process.ts';
import { testRedisUrl } from '../../../support/redis.ts';
import { readExposition, type Scrape } from './read-exposition.ts';

const WITHIN_MS = 30_000;
const BETWEEN_MS = 100;

describe('metrics of a supervised instance', () => {
  let gateway: GatewayProcess | undefined;

  afterEach(async () => {
    await gateway?.stop();
    gateway = undefined;
  });

  async function scrape(): Promise<Scrape> {
    const [, address = ''] = /metrics on (http:[^"]+\/metrics)/.exec(gateway?.log ?? '') ?? [];
    const response = await fetch(address);
    expect(response.status).toBe(200);
    return readExposition(await response.text());
  }

  /** Scrapes again until it says what is waited for; the last one when it never does. */
  async function scrapeUntil(isSeen: (seen: Scrape) => boolean): Promise<Scrape> {
    const deadline = performance.now() + WITHIN_MS;
    for (;;) {
      const seen = await scrape();
      if (isSeen(seen) || performance.now() > deadline) return seen;
      // The workers that answer are the ones that have to start the next one.
      await pause(BETWEEN_MS);
    }
  }

  const workersIn = ({ samples }: Scrape): readonly string[] =>
    samples
      .filter(({ name }) => name === 'tollgate_build_info')
      .map(({ labels }) => labels['worker'] ?? '')
      .sort();

  const workerPids = (): readonly number[] => {
    const pid = gateway?.pid ?? -1;
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return text.split(' ').filter(Boolean).map(Number);
  };

  it('serves the figures of all workers at one address, and goes on when one hangs or dies', async () => {
    gateway = await GatewayProcess.start({
      redisUrl: testRedisUrl(),
      env: { WORKERS: '2', METRICS_PORT: '0', LOG_LEVEL: 'info' },
    });
    const both = await scrapeUntil((seen) => workersIn(seen).length === 2);
    expect(workersIn(both)).toEqual(['0', '1']);
    expect(both.value('tollgate_workers', { state: 'answering' })).toBe(2);
    expect(both.types.get('tollgate_call_seconds') ?? 'histogram').toBe('histogram');

    const [hung = -1] = workerPids();
    process.kill(hung, 'SIGSTOP');
    const without = await scrapeUntil((seen) => seen.value('tollgate_workers', { state: 'answering' }) === 1);
    expect(without.value('tollgate_workers', { state: 'answering' })).toBe(1);
    expect(without.value('tollgate_workers', { state: 'silent' })).toBe(1);
    expect(workersIn(without)).toHaveLength(1);

    process.kill(hung, 'SIGKILL');
    const again = await scrapeUntil((seen) => workersIn(seen).length === 2);
    expect(workersIn(again)).toEqual(['0', '1']);
    expect(again.value('tollgate_worker_deaths_total', {})).toBe(1);
  });
});
