import type { en } from '../../i18n/en';

import type { ModulesId } from './module-switches';
import type { RowsId } from './row-members';

/** Groups of texts that name the words an option can hold. */
export type ChoiceTexts = 'alertRule' | 'administratorSection' | 'language' | 'grain';

type OptionTexts = (typeof en)['settings']['option'];
export type OptionId = keyof OptionTexts;
export type HeadingId = keyof (typeof en)['settings']['heading'];
export const TABS = ['operation', 'ratelimit', 'models', 'system', 'other'] as const;
export type TabId = (typeof TABS)[number];

/** Editor of an option. */
export type OptionKind =
  | 'flag'
  | 'integer'
  | 'number'
  | 'text'
  | 'address'
  /** An address kept to the letter, its trailing slash included. */
  | 'endpoint'
  | 'lines'
  | 'block'
  | 'json'
  /** A credential: the server returns only that it is set, never its value. */
  | 'secret'
  /** Mail domains, comma-separated on the server. */
  | 'domains'
  /** One of the words that the server offers; `words` is the place of their names. */
  | 'choice'
  /** Names of alert rules that are off, comma-separated on the server. */
  | 'rules'
  /** Names of sections that administrators may change, comma-separated on the server. */
  | 'sections'
  /** A JSON list of entries, edited one by one; `rows` lists their members. */
  | 'rows'
  /** A JSON object of switches; `modules` lists them. */
  | 'modules';

/** Additions of the console to a field of the server. */
export interface OptionEditor {
  /** In place of the kind of the server. */
  readonly kind?: OptionKind;
  readonly unit?:
    | 'milliseconds'
    | 'seconds'
    | 'minutes'
    | 'days'
    | 'tokens'
    | 'percent'
    | 'dollars'
    /** Whole quota, typed as dollars or as quota. */
    | 'quota'
    | 'quotaPerDollar'
    /** Money for one dollar of quota. */
    | 'perDollar'
    /** Currency of epay services. */
    | 'yuan'
    | 'yuanPerDollar';
  /** Shape of a JSON option. */
  readonly example?: unknown;
  /** Kind `choice`: the texts of the settings that name its words. */
  readonly words?: ChoiceTexts;
  /** Kind `rows`: what the list holds. */
  readonly rows?: RowsId;
  /** Kind `modules`: of which part. */
  readonly modules?: ModulesId;
  /** Flag that must be on for this option to be used. */
  readonly needs?: OptionId;
}

export interface OptionField extends OptionEditor {
  /** Name of its texts, and of its field in forms (keys hold dots, which forms read as paths). */
  readonly id: OptionId;
  /** Key on the server. */
  readonly key: string;
  readonly kind: OptionKind;
  readonly tab: TabId;
  readonly heading: HeadingId;
  readonly min?: number;
  readonly max?: number;
}
