import Database from 'better-sqlite3';

/**
 * Copies a SQLite database while it is written to. What is in the copy is checked page by page.
 * @returns false when the copy is damaged
 * Fails: the driver's error.
 */
export async function copySqlite(from: string, to: string): Promise<boolean> {
  const source = new Database(from, { readonly: true, fileMustExist: true });
  try {
    await source.backup(to);
  } finally {
    source.close();
  }
  const copy = new Database(to);
  try {
    // One file, whatever mode the original was in: the server chooses its own when it opens it.
    copy.pragma('journal_mode = DELETE');
    return copy.pragma('integrity_check', { simple: true }) === 'ok';
  } finally {
    copy.close();
  }
}
