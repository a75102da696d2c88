import { parseJson } from '../../shared/format/json';
import type { OptionTexts } from './api';
import type { SyncPick } from './price.api';

/** The documents as they will be when picked prices are taken over. */
export function changesOfPicks(
  stored: OptionTexts,
  items: readonly SyncPick[],
): { key: string; value: string }[] {
  const documents = new Map<string, Map<string, unknown>>();
  for (const { model, entries } of items) {
    for (const { key, listed } of entries) {
      const document = documents.get(key) ?? members(stored[key]);
      if (key === 'ServiceTierRatio') putTiers(document, model, listed);
      else if (listed === null || listed === undefined) document.delete(model);
      else document.set(model, listed);
      documents.set(key, document);
    }
  }
  return [...documents].map(([key, document]) => ({
    key,
    value: JSON.stringify(Object.fromEntries(document)),
  }));
}

/** The classes of service of one model are entries of their own. */
function putTiers(document: Map<string, unknown>, model: string, listed: unknown): void {
  if (typeof listed !== 'object' || listed === null) return;
  for (const [tier, factor] of Object.entries(listed)) document.set(`${tier}:${model}`, factor);
}

function members(text: string | undefined): Map<string, unknown> {
  const value = parseJson(text ?? '');
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : new Map();
}
