import { describe, expect, it } from '@jest/globals';
import { SecretBox } from '../../infra/crypto/secret-box.js';
import { OwnLineIds } from './own-line-ids.js';

const ids = new OwnLineIds(new SecretBox('a secret of at least thirty-two characters'));
const rows = [1, 2, 3, 100, 2 ** 23 - 1, 2 ** 23, 2 ** 31, 2 ** 46 - 1];

describe('the numbers of own log lines', () => {
  it('are taken back to the row they stand for, by their owner alone', () => {
    for (const id of rows) {
      const own = ids.of({ userId: 7, id });
      expect(ids.rowOf(7, own)).toBe(id);
      expect(ids.rowOf(8, own)).not.toBe(id);
    }
  });

  it('are whole, each once, of at most fifteen digits, and never a row id', () => {
    const own = Array.from({ length: 2_000 }, (_, index) => ids.of({ userId: 7, id: index + 1 }));
    expect(new Set(own).size).toBe(own.length);
    for (const id of own) {
      expect(String(id)).toMatch(/^\d{15}$/);
      expect(id).toBeGreaterThan(2 ** 46);
    }
    expect(rows.map((id) => ids.rowOf(7, id))).toEqual(rows.map(() => null));
  });

  it('tell neither order nor distance', () => {
    const own = Array.from({ length: 200 }, (_, index) => ids.of({ userId: 7, id: 5_000 + index }));
    const rises = own.filter((id, index) => index > 0 && id > (own[index - 1] ?? 0)).length;
    expect(rises).toBeGreaterThan(60);
    expect(rises).toBeLessThan(140);
    expect(own.some((id, index) => Math.abs(id - (own[index + 1] ?? 0)) < 1_000_000)).toBe(false);
  });
});
