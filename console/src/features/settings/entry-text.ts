import type { TFunction } from 'i18next';
import { isRecord } from '../../shared/format/json';

const KNOWN_FACTORS = ['input', 'output', 'cache_read', 'cache_write'] as const;

/**
 * A value of a price document as people read it, one line each: prices of long calls and factors agreed for groups in words, numbers
 * and texts as they are. What has no such form stays JSON.
 */
export function entryLines(value: unknown, t: TFunction): readonly string[] {
  if (Array.isArray(value) && value.length > 0) {
    const tiers = value.map((tier: unknown) => tierLine(tier, t));
    if (tiers.every((line) => line !== undefined)) return tiers;
  }
  if (isRecord(value)) {
    const members = Object.entries(value);
    if (members.length > 0 && members.every(([, member]) => typeof member === 'number'))
      return members.map(([name, member]) => `${name} ×${String(member)}`);
  }
  return [typeof value === 'string' ? value : JSON.stringify(value)];
}

function tierLine(tier: unknown, t: TFunction): string | undefined {
  if (!isRecord(tier)) return undefined;
  const { above, ...factors } = tier;
  const names = Object.keys(factors);
  if (typeof above !== 'number' || names.some((name) => !KNOWN_FACTORS.some((known) => known === name)))
    return undefined;
  const parts = KNOWN_FACTORS.flatMap((name) =>
    typeof factors[name] === 'number' ? [t(`prices.tier.${name}`, { factor: String(factors[name]) })] : [],
  );
  return t('prices.tier.line', {
    tokens: above.toLocaleString('en-US'),
    factors: parts.join(t('prices.draft.separator')),
  });
}
