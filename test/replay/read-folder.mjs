import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';

/**
 * One recorded answer.
 * @typedef {object} Recording
 * @property {string} name path below the folder, without its ending
 * @property {string} vendor first folder of that path
 * @property {string} api the folders between, `''` when there are none
 * @property {'whole' | 'chunks' | 'sse'} form
 * @property {Buffer} bytes as in the file
 * @property {object} [expected] what a reader of it has, from `NAME.expected.json`: for vendors without a package
 */

const FORMS = [
  ['.chunks.txt', 'chunks'],
  ['.sse', 'sse'],
  ['.json', 'whole'],
];

const EXPECTED = '.expected.json';
const LAST_EVENT = /^\s*\{.*"type":\s*"(?:message_stop|response\.completed|response\.incomplete)"/;

/** Some recordings hold the answers of several turns one behind another; a vendor sends one an answer. */
function answersOf(recording) {
  if (recording.form !== 'chunks') return [recording];
  const turns = [[]];
  for (const line of recording.bytes.toString('utf8').split('\n')) {
    if (line.trim() === '') continue;
    if (turns.at(-1).length > 0 && LAST_EVENT.test(turns.at(-1).at(-1))) turns.push([]);
    turns.at(-1).push(line);
  }
  if (turns.length === 1) return [recording];
  return turns.map((lines, index) => ({
    ...recording,
    name: `${recording.name} (${index + 1})`,
    bytes: Buffer.from(lines.join('\n')),
  }));
}

/**
 * Every recording below a folder: `VENDOR/[API/]NAME.json`, `.chunks.txt` (one event's JSON a line) or `.sse` (raw bytes).
 * Fails when the folder is missing or holds none.
 * @returns {Recording[]}
 */
export function readFolder(folder) {
  if (!existsSync(folder)) throw new Error(`There is no folder ${folder}.`);
  const recordings = [];
  const walk = (place) => {
    for (const entry of readdirSync(place).sort()) {
      const path = join(place, entry);
      if (statSync(path).isDirectory()) walk(path);
      else {
        const form = FORMS.find(([ending]) => entry.endsWith(ending));
        const parts = relative(folder, path).split('/');
        if (form === undefined || parts.length < 2 || entry.endsWith(EXPECTED)) continue;
        const [vendor, ...rest] = parts.slice(0, -1);
        const name = join(...parts.slice(0, -1), basename(entry, form[0]));
        const beside = join(place, `${basename(entry, form[0])}${EXPECTED}`);
        const expected = existsSync(beside) ? JSON.parse(readFileSync(beside, 'utf8')) : undefined;
        const recording = {
          name,
          vendor,
          api: rest.join('/'),
          form: form[1],
          bytes: readFileSync(path),
          expected,
        };
        recordings.push(...answersOf(recording));
      }
    }
  };
  walk(folder);
  if (recordings.length === 0)
    throw new Error(`${folder} holds no recordings (VENDOR/NAME.json, .chunks.txt, .sse).`);
  return recordings;
}
