import type { RelayError } from '../../model/relay-error.js';
import { documentOf, isDocument, textOf } from '../../formats/shared/fields/json-fields.js';
import { readErrorInside, readFailedReply } from '../shared/openai-compatible-error.js';
import { statusOfFailure } from '../shared/failure-details.js';
import type { FailedReply } from '../provider.js';
import { parseJson } from '../../../common/parse-json.js';

const statusOf = (type: string | undefined): number | undefined =>
  type === undefined
    ? undefined
    : statusOfFailure({ type, code: undefined, message: undefined, status: undefined });

/** A failed reply: its kind stands in a header, its sentence in the body. */
export function readBedrockFailure(reply: FailedReply, secrets: readonly string[]): RelayError {
  const header = reply.headers['x-amzn-errortype'];
  const document = documentOf(parseJson(reply.body));
  const type =
    (typeof header === 'string' ? header.split(':', 1)[0] : undefined) ??
    textOf(document['__type'])?.replace(/^.*#/, '');
  const message = textOf(document['message']) ?? textOf(document['Message']);
  // A model that failed, or is not ready, is the upstream's fault, whatever status of the caller's it comes with.
  const named = statusOf(type);
  const status = named !== undefined && (named >= 500 || named === 429) ? named : reply.status;
  const error = { ...(message === undefined ? {} : { message }), ...(type === undefined ? {} : { type }) };
  const body = Buffer.from(JSON.stringify({ error }));
  return { ...readFailedReply({ ...reply, status: status === 424 ? 502 : status, body }, secrets) };
}

/** A failure inside a stream, or in an answer of success. */
export function readBedrockErrorDocument(document: unknown, secrets: readonly string[]): RelayError {
  const outer = documentOf(document);
  // Claude by invoke reports failures in its own shape.
  const inner = isDocument(outer['error']) ? outer['error'] : outer;
  const type = textOf(inner['type']);
  const message = textOf(inner['message']) ?? textOf(inner['Message']) ?? textOf(inner['originalMessage']);
  const status = statusOf(type);
  const error = {
    ...(message === undefined ? {} : { message }),
    ...(type === undefined ? {} : { type }),
    ...(status === undefined ? {} : { status }),
  };
  return readErrorInside({ error }, secrets);
}
