/** `npm run docs`: the tables of docs/clients.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withMatrix } from './matrix.js';

const path = join(import.meta.dirname, '../../../docs/clients.md');
writeFileSync(path, withMatrix(readFileSync(path, 'utf8')));
