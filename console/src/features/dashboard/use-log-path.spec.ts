import { expect, it } from '@jest/globals';
import { logPathOf } from './use-log-path';

const SPAN = { start: 3_600, end: 7_200 };

it('leads to the answered calls of a name within its time', () => {
  expect(logPathOf({ filters: { model_name: 'gpt 4' } }, SPAN)).toBe(
    '/log?type=2&model_name=gpt+4&start=3600&end=7199',
  );
});

it('leads nowhere for several names together, or for a name that is not known', () => {
  expect(logPathOf({}, SPAN)).toBeUndefined();
  expect(logPathOf({ filters: { token_name: '', username: 'ada' } }, SPAN)).toBeUndefined();
});
