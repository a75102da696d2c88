import type { Source } from '../../model/content.js';
import {
  documentOf,
  given,
  isDocument,
  listOf,
  numberOf,
  textOf,
  type Document,
} from '../shared/fields/json-fields.js';
import { CHAT_FORMAT } from './id.js';

/** One of a message's annotations; what it was stays beside it for the same format. */
export function readAnnotation(annotation: Document): Source {
  const place = isDocument(annotation['url_citation']) ? annotation['url_citation'] : annotation;
  return {
    ...given('url', textOf(place['url'])),
    ...given('title', textOf(place['title'])),
    ...given('quote', textOf(place['content'])),
    ...given('start', numberOf(place['start_index'])),
    ...given('end', numberOf(place['end_index'])),
    vendorOptions: { [CHAT_FORMAT]: annotation },
  };
}

/** Place of a text in the one text a message of this format has, in UTF-16 units. */
export interface TextPlace {
  readonly offset: number;
  readonly length: number;
}

/** @param place  of the text it is a source of; a source without a place of its own stands for all of it */
export function writeAnnotation(source: Source, { offset, length }: TextPlace): Document {
  const own = source.vendorOptions?.[CHAT_FORMAT];
  if (own !== undefined) return own;
  return {
    type: 'url_citation',
    url_citation: {
      url: source.url ?? '',
      title: source.title ?? source.url ?? '',
      ...given('content', source.quote),
      start_index: offset + (source.start ?? 0),
      end_index: offset + (source.end ?? length),
    },
  };
}

/**
 * Sources beside the choices: Perplexity's `search_results` and `citations`, xAI's `citations`. A search result holds more
 * than the bare address.
 */
export function readCitations(document: Document): readonly Source[] {
  const results = listOf(document['search_results']).map(documentOf);
  if (results.length > 0) {
    return results.flatMap((result) => {
      const url = textOf(result['url']);
      return url === undefined
        ? []
        : [{ url, ...given('title', textOf(result['title'])), ...given('quote', textOf(result['snippet'])) }];
    });
  }
  return listOf(document['citations']).flatMap((citation) => {
    const url = textOf(citation) ?? textOf(documentOf(citation)['url']);
    return url === undefined ? [] : [{ url }];
  });
}
