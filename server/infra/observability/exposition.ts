import type { Family } from './metrics-registry.js';

/** What `/metrics` answers as: the text format every collector reads. */
export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Figures in the text format of Prometheus. */
export function writeExposition(families: readonly Family[]): string {
  const lines: string[] = [];
  for (const { name, help, type, samples } of families) {
    lines.push(`# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}`);
    lines.push(`# TYPE ${name} ${type}`);
    for (const sample of samples) {
      lines.push(`${sample.name}${labelsOf(sample.labels)} ${numberOf(sample.value)}`);
    }
  }
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

/** The same families with one label more on every sample. */
export function withLabel(families: readonly Family[], label: string, value: string): readonly Family[] {
  return families.map((family) => ({
    ...family,
    samples: family.samples.map((sample) => ({ ...sample, labels: { [label]: value, ...sample.labels } })),
  }));
}

/** Families of several processes as one list: a name once, with everybody's samples. */
export function joinFamilies(lists: readonly (readonly Family[])[]): readonly Family[] {
  const joined = new Map<string, Family>();
  for (const family of lists.flat()) {
    const known = joined.get(family.name);
    joined.set(
      family.name,
      known === undefined ? family : { ...known, samples: [...known.samples, ...family.samples] },
    );
  }
  return [...joined.values()].sort((a, b) => a.name.localeCompare(b.name));
}

/**
 * Figures of workers that may have the same number: while workers are exchanged, the one that leaves and the one that comes, which
 * keeps the number.
 * @param lists  each of one worker, in the order in which they came
 */
export function tellApart(lists: readonly (readonly Family[])[]): readonly (readonly Family[])[] {
  const seen = new Map<string, number>();
  return lists
    .toReversed()
    .map((families) => {
      const number = families[0]?.samples[0]?.labels['worker'] ?? '';
      const count = seen.get(number) ?? 0;
      seen.set(number, count + 1);
      return count === 0 ? families : renamed(families, `${number}-leaving${count === 1 ? '' : count}`);
    })
    .toReversed();
}

const renamed = (families: readonly Family[], worker: string): readonly Family[] =>
  families.map((family) => ({
    ...family,
    samples: family.samples.map((sample) => ({ ...sample, labels: { ...sample.labels, worker } })),
  }));

function labelsOf(labels: Readonly<Record<string, string>>): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return parts.length === 0 ? '' : `{${parts.join(',')}}`;
}

const escaped = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');

function numberOf(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  return String(value);
}
