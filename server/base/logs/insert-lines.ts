import type { DatabaseDialect } from '../../infra/database/database-url.js';
import { type Dialect, DIALECTS, type Upsert } from '../../infra/database/dialect.js';
import { marksOf } from '../../relay-core/model/tag-text.js';
import type { LogEntity } from './log.entity.js';

/** A line that is about to be written. */
export type NewLogLine = Omit<LogEntity, 'id' | OfCalls> & Partial<Pick<LogEntity, OfCalls>>;
/** Left out by lines that are no calls. */
type OfCalls = 'tags' | 'endUser';

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
  hadFailedAttempt: 'had_failed_attempt',
  group: 'group',
  tags: 'tags',
  endUser: 'end_user',
  other: 'other',
};
const MEMBERS = Object.keys(COLUMNS) as (keyof NewLogLine)[];

/** Table, columns and key of the lines. */
export const LOG_LINES = {
  table: 'logs',
  columns: MEMBERS.map((member) => COLUMNS[member]),
  key: ['request_id'],
};
/** The same of their tags and end users, by which lines are found. */
export const LINE_TAGS = {
  table: 'log_tags',
  columns: ['request_id', 'kind', 'value', 'user_id', 'created_at'],
  key: ['request_id', 'kind', 'value'],
};

const absent = (member: keyof NewLogLine): '' | null => (member === 'requestId' ? null : '');

/** Values of a line, in the order of the columns. */
export const valuesOf = ({ flag }: Pick<Dialect, 'flag'>, line: NewLogLine): unknown[] =>
  MEMBERS.map((member) => (member === 'isStream' ? flag(line.isStream) : (line[member] ?? absent(member))));

/** Values of the tags and end user of a line. */
export const tagValuesOf = ({
  requestId,
  userId,
  createdAt,
  tags = '',
  endUser = '',
}: Pick<NewLogLine, 'requestId' | 'userId' | 'createdAt' | OfCalls>): unknown[][] =>
  tags === '' && endUser === ''
    ? []
    : marksOf(tags, endUser).map(([kind, value]) => [requestId, kind, value, userId, createdAt]);

/** One statement for some lines; those whose request id is there already are left out. */
export function insertLines(dialect: DatabaseDialect, lines: readonly NewLogLine[]): Statement {
  const rows = lines.map((line) => valuesOf(DIALECTS[dialect], line));
  return insertMissing(dialect, LOG_LINES, rows);
}

/** One statement for the tags and end users of some lines; null = they have none. */
export function insertLineTags(dialect: DatabaseDialect, lines: readonly NewLogLine[]): Statement | null {
  const rows = lines.flatMap(tagValuesOf);
  return rows.length === 0 ? null : insertMissing(dialect, LINE_TAGS, rows);
}

interface Statement {
  readonly sql: string;
  readonly parameters: unknown[];
}

/** Rows whose key is there already are left out. */
function insertMissing(
  dialect: DatabaseDialect,
  { table, columns, key }: Upsert & { readonly columns: readonly string[] },
  rows: readonly (readonly unknown[])[],
): Statement {
  const { render, orKeep } = DIALECTS[dialect];
  const names = columns.map((name) => `"${name}"`).join(', ');
  const marks = rows.map((row) => `(${row.map(() => '?').join(', ')})`).join(', ');
  const sql = `INSERT INTO "${table}" (${names}) VALUES ${marks} ${orKeep({ table, key })}`;
  return { sql: render(sql), parameters: rows.flat() };
}
