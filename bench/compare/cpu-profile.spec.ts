import { describe, expect, test } from '@jest/globals';
import { differencesBetween, perCall, selfTimes, type CpuProfile } from './cpu-profile.mjs';

const node = (id: number, functionName: string, url = 'file:///dist/server/main.js') => ({
  id,
  callFrame: { functionName, url },
});

/** Samples at 100, 110, …, 160 µs; a sample stands for the 10 µs after it. */
const PROFILE: CpuProfile = {
  nodes: [node(1, '(idle)'), node(2, 'parseCall'), node(3, ''), node(4, 'read', 'node:net')],
  samples: [2, 1, 2, 3, 4, 4, 2],
  timeDeltas: [0, 10, 10, 10, 10, 10, 10],
  startTime: 100,
};

describe('selfTimes', () => {
  test('sums samples by function and leaves idle time out', () => {
    expect([...selfTimes(PROFILE, [{ fromUs: 0, toUs: 1_000 }])]).toEqual([
      ['parseCall', 20],
      ['(anonymous)', 10],
      ['read [net]', 20],
    ]);
  });

  test('counts samples within the stretches only', () => {
    const stretches = [
      { fromUs: 100, toUs: 105 },
      { fromUs: 140, toUs: 145 },
    ];
    expect([...selfTimes(PROFILE, stretches)]).toEqual([
      ['parseCall', 10],
      ['read [net]', 10],
    ]);
  });
});

describe('perCall', () => {
  test('scales to the CPU time of the thread and uses names of today', () => {
    const times = new Map([
      ['oldName', 30],
      ['newName', 10],
      ['other', 60],
    ]);
    const scaled = perCall(times, 50, new Map([['oldName', 'newName']]));
    expect([...scaled]).toEqual([
      ['newName', 20],
      ['other', 30],
    ]);
  });
});

describe('differencesBetween', () => {
  test('names functions of either build, the largest difference first', () => {
    const rows = differencesBetween(new Map([['a', 1]]), new Map([['a', 2], ['b', 5]])); // prettier-ignore
    expect(rows).toEqual([
      { name: 'b', own: 0, other: 5, difference: -5 },
      { name: 'a', own: 1, other: 2, difference: -1 },
    ]);
  });
});
