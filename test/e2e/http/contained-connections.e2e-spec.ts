import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { REPORTED, UNREPORTED } from '../../support/failing-connections.js';

interface Outcome {
  readonly name: string;
  /** Faults that reached the process: each of them would have ended it. */
  readonly escaped: readonly string[];
  /** Faults that were reported as bugs. */
  readonly reported: readonly string[];
}

const support = join(import.meta.dirname, '../../support');
let outcomes: ReadonlyMap<string, Outcome>;

// In a process of their own: Jest takes what reaches a process for a fault of the test.
beforeAll(async () => {
  const words = [
    '--import',
    join(support, 'register-typescript.mjs'),
    join(support, 'failing-connections-program.ts'),
  ];
  const text = await new Promise<string>((resolve, reject) =>
    execFile(process.execPath, words, { timeout: 50_000 }, (error, stdout) =>
      error === null ? resolve(stdout) : reject(error),
    ),
  );
  const lines = text.trim().split('\n');
  outcomes = new Map(
    lines.map((line) => JSON.parse(line) as Outcome).map((outcome) => [outcome.name, outcome]),
  );
});

describe('a fault in the handling of a connection', () => {
  it.each(Object.keys(REPORTED))(
    'closes the connection when %s fails, reports a bug, and touches nothing else',
    (name) => {
      expect(outcomes.get(name)?.escaped).toEqual([]);
      expect(outcomes.get(name)?.reported).toContain('Error: a fault of ours');
    },
  );

  it.each(Object.keys(UNREPORTED))(
    'closes the connection when it meets %s, and touches nothing else',
    (name) => {
      expect(outcomes.get(name)?.escaped).toEqual([]);
    },
  );
});
