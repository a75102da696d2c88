import { documentOf, isDocument, listOf, textOf, type Document } from './json-fields.js';
import { parseJson } from '../../../../common/parse-json.js';

/** Refusals are short; what is longer is something else. */
const MAX_BYTES = 64 * 1024;
/** Where vendors without an `error` member put the sentence of a failure. */
const SENTENCES = ['message', 'detail', 'msg', 'err', 'error_msg', 'error_message'] as const;

/** The error that the body of a 2xx without an answer reports; undefined = it reports none. */
export function errorInBody(body: Buffer): Document | undefined {
  if (body.length > MAX_BYTES) return undefined;
  const document = parseJson(body);
  if (!isDocument(document)) return undefined;
  const hasError =
    SENTENCES.some((name) => textOf(document[name]) !== undefined) ||
    textOf(documentOf(listOf(document['detail'])[0])['msg']) !== undefined ||
    textOf(documentOf(listOf(document['errors'])[0])['message']) !== undefined;
  return hasError ? document : undefined;
}
