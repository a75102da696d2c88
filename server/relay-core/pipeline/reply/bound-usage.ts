import type { CallShape } from '../../model/call.js';
import { mayCountUnseenReasoning, reasonsBesideCap } from '../../model/reasoning-beside-cap.js';
import {
  boundedOutput,
  type BoundedOutput,
  deliveredBound,
  isBelievable,
  type OutputFacts,
  UNSEEN_OUTPUT_TOKENS,
  SMALL_MEDIA_TOKENS,
} from '../../model/report-bound.js';
import type { Usage } from '../../model/usage.js';
import type { Route } from '../../ports/channel-picker.js';
import type { WorstCase } from '../../ports/price-book.js';
import { referencedInputTokens, TOKENS_PER_CONTEXT, mayRunTools } from './referenced-input.js';
import { getOrAdd } from '../../../common/get-or-add.js';
import type { ReplyMeter } from '../../formats/contract/reply-meter.js';

/** Vendors frame prompts, add instructions of their own and paste search results: tokens no byte of ours stands for. */
const UNSEEN_INPUT_TOKENS = 16_384;

/** Facts of a request that bound what a vendor may report for it. */
export interface RequestFacts {
  /** The request's body as the caller wrote it: the same whether it was passed on or translated. */
  readonly requestBody: Buffer;
  readonly shape: Pick<CallShape, 'promptTokens' | 'heldOutput' | 'model' | 'vendorTools'>;
  /** The model's name asks the vendor to search, or an application behind the vendor's key adds what it keeps. */
  readonly readsMore: boolean;
  readonly route: Pick<Route, 'channelType' | 'upstreamModel' | 'settings' | 'paramOverride'>;
  readonly worstCase: Pick<WorstCase, 'outputCap' | 'modelOutputCap' | 'choices'>;
}

/** True when the reported output is within its bound, whatever came: true of nearly every call. */
export const isSmallOutput = (usage: Usage): boolean => (usage.output.total ?? 0) <= UNSEEN_OUTPUT_TOKENS;

/**
 * True when the reported output may be true.
 * @param ownCount  tokens that came, or a lower bound of them
 * @param hasUnread  the answer holds content that is not counted here
 */
export const isPlausibleOutput = (
  usage: Usage,
  ownCount: number,
  hasUnread: boolean,
  request: RequestFacts,
): boolean => isSmallOutput(usage) || isBelievable(outputFacts(usage, ownCount, hasUnread, request));

/** Output tokens to charge for a report; parameters as in `isPlausibleOutput`, but `ownCount` is the count itself. */
export const boundOutput = (
  usage: Usage,
  ownCount: number,
  hasUnread: boolean,
  request: RequestFacts,
): BoundedOutput => boundedOutput(outputFacts(usage, ownCount, hasUnread, request));

/** Most output tokens, by our own count, that a running answer to the request may bring. */
export const mostDelivered = (request: Pick<RequestFacts, 'shape' | 'route' | 'worstCase'>): number =>
  deliveredBound(capFacts(request));

function outputFacts(
  { output }: Usage,
  ownCount: number,
  hasUnread: boolean,
  request: RequestFacts,
): OutputFacts {
  const reportedOutput = output.total ?? 0;
  const isUnseen =
    hasUnread ||
    (output.reasoning === undefined &&
      (mayCountUnseenReasoning(request.route.upstreamModel) || mayCountUnseenReasoning(request.shape.model)));
  return {
    ...capFacts(request),
    reportedOutput,
    reportedReasoning: isUnseen ? reportedOutput : (output.reasoning ?? 0),
    ownCount,
  };
}

/** Tokens of the largest image a vendor makes, with the tokens it counts beside it (OpenAI's price page, 2026-11). */
const LARGEST_IMAGE_TOKENS = 6_540;

function capFacts({ shape, route, worstCase }: Pick<RequestFacts, 'shape' | 'route' | 'worstCase'>) {
  const { outputCap, modelOutputCap, choices } = worstCase;
  return {
    capSent: outputCap ?? heldAsCap(shape, shape.model !== route.upstreamModel),
    choices,
    largestAnswer: modelOutputCap,
    isReasoningBesideCap:
      outputCap === undefined ||
      reasonsBesideCap(route.channelType, route.upstreamModel) ||
      reasonsBesideCap(route.channelType, shape.model),
  };
}

/**
 * The largest answer there is, where callers cannot name a cap (images, audio, transcripts): the request is held for it. It is
 * computed by the name the caller used; a model behind another name may count in another way.
 */
function heldAsCap(
  { heldOutput, promptTokens }: RequestFacts['shape'],
  isRenamed: boolean,
): number | undefined {
  if (heldOutput === undefined || !isRenamed) return heldOutput?.tokens;
  // A transcript has fewer tokens than its sound.
  const least = { image: LARGEST_IMAGE_TOKENS, text: promptTokens, audio: 0 }[heldOutput.kind];
  return Math.max(heldOutput.tokens, least);
}

/** True when the reported input may be true of what was sent, and of what the request names. */
export function isPlausibleInput(tokens: number, request: RequestFacts): boolean {
  return isSmallInput(tokens, request) || tokens <= largestInput(request);
}

/** True when the reported input is within the bytes that were sent: true of nearly every call, and nothing is read for it. */
export const isSmallInput = (tokens: number, { requestBody }: Pick<RequestFacts, 'requestBody'>): boolean =>
  tokens <= requestBody.length + UNSEEN_INPUT_TOKENS;

/** Most input tokens that may be reported for a request. Reads all of it. */
export function largestInput({ requestBody, shape, readsMore, route }: RequestFacts): number {
  const { settings, paramOverride } = route;
  const prompt = Buffer.byteLength(settings.systemPrompt ?? '');
  let bound = requestBody.length + UNSEEN_INPUT_TOKENS + shape.promptTokens + prompt;
  if (readsMore) bound += TOKENS_PER_CONTEXT;
  if (paramOverride !== undefined) {
    const written = Buffer.from(JSON.stringify(paramOverride));
    bound += written.length + referencedInputTokens(written);
  }
  return bound + referencedInputTokens(requestBody);
}

/** A report whose parts have a reason in the request or in the answer. */
export interface BoundedParts {
  readonly usage: Usage;
  /** Figures that were reduced, in words of the log line; empty = none. */
  readonly excess: readonly string[];
}

type Answer = Pick<ReplyMeter, 'produced' | 'hasUnread' | 'toolUses'>;

const NONE: readonly string[] = Object.freeze([]);
/** More uses of one tool than any vendor makes in one call. */
const MAX_TOOL_USES = 1_000;
/** Tools of the caller's own are no sounds or images. */
const PER_OWN_TOOL = 0;
/** Names of members that ask for sound or images, in any client API, or the ends of such names. */
const ASKS_FOR_MEDIA = ['"audio"', 'odalities"', 'speechConfig"', 'speech_config"'].map((name) =>
  Buffer.from(name),
);
const FORM_START = '--';
/** Models that search for every answer. */
const SEARCHING = /sonar|search/i;

/**
 * Reduces the parts of a report that cost more than text to what the request or the answer gives a reason for: tokens of sound and
 * images above 1,000 become text where none was sent, asked for or delivered; uses of a tool that the vendor was not given are dropped, and those
 * above a limit in the request become that limit. Totals stay as they are (bound-usage.ts).
 */
export function boundParts(usage: Usage, answer: Answer, request: RequestFacts): BoundedParts {
  const { input, output, tools } = usage;
  const isInputReduced = hasMedia(input) && !mayReadMedia(request);
  const isOutputReduced =
    (isLarge(output.audio) && !mayBeSound(answer, request)) ||
    (isLarge(output.image) && !mayBeImage(answer, request));
  const believedUses = boundUses(tools, answer.toolUses, request);
  if (!isInputReduced && !isOutputReduced && believedUses === tools) return { usage, excess: NONE };
  const { tools: _all, ...rest } = usage;
  return {
    usage: {
      ...rest,
      ...(isInputReduced ? { input: withoutMedia(input) } : {}),
      ...(isOutputReduced ? { output: believedOutput(output, answer, request) } : {}),
      ...(believedUses === undefined ? {} : { tools: believedUses }),
    },
    excess: [
      ...(isInputReduced || isOutputReduced ? ['sound or images'] : []),
      ...(believedUses === tools ? [] : ['uses of tools']),
    ],
  };
}

/**
 * Uses of tools to charge: none of a tool the request does not give the vendor; up to 2 × the request's limit + 2 as reported, above it the
 * limit; without a limit up to 1,000, above it the uses that came, at least one.
 * @returns the same object where nothing is reduced
 */
export function boundUses(uses: Usage['tools'], came: Usage['tools'], request: RequestFacts): Usage['tools'] {
  if (uses === undefined) return undefined;
  const believed: Record<string, number> = {};
  let isReduced = false;
  for (const [name, count] of Object.entries(uses)) {
    const tokens = believedUsesOf(name, { count, came: came?.[name] ?? 0 }, request);
    isReduced ||= tokens !== count;
    if (tokens > 0) believed[name] = tokens;
  }
  if (!isReduced) return uses;
  return Object.keys(believed).length === 0 ? undefined : believed;
}

function believedUsesOf(
  name: string,
  { count, came }: { readonly count: number; readonly came: number },
  request: RequestFacts,
): number {
  const tool = request.shape.vendorTools?.find((candidate) => candidate.name === name);
  const limit = tool?.mostUses;
  // Vendors count a use they refused above the limit, and some tools have a usual number in place of a limit.
  if (limit !== undefined) return count <= 2 * limit + 2 ? count : Math.max(1, limit);
  if (tool === undefined && !mayUseUnnamedTools(request)) return 0;
  return count <= MAX_TOOL_USES ? count : Math.max(1, Math.min(came, MAX_TOOL_USES));
}

/** Facts of a request's bytes, each read once: reports may change with every event. */
interface BodyFacts {
  mayReadMedia?: boolean;
  asksForMedia?: boolean;
  mayRunTools?: boolean;
}

const bodies = new WeakMap<Buffer, BodyFacts>();

function isSo(body: Buffer, fact: keyof BodyFacts, read: (body: Buffer) => boolean): boolean {
  const facts = getOrAdd(bodies, body, (): BodyFacts => ({}));
  return (facts[fact] ??= read(body));
}

const mayUseUnnamedTools = ({ route, readsMore, shape, requestBody }: RequestFacts): boolean =>
  readsMore ||
  route.paramOverride !== undefined ||
  SEARCHING.test(route.upstreamModel) ||
  SEARCHING.test(shape.model) ||
  isSo(requestBody, 'mayRunTools', mayRunTools);

const isLarge = (tokens: number | undefined): boolean => tokens !== undefined && tokens > SMALL_MEDIA_TOKENS;

const hasMedia = ({ audio, image }: Usage['input']): boolean => isLarge(audio) || isLarge(image);

const mayReadMedia = ({ route, readsMore, requestBody }: RequestFacts): boolean =>
  readsMore || route.paramOverride !== undefined || isSo(requestBody, 'mayReadMedia', namesMedia);

/** Forms hold files. */
const namesMedia = (body: Buffer): boolean =>
  body.toString('latin1', 0, FORM_START.length) === FORM_START ||
  referencedInputTokens(body, PER_OWN_TOOL) > 0;

const mayBeSound = ({ produced }: Answer, request: RequestFacts): boolean =>
  produced.media.audio !== undefined || request.shape.heldOutput?.kind === 'audio' || asksForMedia(request);

/** Models of images deliver them unasked, some in members that are not counted here. */
const mayBeImage = ({ produced, hasUnread }: Answer, request: RequestFacts): boolean =>
  produced.media.image !== undefined ||
  hasUnread ||
  request.shape.heldOutput?.kind === 'image' ||
  asksForMedia(request);

const asksForMedia = ({ route, requestBody }: RequestFacts): boolean =>
  route.paramOverride !== undefined ||
  isSo(requestBody, 'asksForMedia', (body) => ASKS_FOR_MEDIA.some((name) => body.includes(name)));

function withoutMedia({ audio: _audio, image: _image, ...text }: Usage['input']): Usage['input'] {
  return text;
}

function believedOutput(
  { audio, image, ...text }: Usage['output'],
  answer: Answer,
  request: RequestFacts,
): Usage['output'] {
  return {
    ...text,
    ...(audio !== undefined && mayBeSound(answer, request) ? { audio } : {}),
    ...(image !== undefined && mayBeImage(answer, request) ? { image } : {}),
  };
}
