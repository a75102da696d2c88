import { bigint, integer, varchar } from './column-specs.js';
import type { Migration } from './migration.js';

/** Tags and end users of calls: on their lines, and in a table of their own that finds the lines of one value. */
export const tagLogLines: Migration = {
  name: '1763704544100-tag-log-lines',
  appliesTo: 'logs',
  async up(schema) {
    await schema.addColumn('logs', varchar('tags', 700));
    await schema.addColumn('logs', varchar('end_user', 64));
    await schema.createTable({
      name: 'log_tags',
      columns: [
        varchar('request_id', 36, {}),
        varchar('kind', 16, {}),
        varchar('value', 64, {}),
        integer('user_id'),
        bigint('created_at'),
      ],
      primaryKey: ['request_id', 'kind', 'value'],
      indexes: [
        { name: 'log_tags_value', columns: ['kind', 'value', 'user_id', 'created_at', 'request_id'] },
        { name: 'log_tags_user', columns: ['user_id', 'kind'] },
      ],
    });
  },
  async down(schema) {
    await schema.dropTable('log_tags');
    await schema.dropColumn('logs', 'end_user');
    await schema.dropColumn('logs', 'tags');
  },
};
