/** Which files each part of the tests runs, and which of them a pattern of `npm test -- PATTERN` means. Built-in modules only. */
import { globSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';

/** Jest's and Playwright's configurations read these too. Globs are relative to the repository. */
export const TEST_GLOBS = {
  unit: ['server/**/*.spec.ts'],
  integration: ['test/**/*.e2e-spec.ts'],
  console: ['console/src/**/*.spec.ts', 'console/src/**/*.spec.tsx'],
  clients: ['test/e2e/clients/compiled/*.e2e-spec.ts'],
  browser: ['test/browser/**/*.spec.ts'],
};

/** What a part's globs take in that another part runs. */
const OTHERS = { integration: /^test\/e2e\/clients\/compiled\// };

/** @returns {Record<string, string[]>} the files of each part, relative to the repository, by path */
export function filesByPart(root) {
  return Object.fromEntries(
    Object.entries(TEST_GLOBS).map(([part, globs]) => [
      part,
      globs
        .flatMap((glob) => globSync(glob, { cwd: root }))
        .map((path) => path.replaceAll('\\', '/'))
        .filter((path) => OTHERS[part]?.test(path) !== true)
        .toSorted(),
    ]),
  );
}

/** A pattern is part of a path, in any case; a path may be written from the root of the file system or with `./`. */
function textOf(pattern, root) {
  const path = isAbsolute(pattern) ? relative(root, pattern) : pattern;
  return path.replaceAll('\\', '/').replace(/^\.\//, '').toLowerCase();
}

/**
 * @param {readonly string[]} patterns
 * @param {Record<string, string[]>} files those of every part that may run
 * @returns {{ chosen: Record<string, string[]>, unknown: string[] }} by part what any pattern means, and the patterns that mean nothing
 */
export function chooseFiles(patterns, files, root) {
  const texts = patterns.map((pattern) => textOf(pattern, root));
  const isMeant = (path) => texts.some((text) => path.toLowerCase().includes(text));
  const all = Object.values(files).flat();
  return {
    chosen: Object.fromEntries(
      Object.entries(files)
        .map(([part, paths]) => [part, paths.filter(isMeant)])
        .filter(([, paths]) => paths.length > 0),
    ),
    unknown: patterns.filter((_, at) => !all.some((path) => path.toLowerCase().includes(texts[at]))),
  };
}
