import { describe, expect, it } from '@jest/globals';
import { UuidIds } from './uuid-ids.js';

describe('UuidIds', () => {
  it('makes version 7 ids of the present moment, never the same twice', () => {
    const ids = new UuidIds();
    const beforeMs = Date.now();
    const made = Array.from({ length: 5_000 }, () => ids.callId());
    const afterMs = Date.now();
    expect(new Set(made).size).toBe(made.length);
    for (const id of made) {
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      const timeMs = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
      expect(timeMs).toBeGreaterThanOrEqual(beforeMs);
      expect(timeMs).toBeLessThanOrEqual(afterMs);
    }
  });

  it('draws every digit that is not fixed', () => {
    const ids = new UuidIds();
    const seen = Array.from({ length: 36 }, () => new Set<string>());
    for (let round = 0; round < 2_000; round += 1)
      [...ids.callId()].forEach((digit, index) => seen[index]?.add(digit));
    for (const index of [15, 16, 17, 20, 21, 22, ...Array.from({ length: 12 }, (_, offset) => 24 + offset)])
      expect(seen[index]?.size).toBe(16);
    expect(seen[19]?.size).toBe(4);
  });
});
