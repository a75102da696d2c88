import { describe, expect, it } from '@jest/globals';
import { filesToLookAtAgain, withSecondLook } from '../support/second-look.mjs';

const test = (fullName: string, status: string): object => ({
  fullName,
  status,
  failureMessages: status === 'failed' ? ['Error: late\n at x'] : [],
});
const file = (name: string, ...assertionResults: object[]): object => ({
  name,
  assertionResults,
  status: assertionResults.some((one) => (one as { status: string }).status === 'failed')
    ? 'failed'
    : 'passed',
});

describe('what failed beside everything else is looked at once more', () => {
  it.each([
    [['test/a.spec.ts'], ['test/a.spec.ts']],
    [
      ['a', 'b', 'c'],
      ['a', 'b', 'c'],
    ],
    [['a', 'b', 'c', 'd'], []],
    [['a', 'test/chaos/chaos.spec.ts'], []],
    [['test/e2e/relay/money-crash.e2e-spec.ts'], []],
    [['test/cluster/holds.spec.ts'], []],
  ])('%j: %j', (failed, expected) => {
    const report = {
      testResults: [
        file('fine', test('t', 'passed')),
        ...failed.map((name) => file(name, test('t', 'failed'))),
      ],
    };
    expect(filesToLookAtAgain(report)).toEqual(expected);
  });

  it('counts what it says then, and names what failed at first only', () => {
    const first = {
      testResults: [
        file('a', test('late', 'failed'), test('wrong', 'failed'), test('right', 'passed')),
        file('b', test('t', 'passed')),
      ],
    };
    const again = {
      testResults: [file('a', test('late', 'passed'), test('wrong', 'failed'), test('right', 'passed'))],
    };
    const { result, unsteady } = withSecondLook(first, again);
    expect(result).toMatchObject({ numPassedTests: 3, numFailedTests: 1, numRuntimeErrorTestSuites: 0 });
    expect(unsteady).toEqual(['late: Error: late']);
  });
});
