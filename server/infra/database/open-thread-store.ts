import { parseDatabaseUrl } from './database-url.js';
import type { SqlStore } from './sql-store.js';
import { negotiateTls } from './negotiate-tls.js';
import type { ThreadLock } from './thread-lock.js';

/**
 * Opens a database for a thread of its own, through the driver alone: TypeORM would cost the thread more memory than everything
 * else it loads. The schema is the main thread's business.
 * @param lock  shared with the main thread, see ThreadLock; only SQLite needs it
 * Fails: when an SQLite file cannot be opened; servers are connected to when first used.
 */
export async function openThreadStore(
  url: string,
  lock: ThreadLock,
  onFault: (error: Error) => void,
): Promise<SqlStore> {
  const address = parseDatabaseUrl(url);
  if (address.dialect === 'sqlite') {
    const { openThreadSqlite } = await import('./thread-sqlite-store.js');
    return openThreadSqlite(address.path, lock);
  }
  const { openThreadPool, storeOverPool } = await import('./thread-server-store.js');
  return storeOverPool(await openThreadPool(await negotiateTls(address), onFault));
}
