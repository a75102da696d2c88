import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { DEGRADED_MODES } from '../../server/infra/observability/degraded-modes.js';

const ROOT = join(import.meta.dirname, '../..');

describe('degraded modes', () => {
  it.each(['en', 'zh'])('gives each a name in the console in %s', async (language) => {
    const text = await readFile(join(ROOT, `console/src/i18n/${language}/status.json`), 'utf8');
    const { mode } = JSON.parse(text) as { mode: Record<string, string> };
    expect(Object.keys(mode).sort()).toEqual(Object.keys(DEGRADED_MODES).sort());
  });
});
