import type { Operation } from '../../model/operation.js';
import { isDocumentInText } from '../../formats/shared/fields/web-page.js';
import type { RelayInput } from '../context/attempt.js';

/** How a good reply is read. */
export type ReplyForm = 'whole' | 'stream' | 'media';

/** Types of files that may be named to a client; others could make a browser run what a vendor wrote. */
const MEDIA_TYPES = /^(?:audio|image|video)\/[a-z0-9.+-]+(?:; ?[a-z0-9_-]+=[a-z0-9._-]+)*$/;
const UNNAMED_TYPE = 'application/octet-stream';

type Header = string | readonly string[] | undefined;
const lowered = (header: Header): string => String(header ?? '').toLowerCase();

/** @param asked  the type of what was asked for, where the vendor names none */
export function mediaType(header: Header, asked: string): string {
  const type = lowered(header);
  if (MEDIA_TYPES.test(type) && !type.startsWith('image/svg')) return type;
  return type === '' || type === UNNAMED_TYPE ? asked : UNNAMED_TYPE;
}

/** What a good reply is, by its type and by what was asked. Vendors that forget the type of their streams are believed. */
export function replyForm<O extends Operation>(input: RelayInput<O>, header: Header): ReplyForm {
  const type = lowered(header);
  const isJson = type.includes('json');
  const asked = input.clientCall.parsed.shape.stream;
  const { apiFormat } = input.translated.operation;
  // A file is no stream of events, though one was asked for.
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
 * What a good reply is by its first bytes, where they are not what its type says: proxies on the way answer pages and errors
 * under the type of a stream or a file, and some vendors write events under the type of JSON. Undefined = as its type says.
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
