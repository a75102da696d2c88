import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ClientProgram } from './client-suite.js';
import {
  CONNECT_ANSWER,
  CONNECT_MODEL,
  type ConnectFixture,
  type ConnectRun,
  openConnectFixture,
} from './connect-runs.js';
import { nodeClients, pythonClients } from './tool-chains.js';

const TIMEOUT_MS = 240_000;

let fixture: ConnectFixture;
beforeAll(async () => {
  fixture = await openConnectFixture();
});
afterAll(() => fixture.close());

async function expectCall(id: string, run: ConnectRun): Promise<void> {
  const { output, lastCall } = await fixture.run(id, run);
  expect(output).toContain(CONNECT_ANSWER);
  expect(lastCall).toMatchObject({ model: CONNECT_MODEL });
}

describe('curl with the configuration of the console', () => {
  it('calls the model, and the token has the call', () => expectCall('curl', {}));
});

/** The folder of the packages of a language; the program that the other specs run stands in it. */
const folderOf = (program: ClientProgram, place: 0 | 1): string | undefined =>
  'missing' in program ? undefined : dirname(program.command()[place] ?? '');

describe.each([
  ['Python', pythonClients, 0, '-python'],
  ['Node', nodeClients, 1, '-node'],
] as const)('packages of %s with the configuration of the console', (_language, clients, place, end) => {
  const folder = folderOf(clients(), place);
  const test = folder === undefined ? it.skip : it;

  test.each(['openai', 'anthropic', 'google', 'langchain'].map((name) => `${name}${end}`))(
    'calls the model by %s, and the token has the call',
    (id) => expectCall(id, place === 0 ? { programs: [folder ?? ''] } : { beside: folder ?? '' }),
    TIMEOUT_MS,
  );
});
