import type { DataSource } from 'typeorm';
import { dialectOf } from './dialect-of.js';
import { sessionOf } from './manager-session.js';
import { runInTransaction } from './run-in-transaction.js';
import type { SqlStore } from './sql-store.js';

/** A data source as a store; closing it is its owner's business. */
export function storeOf(dataSource: DataSource): SqlStore {
  return {
    dialect: dialectOf(dataSource),
    transaction: (work) => runInTransaction(dataSource, (manager) => work(sessionOf(manager))),
    close: () => Promise.resolve(),
  };
}
