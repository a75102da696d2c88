import type { RowId } from './table-props';

/** Whether the rows in sight are selected. */
export function selectionState(
  selected: ReadonlySet<RowId> | undefined,
  ids: readonly RowId[],
): 'none' | 'some' | 'all' {
  const count = ids.filter((id) => selected?.has(id) === true).length;
  if (count === 0) return 'none';
  return count === ids.length ? 'all' : 'some';
}

export function selectOne(selected: ReadonlySet<RowId>, id: RowId, on: boolean): Set<RowId> {
  const next = new Set(selected);
  if (on) next.add(id);
  else next.delete(id);
  return next;
}

export function selectAll(selected: ReadonlySet<RowId>, ids: readonly RowId[], on: boolean): Set<RowId> {
  return ids.reduce((next, id) => selectOne(next, id, on), new Set(selected));
}

/** True when a click landed on something that acts by itself, so that the row must not open. */
export function isInteractive(target: EventTarget, row: Element): boolean {
  const hit = (target as Element).closest(
    'button, a, input, label, textarea, [role="button"], [role="combobox"]',
  );
  return hit !== null && row.contains(hit);
}
