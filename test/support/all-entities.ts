import { globSync } from 'node:fs';
import { join } from 'node:path';
import { getMetadataArgsStorage } from 'typeorm';

/** Every entity class of the product, found on disk, so that a new one cannot be forgotten. */
export async function loadAllEntities(): Promise<(abstract new () => object)[]> {
  const root = join(import.meta.dirname, '../..');
  for (const file of globSync('server/**/*.entity.ts', { cwd: root })) await import(join(root, file));
  return getMetadataArgsStorage().tables.map(({ target }) => target as abstract new () => object);
}
