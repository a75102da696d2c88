import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A diff of a page: lines that are there, and what stands in their place afterwards. */
export interface Hunk {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export interface Change {
  /** From the root of the repository. */
  readonly path: string;
  readonly hunks: readonly Hunk[];
}

/** A section of a page with diffs, and the test files it names. */
export interface WorkedExample {
  readonly title: string;
  readonly changes: readonly Change[];
  readonly specs: readonly string[];
}

/** Diffs follow a line that begins with the path of their file; `Run` begins the line of the tests. */
export function readExamples(page: string): WorkedExample[] {
  return page
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      title: section.split('\n', 1)[0] ?? '',
      changes: [...section.matchAll(/^`([^`]+)`[^\n]*\n\n```diff\n([\s\S]*?)^```$/gm)].map(
        ([, path = '', diff = '']) => ({ path, hunks: diff.split(/^@@\n/m).map(readHunk) }),
      ),
      specs: [...(/^Run (.*)$/m.exec(section)?.[1] ?? '').matchAll(/`([^`]+)`/g)].map(
        ([, path = '']) => path,
      ),
    }));
}

function readHunk(diff: string): Hunk {
  const lines = diff.split('\n').slice(0, -1);
  const side = (mark: string): string[] =>
    lines
      .filter((line) => line === '' || line.startsWith(' ') || line.startsWith(mark))
      .map((line) => line.slice(1));
  return { before: side('-'), after: side('+') };
}

/** Fails: throws Error when a hunk's lines are not in the file, or more than once. */
export function applyChange(root: string, { path, hunks }: Change): void {
  const file = join(root, path);
  let lines = existsSync(file) ? linesOf(readFileSync(file, 'utf8')) : [];
  for (const { before, after } of hunks) {
    if (before.length === 0 && lines.length > 0) throw new Error(`${path}: a diff without a place`);
    const places = before.length === 0 ? [0] : placesOf(lines, before);
    const [place = 0] = places;
    if (places.length !== 1) throw new Error(`${path}: found ${places.length} times:\n${before.join('\n')}`);
    lines = lines.toSpliced(place, before.length, ...after);
  }
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${lines.join('\n')}\n`);
}

const linesOf = (text: string): string[] => text.replace(/\n$/, '').split('\n');

const placesOf = (lines: readonly string[], block: readonly string[]): number[] =>
  lines.flatMap((_, at) => (block.every((line, index) => lines[at + index] === line) ? [at] : []));
