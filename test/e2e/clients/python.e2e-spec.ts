import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { faultOf, openClientHouse, UPSTREAMS, type Cell, type ClientHouse } from './client-programs.js';
import { OPEN_CELLS, openReason } from './open-cells.js';
import { PYTHON_PROGRAM, pythonFault, pythonWithPackages } from './python-environment.js';

/** How many scenarios each client plays over each upstream; a number that shrinks says that something was left out. */
const CLIENTS: Readonly<Record<string, number>> = {
  'openai (chat)': 21,
  'openai (Responses)': 19,
  anthropic: 21,
  'google-genai': 21,
  'langchain-openai': 10,
  'langchain-openai (Responses)': 10,
  'langchain-anthropic': 10,
  'langchain-google-genai': 10,
  'pydantic-ai (openai)': 9,
  'pydantic-ai (Responses)': 9,
  'pydantic-ai (google)': 9,
  'litellm (openai)': 7,
  'litellm (anthropic)': 7,
  'openai-agents (chat)': 6,
  'openai-agents (Responses)': 6,
  instructor: 1,
  'llama-index': 4,
};
/** Vectors are asked of the upstreams that give them. */
const WITH_EMBEDDINGS = ['openai (chat)', 'google-genai'];

const missing = pythonFault();
const suite = missing === undefined ? describe : describe.skip;
const because = missing === undefined ? '' : `, left out: ${missing}`;

suite(`Python packages nobody here wrote read every answer${because}`, () => {
  let clients: ClientHouse | undefined;
  let cells: readonly Cell[] = [];
  beforeAll(async () => {
    const python = pythonWithPackages();
    clients = await openClientHouse();
    cells = await clients.run([python, PYTHON_PROGRAM]);
  }, 420_000);
  afterAll(() => clients?.close());

  it.each(Object.keys(CLIENTS).flatMap((client) => UPSTREAMS.map((upstream) => [client, upstream] as const)))(
    '%s over %s',
    (client, upstream) => {
      const own = cells.filter((cell) => cell.client === client && cell.upstream === upstream);
      const faults = own
        .filter((cell) => openReason(cell) === undefined)
        .flatMap((cell) => faultOf(cell) ?? []);
      expect(faults).toEqual([]);
      const hasVectors = WITH_EMBEDDINGS.includes(client) && ['chat', 'gemini'].includes(upstream);
      expect(own).toHaveLength((CLIENTS[client] ?? 0) + (hasVectors ? 1 : 0));
    },
  );

  it.each(OPEN_CELLS)(
    '$client is still wrong where it is said to be: $reason',
    ({ client, upstreams, scenarios }) => {
      for (const upstream of upstreams) {
        const named = cells.filter(
          (cell) => cell.client === client && cell.upstream === upstream && scenarios.test(cell.scenario),
        );
        expect(named.length).toBeGreaterThan(0);
        expect(named.filter((cell) => faultOf(cell) === undefined)).toEqual([]);
      }
    },
  );
});
