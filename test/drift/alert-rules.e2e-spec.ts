import { describe, expect, it } from '@jest/globals';
import { RULES } from '../../server/modules/operations/model/finding.js';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const FIELD = join(import.meta.dirname, '../../console/src/features/settings/alert-rules-field.tsx');

describe('rules of alerts', () => {
  it('appear in the settings, all of them, in the order of the server', async () => {
    const text = await readFile(FIELD, 'utf8');
    const list = /ALERT_RULES = \[([^\]]*)\]/.exec(text)?.[1] ?? '';
    expect([...list.matchAll(/'([a-z-]+)'/g)].map(([, rule]) => rule)).toEqual([...RULES]);
  });
});
