/** Which files of a run are looked at once more, alone, and what that says. Pure. */

/** More than a few is no accident. */
const MAX_FILES = 3;
/** A figure of money that is wrong once in a hundred runs is wrong: what these find is never looked at twice. */
const NEVER = /test\/(chaos|simulator)\/|money|crash|booking|holds|slices|reservations|settle|wallet/;

/**
 * @param {object} report jest's `--json` document
 * @returns {string[]} files whose failure may be the machine's: everything runs at once on it, many programs among it
 */
export function filesToLookAtAgain({ testResults }) {
  const files = testResults.filter(({ status }) => status === 'failed').map(({ name }) => name);
  return files.length <= MAX_FILES && !files.some((file) => NEVER.test(file)) ? files : [];
}

/**
 * @param {object} first jest's document of the run
 * @param {object} again that of the files which were looked at again
 * @returns {{ result: object, unsteady: string[] }} the run with the second results of those files, and what failed only at first
 */
export function withSecondLook(first, again) {
  const repeated = new Map(again.testResults.map((file) => [file.name, file]));
  const testResults = first.testResults.map((file) => repeated.get(file.name) ?? file);
  const passed = new Set(
    again.testResults.flatMap((file) =>
      file.assertionResults
        .filter(({ status }) => status === 'passed')
        .map(({ fullName }) => `${file.name} ${fullName}`),
    ),
  );
  const unsteady = first.testResults
    .filter(({ name }) => repeated.has(name))
    .flatMap((file) =>
      file.assertionResults
        .filter(({ status, fullName }) => status === 'failed' && passed.has(`${file.name} ${fullName}`))
        .map(
          ({ fullName, failureMessages }) => `${fullName}: ${failureMessages.join(' ').split('\n', 1)[0]}`,
        ),
    );
  return { result: { ...first, ...countsOf(testResults), testResults }, unsteady };
}

function countsOf(testResults) {
  const ends = testResults.flatMap(({ assertionResults }) => assertionResults.map(({ status }) => status));
  const count = (...wanted) => ends.filter((end) => wanted.includes(end)).length;
  return {
    numPassedTests: count('passed'),
    numFailedTests: count('failed'),
    numPendingTests: count('pending', 'skipped', 'disabled'),
    numTodoTests: count('todo'),
    numRuntimeErrorTestSuites: testResults.filter(
      ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
    ).length,
  };
}
