import { readNumbers } from './read-price-document.js';

/** `tier`, `tier:model`, `tier:model-prefix*`: factor of what the tokens of a call cost. */
export const SERVICE_TIER_KEY = /^[a-z0-9_-]{1,32}(:[^\s*]{1,200}\*?)?$/;

/** Key of a service tier's factor for one model. */
export const serviceTierKey = (tier: string, model: string): string => `${tier}:${model}`;

interface Entry {
  readonly tier: string;
  /** Empty = every model. */
  readonly model: string;
  readonly isPrefix: boolean;
  /** Exact decimal. */
  readonly factor: string;
}

/**
 * Price factors of providers for calls served in another service tier than the usual one.
 * Fails: the constructor throws PriceDocumentError naming the first entry that is not a usable number.
 */
export class ServiceTiers {
  /** Most specific entries first. */
  private readonly entries: readonly Entry[];

  constructor(document: Readonly<Record<string, number>>) {
    this.entries = [...readNumbers(document, 'ServiceTierRatio')]
      .map(([key, factor]) => {
        const [tier, model] = splitOnce(key);
        const isPrefix = model.endsWith('*');
        return { tier, model: isPrefix ? model.slice(0, -1) : model, isPrefix, factor };
      })
      .toSorted((a, b) => Number(isExact(b)) - Number(isExact(a)) || b.model.length - a.model.length);
  }

  /** Factor of each tier that has one for this model. @returns undefined when none has */
  of(model: string): Readonly<Record<string, string>> | undefined {
    const factors = new Map<string, string>();
    for (const { tier, model: named, isPrefix, factor } of this.entries) {
      const isMeant = named === '' || (isPrefix ? model.startsWith(named) : model === named);
      if (isMeant && !factors.has(tier)) factors.set(tier, factor);
    }
    return factors.size === 0 ? undefined : Object.freeze(Object.fromEntries(factors));
  }
}

const isExact = ({ model, isPrefix }: Entry): boolean => model !== '' && !isPrefix;

/** Names of models hold colons themselves; a tier does not. */
function splitOnce(key: string): readonly [string, string] {
  const colon = key.indexOf(':');
  return colon === -1 ? [key, ''] : [key.slice(0, colon), key.slice(colon + 1)];
}
