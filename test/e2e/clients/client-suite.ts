import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { faultOf, openClientHouse, UPSTREAMS, type Cell, type ClientHouse } from './client-programs.js';
import { OPEN_CELLS, openReason, type Language } from './open-cells.js';

/** A program that runs clients, or why there is none on this machine. `command` installs or compiles what is still needed. */
export type ClientProgram = { readonly missing: string } | { readonly command: () => readonly string[] };

/** Clients of one language, and how many scenarios each plays over each upstream. */
export interface ClientSuite {
  readonly language: Language;
  /** A number that shrinks says that something was left out. */
  readonly clients: Readonly<Record<string, number>>;
  /** Clients that also ask for vectors, where the upstream gives them. */
  readonly withEmbeddings: readonly string[];
  readonly program: ClientProgram;
}

const EMBEDDING_UPSTREAMS: readonly string[] = ['chat', 'gemini'];
const TIMEOUT_MS = 900_000;

export function describeClients({ language, clients, withEmbeddings, program }: ClientSuite): void {
  const suite = 'missing' in program ? describe.skip : describe;
  const because = 'missing' in program ? `, left out: ${program.missing}` : '';

  suite(`${language} packages nobody here wrote read every answer${because}`, () => {
    let house: ClientHouse | undefined;
    let cells: readonly Cell[] = [];
    beforeAll(async () => {
      if ('missing' in program) return;
      const command = program.command();
      house = await openClientHouse();
      cells = await house.run(command);
    }, TIMEOUT_MS);
    afterAll(() => house?.close());

    it.each(
      Object.keys(clients).flatMap((client) => UPSTREAMS.map((upstream) => [client, upstream] as const)),
    )('%s over %s', (client, upstream) => {
      const own = cells.filter((cell) => cell.client === client && cell.upstream === upstream);
      const faults = own
        .filter((cell) => openReason(language, cell) === undefined)
        .flatMap((cell) => faultOf(cell) ?? []);
      expect(faults).toEqual([]);
      const hasVectors = withEmbeddings.includes(client) && EMBEDDING_UPSTREAMS.includes(upstream);
      expect(own).toHaveLength((clients[client] ?? 0) + (hasVectors ? 1 : 0));
    });

    const open = OPEN_CELLS.filter((one) => one.language === language);
    if (open.length > 0)
      it.each(open)(
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
}
