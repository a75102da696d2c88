import type { EntityManager } from 'typeorm';
import { dialectOf } from '../../infra/database/data-source.js';
import { jsonOfBooked, type BookingResult } from './book-settlements.js';
import { execute, rowsFromJson } from './money-sql.js';

type Booked = BookingResult['booked'];

const HOUR_SECONDS = 3_600;

/** Consumption log rows (type 2) of booked settlements. Writing a row twice changes nothing: its call id is unique. */
export async function insertLogs(manager: EntityManager, booked: Booked): Promise<void> {
  if (booked.length === 0) return;
  const dialect = dialectOf(manager.dataSource);
  const rows = rowsFromJson(
    dialect,
    {
      request_id: 'text',
      user_id: 'integer',
      created_at_ms: 'integer',
      content: 'text',
      username: 'text',
      token_name: 'text',
      model: 'text',
      charged: 'integer',
      prompt_tokens: 'integer',
      completion_tokens: 'integer',
      use_time: 'integer',
      is_stream: 'integer',
      channel_id: 'integer',
      token_id: 'integer',
      group: 'text',
      other: 'text',
    },
    'd',
  );
  const whole = dialect === 'mysql' ? '"d"."created_at_ms" DIV 1000' : '"d"."created_at_ms" / 1000';
  const again =
    dialect === 'mysql'
      ? 'ON DUPLICATE KEY UPDATE "request_id" = "logs"."request_id"'
      : 'WHERE true ON CONFLICT ("request_id") DO NOTHING';
  await execute(
    manager,
    `INSERT INTO "logs" ("request_id", "user_id", "created_at", "type", "content", "username", "token_name", "model_name",
       "quota", "prompt_tokens", "completion_tokens", "use_time", "is_stream", "channel_id", "token_id", "group", "other")
     SELECT "d"."request_id", "d"."user_id", ${whole}, 2, "d"."content", "d"."username", "d"."token_name", "d"."model",
       "d"."charged", "d"."prompt_tokens", "d"."completion_tokens", "d"."use_time", "d"."is_stream" = 1, "d"."channel_id",
       COALESCE("d"."token_id", 0), "d"."group", "d"."other" FROM ${rows} ${again}`,
    [jsonOfBooked(booked)],
  );
}

/** Adds booked settlements to the hourly figures the dashboard reads. */
export async function addHourlyUse(manager: EntityManager, booked: Booked): Promise<void> {
  const hours = new Map<
    string,
    { key: [number, string, number]; tokens: number; count: number; quota: number }
  >();
  for (const { document, charged } of booked) {
    const seconds = Math.floor(document.created_at_ms / 1000);
    const hour = seconds - (seconds % HOUR_SECONDS);
    const id = `${document.user_id}\n${hour}\n${document.model}`;
    const sum = hours.get(id) ?? {
      key: [document.user_id, document.model, hour],
      tokens: 0,
      count: 0,
      quota: 0,
    };
    sum.tokens += document.prompt_tokens + document.completion_tokens;
    sum.count += 1;
    sum.quota += charged;
    hours.set(id, sum);
  }
  if (hours.size === 0) return;
  const rows = [...hours.values()].sort((a, b) => a.key[0] - b.key[0] || (a.key[1] < b.key[1] ? -1 : 1));
  const values = rows.map(() => '(?, ?, ?, ?, ?, ?)').join(', ');
  const parameters = rows.flatMap((row) => [...row.key, row.tokens, row.count, row.quota]);
  const added = ['token_used', 'count', 'quota'];
  const again =
    dialectOf(manager.dataSource) === 'mysql'
      ? `ON DUPLICATE KEY UPDATE ${added.map((name) => `"${name}" = "${name}" + VALUES("${name}")`).join(', ')}`
      : `ON CONFLICT ("user_id", "model_name", "created_at") DO UPDATE SET ${added
          .map((name) => `"${name}" = "quota_data"."${name}" + excluded."${name}"`)
          .join(', ')}`;
  await execute(
    manager,
    `INSERT INTO "quota_data" ("user_id", "model_name", "created_at", "token_used", "count", "quota") VALUES ${values} ${again}`,
    parameters,
  );
}
