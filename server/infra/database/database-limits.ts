/** Limits of one connection pool (security reference, appendix A). */
export const DATABASE_LIMITS = Object.freeze({
  poolSize: 8,
  queueLimit: 200,
  acquireMs: 500,
  connectMs: 3_000,
  statementMs: 5_000,
  lockWaitMs: 3_000,
  idleInTransactionMs: 60_000,
  sqliteBusyMs: 3_000,
});
