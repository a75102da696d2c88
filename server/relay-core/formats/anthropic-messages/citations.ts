import type { Source } from '../../model/content.js';
import { documentOf, given, textOf, type Document } from '../shared/fields/json-fields.js';
import { IN_RESULT } from './found-pages.js';
import { MESSAGES_FORMAT } from './id.js';

/** The member of a source's vendor options that holds the citation as the vendor gave it. */
const CITATION = 'citation';

/** A citation (`web_search_result_location`, `char_location`, …) in neutral words; the vendor's own stays with it. */
export function readCitation(value: unknown): Source {
  const citation = documentOf(value);
  const url = textOf(citation['url']) ?? searchResultUrl(citation);
  const title = textOf(citation['title']) ?? textOf(citation['document_title']);
  const quote = textOf(citation['cited_text']);
  return {
    ...(url === undefined ? given('documentId', textOf(citation['file_id'])) : { url }),
    ...(title === undefined ? {} : { title }),
    ...(quote === undefined ? {} : { quote }),
    vendorOptions: { [MESSAGES_FORMAT]: { [CITATION]: value } },
  };
}

const searchResultUrl = (citation: Document): string | undefined =>
  citation['type'] === 'search_result_location' ? textOf(citation['source']) : undefined;

/** A source as a citation of this format; undefined when it has nothing a citation needs. */
export function writeCitation(source: Source): Document | undefined {
  const own = source.vendorOptions?.[MESSAGES_FORMAT]?.[CITATION];
  if (own !== undefined) return documentOf(own);
  if (source.url === undefined || source.vendorOptions?.[MESSAGES_FORMAT]?.[IN_RESULT] === true)
    return undefined;
  return {
    type: 'web_search_result_location',
    url: source.url,
    title: source.title ?? null,
    encrypted_index: '',
    cited_text: source.quote ?? '',
  };
}
