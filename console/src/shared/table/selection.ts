import type { RowId } from './table-props';

/** True when the rows in sight are selected. */
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

/**
 * True when a click must not open the row: it landed on something that acts by itself, or on a menu or dialog the row
 * has opened (React hands those events up to the row, though they lie elsewhere on the page).
 */
export function isInteractive(target: EventTarget, row: Element): boolean {
  if (!(target instanceof Element) || !row.contains(target)) return true;
  const hit = target.closest('button, a, input, label, textarea, [role="button"], [role="combobox"]');
  return hit !== null && row.contains(hit);
}
