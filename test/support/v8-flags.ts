import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Flags of V8 that the server is started with; each process of the built product in a test has them too. */
export const V8_FLAGS: readonly string[] = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../server/process/v8-flags.json'), 'utf8'),
) as string[];
