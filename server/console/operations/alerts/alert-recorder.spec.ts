import { describe, expect, it } from '@jest/globals';
import { momentOf } from '../../../common/moment.js';
import { JobParts } from '../../../infra/schedule/job-parts.js';
import { OPTION_FALLBACKS, type OptionValues } from '../../../base/options/option-catalogue.js';
import type { OptionsService } from '../../../base/options/options.service.js';
import type { Finding, Rule } from '../model/finding.js';
import type { AlertEntity } from './alert.entity.js';
import { AlertRecorder } from './alert-recorder.js';
import type { AlertStore } from './alert-store.js';

const NOW = 1_700_000_000_000;
const finding = (changes: Partial<Finding> = {}): Finding => ({
  rule: 'books-differ',
  subject: '',
  severity: 'fault',
  facts: { count: 1 },
  sinceMs: momentOf(NOW - 60_000),
  notifyAfterMs: 60_000,
  ...changes,
});
const openRow = (changes: Partial<AlertEntity> = {}): AlertEntity =>
  ({
    id: 1,
    rule: 'books-differ',
    subject: '',
    openKey: 'books-differ ',
    severity: 'fault',
    facts: '{"count":1}',
    ...changes,
  }) as AlertEntity;

interface Look {
  readonly open?: readonly AlertEntity[];
  readonly findings?: readonly Finding[];
  readonly blind?: readonly Rule[];
  readonly options?: Partial<OptionValues>;
  readonly fails?: string;
}

async function look({ open = [], findings = [], blind = [], options = {}, fails = '' }: Look) {
  const done: string[] = [];
  const act = (name: string) => async (about: number | Finding) => {
    if (name === fails) throw new Error('away');
    done.push(`${name} ${typeof about === 'number' ? about : about.rule}`);
  };
  const recorder = new AlertRecorder(
    {
      open: async () => open,
      begin: act('begin'),
      end: act('end'),
      refresh: act('refresh'),
    } as unknown as AlertStore,
    { values: () => ({ ...OPTION_FALLBACKS, AlertsEnabled: true, ...options }) } as unknown as OptionsService,
  );
  const parts = new JobParts();
  const results = { findings, blind: new Map(blind.map((rule) => [rule, 'unread'])) };
  await recorder.write(parts, results, momentOf(NOW));
  return { done, parts };
}

describe('AlertRecorder', () => {
  it.each<[string, Look, readonly string[]]>([
    ['begins what lasts as long as it may not', { findings: [finding()] }, ['begin books-differ']],
    ['waits for what has not lasted so long', { findings: [finding({ notifyAfterMs: 60_001 })] }, []],
    ['leaves what is open and the same', { open: [openRow()], findings: [finding()] }, []],
    [
      'writes other facts down',
      { open: [openRow()], findings: [finding({ facts: { count: 2 } })] },
      ['refresh 1'],
    ],
    [
      'writes another severity down',
      { open: [openRow()], findings: [finding({ severity: 'warning' })] },
      ['refresh 1'],
    ],
    ['ends what is not found any more', { open: [openRow()] }, ['end 1']],
    ['ends nothing of a rule that could not look', { open: [openRow()], blind: ['books-differ'] }, []],
    [
      'ends what a version before found by a rule of its own',
      { open: [openRow({ rule: 'old-rule', openKey: 'old-rule ' })] },
      ['end 1'],
    ],
    [
      'ends what is open of a rule that was switched off',
      { open: [openRow()], findings: [finding()], options: { AlertRulesOff: ['books-differ'] } },
      ['end 1'],
    ],
    ['begins nothing while alerts are off', { findings: [finding()], options: { AlertsEnabled: false } }, []],
    [
      'keeps subjects of a rule apart',
      { open: [openRow({ subject: 'a', openKey: 'books-differ a' })], findings: [finding({ subject: 'b' })] },
      ['end 1', 'begin books-differ'],
    ],
  ])('%s', async (_, situation, acts) => {
    expect((await look(situation)).done).toEqual(acts);
  });

  it('continues after a failed write and names the alert', async () => {
    const { done, parts } = await look({
      open: [openRow()],
      findings: [finding({ rule: 'mail-failing' })],
      fails: 'end',
    });
    expect(done).toEqual(['begin mail-failing']);
    expect(() => parts.throwIfAnyFailed()).toThrow('alert books-differ : away');
  });
});
