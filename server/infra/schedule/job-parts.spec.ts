import { describe, expect, it } from '@jest/globals';
import { JobParts } from './job-parts.js';
import { JobOvertakenError } from './job-run.js';

/** Works on rows that are named by number; those with a fault fail with it. */
async function workOn(
  parts: JobParts,
  faults: Readonly<Record<number, Error>>,
  count = 3,
): Promise<number[]> {
  const done: number[] = [];
  const rows = Array.from({ length: count }, (_, index) => index + 1);
  const work = (row: number): Promise<void> => {
    const fault = faults[row];
    if (fault !== undefined) return Promise.reject(fault);
    done.push(row);
    return Promise.resolve();
  };
  await parts.each(rows, { run: undefined, nameOf: (row) => `row ${row}`, work });
  return done;
}

describe('JobParts', () => {
  it('continues after a failed row and names it at the end', async () => {
    const parts = new JobParts();
    expect(await workOn(parts, { 1: new Error('broken') })).toEqual([2, 3]);
    await parts.make('the rest', () => Promise.reject(new Error('gone')));
    expect(() => parts.throwIfAnyFailed()).toThrow('row 1: broken; the rest: gone');
  });

  it('names ten faults, and counts the others', async () => {
    const parts = new JobParts();
    const all = Object.fromEntries(Array.from({ length: 13 }, (_, index) => [index + 1, new Error('no')]));
    expect(await workOn(parts, all, 14)).toEqual([14]);
    expect(() => parts.throwIfAnyFailed()).toThrow(/row 10: no; 3 more$/);
  });

  it('demands nothing when every row is done', async () => {
    const parts = new JobParts();
    expect(await workOn(parts, {})).toEqual([1, 2, 3]);
    expect(() => parts.throwIfAnyFailed()).not.toThrow();
  });

  it.each([
    ['the database is away', Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })],
    ['another worker took the job over', new JobOvertakenError('overtaken')],
  ])('ends when %s', async (_case, fault) => {
    const parts = new JobParts();
    await expect(workOn(parts, { 2: fault })).rejects.toBe(fault);
  });

  it('checks before each row whether the job is still its own', async () => {
    const overtaken = new JobOvertakenError('overtaken');
    const done: number[] = [];
    const run = { confirm: () => (done.length < 2 ? Promise.resolve() : Promise.reject(overtaken)) };
    const work = (row: number): Promise<void> => Promise.resolve(void done.push(row));
    await expect(new JobParts().each([1, 2, 3], { run, nameOf: String, work })).rejects.toBe(overtaken);
    expect(done).toEqual([1, 2]);
  });
});
