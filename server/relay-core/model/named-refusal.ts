import { REFUSALS, type RefusalName } from './refusals.js';
import type { RelayError } from './relay-error.js';

/** A refusal as a code and the values of its sentence, so that it can be rendered in any language. */
export interface NamedRefusal {
  readonly code: RefusalName;
  /** Value of each mark of the sentence. */
  readonly values: Readonly<Record<string, string>>;
}

const MARK = /\{(\w+)\}/g;
const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** Sentences with marks, as patterns with a named group for each mark. */
const PATTERNS = (Object.keys(REFUSALS) as RefusalName[])
  .filter((code) => REFUSALS[code].message.includes('{'))
  .map((code) => {
    const parts = REFUSALS[code].message.split(MARK);
    const pattern = parts.map((part, index) => (index % 2 === 0 ? literal(part) : `(?<${part}>[^]*?)`));
    return { code, pattern: new RegExp(`^${pattern.join('')}$`) };
  });

const PLAIN = new Map<string, RefusalName>(
  (Object.keys(REFUSALS) as RefusalName[])
    .filter((code) => !REFUSALS[code].message.includes('{'))
    .map((code) => [REFUSALS[code].message, code]),
);

/** Row of a sentence; with a filter only one of the rows that pass it. */
function rowOf(message: string, fits: (code: RefusalName) => boolean): NamedRefusal | undefined {
  const plain = PLAIN.get(message);
  if (plain !== undefined) return fits(plain) ? { code: plain, values: {} } : undefined;
  for (const { code, pattern } of PATTERNS) {
    if (!fits(code)) continue;
    const found = pattern.exec(message);
    if (found !== null) return { code, values: { ...found.groups } };
  }
  return undefined;
}

/**
 * Which row of the table of refusals a failure is. Undefined for a vendor's own words, and for sentences about a field of a request,
 * which are in no table.
 */
export const namedRefusal = ({
  kind,
  blame,
  message,
}: Pick<RelayError, 'kind' | 'blame' | 'message'>): NamedRefusal | undefined =>
  rowOf(message, (code) => REFUSALS[code].kind === kind && REFUSALS[code].blame === blame);

/** Which row a stored sentence of the gateway is, where its kind was not stored. Not for sentences of a vendor. */
export const namedSentence = (sentence: string): NamedRefusal | undefined => rowOf(sentence, () => true);
