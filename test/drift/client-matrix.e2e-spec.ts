import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OPEN_CELLS } from '../e2e/clients/open-cells.js';
import { withMatrix } from '../e2e/clients/matrix.js';
import { TRIED_CLIENTS } from '../e2e/clients/tried-clients.js';

describe('docs/clients.md (npm run docs)', () => {
  it('names clients, versions and what is not right as the tests have them', () => {
    const document = readFileSync(join(import.meta.dirname, '../../docs/clients.md'), 'utf8');
    expect(withMatrix(document)).toBe(document);
  });

  it('every open cell is of a client that is tried', () => {
    const strangers = OPEN_CELLS.filter(
      ({ language, client }) => !TRIED_CLIENTS[language].some(({ name }) => name === client),
    );
    expect(strangers).toEqual([]);
  });
});
