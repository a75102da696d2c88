import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ImportFiles } from './import-files.js';

const HEADER = Buffer.concat([Buffer.from('SQLite format 3\0', 'latin1'), Buffer.alloc(84)]);

describe('uploaded files', () => {
  let folder: string;
  let nowMs: number;
  let files: ImportFiles;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-files-'));
    nowMs = 1_000_000;
    files = new ImportFiles(folder, () => nowMs, 1_000);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('keeps a file and its write-ahead log side by side, for its own account alone', async () => {
    const { id } = await files.begin({ name: 'a.db', size: HEADER.length }, randomUUID());
    await files.append(id, 'database', 0, HEADER.subarray(0, 40));
    await expect(files.pathOfComplete(id)).rejects.toMatchObject({ code: 'import_file_incomplete' });
    await files.append(id, 'database', 40, HEADER.subarray(40));
    await files.append(id, 'log', 0, Buffer.from('wal'));
    const { path, name } = await files.pathOfComplete(id);
    expect(name).toBe('a.db');
    expect(readFileSync(path)).toEqual(HEADER);
    expect(readFileSync(`${path}-wal`, 'utf8')).toBe('wal');
    expect(statSync(path).mode & 0o077).toBe(0);
    expect(await files.current()).toMatchObject({ id, received: 100, log_received: 3 });
  });

  it('names the byte at which an upload goes on', async () => {
    const { id } = await files.begin({ name: 'a.db', size: 100 }, randomUUID());
    await files.append(id, 'database', 0, HEADER.subarray(0, 50));
    await expect(files.append(id, 'database', 0, HEADER)).rejects.toMatchObject({
      code: 'import_file_incomplete',
      values: { received: 50 },
    });
  });

  it.each([
    ['a size above the limit', 1_001, HEADER, 'import_file_too_large'],
    ['more bytes than were announced', 50, HEADER, 'import_file_too_large'],
    ['a dump', 100, Buffer.alloc(100, 'x'), 'import_file_not_sqlite'],
  ])('refuses %s', async (_what, size, bytes, code) => {
    const upload = async (): Promise<unknown> => {
      const { id } = await files.begin({ name: 'a.db', size }, randomUUID());
      return files.append(id, 'database', 0, bytes);
    };
    await expect(upload()).rejects.toMatchObject({ code });
  });

  it.each(['', '../x', 'b'.repeat(36), '00000000-0000-0000-0000-000000000000'])(
    'refuses an upload to the file %j',
    async (id) => {
      await expect(files.append(id, 'database', 0, HEADER)).rejects.toMatchObject({
        code: 'import_file_missing',
      });
    },
  );

  it('removes the one before, and what is older than a day', async () => {
    const first = await files.begin({ name: 'a.db', size: 100 }, randomUUID());
    const second = await files.begin({ name: 'b.db', size: 100 }, randomUUID());
    await expect(files.append(first.id, 'database', 0, HEADER)).rejects.toMatchObject({
      code: 'import_file_missing',
    });
    await files.removeOld();
    expect(await files.current()).toMatchObject({ id: second.id });
    nowMs += 86_400_001;
    await files.removeOld();
    expect(existsSync(join(folder, 'imports'))).toBe(false);
  });
});
