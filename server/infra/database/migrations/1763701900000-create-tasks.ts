import { bigint, integer, longText, serial, varchar } from './column-specs.js';
import type { Migration } from './migration.js';

const UNFINISHED = `{status} <> 'SUCCESS' AND {status} <> 'FAILURE'`;

/** Work that upstreams take on and finish later: drawings and songs. A row is there exactly when its charge is booked. */
export const createTasks: Migration = {
  name: '1763701900000-create-tasks',
  appliesTo: 'main',
  async up(schema) {
    await schema.createTable({
      name: 'midjourneys',
      columns: [
        serial('id'),
        varchar('request_id', 36),
        integer('user_id'),
        integer('token_id', { default: 0 }),
        integer('token_limited', { default: 0 }),
        integer('channel_id', { default: 0 }),
        integer('code', { default: 0 }),
        varchar('action', 40),
        varchar('mj_id', 128),
        longText('prompt'),
        longText('prompt_en'),
        longText('description'),
        longText('state'),
        bigint('submit_time'),
        bigint('start_time'),
        bigint('finish_time'),
        longText('image_url'),
        longText('video_urls'),
        varchar('status', 20),
        varchar('progress', 30),
        longText('fail_reason'),
        bigint('quota'),
        longText('buttons'),
        longText('properties'),
        integer('log_pending', { default: 0 }),
      ],
      indexes: [
        { name: 'midjourneys_request_id', columns: ['request_id'], unique: true },
        { name: 'midjourneys_user_id_submit_time', columns: ['user_id', 'submit_time'] },
        { name: 'midjourneys_submit_time', columns: ['submit_time'] },
        { name: 'midjourneys_channel_id_submit_time', columns: ['channel_id', 'submit_time'] },
        { name: 'midjourneys_mj_id', columns: ['mj_id'] },
        { name: 'midjourneys_unfinished', columns: ['status'], where: UNFINISHED },
        { name: 'midjourneys_log_pending', columns: ['log_pending'], where: '{log_pending} = 1' },
      ],
    });
    await schema.createTable({
      name: 'tasks',
      columns: [
        serial('id'),
        varchar('request_id', 36),
        integer('user_id'),
        integer('token_id', { default: 0 }),
        integer('token_limited', { default: 0 }),
        bigint('created_at'),
        bigint('updated_at'),
        varchar('task_id', 128),
        varchar('platform', 30),
        integer('channel_id', { default: 0 }),
        bigint('quota'),
        varchar('action', 40),
        varchar('status', 20),
        longText('fail_reason'),
        bigint('submit_time'),
        bigint('start_time'),
        bigint('finish_time'),
        varchar('progress', 20),
        longText('properties'),
        longText('data'),
        integer('log_pending', { default: 0 }),
      ],
      indexes: [
        { name: 'tasks_request_id', columns: ['request_id'], unique: true },
        { name: 'tasks_user_id_submit_time', columns: ['user_id', 'submit_time'] },
        { name: 'tasks_submit_time', columns: ['submit_time'] },
        { name: 'tasks_channel_id_submit_time', columns: ['channel_id', 'submit_time'] },
        { name: 'tasks_task_id', columns: ['task_id'] },
        { name: 'tasks_unfinished', columns: ['status'], where: UNFINISHED },
        { name: 'tasks_log_pending', columns: ['log_pending'], where: '{log_pending} = 1' },
      ],
    });
  },
  async down(schema) {
    await schema.dropTable('tasks');
    await schema.dropTable('midjourneys');
  },
};
