import { readNumbers } from './read-price-document.js';

/** Name of a model, or a pattern of names: `*` stands for any text, or none. */
export const MODEL_PATTERN = /^\S(.{0,253}\S)?$/;

interface Entry {
  readonly pattern: string;
  /** Texts between the stars. */
  readonly texts: readonly string[];
  /** Exact decimal. */
  readonly factor: string;
}

/**
 * Factors by name of model. The whole name wins over every pattern, then the pattern that names more of it; of two that name as much the
 * one with the longer beginning, then the one that comes first in the alphabet: the order of a document does not matter.
 * Fails: the constructor throws PriceDocumentError naming the first entry that is not a usable number.
 */
export class ModelFactors {
  private readonly whole = new Map<string, Entry>();
  private readonly patterns: readonly Entry[];

  constructor(userGroup: string, document: Readonly<Record<string, number>>) {
    const patterns: Entry[] = [];
    for (const [pattern, factor] of readNumbers(document, `GroupModelRatio: "${userGroup}"`)) {
      const entry = { pattern, texts: pattern.split('*'), factor };
      if (entry.texts.length === 1) this.whole.set(pattern, entry);
      else patterns.push(entry);
    }
    this.patterns = patterns.toSorted(
      (left, right) =>
        lengthOf(right) - lengthOf(left) ||
        beginningOf(right).length - beginningOf(left).length ||
        (left.pattern < right.pattern ? -1 : 1),
    );
  }

  of(model: string): { readonly pattern: string; readonly factor: string } | undefined {
    return this.whole.get(model) ?? this.patterns.find(({ texts }) => isMatch(model, texts));
  }
}

const lengthOf = ({ texts }: Entry): number => texts.reduce((sum, text) => sum + text.length, 0);
const beginningOf = ({ texts }: Entry): string => texts[0] ?? '';

/** Each text where it first comes is as good as any later place, so no way has to be tried twice. */
function isMatch(model: string, texts: readonly string[]): boolean {
  const beginning = texts[0] ?? '';
  const end = texts.at(-1) ?? '';
  if (model.length < beginning.length + end.length) return false;
  if (!model.startsWith(beginning) || !model.endsWith(end)) return false;
  const last = model.length - end.length;
  let at = beginning.length;
  for (const text of texts.slice(1, -1)) {
    const found = model.indexOf(text, at);
    if (found === -1 || found + text.length > last) return false;
    at = found + text.length;
  }
  return true;
}
