import fc from 'fast-check';

/** One piece of an answer. Words may hold anything a model writes. */
export type Piece =
  | { readonly kind: 'thought'; readonly words: string; readonly isSigned: boolean }
  | { readonly kind: 'text'; readonly words: string; readonly sources: readonly Page[] }
  | { readonly kind: 'call'; readonly name: string; readonly args: Readonly<Record<string, unknown>> };

export interface Page {
  readonly url: string;
  readonly title: string;
}

/** An answer of a model, as no vendor writes it. */
export interface Answered {
  readonly pieces: readonly Piece[];
  readonly ending: 'done' | 'length';
  readonly usage: {
    readonly fresh: number;
    readonly cached: number;
    readonly output: number;
    readonly thinking: number;
  };
  /** Characters per piece of a stream. */
  readonly step: number;
}

/** An answer of one format, whole and as the events of a stream. */
export interface Written {
  /** Absent = its vendor streams every answer. */
  readonly whole?: object;
  readonly events: readonly object[];
  readonly framing: 'sse' | 'sse-done' | 'sse-named' | 'sse-event' | 'aws' | 'lines';
}

const WORDS = ['a', 'Zürich', '“quoted” \\ "x"', 'line\nbreak', '👋🏽', '{"json":true}', ' ', '\u2028', 'end.'];
const words = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 5 }).map((all) => all.join(' '));
const pages = fc.array(
  fc.nat(9).map((at) => ({ url: `https://pages.example/${at}`, title: `Page ${at}` })),
  { maxLength: 2 },
);
const args = fc.dictionary(
  fc.constantFrom('city', 'days', 'note'),
  fc.oneof(words, fc.integer(), fc.boolean(), fc.constant(null), fc.array(fc.nat(), { maxLength: 3 })),
);

const piece: fc.Arbitrary<Piece> = fc.oneof(
  fc.record({ kind: fc.constant('thought' as const), words, isSigned: fc.boolean() }),
  fc.record({
    kind: fc.constant('text' as const),
    words,
    sources: fc.oneof(fc.constant([]), fc.constant([]), pages),
  }),
  fc.record({ kind: fc.constant('call' as const), name: fc.constantFrom('lookup', 'now'), args }),
);

export const answers: fc.Arbitrary<Answered> = fc.record({
  pieces: fc.array(piece, { minLength: 1, maxLength: 6 }),
  ending: fc.constantFrom('done' as const, 'done' as const, 'length' as const),
  usage: fc.record({
    fresh: fc.integer({ min: 1, max: 900 }),
    cached: fc.nat(99),
    output: fc.integer({ min: 50, max: 99 }),
    thinking: fc.nat(40),
  }),
  step: fc.integer({ min: 1, max: 9 }),
});

/** Texts as a stream brings them; characters stay whole. */
export function split(text: string, step: number): readonly string[] {
  const characters = [...text];
  const parts: string[] = [];
  for (let at = 0; at < characters.length; at += step) parts.push(characters.slice(at, at + step).join(''));
  return parts;
}

/** For formats that have one text, one thought and calls behind both. */
export const inGroups = ({
  pieces,
}: Answered): {
  readonly thought: string;
  readonly text: string;
  readonly sources: readonly Page[];
  readonly calls: readonly Extract<Piece, { kind: 'call' }>[];
} => ({
  thought: pieces.flatMap((one) => (one.kind === 'thought' ? [one.words] : [])).join(''),
  text: pieces.flatMap((one) => (one.kind === 'text' ? [one.words] : [])).join(''),
  sources: pieces.flatMap((one) => (one.kind === 'text' ? one.sources : [])),
  calls: pieces.filter((one) => one.kind === 'call'),
});

export const seal = (words: string): string => Buffer.from(`sealed ${words.length}`).toString('base64');
