import type { ErrorCode } from '../errors/error-catalogue.js';
import { renderRefusal } from '../errors/render-refusal.js';
import type { Language } from '../language.js';
import { LITELLM_SENTENCES } from './catalogue/litellm-sentences.js';
import { PEOPLE_SENTENCES } from './catalogue/people-sentences.js';
import { SOURCE_SENTENCES } from './catalogue/source-sentences.js';
import { SUM_SENTENCES } from './catalogue/sum-sentences.js';
import { TOKEN_SENTENCES } from './catalogue/token-sentences.js';
import { VALUE_SENTENCES } from './catalogue/value-sentences.js';
import type { SentenceRow } from './sentence-row.js';

/** Every sentence of an import under its stable code, one file per area. Reports keep codes and values, so that each reader has a language. */
export const SENTENCES = {
  ...SOURCE_SENTENCES,
  ...VALUE_SENTENCES,
  ...PEOPLE_SENTENCES,
  ...TOKEN_SENTENCES,
  ...LITELLM_SENTENCES,
  ...SUM_SENTENCES,
} as const;

export type SentenceCode = keyof typeof SENTENCES;

/** A refusal of another part of this product, which has its own sentence in both languages. */
export interface NestedRefusal {
  readonly refusal: ErrorCode;
  readonly values: Readonly<Record<string, string | number>>;
}

type SentenceValue = string | number | Sentence | NestedRefusal;

/** A sentence as it is stored: its code, and the values of its `{name}` marks. */
export interface Sentence {
  readonly code: SentenceCode;
  readonly values: Readonly<Record<string, SentenceValue>>;
}

type MarksOf<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | MarksOf<Rest>
  : never;
type ValuesOf<Code extends SentenceCode> = Readonly<
  Record<MarksOf<(typeof SENTENCES)[Code]['en']>, SentenceValue>
>;

/** The sentence of a code; the compiler checks that every mark has a value. */
export function sentence<Code extends SentenceCode>(
  code: Code,
  ...[values]: keyof ValuesOf<Code> extends never ? [] : [ValuesOf<Code>]
): Sentence {
  return { code, values: (values ?? {}) as Sentence['values'] };
}

/** The text of a sentence. A code that this version does not know stands for itself. */
export function renderSentence({ code, values }: Sentence, language: Language): string {
  const row: SentenceRow | undefined = Object.hasOwn(SENTENCES, code) ? SENTENCES[code] : undefined;
  if (row === undefined) return String(code);
  return row[language].replace(/\{(\w+)\}/g, (mark, name: string) => {
    const value = values[name];
    return value === undefined ? mark : renderValue(value, language);
  });
}

function renderValue(value: SentenceValue, language: Language): string {
  if (typeof value !== 'object') return String(value);
  return 'refusal' in value
    ? renderRefusal(value.refusal, value.values, language).body.message
    : renderSentence(value, language);
}

/** An error whose message is a sentence of the catalogue, in English. */
export class SentenceError extends Error {
  constructor(
    readonly sentence: Sentence,
    options?: ErrorOptions,
  ) {
    super(renderSentence(sentence, 'en'), options);
  }
}
