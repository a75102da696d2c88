import type { RunReport } from './run-scenario.js';

const seconds = (value: number | undefined): string =>
  value === undefined ? '–' : Number.isNaN(value) ? 'never' : `${value.toFixed(1)} s`;

/** One line a scenario, the same figures in the same order. */
export function reportLine(report: RunReport): string {
  const figures = [
    `calls ${report.calls}`,
    `refused ${report.refused}`,
    `cut ${report.cut}`,
    `failed ${report.failed}`,
    `charged ${report.charged}`,
    `recovered ${report.recovered}`,
    `estimated ${report.estimated}`,
    `lost ${report.lost}`,
    `doubled ${report.doubled}`,
    `quiet ${seconds(report.quietSeconds)}`,
    `returned ${seconds(report.returnedSeconds)}`,
    `seed ${report.seed}`,
  ];
  const notes = [...report.notes].map(([name, value]) => `${name} ${value}`).join(', ');
  const verdict = report.complaints.length === 0 ? 'ok  ' : 'BAD ';
  return `${verdict}${report.scenario.padEnd(22)} ${figures.join('  ')}${notes === '' ? '' : `  (${notes})`}`;
}
