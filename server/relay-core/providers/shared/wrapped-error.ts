import { parseJson } from '../../../common/parse-json.js';
import { documentOf, isDocument, listOf, type Document } from '../../formats/shared/fields/json-fields.js';

/** Longer texts are not searched for a document. */
const MAX_TEXT_LENGTH = 16_384;
const PAGE = /<\s*(?:!doctype|html|head|body)\b/i;
/** Google's sentence for every refused argument; which one it is stands in the details. */
const GENERIC = /^request contains an invalid argument\.?$/i;

/**
 * The failure that a gateway in between wrapped: another failure document, or a mere sentence. OpenRouter's `metadata.raw`
 * (https://openrouter.ai/docs/api-reference/errors), Bifrost's `error.error`, Vercel's `error.value`, Google's field violations
 * (https://cloud.google.com/apis/design/errors), and JSON in the place of a sentence. Read 2026-11-28.
 * @returns undefined when the document wraps nothing
 */
export function insideOf(document: Document): Document | string | undefined {
  const error = documentOf(document['error']);
  const inner = error['error'];
  const value = documentOf(error['value']);
  return (
    readText(documentOf(error['metadata'])['raw']) ??
    (isDocument(inner) ? { error: inner } : undefined) ??
    (Object.keys(value).length > 0 ? value : undefined) ??
    violationIn(error) ??
    documentIn(error['message']) ??
    documentIn(document['error']) ??
    documentIn(document['message']) ??
    documentIn(document['detail'])
  );
}

/** A document in a text, or the text where it is a sentence: pages and single words are none. */
function readText(value: unknown): Document | string | undefined {
  if (isDocument(value)) return value;
  if (typeof value !== 'string') return undefined;
  const document = documentIn(value);
  if (document !== undefined) return document;
  const sentence = value.trim();
  return PAGE.test(sentence) || /^[[{]/.test(sentence) || !/\s/.test(sentence) ? undefined : sentence;
}

function documentIn(value: unknown): Document | undefined {
  if (typeof value !== 'string' || value.length > MAX_TEXT_LENGTH || PAGE.test(value)) return undefined;
  const from = value.search(/[[{]/);
  const to = Math.max(value.lastIndexOf('}'), value.lastIndexOf(']'));
  if (from === -1 || to <= from) return undefined;
  const parsed = parseJson(value.slice(from, to + 1));
  const found: unknown = Array.isArray(parsed) ? parsed[0] : parsed;
  return isDocument(found) ? found : undefined;
}

function violationIn(error: Document): string | undefined {
  const message = error['message'];
  if (typeof message === 'string' && message.trim() !== '' && !GENERIC.test(message.trim())) return undefined;
  const descriptions = listOf(error['details']).flatMap((detail) =>
    listOf(documentOf(detail)['fieldViolations']).flatMap((violation) => {
      const { description } = documentOf(violation);
      return typeof description === 'string' && description.trim() !== '' ? [description.trim()] : [];
    }),
  );
  return descriptions.length === 0 ? undefined : descriptions.join(' ');
}
