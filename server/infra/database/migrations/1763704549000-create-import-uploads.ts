import { bigint, serial, varchar } from './column-specs.js';
import type { Migration } from './migration.js';

/** Uploaded database files of imports: which instance has the file, and how much of it arrived. */
export const createImportUploads: Migration = {
  name: '1763704549000-create-import-uploads',
  appliesTo: 'main',
  async up(schema) {
    await schema.createTable({
      name: 'import_uploads',
      columns: [
        serial('id'),
        varchar('upload', 36, {}),
        varchar('name', 191),
        varchar('place', 191),
        bigint('size'),
        bigint('received'),
        bigint('log_received'),
        bigint('created_at_ms'),
      ],
    });
  },
  async down(schema) {
    await schema.dropTable('import_uploads');
  },
};
