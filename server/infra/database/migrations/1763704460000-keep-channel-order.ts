import type { Migration } from './migration.js';

const KEY = 'NativeChannelsFirst';

/**
 * New installations choose native channels first. Where there are accounts already, calls go on as before until the operator
 * turns the option on: the first value that is stored for it is "off".
 */
export const keepChannelOrder: Migration = {
  name: '1763704460000-keep-channel-order',
  appliesTo: 'main',
  up: (schema) =>
    schema.run(
      `INSERT INTO "options" ("key", "value")
       SELECT '${KEY}', 'false' FROM (SELECT 1 AS "one") AS "row"
       WHERE EXISTS (SELECT 1 FROM "users")
         AND NOT EXISTS (SELECT 1 FROM "options" WHERE "key" = '${KEY}')`,
    ),
  down: (schema) => schema.run(`DELETE FROM "options" WHERE "key" = '${KEY}'`),
};
