import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';

const packageSchema = z.object({ name: z.literal('tollgate'), version: z.string() });

/** Version of this build, from the package.json above this file (sources and build have it at different heights). */
export const PRODUCT_VERSION = readVersion(import.meta.dirname);

/** When this process started, whole seconds. */
export const STARTED_AT_SECONDS = Math.floor(Date.now() / 1000 - process.uptime());

function readVersion(folder: string): string {
  for (let current = folder; current !== dirname(current); current = dirname(current)) {
    const parsed = packageSchema.safeParse(readJson(join(current, 'package.json')));
    if (parsed.success) return parsed.data.version;
  }
  return '0.0.0';
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    // No package.json at this height: the next one up.
    return undefined;
  }
}
