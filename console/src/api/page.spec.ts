import { describe, expect, it } from '@jest/globals';
import { barePage, countedFromOne, fixedPage, numberIn } from './page';

interface Row {
  readonly id: number;
}

/** A list of the server, newest first, in pages of `size` that count from 0. */
function listOf(ids: readonly number[], size: number, hasTotal: boolean) {
  const asked: number[] = [];
  const headers = hasTotal ? { 'X-Total-Count': String(ids.length) } : undefined;
  const call = (p: number) => {
    asked.push(p);
    const data: Row[] = ids.slice(p * size, (p + 1) * size).map((id) => ({ id }));
    return Promise.resolve({ data: { data }, response: new Response(null, { headers }) });
  };
  return { call, asked };
}
const numbers = (length: number) => Array.from({ length }, (_each, index) => length - index);

describe('barePage', () => {
  it('asks for a page one lower than the console counts', async () => {
    const list = listOf(numbers(25), 10, true);
    expect(await barePage({ page: 3, pageSize: 10 }, list.call)).toMatchObject({ total: 25 });
    expect(list.asked).toEqual([2]);
  });

  it('guesses the end from a page that is not full when the server gives no total', async () => {
    const list = listOf(numbers(25), 10, false);
    const totals = await Promise.all(
      [1, 2, 3, 4].map(async (page) => (await barePage({ page, pageSize: 10 }, list.call)).total),
    );
    // After a full page there may be one more row.
    expect(totals).toEqual([11, 21, 25, 30]);
  });

  it('takes an answer without data for an empty list', async () => {
    const call = () =>
      Promise.resolve({ response: new Response(null, { headers: { 'X-Total-Count': 'many' } }) });
    expect(await barePage({ page: 1, pageSize: 10 }, call)).toEqual({ items: [], total: 0 });
  });
});

describe('fixedPage', () => {
  it('puts a longer page together, and stops where the list does', async () => {
    const list = listOf(numbers(35), 10, true);
    const { items, total } = await fixedPage({ page: 2, pageSize: 20 }, list.call);
    expect([items.length, items[0]?.id, total]).toEqual([15, 15, 35]);
    expect(list.asked).toEqual([2, 3]);
  });

  it('asks for nothing behind the last row that is counted', async () => {
    const list = listOf(numbers(20), 10, true);
    expect((await fixedPage({ page: 1, pageSize: 50 }, list.call)).items).toHaveLength(20);
    expect(list.asked).toEqual([0, 1]);
  });

  it('stops at a page that is not full when the server gives no total', async () => {
    const list = listOf(numbers(25), 10, false);
    expect(await fixedPage({ page: 1, pageSize: 50 }, list.call)).toMatchObject({ total: 25 });
    expect(list.asked).toEqual([0, 1, 2]);
  });

  it('shows a row once that moved on while the list was read', async () => {
    let ids = numbers(20);
    const call = (p: number) => {
      const data = ids.slice(p * 10, (p + 1) * 10).map((id) => ({ id }));
      ids = [99, ...ids];
      return Promise.resolve({
        data: { data },
        response: new Response(null, { headers: { 'X-Total-Count': '21' } }),
      });
    };
    const { items } = await fixedPage({ page: 1, pageSize: 20 }, call);
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
    expect(items.filter(({ id }) => id === 11)).toHaveLength(1);
  });
});

describe('parameters of lists', () => {
  it('counts from 1, and gives no number for 0', () => {
    expect(countedFromOne({ page: 2, pageSize: 50 })).toEqual({ p: 2, page_size: 50 });
    expect(['', '0', '12'].map(numberIn)).toEqual([undefined, 0, 12]);
  });
});
