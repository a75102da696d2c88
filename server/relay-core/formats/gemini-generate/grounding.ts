import type { Source } from '../../model/content.js';
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
  const supports = listOf(grounding['groundingSupports']).map((item) => camelFields(documentOf(item)));
  const sources: Source[] = [];
  for (const [index, item] of listOf(grounding['groundingChunks']).entries()) {
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
      ...stretchOf(index, supports, place),
    };
    if (!sources.some((known) => markOf(known) === markOf(source))) sources.push(source);
  }
  return sources;
}

/** What tells one source from another: pages are named again and again. */
export const markOf = (source: Source): string =>
  `${source.url ?? ''}\n${source.title ?? ''}\n${source.start ?? ''}`;

function stretchOf(
  chunk: number,
  supports: readonly Document[],
  place: Placing,
): { readonly start?: number; readonly end?: number } {
  const support = supports.find((one) => listOf(one['groundingChunkIndices']).includes(chunk));
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

/** Whether Google looked something up, which is paid by itself. */
export const hasSearched = (metadata: unknown): boolean =>
  listOf(camelFields(documentOf(metadata))['webSearchQueries']).length > 0;

/** Places of a whole text. */
export function placesIn(text: string): Placing {
  const bytes = Buffer.from(text);
  if (bytes.length === text.length) return (index) => Math.min(index, text.length);
  return (index) => bytes.toString('utf8', 0, index).length;
}

/**
 * Sources in this format's words: pages as such, documents without an address as what was retrieved (a page must have one).
 * @param text  the answer's text; undefined = not known any more (streams)
 */
export function writeGrounding(
  sources: readonly Source[],
  text: string | undefined,
): Record<string, unknown> {
  const supports = sources.flatMap((source, index) => {
    const { start, end } = source;
    if (start === undefined || end === undefined || text === undefined) return [];
    const segment = {
      startIndex: Buffer.byteLength(text.slice(0, start)),
      endIndex: Buffer.byteLength(text.slice(0, end)),
      text: text.slice(start, end),
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
