import type { Sentence } from '../../common/import-sentences/sentence.js';
import type { OptionSection } from '../../base/options/option-sections.js';
import type { SourceNote } from './source/records.js';

export const ROW_KINDS = ['user', 'token', 'channel', 'code', 'order', 'limit', 'drawing', 'task'] as const;
export type RowKind = (typeof ROW_KINDS)[number];

/** Numbers of rows of one kind in one run. */
export interface RowCounts {
  found: number;
  added: number;
  /** Were imported before and are as they were. */
  unchanged: number;
  /** Were imported before; their figures moved. */
  moved: number;
  leftOut: number;
}

/** A sum before and after; both in quota units. */
export interface ReconciledSum {
  readonly name: Sentence;
  readonly source: string;
  readonly here: string;
  /** Reasons of the difference, each with its amount. */
  readonly explained: readonly { readonly why: Sentence; readonly amount: string }[];
  readonly isEqual: boolean;
}

/** An option that differs between the source and here. */
export interface OptionDifference {
  readonly key: string;
  /** Section of the settings (option-sections.ts). */
  readonly section: OptionSection;
  /** Text here and there, cut to 300 characters; null = a secret. */
  readonly here: string | null;
  readonly there: string | null;
}

/** The result of one run. */
export interface ImportReport {
  readonly importId: number;
  readonly product: string;
  readonly version: string;
  readonly isDryRun: boolean;
  readonly warnings: readonly Sentence[];
  readonly counts: Readonly<Record<RowKind, RowCounts>>;
  readonly notes: readonly SourceNote[];
  /** Notes beyond those that are kept. */
  readonly furtherNotes: number;
  /** Rows whose number is another one here. */
  readonly numbers: readonly { readonly kind: RowKind; readonly from: string; readonly to: number }[];
  readonly sums: readonly ReconciledSum[];
  readonly options: {
    readonly taken: readonly string[];
    readonly refused: readonly Sentence[];
    readonly unknown: readonly string[];
    /** Differing options of every section, taken or not. */
    readonly differences: readonly OptionDifference[];
  };
  readonly logs: { readonly lines: number; readonly quota: string } | null;
}

const MAX_NOTES = 2_000;

/** Order of the notes: first those that need an act of an operator. */
const NOTE_ORDER: readonly SourceNote['kind'][] = [
  'balance',
  'no-way-in',
  'key-off',
  'channel-off',
  'conflict',
  'damaged',
  'left-out',
  'weak',
  'changed',
  'unknown',
];

export const emptyCounts = (): RowCounts => ({ found: 0, added: 0, unchanged: 0, moved: 0, leftOut: 0 });

/** Notes in the order of their weight, and how many more there were. */
export function orderNotes(notes: readonly SourceNote[]): Pick<ImportReport, 'notes' | 'furtherNotes'> {
  const ordered = NOTE_ORDER.flatMap((kind) => notes.filter((note) => note.kind === kind));
  return { notes: ordered.slice(0, MAX_NOTES), furtherNotes: Math.max(0, ordered.length - MAX_NOTES) };
}
