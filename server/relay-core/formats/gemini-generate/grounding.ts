import type { Source } from '../../model/content.js';
import { MAX_ANSWER_PARTS } from '../contract/answer-limits.js';
import { documentOf, given, listOf, numberOf, textOf, type Document } from '../shared/fields/json-fields.js';
import { camelFields } from '../shared/fields/proto-names.js';

/** Answers a place in the text, in characters, for a place in bytes; undefined = not known. */
export type Placing = (byteIndex: number) => number | undefined;

/**
 * The places an answer rests on: one source per grounding chunk, with the first stretch of text it stands for. This
 * grammar counts bytes of the part's text, the neutral model characters.
 */
export function readSources(metadata: unknown, place: Placing): readonly Source[] {
  const grounding = camelFields(documentOf(metadata));
  const supports = supportsOf(listOf(grounding['groundingSupports']));
  const sources: Source[] = [];
  const marks = new Set<string>();
  for (const [index, item] of listOf(grounding['groundingChunks']).slice(0, MAX_CHUNKS).entries()) {
    const chunk = camelFields(documentOf(item));
    const origin = documentOf(chunk['web'] ?? chunk['maps'] ?? chunk['image'] ?? chunk['retrievedContext']);
    const url = textOf(origin['uri']) ?? textOf(origin['sourceUri']);
    const title = textOf(origin['title']);
    const quote = textOf(origin['text']);
    if (url === undefined && title === undefined) continue;
    const source = {
      ...(url === undefined ? {} : { url }),
      ...(title === undefined ? {} : { title }),
      ...(quote === undefined ? {} : { quote }),
      ...stretchOf(supports.get(index), place),
    };
    const mark = markOf(source);
    if (marks.has(mark)) continue;
    marks.add(mark);
    sources.push(source);
  }
  return sources;
}

/** Identity of a source: pages are named again and again. */
export const markOf = (source: Source): string =>
  `${source.url ?? ''}\n${source.title ?? ''}\n${source.start ?? ''}`;

/** More are read no further: an answer with so many parts is refused. */
const MAX_CHUNKS = MAX_ANSWER_PARTS + 1;

/** The first support of each chunk. */
function supportsOf(items: readonly unknown[]): ReadonlyMap<unknown, Document> {
  const supports = new Map<unknown, Document>();
  for (const item of items) {
    const support = camelFields(documentOf(item));
    for (const chunk of listOf(support['groundingChunkIndices']))
      if (!supports.has(chunk)) supports.set(chunk, support);
  }
  return supports;
}

function stretchOf(
  support: Document | undefined,
  place: Placing,
): { readonly start?: number; readonly end?: number } {
  if (support === undefined) return {};
  const segment = camelFields(documentOf(support['segment']));
  const end = numberOf(segment['endIndex']);
  if (end === undefined) return {};
  // Zero is the grammar's unwritten value.
  const from = place(numberOf(segment['startIndex']) ?? 0);
  const to = place(end);
  return from === undefined || to === undefined ? {} : { start: from, end: to };
}

/** A source whose place is counted in a longer text. @param offset  where the source's own text begins in it */
export function sourceIn(source: Source, offset: number): Source {
  const { start, end } = source;
  if (start === undefined || end === undefined) return source;
  return { ...source, start: Math.max(0, start - offset), end: Math.max(0, end - offset) };
}

/** Returns true when Google searched, which is charged by itself. */
export const hasSearched = (metadata: unknown): boolean =>
  listOf(camelFields(documentOf(metadata))['webSearchQueries']).length > 0;

/** Places of a whole text. */
export function placesIn(text: string): Placing {
  const bytes = Buffer.from(text);
  if (bytes.length === text.length) return (index) => Math.min(index, text.length);
  // A place is looked up for every source: the text before it must not be read each time.
  const marks = new Uint32Array(Math.floor(bytes.length / MARK_BYTES) + 1);
  let characters = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    if (at % MARK_BYTES === 0) marks[at / MARK_BYTES] = characters;
    characters += charactersOf(bytes[at] as number);
  }
  return (index) => {
    if (index >= bytes.length) return text.length;
    const mark = Math.max(0, Math.floor(index / MARK_BYTES));
    let before = marks[mark] as number;
    for (let at = mark * MARK_BYTES; at < index; at += 1) before += charactersOf(bytes[at] as number);
    return before;
  };
}

const MARK_BYTES = 1_024;

/** UTF-16 units of the character that begins with a byte; 0 = none begins there. */
function charactersOf(byte: number): number {
  if (byte >= 0xf0) return 2;
  return byte >= 0x80 && byte < 0xc0 ? 0 : 1;
}

/** Characters of stretches that are written for all sources together: each of them may be the whole text. */
const MAX_STRETCHED = 8_000_000;

/**
 * Sources in this format's words: pages as such, documents without an address as what was retrieved (a page must have one).
 * @param text  the answer's text; undefined = not known any more (streams)
 */
export function writeGrounding(
  sources: readonly Source[],
  text: string | undefined,
): Record<string, unknown> {
  const placed = text === undefined || text.length * sources.length > MAX_STRETCHED ? undefined : text;
  const supports = sources.flatMap((source, index) => {
    const { start, end } = source;
    if (start === undefined || end === undefined || placed === undefined) return [];
    const segment = {
      startIndex: Buffer.byteLength(placed.slice(0, start)),
      endIndex: Buffer.byteLength(placed.slice(0, end)),
      text: placed.slice(start, end),
    };
    return [{ segment, groundingChunkIndices: [index] }];
  });
  return {
    groundingChunks: sources.map(({ url, title, quote }) => {
      const named = given('title', title);
      if (url !== undefined) return { web: { uri: url, ...named } };
      return { retrievedContext: { ...named, ...given('text', quote) } };
    }),
    ...(supports.length === 0 ? {} : { groundingSupports: supports }),
  };
}
