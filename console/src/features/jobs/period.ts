import { spacedFigures } from '../../shared/format/timestamp';

const UNITS = [
  { unit: 'day', ms: 86_400_000 },
  { unit: 'hour', ms: 3_600_000 },
  { unit: 'minute', ms: 60_000 },
  { unit: 'second', ms: 1_000 },
] as const;

/** `1 hour`, `3.5 seconds`: in the largest unit of which there is at least one. */
export function formatPeriod(periodMs: number, language: string): string {
  const { unit, ms } = UNITS.find((each) => periodMs >= each.ms) ?? { unit: 'second', ms: 1_000 };
  const format = { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 1 } as const;
  return spacedFigures(new Intl.NumberFormat(language, format).format(periodMs / ms));
}
