/** Which files each part of the tests runs, and which of them a pattern of `npm test -- PATTERN` means. Built-in modules only. */
import { globSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';

/** Jest's and Playwright's configurations read these too. Globs are relative to the repository. */
export const TEST_GLOBS = {
  unit: ['server/**/*.spec.ts', 'bench/**/*.spec.ts'],
  integration: ['test/**/*.e2e-spec.ts'],
  console: ['console/src/**/*.spec.ts', 'console/src/**/*.spec.tsx'],
  clients: ['test/e2e/clients/{compiled,programs}/*.e2e-spec.ts'],
  browser: ['test/browser/**/*.spec.ts'],
};

/** Files in a part's globs that another part runs. */
const OTHERS = { integration: /^test\/e2e\/clients\/(compiled|programs)\// };

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

/** Patterns are compared in small letters; a path may be written from the root of the file system or with `./`. */
function textOf(pattern, root) {
  const path = isAbsolute(pattern) ? relative(root, pattern) : pattern;
  return path.replaceAll('\\', '/').replace(/^\.\//, '').toLowerCase();
}

const MOST_NEAREST = 3;

/** A file's name up to its first dot. */
const baseOf = (path) => path.slice(path.lastIndexOf('/') + 1).replace(/\..*$/, '');

/**
 * A pattern that is the whole name of files, and not the name of a folder, means these alone; any other what holds it in its path.
 * @param {string[]} paths in small letters
 */
function pathsMeant(text, paths) {
  const isFolder = paths.some((path) => path.split('/').slice(0, -1).includes(text));
  const named = isFolder ? [] : paths.filter((path) => baseOf(path) === text);
  return named.length > 0 ? named : paths.filter((path) => path.includes(text));
}

/** @returns {string[]} the files whose names need the fewest letters changed, at most a third of them */
function nearestTo(text, paths) {
  const wanted = baseOf(text);
  return paths
    .map((path) => ({ path, letters: lettersBetween(wanted, baseOf(path).toLowerCase()) }))
    .filter(({ letters }) => letters <= wanted.length / 3)
    .toSorted((a, b) => a.letters - b.letters)
    .slice(0, MOST_NEAREST)
    .map(({ path }) => path);
}

/** Number of characters to add, remove or change (Levenshtein's distance). */
function lettersBetween(from, to) {
  let above = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [row, letter] of [...from].entries()) {
    const line = [row + 1];
    for (let at = 0; at < to.length; at += 1)
      line.push(Math.min(above[at] + (letter === to[at] ? 0 : 1), above[at + 1] + 1, line[at] + 1));
    above = line;
  }
  return above[to.length];
}

/**
 * @param {readonly string[]} patterns
 * @param {Record<string, string[]>} files those of every part that may run
 * @returns {{ chosen: Record<string, string[]>, unknown: { pattern: string, nearest: string[] }[] }}
 *   by part what any pattern means, and the patterns that mean nothing with the files whose names are most like them
 */
export function chooseFiles(patterns, files, root) {
  const all = Object.values(files).flat();
  const lower = all.map((path) => path.toLowerCase());
  const choices = patterns.map((pattern) => {
    const text = textOf(pattern, root);
    return { pattern, text, meant: pathsMeant(text, lower) };
  });
  const meant = new Set(choices.flatMap((choice) => choice.meant));
  return {
    chosen: Object.fromEntries(
      Object.entries(files)
        .map(([part, paths]) => [part, paths.filter((path) => meant.has(path.toLowerCase()))])
        .filter(([, paths]) => paths.length > 0),
    ),
    unknown: choices
      .filter((choice) => choice.meant.length === 0)
      .map(({ pattern, text }) => ({ pattern, nearest: nearestTo(text, all) })),
  };
}
