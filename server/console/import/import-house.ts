import type { DataSource } from 'typeorm';
import type { AuditLog } from '../../base/audit/audit-log.js';
import type { OptionsService } from '../../base/options/options.service.js';
import type { RowCounts, RowKind } from './report.js';
import type { ImportLock } from './runs/import-lock.js';
import type { ImportTools } from './write/import-context.js';

/** Services of this installation that an import needs. */
export interface ImportHouse extends ImportTools {
  /** Database of the usage log. */
  readonly logDataSource: DataSource;
  readonly options: OptionsService;
  readonly audit: AuditLog;
  /** Value of an environment variable that a configuration file names; undefined = it is not to be read. */
  readonly variables: (name: string) => string | undefined;
  readonly litellmSecrets: { readonly salt: string | undefined; readonly master: string | undefined };
  readonly lock: ImportLock;
  readonly nowMs: () => number;
}

/** Called after each transaction; a failure with ImportStopped ends the run. */
export type Progress = (
  part: RowKind | 'log',
  done: Pick<RowCounts, 'found' | 'added' | 'moved'>,
) => Promise<void>;
