import { parseJson } from '../../../common/parse-json.js';
import { documentOf, isDocument, listOf, type Document } from '../../formats/shared/fields/json-fields.js';

/** Longer texts are not searched for a document. */
const MAX_TEXT_LENGTH = 16_384;
const PAGE = /<\s*(?:!doctype|html|head|body)\b/i;
/** Google's sentence for every refused argument; which one it is stands in the details. */
const GENERIC = /^request contains an invalid argument\.?$/i;
/** Sentences that name no reason: the members beside them have more. */
const SAYS_NOTHING =
  /^(?:bad|error|bad request|invalid request|unprocessable entity|(?:an? )?(?:unknown |internal |internal server |upstream |provider |validation |server |api )?error(?: occurred)?|validation failed|provider returned error|(?:upstream |gateway )?request failed(?: with status code \d{3})?|invalid error response format\b.{0,80}|[\w-]{1,20} failed|.{0,40}see (?:details|below))[.:]?$/i;

/**
 * Members in which gateways keep the failure of the vendor behind them, whatever their own sentence: OpenRouter's `metadata.raw`
 * (https://openrouter.ai/docs/api-reference/errors), Bifrost's `error.error`, Vercel's `error.value`, Databricks' external models, and what
 * HTTP clients call a body. Read 2026-11-28 and 2026-11-29.
 */
const WRAPPERS: readonly string[] = [
  'error',
  'value',
  'original_error',
  'originalError',
  'inner_error',
  'provider_response',
  'provider_error',
  'upstream_error',
  'responseBody',
  'response_body',
  'external_model_message',
  'raw',
];
/** Members read only where the sentence beside them names no reason. */
const DETAILS: readonly string[] = [
  'innererror',
  'details',
  'detail',
  'errors',
  'cause',
  'param',
  'response',
  'upstream',
  'data',
  'body',
  'reason',
];

/**
 * The failure that a gateway in between wrapped: another failure document, or a mere sentence.
 * @returns undefined when the document wraps nothing
 */
export function insideOf(document: Document): Document | string | undefined {
  const error = documentOf(document['error']);
  const told =
    sentenceOf(error['message']) ?? sentenceOf(document['message']) ?? sentenceOf(document['error']);
  const saysNothing = told === undefined || SAYS_NOTHING.test(told);
  return (
    readText(documentOf(error['metadata'])['raw']) ??
    wrappedIn(error, WRAPPERS) ??
    wrappedIn(document, WRAPPERS.slice(1)) ??
    violationIn(error) ??
    documentIn(error['message']) ??
    documentIn(document['error']) ??
    documentIn(document['message']) ??
    documentIn(document['detail']) ??
    (saysNothing ? (wrappedIn(error, DETAILS) ?? wrappedIn(document, DETAILS)) : undefined) ??
    (told === undefined ? (messageIn(error) ?? messageIn(document)) : undefined)
  );
}

const sentenceOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

/** Value of the first filled member of these names. */
function wrappedIn(holder: Document, names: readonly string[]): Document | string | undefined {
  for (const name of names) {
    const value = holder[name];
    const first: unknown = Array.isArray(value) ? value[0] : value;
    const read = readText(first);
    if (read === undefined) continue;
    if (typeof read === 'string') return read;
    // The failure itself, or what stands around it.
    if (Object.keys(read).length > 0 && read['@type'] === undefined)
      return name === 'error' ? { error: read } : read;
  }
  return undefined;
}

/** A message that is a document: its text, or what it wraps. */
function messageIn(holder: Document): Document | string | undefined {
  const message = documentOf(holder['message']);
  if (Object.keys(message).length === 0 || Array.isArray(message['detail'])) return undefined;
  return readText(message['text']) ?? message;
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
  const text = value.slice(from, to + 1);
  const parsed = parseJson(text);
  const found: unknown = Array.isArray(parsed) ? parsed[0] : parsed;
  return isDocument(found) ? found : printedIn(text);
}

/** A failure as Python prints a dictionary: only its sentence is read. */
function printedIn(text: string): Document | undefined {
  const message = /'message': (?:'([^']{1,2000})'|"([^"]{1,2000})")/.exec(text);
  const sentence = message?.[1] ?? message?.[2];
  return sentence === undefined ? undefined : { message: sentence };
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

/** Returns false for pages of a proxy and for documents that nothing was read out of: callers see sentences. */
export const isSentence = (text: string): boolean =>
  !PAGE.test(text) && !(/^\s*[[{]/.test(text) && /[}\]]\s*$/.test(text));
