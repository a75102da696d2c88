import { expect, it } from '@jest/globals';
import { leftOutOf } from '../support/read-reports.mjs';

const suite = (status: string, ...ancestorTitles: string[]) => ({ status, ancestorTitles });

it('names what a machine has no means for once at the end of a run, with its reason', () => {
  const title = 'Go packages nobody here wrote read every answer, left out: there is no go';
  const report = {
    testResults: [
      { assertionResults: [suite('pending', title), suite('pending', title), suite('passed', 'all else')] },
      { assertionResults: [suite('pending', 'a suite of another kind')] },
    ],
  };
  expect(leftOutOf(report)).toEqual([title]);
});
