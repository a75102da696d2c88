import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const MAX_TURN_MS = 100;
const support = join(import.meta.dirname, '../support');

/** In a process of its own: globals that Jest watches cost several times what Node's do. */
function costsOver(format: string): readonly (readonly [name: string, turnMs: number])[] {
  const words = [
    '--import',
    join(support, 'register-typescript.mjs'),
    join(support, 'hostile-streams-program.ts'),
    format,
  ];
  const output = execFileSync(process.execPath, words, { encoding: 'utf8' });
  return Object.entries(JSON.parse(output) as Record<string, number>);
}

describe('hostile streams', () => {
  it.each(['chat', 'messages', 'responses', 'gemini'])(
    'take no turn of more than 100 ms of CPU from a vendor of %s, passed and translated',
    (format) => {
      const costs = costsOver(format);
      expect(costs.length).toBeGreaterThan(80);
      expect(costs.filter(([, turnMs]) => turnMs > MAX_TURN_MS)).toEqual([]);
    },
    600_000,
  );
});
