import Sqlite from 'better-sqlite3';
import mysql from 'mysql2/promise';

const COLUMNS = 'COUNT(*) AS calls, SUM(prompt_tokens) AS prompt, SUM(completion_tokens) AS completion';
const CONSUMPTION = 2;

/**
 * Reads what was billed straight from the tables, past the product's own code.
 * @returns {Promise<{billed(models: string[]): Promise<{calls: number, promptTokens: number, completionTokens: number}>, close(): Promise<void>}>}
 */
export async function openLedger(databaseUrl) {
  const query = (models) =>
    `SELECT ${COLUMNS} FROM logs WHERE type = ${CONSUMPTION} AND model_name IN (${models.map(() => '?').join(', ')})`;
  const present = (row) => ({
    calls: Number(row.calls),
    promptTokens: Number(row.prompt ?? 0),
    completionTokens: Number(row.completion ?? 0),
  });
  if (databaseUrl.startsWith('sqlite:')) {
    const database = new Sqlite(databaseUrl.slice('sqlite:'.length), { readonly: true });
    return {
      billed: async (models) => present(database.prepare(query(models)).get(...models)),
      close: async () => {
        database.close();
      },
    };
  }
  const connection = await mysql.createConnection(databaseUrl);
  return {
    async billed(models) {
      const [rows] = await connection.query(query(models), models);
      return present(rows[0]);
    },
    close: () => connection.end(),
  };
}
