import { expect, it } from '@jest/globals';
import type { TFunction } from 'i18next';
import { setupSchema } from './setup.schema';

const t = ((key: string) => key) as TFunction;
const filled = { username: 'root', password: 'long enough', confirm: 'long enough', token: '', mode: 'self' };

function faults(part: Partial<typeof filled>, withAccount = true): string[] {
  const read = setupSchema(t, withAccount).safeParse({ ...filled, ...part });
  return read.success ? [] : read.error.issues.map((issue) => issue.message);
}

it('names every fault of the first password at once', () => {
  expect(faults({})).toEqual([]);
  expect(faults({ password: 'short', confirm: 'other' })).toEqual([
    'setup.error.password',
    'setup.error.confirm',
  ]);
  expect(faults({ confirm: 'something else' })).toEqual(['setup.error.confirm']);
  expect(faults({ password: 'short', confirm: 'other' }, false)).toEqual([]);
});
