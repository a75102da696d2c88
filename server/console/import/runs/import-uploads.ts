import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { MoreThan, Not, Repository } from 'typeorm';
import { Clock } from '../../../common/clock.js';
import { DomainError } from '../../../common/errors/domain-error.js';
import { Interval } from '../../../infra/schedule/interval.js';
import type { FilePart, ImportFileStart, ImportFileView } from '../dto/import.dto.js';
import { ImportFiles, KEPT_MS } from './import-files.js';
import { ImportUploadEntity } from './import-upload.entity.js';

/** Name of this instance, as operators know it. */
export const IMPORT_PLACE = Symbol('IMPORT_PLACE');

const SWEEP_MS = 3_600_000;

/**
 * The upload of this installation. Its file lies in the data folder of one instance, and a row that every instance reads names that
 * instance: the others refuse to append and to run, so that a client behind a load balancer asks again until it reaches the file.
 */
@Injectable()
export class ImportUploads {
  constructor(
    private readonly files: ImportFiles,
    @InjectRepository(ImportUploadEntity) private readonly rows: Repository<ImportUploadEntity>,
    @Inject(IMPORT_PLACE) private readonly place: string,
    private readonly clock: Clock,
  ) {}

  /** Begins an upload on this instance, and gives up the one before. Fails: import_file_too_large, import_disk_full. */
  async begin(start: ImportFileStart): Promise<ImportFileView> {
    const upload = randomUUID();
    this.files.checkSize(start.size);
    // The row is first: an instance removes files that no row names.
    const row = this.rows.create({
      upload,
      name: start.name,
      place: this.place,
      size: start.size,
      received: 0,
      logReceived: 0,
      createdAtMs: this.clock.nowMs(),
    });
    await this.rows.insert(row);
    await this.rows.delete({ id: Not(row.id) });
    try {
      const file = await this.files.begin(start, upload);
      return { ...file, place: this.place };
    } catch (error) {
      await this.rows.delete({ id: row.id });
      throw error;
    }
  }

  /** Appends a chunk. Fails: import_file_elsewhere; as ImportFiles.append. */
  async append(upload: string, part: FilePart, offset: number, bytes: Buffer): Promise<ImportFileView> {
    const file = await this.here(upload, () => this.files.append(upload, part, offset, bytes));
    await this.rows.update({ upload }, { received: file.received, logReceived: file.log_received });
    return { ...file, place: this.place };
  }

  /** @returns the path of a complete upload. Fails: import_file_elsewhere; as ImportFiles.pathOfComplete. */
  pathOfComplete(upload: string): Promise<{ readonly path: string; readonly name: string }> {
    return this.here(upload, () => this.files.pathOfComplete(upload));
  }

  /** The upload there is, whichever instance has it; null = none. */
  async current(): Promise<ImportFileView | null> {
    await this.sweep();
    const row = await this.row();
    if (row === null) return null;
    return {
      id: row.upload,
      name: row.name,
      place: row.place,
      size: row.size,
      received: row.received,
      log_received: row.logReceived,
    };
  }

  /** Removes the upload. Another instance that has the file removes it within the hour. */
  async remove(): Promise<void> {
    await this.rows.createQueryBuilder().delete().execute();
    await this.files.remove();
  }

  /** Removes a file here that no row names any more, or that is older than a day. */
  @Interval('import-uploads', SWEEP_MS)
  async sweep(): Promise<void> {
    const local = await this.files.current();
    if (local === null) return;
    const row = await this.row();
    if (row === null || row.upload !== local.id) await this.files.remove(local.id);
  }

  private row(): Promise<ImportUploadEntity | null> {
    return this.rows.findOne({
      where: { createdAtMs: MoreThan(this.clock.nowMs() - KEPT_MS) },
      order: { id: 'DESC' },
    });
  }

  private async here<T>(upload: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof DomainError && error.code === 'import_file_not_sqlite') await this.remove();
      if (!(error instanceof DomainError) || error.code !== 'import_file_missing') throw error;
      const row = await this.row();
      if (row?.upload !== upload) throw error;
      throw new DomainError('import_file_elsewhere', { place: row.place, here: this.place });
    }
  }
}
