import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock } from '../../../test/support/fake-clock.js';
import type { Clock } from '../../common/clock.js';
import { SystemClock } from '../clock/system-clock.js';
import { adoptSpools, type AdoptedSpool } from './adopted-spool.js';
import { decodeSegment } from './spool-record.js';
import { Spool, SpoolFullError } from './spool.js';

describe('Spool', () => {
  let root: string;
  let faults: string[];
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'tollgate-spool-'));
    faults = [];
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const openSpool = (bootId = 'boot-1', segmentBytes = 1_000, clock: Clock = new SystemClock()): Spool =>
    new Spool({
      root,
      bootId,
      clock,
      reserveBytes: 0,
      segmentBytes,
      onFault: (text) => faults.push(text),
    });
  const adopt = async (own = 'boot-2', isDead = true): Promise<AdoptedSpool[]> => {
    const all: AdoptedSpool[] = [];
    for await (const spool of adoptSpools(root, { bootId: own, installation: '' }, async () => isDead))
      all.push(spool);
    return all;
  };
  /** Simulates a killed worker: without the file its process cannot be checked. */
  const kill = (spool: Spool): void => unlinkSync(join(spool.folder, 'owner.json'));
  const segments = (spool: Spool): string[] =>
    readdirSync(spool.folder)
      .filter((name) => name.includes('.spool'))
      .sort();

  it('a record is in the file when append resolves', async () => {
    const spool = openSpool();
    await spool.append('D', 'call', '{"n":1}');
    const content = decodeSegment(readFileSync(join(spool.folder, '00000001.spool')));
    expect(content.records).toEqual([{ type: 'D', payload: '{"n":1}' }]);
    await spool.close();
  });

  it('finishes segments in order, when every call that began in them is completed', async () => {
    const spool = openSpool();
    const long = 'x'.repeat(400);
    await spool.append('D', 'slow', long);
    await spool.append('D', 'fast', long);
    await spool.append('S', 'fast', long); // segment 1 is full here
    await spool.append('D', 'other', long);
    spool.complete('fast');
    await spool.append('S', 'other', long);
    await spool.append('D', 'third', long); // segment 2 is full here
    spool.complete('other');
    spool.complete('third');
    expect(segments(spool)).toEqual(['00000001.spool', '00000002.spool', '00000003.spool']);
    spool.complete('slow');
    expect(segments(spool)).toEqual(['00000001.spool.done', '00000002.spool.done', '00000003.spool']);
    await spool.close();
    expect(existsSync(`${spool.folder}.done`)).toBe(true);
  });

  it('a spool closed with calls open is read by the next start, once', async () => {
    const spool = openSpool();
    void spool.append('D', 'a', '{"request_id":"a"}');
    void spool.append('S', 'a', '{"request_id":"a","priced":1}');
    await spool.close();
    kill(spool);
    const [adopted, ...others] = await adopt();
    expect(others).toEqual([]);
    expect(adopted?.bootId).toBe('boot-1');
    expect(adopted?.records.map((record) => record.type)).toEqual(['D', 'S']);
    adopted?.finish();
    expect(await adopt('boot-3')).toEqual([]);
  });

  it('leaves the spool of a living worker alone, and checks the heartbeat of other hosts', async () => {
    const living = openSpool('boot-1');
    await living.append('D', 'a', '{}');
    expect(await adopt()).toEqual([]);
    writeFileSync(
      join(living.folder, 'owner.json'),
      JSON.stringify({ host: 'elsewhere', pid: 1, startedAt: null }),
    );
    expect(await adopt('boot-2', false)).toEqual([]);
    expect(await adopt('boot-2', true)).toHaveLength(1);
    await living.close();
  });

  it('adopts what an adopter that died left half done', async () => {
    const spool = openSpool();
    void spool.append('D', 'a', '{"request_id":"a"}');
    await spool.close();
    renameSync(spool.folder, join(root, 'boot-1~boot-dead'));
    unlinkSync(join(root, 'boot-1~boot-dead', 'owner.json'));
    const [adopted] = await adopt();
    expect(adopted).toMatchObject({ bootId: 'boot-1' });
    expect(adopted?.records).toHaveLength(1);
  });

  it('torn at each of its last 40 bytes, it gives back every whole record', async () => {
    for (let cut = 1; cut <= 40; cut += 1) {
      const spool = openSpool(`boot-cut-${cut}`, 100_000);
      for (const id of ['a', 'b', 'c'])
        void spool.append('S', id, JSON.stringify({ request_id: id, pad: 'y'.repeat(30) }));
      await spool.close();
      const file = join(spool.folder, '00000001.spool');
      truncateSync(file, readFileSync(file).length - cut);
      kill(spool);
      const [adopted] = await adopt();
      expect(adopted?.records.map((record) => JSON.parse(record.payload).request_id)).toEqual(['a', 'b']);
      expect(adopted?.damagedBytes).toBe(0);
      adopted?.finish();
    }
  });

  it('copies damage in the middle to the quarantine and reads on', async () => {
    const spool = openSpool('boot-1', 100_000);
    for (const id of ['a', 'b', 'c']) void spool.append('S', id, JSON.stringify({ request_id: id }));
    await spool.close();
    const file = join(spool.folder, '00000001.spool');
    const bytes = readFileSync(file);
    bytes.write('XXXX', Math.floor(bytes.length / 2));
    writeFileSync(file, bytes);
    kill(spool);
    const [adopted] = await adopt();
    expect(adopted?.records.map((record) => JSON.parse(record.payload).request_id)).toEqual(['a', 'c']);
    expect(adopted?.damagedBytes).toBeGreaterThan(0);
    expect(readdirSync(join(root, 'quarantine'))).toHaveLength(1);
  });

  it('takes nothing once it is closed', async () => {
    const spool = openSpool();
    await spool.close();
    expect(spool.isAccepting).toBe(false);
    await expect(spool.append('S', 'a', '{}')).rejects.toThrow(SpoolFullError);
  });

  it('writes the records of one turn together, in order, and reports each before any caller continues', async () => {
    const spool = openSpool('boot-1', 1_000_000);
    const told: string[] = [];
    const file = join(spool.folder, '00000001.spool');
    const all = ['a', 'b', 'c'].map((id) =>
      spool
        .append('D', id, 'x'.repeat(50_000), () => told.push(`written ${id}`))
        .then(() => told.push(`resolved ${id}`)),
    );
    expect(readFileSync(file)).toHaveLength(0);
    await Promise.all(all);
    expect(told).toEqual(['written a', 'written b', 'written c', 'resolved a', 'resolved b', 'resolved c']);
    expect(decodeSegment(readFileSync(file)).records).toHaveLength(3);
    await spool.close();
  });

  it('ends no process for a late record without a waiter', async () => {
    const unheard: unknown[] = [];
    const listen = (error: unknown): void => void unheard.push(error);
    process.on('unhandledRejection', listen);
    const spool = openSpool();
    await spool.close();
    void spool.append('R', 'late', '{}');
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', listen);
    expect(unheard).toEqual([]);
  });

  it('refuses a new call on a full disk, and writes what an ended one cost when there is room again [F-67]', async () => {
    const clock = new FakeClock();
    const spool = openSpool('boot-1', 100_000, clock);
    const path = join(spool.folder, '00000001.spool');
    const payloads = (): string[] => decodeSegment(readFileSync(path)).records.map(({ payload }) => payload);
    await spool.append('D', 'a', '1');
    const file = Reflect.get(spool, 'file') as number;
    const full = openSync('/dev/full', 'w');
    Reflect.set(spool, 'file', full);
    const told: string[] = [];
    const cost = spool.append('S', 'a', '2', () => told.push('cost'));
    const refused = spool.append('D', 'b', '3', () => told.push('begun'));
    void spool.append('R', 'c', '4', () => told.push('released'));
    await expect(refused).rejects.toThrow(SpoolFullError);
    expect(spool.isAccepting).toBe(false);
    clock.advance(1_000);
    expect({ told, isAccepting: spool.isAccepting }).toEqual({ told: [], isAccepting: false });
    Reflect.set(spool, 'file', file);
    clock.advance(1_000);
    await cost;
    expect({ told, isAccepting: spool.isAccepting }).toEqual({
      told: ['cost', 'released'],
      isAccepting: true,
    });
    expect(payloads()).toEqual(['1', '2', '4']);
    closeSync(full);
    await spool.close();
  });

  it('writes waiting records on request, and on close', async () => {
    const spool = openSpool();
    const file = join(spool.folder, '00000001.spool');
    let written = 0;
    void spool.append('D', 'a', '{}', () => (written += 1));
    spool.flush();
    expect(decodeSegment(readFileSync(file)).records).toHaveLength(1);
    void spool.append('S', 'a', '{}', () => (written += 1));
    await spool.close();
    expect(decodeSegment(readFileSync(file)).records).toHaveLength(2);
    expect(written).toBe(2);
  });

  it('writes unawaited records in order, with the next batch or after a delay', async () => {
    const clock = new FakeClock();
    const spool = openSpool('boot-1', 100_000, clock);
    const file = join(spool.folder, '00000001.spool');
    const written = (): string[] => decodeSegment(readFileSync(file)).records.map(({ payload }) => payload);
    await spool.append('D', 'a', '1');
    spool.note('C', 'a', '2');
    await new Promise((resolve) => setImmediate(resolve));
    expect(written()).toEqual(['1']);
    spool.note('C', 'a', '3');
    await spool.append('S', 'a', '4');
    expect(written()).toEqual(['1', '2', '3', '4']);
    spool.note('C', 'a', '5');
    spool.note('C', 'a', '6');
    clock.advance(20);
    expect(written()).toEqual(['1', '2', '3', '4', '5', '6']);
    spool.note('C', 'a', '7');
    await spool.close();
    spool.note('C', 'a', '8');
    expect(written()).toEqual(['1', '2', '3', '4', '5', '6', '7']);
  });

  it('leaves no half-made reserve behind when it closes at once', async () => {
    const clock = new FakeClock();
    const onFault = (text: string): unknown => faults.push(text);
    const spool = new Spool({ root, bootId: 'boot-1', clock, reserveBytes: 1_000, onFault });
    await spool.close();
    expect([readdirSync(root), faults]).toEqual([['boot-1.done'], []]);
  });
});
