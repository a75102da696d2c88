/**
 * `npm run vendors -- NAME...`: the files of the product that name a vendor in their path or code, comments left out, one line a vendor.
 * `--at COMMIT` counts those of a commit, `--list` prints their paths. Specs, helpers of tests and migrations are left out.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commentsOf } from './comment-citations.mjs';

const root = join(import.meta.dirname, '..');
const PRODUCT = /^(?:server|console\/src)\/.*(?<!\.spec)\.tsx?$/;
const LEFT_OUT = /\.d\.ts$|\/migrations\/|^console\/src\/testing\//;
const MOST_OUTPUT_BYTES = 256 * 1024 * 1024;

/** Parts of an identifier or path: `readXAIKey` has `read`, `XAI` and `Key`. */
const PART = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g;

/**
 * True when the text has the name as a part of an identifier, or as two parts side by side (`deepSeek`).
 * @param {string} text
 * @param {string} name  in lower case
 */
export function namesVendor(text, name) {
  if (!text.toLowerCase().includes(name)) return false;
  return (text.match(/[A-Za-z]+/g) ?? []).some((word) => {
    const parts = (word.match(PART) ?? []).map((part) => part.toLowerCase());
    return parts.some((part, index) => part === name || `${part}${parts[index + 1] ?? ''}` === name);
  });
}

/**
 * The code of a file without its comments.
 * @param {string} path
 * @param {string} text
 */
export function withoutComments(path, text) {
  let code = text;
  for (const [start, comment] of commentsOf(path, text).sort(([left], [right]) => right - left))
    code = code.slice(0, start) + code.slice(start + comment.length);
  return code;
}

const git = (...words) =>
  execFileSync('git', words, { cwd: root, encoding: 'utf8', maxBuffer: MOST_OUTPUT_BYTES });

/** Paths and texts of the product's files: those on disk, or those of a commit. */
function productFiles(commit) {
  const listed = commit === undefined ? git('ls-files') : git('ls-tree', '-r', '--name-only', commit);
  const paths = listed.split('\n').filter((path) => PRODUCT.test(path) && !LEFT_OUT.test(path));
  if (commit === undefined) return paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]);
  const { stdout } = spawnSync('git', ['cat-file', '--batch'], {
    cwd: root,
    input: paths.map((path) => `${commit}:${path}`).join('\n'),
    maxBuffer: MOST_OUTPUT_BYTES,
  });
  let at = 0;
  return paths.map((path) => {
    const end = stdout.indexOf(10, at);
    const bytes = Number(stdout.toString('utf8', at, end).split(' ')[2]);
    at = end + 1 + bytes + 1;
    return [path, stdout.toString('utf8', end + 1, end + 1 + bytes)];
  });
}

function main(words) {
  const position = words.indexOf('--at');
  const commit = position === -1 ? undefined : words[position + 1];
  const names = words.filter((word, index) => !word.startsWith('--') && words[index - 1] !== '--at');
  const files = productFiles(commit).map(([path, text]) => [path, withoutComments(path, text)]);
  for (const name of names) {
    const found = files.filter(([path, code]) => namesVendor(path, name) || namesVendor(code, name));
    process.stdout.write(`${name} ${found.length}\n`);
    if (words.includes('--list')) found.forEach(([path]) => process.stdout.write(`  ${path}\n`));
  }
}

if (process.argv[1] === import.meta.filename) main(process.argv.slice(2));
