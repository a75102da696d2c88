import { useCallback, useMemo, useState } from 'react';
import { parseJson } from '../../shared/format/json';
import type { OptionChange, OptionTexts } from './api';
import type { PriceChange } from './price.api';
import { PRICE_DOCUMENTS, type PriceKey } from './price-documents';
import { priceFault, type PriceFault } from './price-faults';

export interface PriceDraft {
  readonly stored: OptionTexts;
  /** The stored texts with what is changed in their place. */
  readonly texts: OptionTexts;
  /** Entries that differ from the stored ones. */
  readonly changes: PriceChange[];
  /** Documents that cannot be saved as they are. */
  readonly faults: ReadonlyMap<PriceKey, PriceFault>;
  apply(changes: readonly OptionChange[]): void;
  discard(): void;
}

/** Prices as they will be: every editor writes here, and one review stores them together. */
export function usePriceDraft(stored: OptionTexts): PriceDraft {
  const [drafted, setDrafted] = useState<OptionTexts>({});
  const texts = useMemo(() => ({ ...stored, ...drafted }), [stored, drafted]);
  const changes = useMemo(
    () =>
      PRICE_DOCUMENTS.flatMap(({ key }) => {
        const value = drafted[key];
        return value === undefined || isSameDocument(value, stored[key] ?? '') ? [] : [{ key, value }];
      }),
    [stored, drafted],
  );
  const faults = useMemo(() => {
    const found = new Map<PriceKey, PriceFault>();
    for (const { key, form } of PRICE_DOCUMENTS) {
      const fault = drafted[key] === undefined ? undefined : priceFault(drafted[key], form);
      if (fault !== undefined) found.set(key, fault);
    }
    return found;
  }, [drafted]);
  const apply = useCallback((next: readonly OptionChange[]) => {
    setDrafted((before) => ({
      ...before,
      ...Object.fromEntries(next.map(({ key, value }) => [key, value ?? ''])),
    }));
  }, []);
  const discard = useCallback(() => setDrafted({}), []);
  return { stored, texts, changes, faults, apply, discard };
}

/** The same entries, however they are laid out or ordered. */
function isSameDocument(left: string, right: string): boolean {
  return left === right || canonical(left) === canonical(right);
}

function canonical(text: string): string {
  const value = parseJson(text.trim() === '' ? '{}' : text);
  return value === undefined ? text : JSON.stringify(value, sortMembers);
}

function sortMembers(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)));
}
