/** Which tests a run waited for longest, from the reports of both runners. Pure. */
import { relative } from 'node:path';

/** @param {object} report jest's `--json` document */
export function timesOfJest({ testResults }, root) {
  return testResults.flatMap(({ name: path, assertionResults }) =>
    assertionResults.map(({ fullName, duration }) => ({
      name: `${relative(root, path)} › ${fullName}`,
      ms: duration ?? 0,
    })),
  );
}

/** @param {object} report the document of Playwright's json reporter */
export function timesOfPlaywright({ suites }) {
  return suites.flatMap((suite) => [
    ...timesOfPlaywright({ suites: suite.suites ?? [] }),
    ...(suite.specs ?? []).map(({ file, title, tests }) => ({
      name: `browser/${file} › ${title}`,
      ms: tests
        .flatMap(({ results }) => results)
        .map(({ duration }) => duration)
        .reduce((sum, ms) => sum + ms, 0),
    })),
  ]);
}

/** @returns one line per test, the longest first */
export function slowestOf(times, count) {
  return times
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, count)
    .map(({ name, ms }) => `  ${(ms / 1000).toFixed(1).padStart(6)} s  ${name}`);
}
