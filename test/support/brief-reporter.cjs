const { writeFileSync } = require('node:fs');
const { relative } = require('node:path');

/**
 * One line per test file with its time, and every failure in full: enough to follow a long run, short enough to read.
 * At the end the results go to the file that BRIEF_REPORT_FILE names. Jest's own `--json --outputFile` prints a line about its file.
 */
module.exports = class BriefReporter {
  constructor(globalConfig) {
    this.root = globalConfig.rootDir;
    this.done = 0;
  }

  onRunStart({ numTotalTestSuites }) {
    this.all = numTotalTestSuites;
  }

  onTestResult(test, result) {
    const name = relative(this.root, test.path);
    const time = `${((result.perfStats.runtime ?? 0) / 1000).toFixed(1)} s`;
    const isBroken = result.numFailingTests > 0 || result.testExecError !== undefined;
    this.done += 1;
    const place = `${this.done}/${this.all}`.padStart(7);
    process.stdout.write(
      `${place} ${isBroken ? '✗' : '✓'} ${name} (${result.numPassingTests} tests, ${time})\n`,
    );
    if (!isBroken) return;
    if (result.failureMessage) process.stdout.write(`${result.failureMessage}\n`);
    for (const { message } of result.console ?? []) process.stdout.write(`    printed: ${message}\n`);
  }

  onRunComplete(_contexts, results) {
    const file = process.env.BRIEF_REPORT_FILE;
    if (file !== undefined) writeFileSync(file, JSON.stringify(reportOf(results)));
  }
};

/** The members of jest's `--json` document that read-reports.mjs and run-tests.mjs read. */
function reportOf(results) {
  const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites, numPendingTests, numTodoTests } =
    results;
  return {
    numPassedTests,
    numFailedTests,
    numRuntimeErrorTestSuites,
    numPendingTests,
    numTodoTests,
    testResults: results.testResults.map(
      ({ testFilePath, testExecError, numFailingTests, failureMessage, testResults }) => ({
        name: testFilePath,
        status: testExecError !== undefined || numFailingTests > 0 ? 'failed' : 'passed',
        message: failureMessage ?? '',
        assertionResults: testResults.map(
          ({ fullName, duration, status, failureMessages, ancestorTitles }) => ({
            fullName,
            duration,
            status,
            failureMessages,
            ancestorTitles,
          }),
        ),
      }),
    ),
  };
}
