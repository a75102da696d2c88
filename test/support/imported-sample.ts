import { read } from '../../server/base/billing/ledger/money-sql.js';
import { renderSentence } from '../../server/common/import-sentences/sentence.js';
import type { ImportReport } from '../../server/console/import/report.js';
import type { ForeignDatabase } from './foreign-databases.ts';
import { ImportTarget } from './import-runs.ts';

const LOGS = { logs: { since: 0, from: '' } };
/** A sample that was imported into an installation of its own. */
export class Imported {
  private constructor(
    readonly source: ForeignDatabase,
    readonly target: ImportTarget,
    readonly report: ImportReport,
  ) {}

  static async from(
    source: ForeignDatabase,
    variables: Readonly<Record<string, string>> = {},
    changes: Parameters<ImportTarget['run']>[1] = LOGS,
  ): Promise<Imported> {
    const target = await ImportTarget.open('sqlite', variables);
    return new Imported(source, target, await target.run(source.url, changes));
  }

  rows(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    return read(this.target.house.dataSource, sql);
  }

  async row(sql: string): Promise<Readonly<Record<string, unknown>>> {
    return (await this.rows(sql))[0] ?? {};
  }

  notesOf(table: string, id: string): string {
    return this.report.notes
      .filter((note) => note.table === table && note.id === id)
      .map(({ kind, sentence }) => `${kind}: ${renderSentence(sentence, 'en')}`)
      .join('\n');
  }

  async close(): Promise<void> {
    await this.target.close();
    await this.source.drop();
  }
}
