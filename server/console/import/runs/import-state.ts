import type { Language } from '../../../common/language.js';
import { Inject, Injectable } from '@nestjs/common';
import type { ImportStateView } from '../dto/import.dto.js';
import type { ImportHouse } from '../import-house.js';
import { isFresh } from '../write/known-import.js';
import { CHUNK_BYTES, MAX_FILE_BYTES } from './import-files.js';
import { ImportUploads } from './import-uploads.js';
import { ImportRunStore } from './import-run-store.js';
import { IMPORT_HOUSE } from './import-runner.js';
import { presentRun } from './present-run.js';

/** Reads the state that the page of imports shows. */
@Injectable()
export class ImportState {
  constructor(
    @Inject(IMPORT_HOUSE) private readonly house: ImportHouse,
    private readonly store: ImportRunStore,
    private readonly uploads: ImportUploads,
  ) {}

  /** @param language  of the sentences of its report */
  async read(language: Language): Promise<ImportStateView> {
    const [run, lease, file, imports, isEmpty] = await Promise.all([
      this.store.last(),
      this.house.lock.state(),
      this.uploads.current(),
      this.store.listImports(),
      isFresh(this.house.dataSource),
    ]);
    const isHeld = run !== null && lease.isHeld && lease.fence === run.fence;
    const isOurs = isHeld && run.status === 'running';
    return {
      run: run === null ? null : presentRun(run, isHeld, language),
      busy_place: lease.isHeld && !isOurs ? lease.place : '',
      file,
      max_file_bytes: MAX_FILE_BYTES,
      chunk_bytes: CHUNK_BYTES,
      is_empty: isEmpty,
      imports: imports.map((known) => ({
        id: known.id,
        product: known.product,
        version: known.productVersion,
        status: known.status as ImportStateView['imports'][number]['status'],
        runs: known.runs,
        created_at: Math.floor(known.createdAtMs / 1_000),
        ended_at: Math.floor((known.endedAtMs ?? 0) / 1_000),
      })),
    };
  }
}
