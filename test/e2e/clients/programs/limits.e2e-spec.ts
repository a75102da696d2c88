import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CONNECT_ANSWER, type ConnectFixture, type ConnectRun, openConnectFixture } from '../connect-runs.js';
import { programClients } from '../tool-chains.js';

const PROGRAMS = [
  ['claude-code', 'claude -p "Hello!"'],
  ['codex', 'codex exec --skip-git-repo-check "Hello!"'],
] as const;
const TIMEOUT_MS = 240_000;
/** One request in the period that ends now, whatever the hour. */
const DAY: ConnectRun['limit'] = {
  rule: { measure: 'requests', amount: 1, period: 'day', rolling: true },
  filledBy: 1,
};
/** Programs make more than one call for a prompt. */
const MINUTE: ConnectRun['limit'] = {
  rule: { measure: 'requests', amount: 20, period: 'minute', rolling: true },
  filledBy: 20,
};

const program = programClients();
const folder = 'missing' in program ? undefined : program.command()[0];
const suite = folder === undefined ? describe.skip : describe;
const because = 'missing' in program ? `, left out: ${program.missing}` : '';

suite(`programs of the terminal at a limit${because}`, () => {
  let fixture: ConnectFixture;
  beforeAll(async () => {
    fixture = await openConnectFixture();
  }, TIMEOUT_MS);
  afterAll(() => fixture.close());

  it.each(PROGRAMS)(
    'shows the limit of a day by %s, and repeats no call',
    async (id, line) => {
      const programs = [folder ?? '', dirname(process.execPath)];
      const { output, reached } = await fixture.run(id, { programs, line, limit: DAY, mayFail: true });
      expect(output).toMatch(/The limit "agents" of 1 request a day for this API key is reached/);
      expect(reached).toBe(0);
    },
    TIMEOUT_MS,
  );

  it.each(PROGRAMS)(
    'waits at the limit of a minute by %s, and gets its answer',
    async (id, line) => {
      const programs = [folder ?? '', dirname(process.execPath)];
      const { output, reached } = await fixture.run(id, { programs, line, limit: MINUTE });
      expect(output).toContain(CONNECT_ANSWER);
      expect(reached).toBeGreaterThanOrEqual(1);
    },
    TIMEOUT_MS,
  );
});
