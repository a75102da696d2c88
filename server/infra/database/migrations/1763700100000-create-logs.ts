import { bigint, bigSerial, flag, integer, longText, nullableVarchar, varchar } from './column-specs.js';
import type { Migration } from './migration.js';

/** The usage log, in the main database and in the one of its own that LOG_DATABASE_URL may name. */
export const createLogs: Migration = {
  name: '1763700100000-create-logs',
  appliesTo: 'logs',
  async up(schema) {
    await schema.createTable({
      name: 'logs',
      columns: [
        bigSerial('id'),
        integer('user_id', { default: 0 }),
        bigint('created_at'),
        integer('type', { default: 0 }),
        longText('content'),
        varchar('username', 64),
        varchar('token_name', 64),
        varchar('model_name', 255),
        bigint('quota'),
        bigint('prompt_tokens'),
        bigint('completion_tokens'),
        bigint('use_time'),
        flag('is_stream'),
        integer('channel_id', { default: 0 }),
        integer('token_id', { default: 0 }),
        varchar('group', 64),
        longText('other'),
        nullableVarchar('request_id', 36),
      ],
      indexes: [
        { name: 'logs_created_at_id', columns: ['created_at', 'id'] },
        { name: 'logs_user_id_id', columns: ['user_id', 'id'] },
        { name: 'logs_model_name_created_at', columns: ['model_name', 'created_at'] },
        { name: 'logs_channel_id_created_at', columns: ['channel_id', 'created_at'] },
        { name: 'logs_token_id_id', columns: ['token_id', 'id'] },
        { name: 'logs_request_id', columns: ['request_id'], unique: true },
      ],
    });
  },
  async down(schema) {
    await schema.dropTable('logs');
  },
};
