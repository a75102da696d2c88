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
 */

const FORMS = [
  ['.chunks.txt', 'chunks'],
  ['.sse', 'sse'],
  ['.json', 'whole'],
];

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
        if (form === undefined || parts.length < 2) continue;
        const [vendor, ...rest] = parts.slice(0, -1);
        const name = join(...parts.slice(0, -1), basename(entry, form[0]));
        recordings.push({ name, vendor, api: rest.join('/'), form: form[1], bytes: readFileSync(path) });
      }
    }
  };
  walk(folder);
  if (recordings.length === 0)
    throw new Error(`${folder} holds no recordings (VENDOR/NAME.json, .chunks.txt, .sse).`);
  return recordings;
}
