import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Cell } from './cell.js';
import { faultOf, openClientFixture, type ClientFixture } from './client-programs.js';
import { OPEN_CELLS, openReason, type Language } from './open-cells.js';
import { TRIED_CLIENTS, UPSTREAMS } from './tried-clients.js';

/** A program that runs clients, or why there is none on this machine. `command` installs or compiles what is still needed. */
export type ClientProgram = { readonly missing: string } | { readonly command: () => readonly string[] };

const EMBEDDING_UPSTREAMS: readonly string[] = ['chat', 'gemini'];
const TIMEOUT_MS = 900_000;

/** Tries the clients of a language over every upstream, cell by cell. */
export function describeClients(language: Language, program: ClientProgram): void {
  const suite = 'missing' in program ? describe.skip : describe;
  const because = 'missing' in program ? `, left out: ${program.missing}` : '';

  suite(`${language} packages nobody here wrote read every answer${because}`, () => {
    let fixture: ClientFixture | undefined;
    let cells: readonly Cell[] = [];
    beforeAll(async () => {
      if ('missing' in program) return;
      const command = program.command();
      fixture = await openClientFixture();
      cells = await fixture.run(command);
    }, TIMEOUT_MS);
    afterAll(() => fixture?.close());

    it.each(TRIED_CLIENTS[language].flatMap((client) => UPSTREAMS.map((upstream) => ({ client, upstream }))))(
      '$client.name over $upstream',
      ({ client: { name, scenarios, hasVectors }, upstream }) => {
        const own = cells.filter((cell) => cell.client === name && cell.upstream === upstream);
        const faults = own
          .filter((cell) => openReason(language, cell) === undefined)
          .flatMap((cell) => faultOf(cell) ?? []);
        expect(faults).toEqual([]);
        const vectors = hasVectors === true && EMBEDDING_UPSTREAMS.includes(upstream) ? 1 : 0;
        expect(own).toHaveLength(scenarios + vectors);
      },
    );

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
