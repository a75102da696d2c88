import { LIMITS } from '../../shared/form/limits';

/** Names of channels that are added together: those that would repeat get numbers, from 1. Taken names stay with whom they are. */
export function numberedNames(wanted: readonly string[], taken: ReadonlySet<string>): string[] {
  const counts = new Map<string, number>();
  for (const name of wanted) counts.set(name, (counts.get(name) ?? 0) + 1);
  const isSingle = (name: string) => counts.get(name) === 1 && !taken.has(name);
  const used = new Set([...taken, ...wanted.filter(isSingle)]);
  const last = new Map<string, number>();
  return wanted.map((name) => {
    if (name === '' || isSingle(name)) return name;
    // One that is taken already goes on behind it.
    let number = last.get(name) ?? (counts.get(name) === 1 ? 1 : 0);
    let numbered: string;
    do {
      number += 1;
      numbered = withNumber(name, number);
    } while (used.has(numbered));
    used.add(numbered);
    last.set(name, number);
    return numbered;
  });
}

function withNumber(name: string, number: number): string {
  const suffix = ` ${number}`;
  return `${Array.from(name)
    .slice(0, LIMITS.channelName - suffix.length)
    .join('')}${suffix}`;
}
