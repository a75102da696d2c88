import { documentOf, isDocument, listOf, textOf, type Document } from './json-fields.js';
import { parseJson } from '../../../../common/parse-json.js';

/** Refusals are short; what is longer is something else. */
const MAX_BYTES = 64 * 1024;
/** Members with the sentence of a failure at vendors without an `error` member. */
const SENTENCES = [
  'message',
  'detail',
  'msg',
  'err',
  'error_msg',
  'error_message',
  'errmsg',
  'err_msg',
  'Message',
  'errorMessage',
] as const;

/** The error that the body of a 2xx without an answer reports; undefined = it reports none. */
export function errorInBody(body: Buffer): Document | undefined {
  if (body.length > MAX_BYTES) return undefined;
  const parsed = parseJson(body);
  const document: unknown = Array.isArray(parsed) ? parsed[0] : parsed;
  if (!isDocument(document)) return undefined;
  const hasError =
    SENTENCES.some((name) => textOf(document[name]) !== undefined) ||
    textOf(documentOf(listOf(document['detail'])[0])['msg']) !== undefined ||
    textOf(documentOf(listOf(document['errors'])[0])['message']) !== undefined ||
    HOLDERS.some((name) => holdsSentence(document[name]));
  return hasError ? document : undefined;
}

/** Members in which vendors and gateways put a failure that is a document. */
const HOLDERS = ['error', 'detail', 'message', 'errors', 'Response', 'ErrorMsg', 'response', 'data'] as const;

const holdsSentence = (value: unknown): boolean => {
  const holder = documentOf(value);
  return [
    holder,
    documentOf(holder['error']),
    documentOf(holder['Error']),
    documentOf(holder['ErrorMsg']),
  ].some((place) => ['message', 'Message', 'Msg', 'error'].some((name) => textOf(place[name]) !== undefined));
};
