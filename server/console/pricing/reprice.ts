import type { VendorTool } from '../../relay-core/model/call.js';
import type { PriceSnapshot } from '../../relay-core/model/price-snapshot.js';
import type { PriceTable } from '../../base/pricing/price-table.js';

/**
 * The prices a call would have been settled by under another table.
 * @param userGroup  of the account; undefined = as the call was settled
 * @returns undefined when the table has no price for the model
 */
export function repriceSnapshot(
  old: PriceSnapshot,
  table: PriceTable,
  userGroup?: string,
): PriceSnapshot | undefined {
  const acceptsUnset = old.mode === 'ratio' && old.unset === true;
  const next = table.snapshot(old.model, old.group, acceptsUnset, {
    userGroup: userGroup ?? old.userGroup,
    tools: toolsOf(old),
    makesPictures: old.mode === 'ratio' && old.makesPictures === true,
  });
  if (next === undefined || next.mode !== 'call') return next;
  if (old.mode !== 'call' || old.factor === undefined) return next;
  const { factor, factorName } = old;
  return { ...next, factor, ...(factorName === undefined ? {} : { factorName }) };
}

/** The tools as the call asked for them: what `toolTerms` keeps. */
function toolsOf(old: PriceSnapshot): readonly VendorTool[] {
  return Object.entries(old.toolTerms ?? {}).map(([name, term]) => {
    const [priceKey = '', size] = term.split('@');
    const isSize = size === 'low' || size === 'medium' || size === 'high';
    return { name, priceKey, ...(isSize ? { contextSize: size } : {}) };
  });
}

/** Whether both charge the same for every usage. False negatives cost time only. */
export function pricesAlike(left: PriceSnapshot, right: PriceSnapshot): boolean {
  return comparable(left) === comparable(right);
}

/** What a charge depends on, in one order. */
function comparable(snapshot: PriceSnapshot): string {
  const {
    revision: _revision,
    userGroup: _userGroup,
    modelPattern: _pattern,
    toolTerms: _terms,
    ...prices
  } = snapshot;
  return JSON.stringify(Object.entries(prices).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
