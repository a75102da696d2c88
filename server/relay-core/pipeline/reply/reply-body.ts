import type { Operation } from '../../model/operation.js';
import type { Usage } from '../../model/usage.js';
import type { ReplyMeter, WholeVerdict } from '../../formats/contract/reply-meter.js';
import { errorInBody } from '../../formats/shared/fields/error-in-body.js';
import type { RelayInput } from '../context/attempt.js';
import { refusal } from '../../model/refusals.js';
import { type RelayError, withMappedStatus } from '../../model/relay-error.js';
import type { Route } from '../../ports/channel-picker.js';
import type { FailedReply, ProviderOperation } from '../../providers/provider.js';
import type { StreamState } from './stream-body.js';
import { isDocumentInText } from '../../formats/shared/fields/web-page.js';

/** Way to read a good reply. */
export type ReplyForm = 'whole' | 'stream' | 'media';

/** Types of files that may be named to a client; others could make a browser run what a vendor wrote. */
const MEDIA_TYPES = /^(?:audio|image|video)\/[a-z0-9.+-]+(?:; ?[a-z0-9_-]+=[a-z0-9._-]+)*$/;
const UNNAMED_TYPE = 'application/octet-stream';

type Header = string | readonly string[] | undefined;
const lowered = (header: Header): string => String(header ?? '').toLowerCase();

/** @param asked  the requested type, where the vendor names none */
export function mediaType(header: Header, asked: string): string {
  const type = lowered(header);
  if (MEDIA_TYPES.test(type) && !type.startsWith('image/svg')) return type;
  return type === '' || type === UNNAMED_TYPE ? asked : UNNAMED_TYPE;
}

/** Type of a whole reply in the caller's API. @param written  the reply, where it was written anew */
export const typeOfReply = <O extends Operation>(
  { apiFormat, parsed }: RelayInput<O>['clientCall'],
  written?: Buffer,
): string => apiFormat.replyTypeOf?.(parsed, written) ?? apiFormat.replyType;

/** Form of a good reply, by its type and by the request. Streams without a type are read as streams. */
export function replyForm<O extends Operation>(input: RelayInput<O>, header: Header): ReplyForm {
  const type = lowered(header);
  const isJson = type.includes('json');
  const asked = input.clientCall.parsed.shape.stream;
  const { apiFormat } = input.translated.operation;
  // A file is no stream of events, though one was requested.
  if (apiFormat.openReplyReader !== undefined && !MEDIA_TYPES.test(type)) {
    const framing = framingOf(input);
    const isStream =
      framing === 'sse' || framing === 'named-sse'
        ? type.startsWith('text/event-stream') || (asked && !isJson)
        : framing === 'json-lines' || framing === 'json-array'
          ? asked
          : type.startsWith('application/vnd.amazon.eventstream') || (asked && !isJson);
    if (isStream) return 'stream';
  }
  const isMedia = apiFormat.replyForm === 'bytes' && input.translated.plan.reply === 'bytes';
  return isMedia && !isJson && !asked ? 'media' : 'whole';
}

const framingOf = <O extends Operation>({ translated, clientCall }: RelayInput<O>) =>
  translated.operation.apiFormat.framingOf?.(clientCall.parsed.shape) ?? 'sse';

const EVENTS = /^(?:\xef\xbb\xbf)?\s*(?:data|event|id|retry)?:/;
const HEAD_BYTES = 64;

/**
 * Form of a good reply by its first bytes, where they contradict its type: proxies on the way answer pages and errors
 * under the type of a stream or a file, and some vendors write events under the type of JSON. Undefined = by its type.
 */
export function replyFormByBytes<O extends Operation>(
  input: RelayInput<O>,
  form: ReplyForm | 'waiting' | 'failure',
  first: Buffer,
): ReplyForm | undefined {
  if (form === 'waiting' || form === 'failure') return undefined;
  if (form === 'media') return isDocumentInText(first) ? 'whole' : undefined;
  const framing = framingOf(input);
  if (framing !== 'sse' && framing !== 'named-sse') return undefined;
  if (form === 'stream') return isDocumentInText(first) ? 'whole' : undefined;
  const canStream = input.translated.operation.apiFormat.openReplyReader !== undefined;
  return canStream && EVENTS.test(first.toString('latin1', 0, HEAD_BYTES)) ? 'stream' : undefined;
}

/**
 * Fault of a body by the findings of its meter; undefined = none (yet).
 * @param readInside  understands an error that came inside a 200
 */
export function failureOf(
  found: WholeVerdict | StreamState,
  readInside: () => RelayError,
): RelayError | undefined {
  switch (found) {
    case 'error':
      return readInside();
    case 'malformed':
      return refusal('unreadable');
    case 'empty':
      return refusal('empty');
    case 'too-large':
      return refusal('too-much');
    case 'answer':
    case 'open':
    case 'done':
      return undefined;
  }
}

/** Understands a reply with a failure status; the operator's status mapping applies to it. */
export function readFailure<O extends Operation>(
  { translated, route }: Pick<RelayInput<O>, 'translated' | 'route'>,
  reply: FailedReply,
): RelayError {
  const mapped = route.statusMapping?.get(reply.status);
  if (mapped === undefined) return translated.operation.readError(reply, route);
  return withMappedStatus(translated.operation.readError({ ...reply, status: mapped }, route), reply.status);
}

/** Understands an error that came inside a 200; the operator's status mapping applies to it as to any other. */
export function mappedErrorInside<O extends Operation>(
  operation: ProviderOperation<O>,
  route: Route,
  document: unknown,
): RelayError {
  const error = operation.readErrorDocument(document, route);
  const status = error.blame === 'upstream' ? error.upstreamStatus : undefined;
  if (status === undefined) return error;
  const mapped = route.statusMapping?.get(status);
  if (mapped === undefined) return error;
  const body = Buffer.from(JSON.stringify(document));
  return withMappedStatus(operation.readError({ status: mapped, headers: {}, body }, route), status);
}

/** A vendor's own words about its limits would mislead: to the caller it is the model's channels that are busy. */
export function finalError(failure: RelayError | undefined): RelayError | undefined {
  if (failure?.kind !== 'upstream-rate-limited') return failure;
  const { vendorType: _type, vendorCode: _code, vendorParam: _param, ...rest } = failure;
  return { ...rest, ...refusal('channels-busy') };
}

/** Meters a whole body; one without content may hold an error in a form that no meter knows. */
export function readWholeBody(meter: ReplyMeter, body: Buffer): WholeVerdict {
  const verdict = meter.readWhole(body);
  if (verdict !== 'empty') return verdict;
  const said = errorInBody(body);
  if (said === undefined) return verdict;
  meter.errorDocument = said;
  return 'error';
}

/** Adds the charged usage where the vendor gave no figures. */
export function withFigures<O extends Operation>(
  { clientCall, translated }: Pick<RelayInput<O>, 'clientCall' | 'translated'>,
  meter: ReplyMeter,
  body: Buffer,
  billed: Usage,
): Buffer {
  if (translated.plan.isForced === true) return body;
  const { repair } = clientCall.apiFormat;
  const whole =
    meter.needsRepair && repair !== undefined
      ? Buffer.from(repair(body.toString('utf8'), meter.repairFacts))
      : body;
  return meter.usage === undefined ? (clientCall.apiFormat.appendUsage?.(whole, billed) ?? whole) : whole;
}
