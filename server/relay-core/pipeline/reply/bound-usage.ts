import type { CallShape } from '../../model/call.js';
import { mayCountUnseenReasoning, reasonsBesideCap } from '../../model/reasoning-beside-cap.js';
import {
  boundedOutput,
  type BoundedOutput,
  deliveredBound,
  isBelievable,
  type OutputFacts,
  UNSEEN_OUTPUT_TOKENS,
} from '../../model/report-bound.js';
import type { Usage } from '../../model/usage.js';
import type { Route } from '../../ports/channel-picker.js';
import type { WorstCase } from '../../ports/price-book.js';
import { referencedInputTokens, TOKENS_PER_CONTEXT } from './referenced-input.js';

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
