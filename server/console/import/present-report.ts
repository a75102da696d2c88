import { renderSentence, type Sentence } from '../../common/import-sentences/sentence.js';
import type { ImportReport } from './report.js';

const SHOWN_NOTES = 40;

const english = (text: Sentence): string => renderSentence(text, 'en');

const HEADINGS: Readonly<Record<string, string>> = {
  balance: 'Balances to look at',
  'no-way-in': 'People with no way in',
  'key-off': 'Keys that will be off',
  'channel-off': 'Channels that will be off',
  conflict: 'Conflicts',
  damaged: 'Rows that could not be read or stored',
  'left-out': 'Rows that are left out',
  weak: 'Weak keys and passwords',
  changed: 'Different from there',
  unknown: 'Not known here',
};

/** The report of a run as lines of a terminal. */
export function reportLines(report: ImportReport): string[] {
  const lines = [
    `${report.product} ${report.version}${report.isDryRun ? ': what an import would do, nothing was written' : `: import ${report.importId}`}`,
    ...report.warnings.map((warning) => `Note: ${english(warning)}`),
    ...noteLines(report),
    '',
    table([
      ['', 'found', 'new', 'unchanged', 'moved', 'left out'],
      ...Object.entries(report.counts).map(([kind, counts]) => [
        `${kind}s`,
        ...[counts.found, counts.added, counts.unchanged, counts.moved, counts.leftOut].map(String),
      ]),
    ]),
  ];
  const { taken, refused, unknown } = report.options;
  if (taken.length > 0) lines.push('', `Settings taken: ${taken.join(', ')}`);
  if (refused.length > 0) lines.push(`Settings refused: ${refused.map(english).join('; ')}`);
  if (unknown.length > 0) lines.push(`Settings without a counterpart: ${unknown.join(', ')}`);
  if (report.numbers.length > 0)
    lines.push(
      '',
      'Other numbers than there:',
      ...report.numbers.map(({ kind, from, to }) => `  ${kind} ${from} is ${to} here`),
    );
  if (report.logs !== null)
    lines.push('', `Log: ${report.logs.lines} lines, calls of ${report.logs.quota} units`);
  if (report.sums.length > 0) lines.push('', ...sumLines(report));
  return lines;
}

function noteLines({ notes, furtherNotes }: ImportReport): string[] {
  const lines = [...Map.groupBy(notes, ({ kind }) => kind)].flatMap(([kind, some]) => [
    '',
    `${HEADINGS[kind] ?? kind} (${some.length}):`,
    ...some
      .slice(0, SHOWN_NOTES)
      .map(
        ({ table: name, id, sentence }) => `  ${[name, id].filter(Boolean).join(' ')}: ${english(sentence)}`,
      ),
    ...(some.length > SHOWN_NOTES ? [`  and ${some.length - SHOWN_NOTES} more`] : []),
  ]);
  return furtherNotes === 0 ? lines : [...lines, `and ${furtherNotes} further rows`];
}

function sumLines({ sums }: ImportReport): string[] {
  const rows = sums.flatMap((sum) => [
    [english(sum.name), sum.source, sum.here, sum.isEqual ? 'equal' : 'DIFFERS'],
    ...sum.explained.map(({ why, amount }) => [`  ${english(why)}`, amount, '', '']),
  ]);
  return [table([['Reconciliation', 'there', 'here', ''], ...rows])];
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
