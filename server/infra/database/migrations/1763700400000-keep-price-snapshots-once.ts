import { bigint, longText, varchar } from './column-specs.js';
import type { Migration } from './migration.js';

/** Nothing looks settlements up by these: each cost every call a page of a B-tree. */
const UNUSED = [
  { name: 'settlements_user_id_created', columns: ['user_id', 'created_at_ms'] },
  { name: 'settlements_token_id', columns: ['token_id'] },
  { name: 'settlements_channel_id', columns: ['channel_id'] },
];

/**
 * The prices of a call were written out with every settlement, hundreds of bytes that few calls do not share. Now they are kept
 * once and settlements name them; older rows keep their own text.
 */
export const keepPriceSnapshotsOnce: Migration = {
  name: '1763700400000-keep-price-snapshots-once',
  appliesTo: 'main',
  async up(schema) {
    await schema.createTable({
      name: 'price_snapshots',
      columns: [varchar('id', 64, {}), longText('document'), bigint('created_at_ms')],
      primaryKey: ['id'],
    });
    for (const index of UNUSED) await schema.dropIndex('settlements', index.name);
  },
  async down(schema) {
    for (const index of UNUSED) await schema.createIndex('settlements', index);
    await schema.run(
      `UPDATE "settlements" SET "price_snapshot" =
         (SELECT "document" FROM "price_snapshots" WHERE "price_snapshots"."id" = "settlements"."price_snapshot")
       WHERE "price_snapshot" IN (SELECT "id" FROM "price_snapshots")`,
    );
    await schema.dropTable('price_snapshots');
  },
};
