import { describe, expect, it } from '@jest/globals';
import { codeOf } from '../../../test/support/code-of.js';
import { KEPT_MS } from './bin-rules.js';
import { type BinRow, presentBinRow, readBinPage } from './present-bin.js';

const ROW: BinRow = {
  id: 3,
  name: 'laptop',
  ownerId: 7,
  ownerName: 'ann',
  deletedAtMs: 1_700_000_000_999,
  deletedBy: 7,
  wipedAtMs: null,
  deletedByName: 'ann',
};

describe('presentBinRow', () => {
  it('shows times in seconds and the end of the retention', () => {
    expect(presentBinRow(ROW, '')).toEqual({
      id: 3,
      name: 'laptop',
      owner_id: 7,
      owner_name: 'ann',
      deleted_at: 1_700_000_000,
      deleted_by: 7,
      deleted_by_name: 'ann',
      kept_until: 1_700_000_000 + KEPT_MS / 1000,
      hindrance: '',
      identities: [],
    });
  });

  it.each(['not_kept', 'left'] as const)('shows no end of a retention for a row that is %s', (hindrance) => {
    expect(presentBinRow(ROW, hindrance)).toMatchObject({ kept_until: 0, hindrance });
  });
});

describe('readBinPage', () => {
  it('reads the requested page, and refuses one too far back', async () => {
    const asked: number[][] = [];
    const read = (p: number) =>
      readBinPage({ p, page: undefined, page_size: 100 }, async (...part) => {
        asked.push(part);
        return { items: [], total: 0 };
      });
    expect(await read(3)).toEqual({ items: [], total: 0, page: 3, page_size: 100 });
    expect(asked).toEqual([[200, 100]]);
    expect(await codeOf(read(1_001))).toBe('page_out_of_reach');
  });
});
