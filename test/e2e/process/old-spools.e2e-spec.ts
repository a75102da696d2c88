import { afterAll, expect, it } from '@jest/globals';
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GatewayProcess } from '../../support/gateway-process.js';
import { until } from '../../support/until.js';

const DAY_SECONDS = 24 * 3_600;
const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-old-spools-'));
let gateway: GatewayProcess | undefined;

afterAll(async () => {
  await gateway?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

it('removes spools that were booked more than a week ago, and keeps the rest for a restore [F-67]', async () => {
  const folder = join(dataDir, 'spool', '0190a0b0-0000-7000-8000-000000000001.done');
  mkdirSync(folder, { recursive: true });
  const segment = (number: number, ageDays: number): string => {
    const path = join(folder, `0000000${number}.spool.done`);
    writeFileSync(path, '');
    const seconds = Date.now() / 1_000 - ageDays * DAY_SECONDS;
    utimesSync(path, seconds, seconds);
    return path;
  };
  const [old, young] = [segment(1, 8), segment(2, 6)];
  gateway = await GatewayProcess.start({ dataDir });
  await until(() => Promise.resolve(!existsSync(old)));
  expect(existsSync(young)).toBe(true);
});
