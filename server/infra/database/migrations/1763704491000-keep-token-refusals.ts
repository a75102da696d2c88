import { bigint, varchar } from './column-specs.js';
import type { Migration } from './migration.js';

/** The last refusal of a token's calls: when, its kind and its sentence. */
export const keepTokenRefusals: Migration = {
  name: '1763704491000-keep-token-refusals',
  appliesTo: 'main',
  async up(schema) {
    await schema.addColumn('tokens', bigint('refused_at_ms', { isNullable: true }));
    await schema.addColumn('tokens', varchar('refused_kind', 40));
    await schema.addColumn('tokens', varchar('refused_text', 300));
  },
  async down(schema) {
    for (const column of ['refused_text', 'refused_kind', 'refused_at_ms'])
      await schema.dropColumn('tokens', column);
  },
};
