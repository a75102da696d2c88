/** Summary at the end of a run, from the reports of both runners: the slowest tests, and the failed ones with their reasons. Pure. */
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const NAMED_FAILURES = 12;
const LINES_EACH = 14;
const CHARACTERS_EACH = 1200;

/**
 * @param {object} report what brief-reporter.cjs writes, the members of jest's `--json` document that are read here
 * @returns {{ name: string, ms: number, failure?: string }[]}  a file that could not be loaded is one failure
 */
export function testsOfJest({ testResults }, root) {
  return testResults.flatMap(({ name: path, assertionResults, status, message }) => {
    const file = relative(root, path);
    if (assertionResults.length === 0 && status === 'failed')
      return [{ name: file, ms: 0, failure: message }];
    return assertionResults.map(({ fullName, duration, status: end, failureMessages }) => ({
      name: `${file} › ${fullName}`,
      ms: duration ?? 0,
      ...(end === 'failed' ? { failure: failureMessages.join('\n') } : {}),
    }));
  });
}

/**
 * Suites that a machine has no means for say so in their title.
 * @param {object} report as above
 * @returns {string[]} titles with the reason, each once
 */
export function leftOutOf({ testResults }) {
  const titles = testResults.flatMap(({ assertionResults }) =>
    assertionResults.flatMap(({ status, ancestorTitles }) =>
      status === 'pending' ? ancestorTitles.filter((title) => title.includes(', left out: ')) : [],
    ),
  );
  return [...new Set(titles)];
}

/** @param {object} report the document of Playwright's json reporter */
export function testsOfPlaywright({ suites }) {
  return suites.flatMap((suite) => [
    ...testsOfPlaywright({ suites: suite.suites ?? [] }),
    ...(suite.specs ?? []).map(({ file, title, tests, ok }) => {
      const results = tests.flatMap((test) => test.results);
      return {
        name: `browser/${file} › ${title}`,
        ms: results.map(({ duration }) => duration).reduce((sum, ms) => sum + ms, 0),
        ...(ok
          ? {}
          : {
              failure: results
                .flatMap(({ errors }) => errors ?? [])
                .map(textOf)
                .join('\n'),
            }),
      };
    }),
  ]);
}

const textOf = ({ message, stack }) => stack ?? message ?? '';

/** @returns one line per test that took as much as shows, the longest first */
export function slowestOf(tests, count) {
  return tests
    .filter(({ ms }) => ms >= 50)
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, count)
    .map(({ name, ms }) => `  ${(ms / 1000).toFixed(1).padStart(6)} s  ${name}`);
}

/** @returns the names of what failed, each with the beginning of its reason: a log is often kept by its end only */
export function failuresOf(tests) {
  const failed = tests.filter(({ failure }) => failure !== undefined);
  const lines = failed
    .slice(0, NAMED_FAILURES)
    .flatMap(({ name, failure }) => [`  ✗ ${name}`, ...reasonOf(failure)]);
  const rest = failed.length - NAMED_FAILURES;
  return rest > 0 ? [...lines, `  and ${rest} more`] : lines;
}

function reasonOf(failure) {
  return stripVTControlCharacters(failure)
    .slice(0, CHARACTERS_EACH)
    .split('\n')
    .filter(
      (line) => line.trim() !== '' && !line.includes('/node_modules/') && !line.includes('node:internal'),
    )
    .slice(0, LINES_EACH)
    .map((line) => `      ${line.trimEnd()}`);
}
