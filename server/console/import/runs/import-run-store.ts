import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { ImportEntity } from '../import.entity.js';
import { ImportRunEntity } from './import-run.entity.js';

/** Runs that are kept; older ones are removed when one begins. */
const KEPT_RUNS = 20;
const SHOWN_IMPORTS = 50;

/** Part and row that a run has reached. */
export interface RunProgress {
  readonly part: string;
  readonly done: number;
  readonly found: number;
  /** Milliseconds the part has taken so far. */
  readonly partMs: number;
}

/** Rows of runs, and the imports they belong to. */
@Injectable()
export class ImportRunStore {
  constructor(
    @InjectRepository(ImportRunEntity) private readonly runs: Repository<ImportRunEntity>,
    @InjectRepository(ImportEntity) private readonly imports: Repository<ImportEntity>,
  ) {}

  async begin(
    run: Pick<ImportRunEntity, 'kind' | 'source' | 'fence' | 'actorId' | 'startedAtMs' | 'importId'>,
  ): Promise<number> {
    const row = this.runs.create({
      ...run,
      status: 'running',
      progress: '',
      report: '',
      fault: '',
      stopAsked: 0,
    });
    await this.runs.insert(row);
    await this.runs
      .createQueryBuilder()
      .delete()
      .where('id <= :last', { last: row.id - KEPT_RUNS })
      .execute();
    return row.id;
  }

  /** @returns true when an administrator asked the run to stop */
  async advance(id: number, progress: RunProgress): Promise<boolean> {
    await this.runs.update({ id, status: 'running' }, { progress: JSON.stringify(progress) });
    return (await this.runs.countBy({ id, stopAsked: 1 })) > 0;
  }

  async end(
    id: number,
    end: Pick<ImportRunEntity, 'status' | 'endedAtMs'> &
      Partial<Pick<ImportRunEntity, 'fault' | 'report' | 'importId'>>,
  ): Promise<void> {
    await this.runs.update({ id, status: 'running' }, end);
  }

  /** @returns false when no run is in progress */
  async askToStop(): Promise<boolean> {
    const run = await this.last();
    if (run === null) return false;
    const { affected } = await this.runs.update({ id: run.id, status: 'running' }, { stopAsked: 1 });
    return (affected ?? 0) > 0;
  }

  async last(): Promise<ImportRunEntity | null> {
    const [run = null] = await this.runs.find({ order: { id: 'DESC' }, take: 1 });
    return run;
  }

  /** Imports, the newest first. */
  listImports(): Promise<ImportEntity[]> {
    return this.imports.find({ order: { id: 'DESC' }, take: SHOWN_IMPORTS });
  }

  importOf(id: number): Promise<ImportEntity | null> {
    return this.imports.findOneBy({ id });
  }
}
