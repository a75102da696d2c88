import type { Source } from '../../model/content.js';
import { keepUnknown } from '../../model/vendor-options.js';
import { given, numberOf, textOf, type Document } from '../shared/fields/json-fields.js';
import { RESPONSES_FORMAT } from './id.js';

const KNOWN_FIELDS: ReadonlySet<string> = new Set(['url', 'title', 'start_index', 'end_index']);

/** An annotation of a text. Kinds without an address (cited files) keep their members as vendor options. */
export function readSource(annotation: Document): Source {
  const isUrl = annotation['type'] === 'url_citation';
  return {
    ...given('url', textOf(annotation['url'])),
    ...given('title', textOf(annotation['title']) ?? textOf(annotation['filename'])),
    ...given('start', numberOf(annotation['start_index'])),
    ...given('end', numberOf(annotation['end_index'])),
    ...(isUrl ? {} : given('vendorOptions', keepUnknown(RESPONSES_FORMAT, annotation, KNOWN_FIELDS))),
  };
}

/**
 * A source as an annotation; undefined = it has neither an address nor an id, which every kind of annotation needs.
 * @param textLength  characters of the text it stands in, for sources without a place
 */
export function writeAnnotation(source: Source, textLength: number): Record<string, unknown> | undefined {
  const own = source.vendorOptions?.[RESPONSES_FORMAT];
  const place = { start_index: source.start ?? 0, end_index: source.end ?? textLength };
  if (own !== undefined) {
    return {
      ...own,
      ...given('url', source.url),
      ...given('start_index', source.start),
      ...given('end_index', source.end),
    };
  }
  const { url, title, documentId } = source;
  if (url !== undefined) return { type: 'url_citation', url, title: title ?? url, ...place };
  return documentId === undefined
    ? undefined
    : { type: 'file_citation', file_id: documentId, filename: title ?? documentId, index: place.end_index };
}
