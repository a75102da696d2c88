import { createPool } from 'mysql2/promise';
import pg from 'pg';
import type { SqlServer } from '../rig/sql-server.js';

export interface SettlementRow {
  readonly callId: string;
  readonly userId: number;
  readonly tokenId: number | null;
  readonly model: string;
  readonly charged: number;
  readonly writeoff: number;
  /** Paid on top, in the ledger, because the call ended after recovery had estimated it. */
  readonly corrected: number;
  readonly evidence: string;
  readonly outcome: string;
}

type Row = Readonly<Record<string, unknown>>;

interface Reader {
  read(sql: string): Promise<readonly Row[]>;
  close(): Promise<void>;
}

/** Contents of the database, read past the product's own code and past the faulty lines. */
export class Books {
  private readonly reader: Reader;

  constructor(server: SqlServer, database: string) {
    const url = server.url(database);
    this.reader = server.kind === 'mariadb' ? openMariadb(url) : openPostgres(url);
  }

  close(): Promise<void> {
    return this.reader.close();
  }

  async settlements(): Promise<SettlementRow[]> {
    const rows = await this.reader.read(
      `SELECT s.request_id AS call_id, s.user_id, s.token_id, s.model, s.charged, s.writeoff, s.evidence, s.outcome,
         (SELECT -SUM(l.amount) FROM ledger l WHERE l.kind = 'correction' AND l.ref = s.request_id) AS corrected FROM settlements s`,
    );
    return rows.map((row) => ({
      callId: String(row['call_id']),
      userId: Number(row['user_id']),
      tokenId: row['token_id'] === null ? null : Number(row['token_id']),
      model: String(row['model']),
      charged: Number(row['charged']),
      writeoff: Number(row['writeoff']),
      corrected: Number(row['corrected'] ?? 0),
      evidence: String(row['evidence']),
      outcome: String(row['outcome']),
    }));
  }

  /** Use of a limit in all its periods. */
  async limitUse(limitId: number): Promise<number> {
    const [row] = await this.reader.read(
      `SELECT SUM(used) AS used FROM limit_use WHERE limit_id = ${limitId}`,
    );
    return Number(row?.['used'] ?? 0);
  }

  /** Calls with more than one line of consumption in the usage log. */
  async callsLoggedTwice(): Promise<string[]> {
    const rows = await this.reader.read(
      `SELECT request_id AS call_id FROM logs WHERE type = 2 AND request_id IS NOT NULL GROUP BY request_id HAVING COUNT(*) > 1`,
    );
    return rows.map((row) => String(row['call_id']));
  }

  /** Differences booked because a call had been settled by recovery before. */
  async corrections(): Promise<number> {
    return this.number(`SELECT COUNT(*) AS n FROM ledger WHERE kind = 'correction'`);
  }

  /** Quota that is set aside and unspent. */
  async setAside(): Promise<number> {
    return this.number(
      `SELECT COALESCE(SUM(amount), 0) AS n FROM reservations WHERE state = 'open' AND scope = 'user'`,
    );
  }

  /** Rows of money that is set aside. */
  async openReservations(): Promise<number> {
    return this.number(`SELECT COUNT(*) AS n FROM reservations WHERE state = 'open'`);
  }

  /** Worker processes the database knows. */
  async knownWorkers(): Promise<number> {
    return this.number(`SELECT COUNT(*) AS n FROM instances`);
  }

  /** `users.quota` and unspent reservations: what the owner sees. */
  async balance(userId: number): Promise<number> {
    return this.number(
      `SELECT quota + COALESCE((SELECT SUM(amount) FROM reservations
         WHERE state = 'open' AND scope = 'user' AND user_id = ${userId}), 0) AS n FROM users WHERE id = ${userId}`,
    );
  }

  async lowestQuota(): Promise<number> {
    return this.number(`SELECT MIN(quota) AS n FROM users`);
  }

  private async number(sql: string): Promise<number> {
    const [row] = await this.reader.read(sql);
    return Number(row?.['n'] ?? 0);
  }
}

/** Pools connect again by themselves: some scenarios restart the server. */
function openMariadb(url: string): Reader {
  const pool = createPool({ uri: url.replace('mariadb:', 'mysql:'), connectionLimit: 2 });
  return {
    read: async (sql) => (await pool.query(sql))[0] as readonly Row[],
    close: () => pool.end(),
  };
}

function openPostgres(url: string): Reader {
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  pool.on('error', () => undefined);
  return {
    read: async (sql) => (await pool.query<Record<string, unknown>>(sql)).rows,
    close: () => pool.end(),
  };
}
