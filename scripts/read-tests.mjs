import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PATTERNS = ['server/**/*.spec.ts', 'console/src/**/*.spec.{ts,tsx}', 'test/**/*.ts'];
/** The risks of the drift test are made up. */
const LEFT_OUT = 'test/drift/risk-ids.e2e-spec.ts';

/** @returns {{path: string, text: string}[]} every file of tests and their rigs, by path */
export function readTests(root) {
  return PATTERNS.flatMap((pattern) => globSync(pattern, { cwd: root }))
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path !== LEFT_OUT)
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}
