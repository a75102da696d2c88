import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

const MAX_FRAME_MS = 50;
const support = join(import.meta.dirname, '../support');

// In a process of its own: globals that Jest watches cost several times what Node's do.
it('handles 10,000 random frames and the worst cases in less than 50 ms each, with word filter, on either side', () => {
  const words = [
    '--import',
    join(support, 'register-typescript.mjs'),
    join(support, 'realtime-flood-program.ts'),
  ];
  const dearestMs = Number(execFileSync(process.execPath, words, { encoding: 'utf8' }));
  expect(dearestMs).toBeGreaterThan(0);
  expect(dearestMs).toBeLessThan(MAX_FRAME_MS);
});
