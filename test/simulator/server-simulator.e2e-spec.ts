import { describe, expect, it, jest } from '@jest/globals';
import 'reflect-metadata';
import { createTestDatabase } from '../support/database.ts';
import { simulate } from './simulation.js';

// Statements of a server cost a thousand times those of a database in memory, and more on a machine that others use.
jest.setTimeout(300_000);

const STEPS = 2_000;

describe.each(['mariadb', 'postgres'] as const)('the money module over %s, where workers die', (kind) => {
  it('loses and doubles no charge', async () => {
    const report = await simulate({
      seed: 33,
      steps: STEPS,
      epochSteps: STEPS / 2,
      crashOnceIn: 60,
      breakOnceIn: 40,
      makeDatabase: () => createTestDatabase(kind),
    });
    expect(report.faults).toEqual([]);
    expect(report.crashes).toBeGreaterThan(3);
    expect(report.brokenConnections).toBeGreaterThan(3);
    expect(report.charged).toBeGreaterThan(10);
    expect(report.recovered).toBeGreaterThan(3);
  });
});
