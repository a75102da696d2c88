import { mkdir, open, readdir, readFile, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DomainError } from '../../../common/errors/domain-error.js';
import { isJsonObject, parseJson } from '../../../common/parse-json.js';
import type { FilePart, ImportFileStart, ImportFileView } from '../dto/import.dto.js';

/** Largest file that is taken, bytes. */
export const MAX_FILE_BYTES = 16 * 1024 ** 3;
/** Largest chunk of one request, bytes. */
export const CHUNK_BYTES = 8 * 1024 ** 2;
/** An upload holds keys and password hashes of another installation: it is removed after a day. */
export const KEPT_MS = 86_400_000;
const SQLITE_HEADER = Buffer.from('SQLite format 3\0', 'latin1');
const ID = /^[0-9a-f-]{36}$/;

/** An upload in the data folder of this instance. */
export type LocalFile = Omit<ImportFileView, 'place'>;

/** Uploaded SQLite files in the data folder of this instance, readable by its account alone. One is kept at a time. */
export class ImportFiles {
  private readonly folder: string;

  constructor(
    dataDir: string,
    private readonly nowMs: () => number,
    private readonly maxBytes = MAX_FILE_BYTES,
  ) {
    this.folder = join(dataDir, 'imports');
  }

  /** Fails: import_file_too_large. */
  checkSize(size: number): void {
    if (size > this.maxBytes) throw this.tooLarge();
  }

  /** Begins an upload and removes the one before. @param id  its number. Fails: import_file_too_large, import_disk_full. */
  async begin({ name, size }: ImportFileStart, id: string): Promise<LocalFile> {
    this.checkSize(size);
    await this.remove();
    await withRoom(async () => {
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
      const facts = JSON.stringify({ name, size, at: this.nowMs() });
      await writeFile(join(this.folder, `${id}.json`), facts, { mode: 0o600 });
      await writeFile(this.pathOf(id, 'database'), '', { mode: 0o600 });
    });
    return this.find(id);
  }

  /**
   * Appends a chunk to an upload.
   * Fails: import_file_missing; import_file_incomplete, when the bytes do not follow those that are there; import_file_not_sqlite,
   * import_file_too_large, import_disk_full.
   */
  async append(id: string, part: FilePart, offset: number, bytes: Buffer): Promise<LocalFile> {
    const file = await this.find(id);
    const received = part === 'database' ? file.received : file.log_received;
    if (offset !== received) throw new DomainError('import_file_incomplete', { received });
    const most = part === 'database' ? file.size : this.maxBytes;
    if (offset + bytes.length > most) throw this.tooLarge();
    const isStart = part === 'database' && offset === 0;
    if (isStart && !bytes.subarray(0, SQLITE_HEADER.length).equals(SQLITE_HEADER)) {
      await this.remove();
      throw new DomainError('import_file_not_sqlite');
    }
    await withRoom(async () => {
      const target = await open(this.pathOf(id, part), part === 'log' && offset === 0 ? 'w' : 'r+', 0o600);
      try {
        await target.write(bytes, 0, bytes.length, offset);
      } finally {
        await target.close();
      }
    });
    return this.find(id);
  }

  /** @returns the path of a complete upload. Fails: import_file_missing, import_file_incomplete. */
  async pathOfComplete(id: string): Promise<{ readonly path: string; readonly name: string }> {
    const { received, size, name } = await this.find(id);
    if (received < size) throw new DomainError('import_file_incomplete', { received });
    return { path: this.pathOf(id, 'database'), name };
  }

  /** The upload there is; null = none. */
  async current(): Promise<LocalFile | null> {
    for (const id of await this.ids()) {
      const file = await this.find(id).catch(() => null);
      if (file !== null) return file;
    }
    return null;
  }

  /** Removes one upload, or every upload. */
  async remove(id?: string): Promise<void> {
    if (id === undefined) return rm(this.folder, { recursive: true, force: true });
    for (const name of [`${id}.db`, `${id}.db-wal`, `${id}.json`])
      await rm(join(this.folder, name), { force: true });
    // Another upload may have begun in it.
    await rmdir(this.folder).catch(() => undefined);
  }

  /** Removes what is older than a day. */
  async removeOld(): Promise<void> {
    for (const id of await this.ids()) {
      const facts = await this.factsOf(id);
      if (facts === null || facts.at < this.nowMs() - KEPT_MS) return this.remove();
    }
  }

  private async find(id: string): Promise<LocalFile> {
    const facts = ID.test(id) ? await this.factsOf(id) : null;
    if (facts === null) throw new DomainError('import_file_missing');
    const sizeOf = (part: FilePart): Promise<number> =>
      stat(this.pathOf(id, part)).then(
        ({ size }) => size,
        () => 0,
      );
    return {
      id,
      name: facts.name,
      size: facts.size,
      received: await sizeOf('database'),
      log_received: await sizeOf('log'),
    };
  }

  private async ids(): Promise<string[]> {
    const names = await readdir(this.folder).catch(() => []);
    return names.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -'.json'.length));
  }

  private async factsOf(
    id: string,
  ): Promise<{ readonly name: string; readonly size: number; readonly at: number } | null> {
    const text = await readFile(join(this.folder, `${id}.json`), 'utf8').catch(() => '');
    const facts = parseJson(text);
    if (!isJsonObject(facts)) return null;
    return { name: String(facts['name']), size: Number(facts['size']), at: Number(facts['at']) };
  }

  private pathOf(id: string, part: FilePart): string {
    return join(this.folder, part === 'database' ? `${id}.db` : `${id}.db-wal`);
  }

  private tooLarge(): DomainError {
    return new DomainError('import_file_too_large', { max: Math.floor(this.maxBytes / 1024 ** 3) });
  }
}

/** Fails: import_disk_full; with the error of `work`. */
async function withRoom(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOSPC' || code === 'EDQUOT') throw new DomainError('import_disk_full');
    throw error;
  }
}
