import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { storeOverPool, type ConnectionPool } from './thread-server-store.js';

const DEADLINE_MS = 15_000;
const ANSWER = { rows: [], affected: 0 };

/** A pool whose connections never answer the statements named, also not when they are cut: MySQL's driver does that. */
function poolWithSilence(isSilent: (sql: string, connection: number) => boolean) {
  const said: string[] = [];
  let connections = 0;
  const pool: ConnectionPool = {
    dialect: 'mysql',
    acquire: async () => {
      const number = (connections += 1);
      return {
        run: (sql) => {
          said.push(`${number} ${sql}`);
          return isSilent(sql, number) ? new Promise(() => undefined) : Promise.resolve(ANSWER);
        },
        release: () => void said.push(`${number} released`),
        destroy: () => void said.push(`${number} cut`),
      };
    },
    end: async () => undefined,
  };
  return { pool, said };
}

describe('transactions of the booking thread', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it.each(['UPDATE', 'START TRANSACTION', 'COMMIT', 'ROLLBACK'])(
    'a database that is silent after %s is given up, and the next transaction has another connection [F-64]',
    async (silent) => {
      const { pool, said } = poolWithSilence((sql, connection) => connection === 1 && sql === silent);
      const store = storeOverPool(pool);
      const failing = store.transaction(async ({ run }) => {
        await run('UPDATE');
        if (silent === 'ROLLBACK') throw new Error('a fault of the batch');
      });
      const outcome = expect(failing).rejects.toThrow(
        silent === 'ROLLBACK' ? 'a fault of the batch' : 'did not finish a transaction',
      );
      await jest.advanceTimersByTimeAsync(DEADLINE_MS);
      await outcome;
      expect(said).toContain('1 cut');
      expect(said).not.toContain('1 released');

      await store.transaction(({ run }) => run('UPDATE'));
      expect(said.slice(-4)).toEqual(['2 START TRANSACTION', '2 UPDATE', '2 COMMIT', '2 released']);
    },
  );

  it('gives a connection back that finished in time', async () => {
    const { pool, said } = poolWithSilence(() => false);
    await storeOverPool(pool).transaction(({ run }) => run('UPDATE'));
    await jest.advanceTimersByTimeAsync(DEADLINE_MS);
    expect(said).toEqual(['1 START TRANSACTION', '1 UPDATE', '1 COMMIT', '1 released']);
  });
});
