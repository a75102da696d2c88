import { fail, ok, type Result } from '../../../common/result.js';
import type { ChatReply, ChatRequest } from '../../model/chat.js';
import type { Operation } from '../../model/operation.js';
import { refusal } from '../../model/refusals.js';
import type { RelayError } from '../../model/relay-error.js';
import type { Usage } from '../../model/usage.js';
import type { ChannelSettings } from '../../ports/channel-picker.js';
import type {
  NeutralReply,
  ParsedCall,
  ReplyContext,
  ReplyReader,
  ReplyWriter,
} from '../../formats/contract/api-format.js';
import type { MediaFetcher } from '../../ports/media-fetcher.js';
import { MAX_ANSWER_PARTS } from '../../formats/contract/answer-limits.js';
import { ReplyCollector, replyToEvents } from './collect-reply.js';
import { withFinishedCalls } from './finished-calls.js';
import { type KeepSignature, omitReasoningAdapter, withoutReasoning } from './omit-reasoning.js';
import { LOCAL_SIGNATURE_STORE } from '../request/stored-signatures.js';
import { withoutWrapping, wrappedAnswerAdapter } from './wrapped-answer.js';
import { type Wrapping, wrappingOf } from '../../formats/shared/fields/wrapped-response-format.js';
import type { RelayPorts } from '../context/relay-ports.js';
import type { ClientCall, TranslatedCall } from '../context/call-types.js';
import type { EventAdapter } from './stream-body.js';
import {
  callersNamesAdapter,
  type ToolNames,
  withCallersNames,
} from '../../formats/shared/fields/tool-names.js';
import { unwrapAdapter, withUnwrappedCalls } from '../../formats/shared/fields/wrapped-tools.js';
import { moveThinkingToContent, thinkingToContentAdapter } from './thinking-to-content.js';
import type { ImageReply } from '../../model/image.js';

const isImageReply = <Reply extends object>(reply: Reply): reply is Reply & ImageReply => 'images' in reply;

/** A streamed reply on its way through the neutral model. */
export interface StreamTranslation {
  readonly reader: ReplyReader;
  readonly writer: ReplyWriter;
  readonly adapt?: EventAdapter;
  /** Present when the client asked for a whole reply: what the stream adds up to. */
  readonly collector?: ReplyCollector;
}

interface TranslationInput<O extends Operation> {
  readonly clientCall: ClientCall<O>;
  readonly translated: TranslatedCall<O>;
  readonly context: ReplyContext;
  readonly settings: ChannelSettings;
  readonly ports: Pick<RelayPorts, 'signatures'>;
}

/** Opens the two codecs of a streamed reply; undefined when one of the formats does not stream. */
export function openTranslation<O extends Operation>(
  input: TranslationInput<O>,
  isStream: boolean,
): StreamTranslation | undefined {
  const reader = input.translated.operation.apiFormat.openReplyReader?.(input.clientCall.parsed);
  if (reader === undefined) return undefined;
  const adapters = adaptersOf(input);
  const adapt = adapters.length === 0 ? {} : { adapt: inTurn(adapters) };
  if (!isStream) {
    const collector = new ReplyCollector();
    return { reader, writer: collector, collector, ...adapt };
  }
  const writer = input.clientCall.apiFormat.openReplyWriter?.(input.context, input.clientCall.parsed);
  return writer === undefined ? undefined : { reader, writer, ...adapt };
}

function adaptersOf<O extends Operation>(input: TranslationInput<O>): readonly EventAdapter[] {
  const wrapped = wrappedFor(input);
  const wrapping = wrappingIn(input);
  const adapters: EventAdapter[] = wrapping === undefined ? [] : [wrappedAnswerAdapter(wrapping)];
  const { toolNames } = input.translated;
  if (toolNames !== undefined) adapters.push(callersNamesAdapter(toolNames));
  if (wrapped !== undefined) adapters.push(unwrapAdapter(wrapped));
  const hidden = hiddenBy(input);
  if (input.settings.thinkingToContent === true) adapters.push(thinkingToContentAdapter());
  else if (hidden !== undefined) adapters.push(omitReasoningAdapter(hidden.keep));
  return adapters;
}

/** Tools whose arguments are taken out of their objects; callers whose API has objects only keep them. */
const wrappedFor = <O extends Operation>({ clientCall, translated }: TranslationInput<O>) =>
  clientCall.apiFormat.hasTextArguments === true ? translated.wrapped : undefined;

/** Each adapter sees what the one before it made. */
const inTurn = ([first, ...others]: readonly EventAdapter[]): EventAdapter => {
  if (first === undefined) return (event) => [event];
  if (others.length === 0) return first;
  const then = inTurn(others);
  return (event) => first(event).flatMap(then);
};

/** Place of the caller's answer inside the vendor's. */
function wrappingIn<O extends Operation>({
  clientCall,
  translated,
}: TranslationInput<O>): Wrapping | undefined {
  const { apiFormat } = translated.operation;
  // Vendors of the caller's own API got the caller's own request.
  if (clientCall.parsed.shape.operation !== 'chat' || apiFormat.id === clientCall.apiFormat.id)
    return undefined;
  const request = clientCall.parsed.neutral();
  return request.ok && isChatRequest(request.value)
    ? wrappingOf(request.value, clientCall.apiFormat.id, apiFormat)
    : undefined;
}

const isChatRequest = (request: object): request is ChatRequest => 'messages' in request;

/** Handling of thoughts that the caller did not request; undefined = they are shown. */
function hiddenBy<O extends Operation>({
  clientCall,
  translated,
  context,
  ports,
}: TranslationInput<O>): { readonly keep: KeepSignature | undefined } | undefined {
  // A vendor of the caller's own API reads the setting itself.
  if (clientCall.apiFormat.id === translated.operation.apiFormat.id) return undefined;
  const hides = clientCall.apiFormat.hides?.(clientCall.parsed);
  if (hides === undefined) return undefined;
  const { ownerId } = context;
  if (hides === 'thoughts') return { keep: undefined };
  return {
    keep: (key, signature) => {
      if (ownerId !== undefined) (ports.signatures ?? LOCAL_SIGNATURE_STORE).keep(ownerId, key, signature);
    },
  };
}

/** A reply in the caller's format; it holds the charged figures where the vendor gave none. */
export type WrittenReply = (billed: Usage) => Buffer;

/**
 * A whole upstream reply as the caller's format has it: whole, or, when the caller asked for a stream and the upstream
 * did not give one, as the frames of one.
 * @param give  called once: at once, or later when images have to be fetched. Fails: upstream-malformed
 */
export function translateWhole<O extends Operation>(
  input: TranslationInput<O> & {
    readonly body: Buffer;
    readonly isStream: boolean;
    readonly media: MediaFetcher;
  },
  give: (written: Result<WrittenReply, RelayError>) => void,
): void {
  const { clientCall, translated } = input;
  const read = translated.operation.apiFormat.readReply(input.body, clientCall.parsed);
  if (!read.ok) return give(read);
  if (isChat(read.value) && hasTooManyParts(read.value)) return give(fail(refusal('too-much')));
  const wrapped = wrappedFor(input);
  const called = withoutForm(withCallers(withCalls<O>(read.value), translated.toolNames), wrappingIn(input));
  const whole =
    wrapped === undefined || !isChat(called) ? called : { ...called, ...withUnwrappedCalls(called, wrapped) };
  const hidden = hiddenBy(input);
  const reply =
    input.settings.thinkingToContent === true
      ? withoutThinking(whole)
      : hidden !== undefined && isChat(whole)
        ? { ...whole, choices: withoutReasoning(whole, hidden.keep).choices }
        : whole;
  const inlining = inlineImages(input.media, reply, clientCall.parsed);
  if (inlining === undefined) return give(writeWhole(input, reply));
  inlining.then(
    (inlined) => give(writeWhole(input, inlined)),
    () => give(writeWhole(input, reply)),
  );
}

function writeWhole<O extends Operation>(
  { clientCall, context, isStream }: TranslationInput<O> & { readonly isStream: boolean },
  reply: NeutralReply<O>,
): Result<WrittenReply, RelayError> {
  const { apiFormat, parsed } = clientCall;
  if (!isStream) return ok(written(reply, (told) => apiFormat.writeReply(told, context, parsed)));
  if (apiFormat.writeReplyAsStream !== undefined) {
    const frames = Buffer.from(apiFormat.writeReplyAsStream(reply, context, parsed));
    return ok(() => frames);
  }
  if (apiFormat.openReplyWriter === undefined || !isChat(reply)) return fail(refusal('unfit'));
  return ok(written(reply, (told) => streamOf(clientCall, context, told)));
}

function streamOf<O extends Operation>(
  clientCall: ClientCall<O>,
  context: ReplyContext,
  reply: ChatReply,
): Buffer {
  const writer = clientCall.apiFormat.openReplyWriter?.(context, clientCall.parsed);
  if (writer === undefined) return Buffer.alloc(0);
  let frames = '';
  for (const event of replyToEvents(reply)) frames += writer.write(event);
  return Buffer.from(frames + writer.end());
}

const hasTooManyParts = ({ choices }: ChatReply): boolean =>
  choices.reduce((parts, { content }) => parts + 1 + content.length, 0) > MAX_ANSWER_PARTS;

/** Written before the charge, so that an answer that cannot be written costs nothing; again when there are figures to add. */
function written<Reply extends object>(reply: Reply, write: (reply: Reply) => Buffer): WrittenReply {
  const asGiven = write(reply);
  if (!lacksFigures(reply)) return () => asGiven;
  return (usage) => write({ ...reply, usage });
}

/** Usage of answers that are counted in tokens. */
const lacksFigures = (reply: object): reply is { readonly usage: undefined } =>
  ('choices' in reply || 'vectors' in reply) && 'usage' in reply && reply.usage === undefined;

/** A collected stream as a whole reply of the caller's format. Fails: upstream-malformed. */
export function writeCollected<O extends Operation>(
  { clientCall, context }: TranslationInput<O>,
  collector: ReplyCollector,
): Result<WrittenReply, RelayError> {
  const reply = collector.reply();
  return isReplyOf(clientCall, reply)
    ? ok(
        written<NeutralReply<O>>(reply, (told) =>
          clientCall.apiFormat.writeReply(told, context, clientCall.parsed),
        ),
      )
    : fail(refusal('unfit'));
}

/** Only chats are streamed, so a collected reply fits exactly the formats of chats. */
function isReplyOf<O extends Operation>(
  clientCall: ClientCall<O>,
  reply: ChatReply,
): reply is ChatReply & NeutralReply<O> {
  return clientCall.parsed.shape.operation === 'chat' && reply.choices.length > 0;
}

function withCalls<O extends Operation>(reply: NeutralReply<O>): NeutralReply<O> {
  return isChat(reply) ? { ...reply, choices: withFinishedCalls(reply).choices } : reply;
}

const withCallers = <Reply extends object>(reply: Reply, names: ToolNames | undefined): Reply =>
  names !== undefined && isChat(reply)
    ? { ...reply, choices: withCallersNames(reply, names).choices }
    : reply;

const withoutForm = <Reply extends object>(reply: Reply, wrapping: Wrapping | undefined): Reply =>
  wrapping !== undefined && isChat(reply)
    ? { ...reply, choices: withoutWrapping(reply, wrapping).choices }
    : reply;

function withoutThinking<O extends Operation>(reply: NeutralReply<O>): NeutralReply<O> {
  return isChat(reply) ? { ...reply, choices: moveThinkingToContent(reply).choices } : reply;
}

const isChat = <Reply extends object>(reply: Reply): reply is Reply & ChatReply => 'choices' in reply;

/**
 * Images as bytes, for callers that asked for bytes of a vendor that gives addresses. Fetched
 * through the guard for hostile addresses; an image that cannot be fetched keeps its address: it is made and paid for.
 * @returns undefined when there is nothing to fetch
 */
export function inlineImages<O extends Operation>(
  media: MediaFetcher,
  reply: NeutralReply<O>,
  call: ParsedCall<O>,
): Promise<NeutralReply<O>> | undefined {
  if (call.shape.operation !== 'image' || !isImageReply(reply)) return undefined;
  const request = call.neutral();
  const wantsBytes = request.ok && 'delivery' in request.value && request.value.delivery === 'base64';
  if (!wantsBytes || !reply.images.some(({ source }) => source.kind === 'url')) return undefined;
  const fetching = reply.images.map(async (image): Promise<ImageReply['images'][number]> => {
    if (image.source.kind !== 'url') return image;
    const file = await media.fetchFile(image.source.url, 'image', 'answer');
    if (!file.ok) return image;
    const { base64, mediaType } = file.value;
    return { ...image, source: { kind: 'base64', base64, mediaType } };
  });
  return Promise.all(fetching).then((images) => ({ ...reply, images }));
}
