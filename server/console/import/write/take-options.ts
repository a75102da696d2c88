import { type Sentence, sentence } from '../../../common/import-sentences/sentence.js';
import { DomainError } from '../../../common/errors/domain-error.js';
import { ROLE } from '../../../base/access/user.codes.js';
import { isOptionKey, isSecret, optionRow } from '../../../base/options/option-catalogue.js';
import type { OptionSection } from '../../../base/options/option-sections.js';
import type { OptionsService } from '../../../base/options/options.service.js';
import type { ImportReport, OptionDifference } from '../report.js';

/** Taken from no source: an operator turns on mail, and enters the public address. */
const NEVER_TAKEN = new Set(['SMTPServer', 'ServerAddress']);

/** Switched off on arrival. */
const ARRIVE_OFF: readonly (readonly [string, string])[] = [
  ['PaymentEnabled', 'false'],
  ['RegisterEnabled', 'false'],
  ['StripeEnabled', 'false'],
  ['monitor_setting.auto_test_channel_enabled', 'false'],
];

type Actor = Parameters<OptionsService['update']>[0];

const SHOWN_CHARACTERS = 300;

/**
 * The options of a source that differ here, and what became of each.
 * @param sections  whose options are taken; null = of every section
 */
export async function takeOptions(
  options: OptionsService,
  source: ReadonlyMap<string, string>,
  {
    actor,
    isDryRun,
    note,
    sections,
  }: {
    readonly actor: Actor;
    readonly isDryRun: boolean;
    readonly note: string;
    readonly sections: ReadonlySet<OptionSection> | null;
  },
): Promise<ImportReport['options']> {
  const wanted = new Map([...source, ...ARRIVE_OFF]);
  const unknown = [...source.keys()].filter((key) => !isOptionKey(key));
  const changes = [...wanted]
    .filter(
      ([key]) =>
        isOptionKey(key) &&
        !NEVER_TAKEN.has(key) &&
        (sections === null || sections.has(optionRow(key).section)),
    )
    .map(([key, value]) => ({ key, value }));
  const good: typeof changes = [];
  const refused: Sentence[] = [];
  for (const change of changes) {
    try {
      await options.tryChanges([...good, change]);
      good.push(change);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const refusal = { refusal: error.code, values: error.values };
      refused.push(sentence('option_refused', { key: change.key, refusal }));
    }
  }
  const differences = differencesOf(options, source);
  if (isDryRun) return { taken: good.map(({ key }) => key), refused, unknown, differences };
  const taken = good.length === 0 ? [] : await options.update(actor, good, { note });
  return { taken, refused, unknown, differences };
}

/** Options of a source with another text here. Secrets are named without their texts. */
export function differencesOf(
  options: OptionsService,
  source: ReadonlyMap<string, string>,
): OptionDifference[] {
  const here = new Map<string, string>(options.list(ROLE.root).map(({ key, value }) => [key, value]));
  return [...source].flatMap(([key, there]) => {
    if (!isOptionKey(key) || here.get(key) === there || (isSecret(key) && there === '')) return [];
    const hides = isSecret(key);
    return [
      {
        key,
        section: optionRow(key).section,
        here: hides ? null : (here.get(key) ?? '').slice(0, SHOWN_CHARACTERS),
        there: hides ? null : there.slice(0, SHOWN_CHARACTERS),
      },
    ];
  });
}
