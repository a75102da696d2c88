/** Limits of one connection pool. */
export const DATABASE_LIMITS = Object.freeze({
  poolSize: 8,
  queueLimit: 200,
  acquireMs: 500,
  /** Bursts take turns before they request connections: look-ups of unknown keys, with accounts without a pool, fill the pool. */
  crowdPermits: 4,
  crowdQueueLimit: 20_000,
  /** Half of what proxies and clients commonly wait for an answer to begin: the model needs the rest. */
  crowdWaitMs: 30_000,
  connectMs: 3_000,
  statementMs: 5_000,
  /** Longer than any deadline the server keeps by itself: it answers then, if it is there. */
  silenceMs: 10_000,
  /** A server whose every answer takes longer keeps calls waiting as one that is silent does. */
  promptMs: 1_000,
  lockWaitMs: 3_000,
  /**
   * A process that stalls in a transaction locks its rows against all others: its connection is ended after this long. At most half
   * the lease of a job: its renewal may have waited behind the effect, and holds the row for as long again.
   */
  idleInTransactionMs: 10_000,
  /** The same for transactions that only read: they lock no rows, and their reader may need time to compute. */
  idleSnapshotMs: 60_000,
  sqliteBusyMs: 3_000,
});
