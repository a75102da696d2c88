import type { DatabaseDialect } from '../../infra/database/database-url.js';
import { renderSql } from '../../infra/database/sql-store.js';
import type { LogEntity } from './log.entity.js';

/** A line that is about to be written. */
export type NewLogLine = Omit<LogEntity, 'id'>;

const COLUMNS: Readonly<Record<keyof NewLogLine, string>> = {
  requestId: 'request_id',
  userId: 'user_id',
  createdAt: 'created_at',
  type: 'type',
  content: 'content',
  username: 'username',
  tokenName: 'token_name',
  modelName: 'model_name',
  quota: 'quota',
  promptTokens: 'prompt_tokens',
  completionTokens: 'completion_tokens',
  useTime: 'use_time',
  isStream: 'is_stream',
  channelId: 'channel_id',
  tokenId: 'token_id',
  group: 'group',
  other: 'other',
};
const MEMBERS = Object.keys(COLUMNS) as (keyof NewLogLine)[];
const NAMES = MEMBERS.map((member) => `"${COLUMNS[member]}"`).join(', ');

/** One statement for some lines; those whose request id is there already are left out. */
export function insertLines(
  dialect: DatabaseDialect,
  lines: readonly NewLogLine[],
): { readonly sql: string; readonly parameters: unknown[] } {
  const rows = lines.map((line) =>
    // SQLite has no booleans, PostgreSQL takes nothing else.
    MEMBERS.map((member) =>
      dialect === 'sqlite' && member === 'isStream' ? Number(line.isStream) : line[member],
    ),
  );
  let count = 0;
  const mark = (): string => (dialect === 'postgres' ? `$${(count += 1)}` : '?');
  const marks = rows.map((row) => `(${row.map(mark).join(', ')})`).join(', ');
  const parameters = rows.flat();
  if (dialect === 'mysql') {
    const insert = renderSql(dialect, `INSERT IGNORE INTO "logs" (${NAMES}) VALUES`);
    return { sql: `${insert} ${marks}`, parameters };
  }
  return {
    sql: `INSERT INTO "logs" (${NAMES}) VALUES ${marks} ON CONFLICT ("request_id") DO NOTHING`,
    parameters,
  };
}
