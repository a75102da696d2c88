import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectClient } from '../../../../console/src/shared/connect/clients.ts';
import { CONNECT_ANSWER, CONNECT_MODEL, type ConnectFixture, openConnectFixture } from '../connect-runs.js';
import { programClients } from '../tool-chains.js';

/** Package of each program, and its command for one prompt without a dialog. */
const PROGRAMS: readonly (readonly [id: string, from: string, line: string])[] = [
  ['claude-code', '@anthropic-ai/claude-code', 'claude -p "Hello!"'],
  ['codex', '@openai/codex', 'codex exec --skip-git-repo-check "Hello!"'],
  ['gemini-cli', '@google/gemini-cli', 'gemini --skip-trust -p "Hello!"'],
  ['opencode', 'opencode-ai', 'opencode run "Hello!"'],
  ['qwen-code', '@qwen-code/qwen-code', 'qwen -p "Hello!"'],
  ['cline-cli', 'cline', 'cline --timeout 60 "Say hello in one word."'],
];
const TIMEOUT_MS = 240_000;

const program = programClients();
const folder = 'missing' in program ? undefined : program.command()[0];
const suite = folder === undefined ? describe.skip : describe;
const because = 'missing' in program ? `, left out: ${program.missing}` : '';

suite(`programs of the terminal with the configuration of the console${because}`, () => {
  let fixture: ConnectFixture;
  beforeAll(async () => {
    fixture = await openConnectFixture();
  }, TIMEOUT_MS);
  afterAll(() => fixture.close());

  it.each(PROGRAMS)(
    'calls the model by %s, and the token has the call',
    async (id, _from, line) => {
      const programs = [folder ?? '', dirname(process.execPath)];
      const { output, lastCall } = await fixture.run(id, { programs, line });
      expect(lastCall).toMatchObject({ model: CONNECT_MODEL });
      expect(output).toContain(CONNECT_ANSWER);
    },
    TIMEOUT_MS,
  );

  it('pins the versions that the console names', () => {
    const list = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8')) as {
      readonly dependencies: Readonly<Record<string, string>>;
    };
    for (const [id, from] of PROGRAMS)
      expect([id, connectClient(id).evidence]).toEqual([
        id,
        { kind: 'tested', version: list.dependencies[from] },
      ]);
  });
});
