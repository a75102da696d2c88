const { relative } = require('node:path');

/** One line per test file with its time, and every failure in full: enough to follow a long run, short enough to read. */
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
};
