import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { AUDIT_ACTIONS } from '../../server/modules/audit/audit-actions.js';

const ROOT = join(import.meta.dirname, '../..');

/** `thing.verb` of every name the console has for an act. */
async function namesIn(language: string): Promise<string[]> {
  const text = await readFile(join(ROOT, `console/src/i18n/${language}/audit.json`), 'utf8');
  const { action } = JSON.parse(text) as { action: Record<string, Record<string, string>> };
  return Object.entries(action).flatMap(([thing, verbs]) =>
    Object.keys(verbs).map((verb) => `${thing}.${verb}`),
  );
}

describe('acts of the audit log', () => {
  it('gives each a name in the console, in both languages', async () => {
    expect((await namesIn('en')).sort()).toEqual([...AUDIT_ACTIONS].sort());
    expect((await namesIn('zh')).sort()).toEqual([...AUDIT_ACTIONS].sort());
  });

  it('fits the column they are kept in', () => {
    expect(AUDIT_ACTIONS.filter((action) => action.length > 64)).toEqual([]);
  });
});
