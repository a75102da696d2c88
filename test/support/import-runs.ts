import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEnv } from '../../server/config/env.js';
import { openImportHouse } from '../../server/cli/open-import-house.js';
import type { ImportHouse, Progress } from '../../server/console/import/import-house.js';
import { type ImportOrder, runImport } from '../../server/console/import/run-import.js';
import type { ImportReport } from '../../server/console/import/report.js';
import { createTestDatabase, type DatabaseKind } from './database.ts';
import { loadAllEntities } from './all-entities.ts';

export const SAMPLES = join(import.meta.dirname, '../e2e/console/import/samples');

/** Facts about a sample that its makers wrote down. */
export type ExpectedSample = Readonly<Record<string, unknown>> & {
  readonly users: readonly Readonly<Record<string, unknown>>[];
};

export function expectedOf(product: string, file: string): ExpectedSample {
  const { files } = JSON.parse(readFileSync(join(SAMPLES, product, 'expected.json'), 'utf8')) as {
    files: Record<string, ExpectedSample>;
  };
  const facts = files[file];
  if (facts === undefined) throw new Error(`expected.json of ${product} lacks ${file}`);
  return facts;
}

const QUICK_HASH = { algorithm: 2, memoryCost: 1_024, timeCost: 1, parallelism: 1 };

/** An installation that imports, on a database of its own. */
export class ImportTarget {
  private constructor(
    readonly house: ImportHouse,
    /** Variables that a server on the same database needs. */
    readonly variables: Readonly<Record<string, string>>,
    private readonly stop: () => Promise<void>,
  ) {}

  static async open(kind: DatabaseKind, more: Readonly<Record<string, string>> = {}): Promise<ImportTarget> {
    await loadAllEntities();
    const database = await createTestDatabase(kind);
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-import-test-'));
    const variables = {
      DATA_DIR: folder,
      DATABASE_URL: database.url,
      SESSION_SECRET: 's'.repeat(32),
      CRYPTO_SECRET: 'c'.repeat(32),
      ...more,
    };
    const { house, close } = await openImportHouse(readEnv({ NODE_ENV: 'test', ...variables }));
    Reflect.set(house.hasher, 'cost', QUICK_HASH);
    return new ImportTarget(house, variables, async () => {
      await close();
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    });
  }

  run(
    from: string,
    changes: Partial<ImportOrder> = {},
    progress: Progress = async () => undefined,
  ): Promise<ImportReport> {
    return runImport(
      this.house,
      {
        from,
        isDryRun: false,
        only: null,
        conflicts: 'skip',
        optionSections: null,
        takesOverRoot: false,
        converts: false,
        logs: null,
        config: null,
        actor: { id: 0, username: 'import' },
        ...changes,
      },
      progress,
    );
  }

  close(): Promise<void> {
    return this.stop();
  }
}
