import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { type ReadRecord, SpoolFollower, SpoolReadError } from './spool-follower.js';
import { segmentName } from './spool-names.js';
import { SPOOL_START } from './spool-progress.js';
import { Spool } from './spool.js';

describe('SpoolFollower', () => {
  let root: string;
  let spool: Spool;
  const payloadOf: ReadRecord<string> = (type, bytes, start, end) =>
    type === 'S' || type === 'R' ? bytes.toString('utf8', start, end) : undefined;
  const open = (segmentBytes?: number): Spool =>
    new Spool({
      root,
      bootId: 'boot',
      clock: new FakeClock(),
      reserveBytes: 0,
      segmentBytes,
      onFault: (message) => {
        throw new Error(message);
      },
    });
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'tollgate-follow-'));
  });
  afterEach(async () => {
    await spool.close();
    rmSync(root, { recursive: true, force: true });
  });
  const write = (type: 'D' | 'S' | 'R', callId: string, payload = callId): void => {
    void spool.append(type, callId, payload);
    spool.flush();
  };
  const payloads = (follower: SpoolFollower<string>, most = 100): string[] =>
    follower.read(spool.progress.read(), most);

  it('reads what it follows, once and in order, however it is cut into reads', () => {
    spool = open();
    const follower = new SpoolFollower(spool.folder, payloadOf, SPOOL_START);
    expect(payloads(follower)).toEqual([]);
    for (const number of [1, 2, 3]) {
      write('D', `call-${number}`);
      write('S', `call-${number}`);
    }
    expect(payloads(follower, 2)).toEqual(['call-1', 'call-2']);
    write('R', 'call-4', '的');
    expect(payloads(follower)).toEqual(['call-3', '的']);
    expect(payloads(follower)).toEqual([]);
    follower.close();
  });

  it('continues in the next segment, also when one was finished before it came', () => {
    spool = open(200);
    const follower = new SpoolFollower(spool.folder, payloadOf, SPOOL_START);
    const sent: string[] = [];
    for (let number = 0; number < 20; number += 1) {
      const callId = `call-${number}`;
      write('D', callId, 'x'.repeat(70));
      write('S', callId, `${callId} ${'y'.repeat(70)}`);
      sent.push(`${callId} ${'y'.repeat(70)}`);
      // Renames segments under the follower.
      spool.complete(callId);
    }
    const got: string[] = [];
    for (let part = payloads(follower, 3); part.length > 0; part = payloads(follower, 3)) got.push(...part);
    expect(got).toEqual(sent);
    expect(follower.position.segment).toBeGreaterThan(5);
    follower.close();
  });

  it('starts again where another one had come to', () => {
    spool = open();
    const first = new SpoolFollower(spool.folder, payloadOf, SPOOL_START);
    for (const callId of ['a', 'b', 'c']) write('S', callId);
    expect(payloads(first, 2)).toEqual(['a', 'b']);
    const { position } = first;
    first.close();
    const second = new SpoolFollower(spool.folder, payloadOf, position);
    expect(payloads(second)).toEqual(['c']);
    second.close();
  });

  it('reads a record larger than its buffer', () => {
    spool = open();
    const follower = new SpoolFollower(spool.folder, payloadOf, SPOOL_START);
    const large = 'z'.repeat(500_000);
    write('S', 'a');
    write('S', 'b', large);
    write('S', 'c');
    expect(payloads(follower).map((payload) => payload.length)).toEqual([1, 500_000, 1]);
    follower.close();
  });

  it('reports bytes that are no records, and does not read over them', () => {
    spool = open();
    const follower = new SpoolFollower(spool.folder, payloadOf, SPOOL_START);
    write('S', 'a');
    const { segment, offsetBytes } = spool.progress.read();
    appendFileSync(join(spool.folder, segmentName(1)), 'not a record at all');
    const beyond = { segment, offsetBytes: offsetBytes + 19 };
    expect(follower.read(beyond, 10)).toEqual(['a']);
    expect(() => follower.read(beyond, 10)).toThrow(SpoolReadError);
    expect(() => follower.read(beyond, 10)).toThrow(SpoolReadError);
    follower.close();
  });

  it('stops at a record it cannot parse', () => {
    spool = open();
    const follower = new SpoolFollower<unknown>(
      spool.folder,
      (_, bytes, start, end) => JSON.parse(bytes.toString('utf8', start, end)),
      SPOOL_START,
    );
    write('S', 'a', '1');
    write('S', 'b', '{"secret');
    expect(follower.read(spool.progress.read(), 10)).toEqual([1]);
    const { position } = follower;
    expect(() => follower.read(spool.progress.read(), 10)).toThrow(
      new SpoolReadError(`segment 1 cannot be understood (SyntaxError) at ${position.offsetBytes}`),
    );
    expect(follower.position).toEqual(position);
    follower.close();
  });

  it('wakes a sleeping reader with the first record, and only with that', () => {
    spool = open();
    let wakes = 0;
    spool.progress.onWake = () => (wakes += 1);
    write('S', 'a');
    expect(wakes).toBe(0);
    spool.progress.fallAsleep();
    write('S', 'b');
    write('S', 'c');
    expect(wakes).toBe(1);
  });
});
