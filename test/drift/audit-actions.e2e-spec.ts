import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { AUDIT_ACTIONS } from '../../server/base/audit/audit-actions.js';
import { AUDIT_MEMBERS, AUDIT_TARGETS } from '../../server/base/audit/audit-members.js';
import { CHANNEL_MEMBERS } from '../../server/gateway/channels/admin/changed-columns.js';

const ROOT = join(import.meta.dirname, '../..');

interface Texts {
  readonly action: Record<string, Record<string, string>>;
  readonly fact: Record<string, string>;
  readonly target: Record<string, string>;
}

const textsIn = async (language: string): Promise<Texts> =>
  JSON.parse(await readFile(join(ROOT, `console/src/i18n/${language}/audit.json`), 'utf8')) as Texts;

/** `thing.verb` of every name the console has for an act. */
async function namesIn(language: string): Promise<string[]> {
  const { action } = await textsIn(language);
  return Object.entries(action).flatMap(([thing, verbs]) =>
    Object.keys(verbs).map((verb) => `${thing}.${verb}`),
  );
}

describe('acts of the audit log', () => {
  it('gives each a name in the console, in both languages', async () => {
    expect((await namesIn('en')).sort()).toEqual([...AUDIT_ACTIONS].sort());
    expect((await namesIn('zh')).sort()).toEqual([...AUDIT_ACTIONS].sort());
  });

  it('gives each member of what they record, and each kind of thing, a name in the console, in both languages', async () => {
    const members = [...new Set<string>([...AUDIT_MEMBERS, ...CHANNEL_MEMBERS])].sort();
    for (const language of ['en', 'zh']) {
      const { fact, target } = await textsIn(language);
      expect(Object.keys(fact).sort()).toEqual(members);
      expect(Object.keys(target).sort()).toEqual([...AUDIT_TARGETS].sort());
    }
  });

  it('fits the column they are kept in', () => {
    expect(AUDIT_ACTIONS.filter((action) => action.length > 64)).toEqual([]);
  });
});
