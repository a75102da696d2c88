import { describe, expect, it } from '@jest/globals';
import { TimestampList } from './memory-windows.js';

describe('TimestampList', () => {
  it('equals a sorted list, through growing and going round', () => {
    const moments = new TimestampList();
    let list: number[] = [];
    let seed = 7;
    const random = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
      return seed % below;
    };
    let nowMs = 0;
    for (let step = 0; step < 5_000; step += 1) {
      nowMs += random(3);
      moments.add(nowMs);
      list.push(nowMs);
      if (random(4) === 0) {
        const bound = nowMs - random(200);
        moments.dropUntil(bound);
        list = list.filter((moment) => moment > bound);
      }
      const bound = nowMs - random(300);
      expect(moments.countAfter(-1)).toBe(list.length);
      expect(moments.countAfter(bound)).toBe(list.filter((moment) => moment > bound).length);
      const place = 1 + random(40);
      expect(moments.fromLatest(place)).toBe(list[list.length - place]);
    }
  });

  it('stays in order when the clock is set back', () => {
    const moments = new TimestampList();
    for (const moment of [10, 20, 5]) moments.add(moment);
    expect(moments.fromLatest(1)).toBe(20);
    expect(moments.countAfter(10)).toBe(2);
  });

  it('has nothing at first', () => {
    const moments = new TimestampList();
    expect([moments.countAfter(0), moments.fromLatest(1), moments.fromLatest(0)]).toEqual([
      0,
      undefined,
      undefined,
    ]);
  });
});
