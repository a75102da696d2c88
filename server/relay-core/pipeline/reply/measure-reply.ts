import type { CallShape, Outcome } from '../../model/call.js';
import type { Evidence, Usage } from '../../model/usage.js';
import type { TokenCounter } from '../../ports/token-counter.js';
import type { ReplyMeter } from '../../formats/contract/reply-meter.js';
import {
  boundOutput,
  isPlausibleInput,
  isPlausibleOutput,
  isSmallOutput,
  type RequestFacts,
  boundParts,
  boundUses,
} from './bound-usage.js';
import { whenKnown } from '../../../common/now-or-later.js';

/** Usage a call is charged for, where its figures come from, and why they are not the provider's. */
export interface Measure {
  readonly usage: Usage;
  readonly evidence: Evidence;
  readonly note: string;
}

/** A reply that ended, and its request. */
interface MeasuredReply {
  readonly meter: ReplyMeter;
  readonly shape: CallShape;
  readonly model: string;
  readonly outcome: Outcome;
  readonly request: RequestFacts;
}

/**
 * Decides what was used. The provider's report up to what the request allows and what came (report-bound.ts); above it the larger
 * of the cap that was sent and our own count; without a valid report our own count of what came, plus the prompt. Waits only when
 * something must be counted.
 */
export function measureReply(counter: TokenCounter, reply: MeasuredReply): Measure | Promise<Measure> {
  const measure = measureTokens(counter, reply);
  const { serviceTier } = reply.meter;
  if (serviceTier === undefined) return measure;
  return whenKnown(measure, (measured) => withTier(measured, serviceTier));
}

const withTier = (measure: Measure, serviceTier: string): Measure => ({
  ...measure,
  usage: { ...measure.usage, serviceTier },
});

function measureTokens(counter: TokenCounter, reply: MeasuredReply): Measure | Promise<Measure> {
  const { meter, shape, outcome } = reply;
  const isFalse = meter.usageIsInvalid;
  const reported = isFalse ? undefined : meter.usage;
  const fault = isFalse
    ? 'the upstream reported a usage that cannot be true'
    : faultOf(meter, shape, outcome);
  if (reported !== undefined && !isWithinBounds(counter, reported, reply))
    return bound(counter, reported, { ...reply, fault });
  if (reported !== undefined && fault === undefined)
    return mayBeTooLow(reported, reply) ? recount(counter, reply, reported) : asReported(reported, reply);
  const own = meter.ownCount();
  if (own === undefined) return count(counter, { ...reply, reported }, fault ?? '');
  // Vendors do not report images and seconds; only a useless report is worth a note.
  const isUnreported = reported === undefined && !isFalse;
  return asCounted(own, reply, isUnreported ? meter.ownCountReason : (fault ?? ''));
}

/** Usage the provider reported. */
const asReported = ({ reading, ...reported }: Usage, { meter, shape }: MeasuredReply): Measure => ({
  usage: withUnits(reported, unitsOf(meter, shape)),
  evidence: isNothing(reported) ? 'none' : 'reported',
  note: reading === undefined ? '' : READINGS[reading],
});

/** Log note for a report that contradicts itself, by the way it was read. */
const READINGS: Readonly<Record<NonNullable<Usage['reading']>, string>> = {
  'rest-of-total': 'the upstream reported a total above its parts: the rest counts as output',
  'parts-cut': 'the upstream reported parts above their whole: they were cut to it',
};

/** Count of the meter itself: images, seconds, characters. */
const asCounted = (own: Usage, reply: MeasuredReply, note: string): Measure => ({
  usage: withUnits(withinBelief(own, reply), unitsOf(reply.meter, reply.shape)),
  evidence: 'counted',
  note: withUnread(reply.meter, note),
});

/** An estimate of our own may be twice a count. */
const ESTIMATE_SLACK = 2;

/** True when both figures of a report are within their bounds. What came is estimated only for answers that need it. */
function isWithinBounds(
  counter: TokenCounter,
  reported: Usage,
  { meter, model, request }: MeasuredReply,
): boolean {
  if (!isPlausibleInput(reported.input.total ?? 0, request)) return false;
  if (boundParts(reported, meter, request).excess.length > 0) return false;
  const { hasUnread, produced } = meter;
  // Most answers are short, or keep to their cap: nothing is counted for them.
  if (isSmallOutput(reported) || isPlausibleOutput(reported, 0, hasUnread, request)) return true;
  const estimate = produced.running((text) => counter.estimate(text, model)) / ESTIMATE_SLACK;
  const own = meter.ownCount()?.output.total ?? Math.floor(estimate);
  return isPlausibleOutput(reported, own, hasUnread, request);
}

/** A report above a bound: each figure that is above its own is replaced by ours. */
async function bound(
  counter: TokenCounter,
  reported: Usage,
  reply: MeasuredReply & { readonly fault: string | undefined },
): Promise<Measure> {
  const { meter, request, shape, fault } = reply;
  const own = meter.ownCount();
  const counted =
    own === undefined ? await countOutput(counter, reply) : (withinBelief(own, reply).output.total ?? 0);
  const { tokens, isBounded } = boundOutput(reported, counted, meter.hasUnread, request);
  const isInputBounded = !isPlausibleInput(reported.input.total ?? 0, request);
  const kind = shape.heldOutput?.kind ?? 'text';
  const output = {
    total: tokens,
    ...(own !== undefined && kind !== 'text' ? { [kind]: tokens } : meter.produced.media),
  };
  const parts = boundParts(reported, meter, request);
  const believed: Usage = {
    ...parts.usage,
    input: isInputBounded ? { total: shape.promptTokens } : parts.usage.input,
    output: isBounded ? output : parts.usage.output,
  };
  const isBelieved = !isBounded && !isInputBounded && parts.excess.length === 0;
  if (isBelieved && fault === undefined) return asReported(reported, reply);
  const excess = [isInputBounded && 'input', isBounded && 'output', ...parts.excess];
  const note = `the upstream reported more ${excess.filter((name) => name !== false).join(' and ')} than the request allows`;
  if (fault === undefined)
    return {
      usage: withUnits(believed, unitsOf(meter, shape)),
      evidence: 'bounded',
      note: withUnread(meter, note),
    };
  const measured =
    own === undefined
      ? await count(counter, { ...reply, reported: believed }, fault)
      : asCounted(own, reply, fault);
  if (isBelieved) return measured;
  return { ...measured, evidence: 'bounded', note: `${note}; ${measured.note}` };
}

/** A low report is kept unless our own count of the text is far above it. */
async function recount(counter: TokenCounter, reply: MeasuredReply, reported: Usage): Promise<Measure> {
  const own = await count(counter, { ...reply, reported }, 'the upstream reported less output than came');
  const isFarBelow = isTooLow(reported.output.total ?? 0, own.usage.output.total ?? 0);
  return isFarBelow ? own : asReported(reported, reply);
}

/**
 * Units that a price per unit is paid for: every image that came, requested or not. A reply that lists more of them than any vendor
 * makes in one call is not believed: it must not empty an account.
 */
function unitsOf({ units }: ReplyMeter, { operation, choices }: CallShape): number | undefined {
  const isFlood = units !== undefined && operation === 'image' && units > MAX_IMAGES;
  return isFlood ? Math.max(1, choices) : units;
}

/** Our own count of images, for those that are paid for. */
function withinBelief(
  own: Usage,
  { meter, shape }: { readonly meter: ReplyMeter; readonly shape: CallShape },
): Usage {
  const paid = unitsOf(meter, shape);
  const { total } = own.output;
  if (paid === undefined || meter.units === undefined || paid === meter.units || total === undefined)
    return own;
  return { ...own, output: { ...own.output, total: Math.ceil((total * paid) / meter.units) } };
}

const withUnits = (usage: Usage, units: number | undefined): Usage =>
  units === undefined ? usage : { ...usage, units };

/** Why the report cannot be charged; undefined when it can. */
function faultOf(meter: ReplyMeter, shape: CallShape, outcome: Outcome): string | undefined {
  const { usage, produced } = meter;
  if (usage === undefined || usage.output.total === undefined || usage.input.total === undefined) {
    return 'the upstream reported no usage';
  }
  // A report in the middle of a stream may stand for less than what came.
  if (outcome !== 'ok' && !meter.hasFinish) return 'the reply was cut before its final usage';
  if (
    shape.operation === 'chat' &&
    usage.output.total === 0 &&
    produced.totalBytes + produced.extraTokens > 0
  )
    return 'the upstream reported no output although there was some';
  // Vectors, rankings, transcripts and sounds come whole or not at all: who gave one has read something.
  if (shape.operation !== 'chat' && isNothing(usage) && meter.hasFinish)
    return 'the upstream reported nothing although it answered';
  if (shape.operation === 'image' && usage.output.total < (meter.units ?? 0) * MIN_IMAGE_TOKENS)
    return 'the upstream reported less than the pictures that came';
  const hasOutput = usage.output.total > 0 || meter.hasFinish;
  if (usage.input.total === 0 && hasOutput && shape.promptTokens > 0 && !isNothing(usage)) {
    return 'the upstream reported no input';
  }
  return undefined;
}

/** Fewer than any vendor counts for an image it makes. */
const MIN_IMAGE_TOKENS = 64;
/** Larger than any vendor's `n`. */
const MAX_IMAGES = 128;
/** Text has four bytes a token or five. With more of them a report is looked at closer. */
const USUAL_BYTES_PER_TOKEN = 6;
/** Vocabularies differ: one vendor's token may be two of ours. */
const MAX_TOKENS_PER_TOKEN = 2;
/** Openings, ends and names of roles, which vendors count as they like. */
const FRAME_TOKENS = 16;

/** Returns true when a report is so low that the output must be counted to believe it. */
const mayBeTooLow = (usage: Usage, { meter, shape }: MeasuredReply): boolean =>
  shape.operation === 'chat' &&
  meter.produced.totalBytes > ((usage.output.total ?? 0) + FRAME_TOKENS) * USUAL_BYTES_PER_TOKEN;

const isTooLow = (reported: number, counted: number): boolean =>
  counted > reported * MAX_TOKENS_PER_TOKEN + FRAME_TOKENS;

const isNothing = (usage: Usage): boolean => usage.input.total === 0 && usage.output.total === 0;

async function count(
  counter: TokenCounter,
  reply: {
    readonly meter: ReplyMeter;
    readonly shape: CallShape;
    readonly model: string;
    readonly outcome: Outcome;
    /** The figures that may be true; they still bound the count. */
    readonly reported: Usage | undefined;
    readonly request: RequestFacts;
  },
  note: string,
): Promise<Measure> {
  const { meter, shape, outcome, reported, request } = reply;
  const counted = await countOutput(counter, reply);
  // Cut short, the report so far and our count are both lower bounds.
  const output = outcome === 'ok' ? counted : Math.max(counted, reported?.output.total ?? 0);
  const input = reported?.input.total;
  const tools = reported?.tools ?? boundUses(meter.toolUses, meter.toolUses, request);
  return {
    usage: {
      input: { ...reported?.input, total: input === undefined || input === 0 ? shape.promptTokens : input },
      output: { total: shape.operation === 'embed' ? 0 : output, ...meter.produced.media },
      ...(tools === undefined ? {} : { tools: { ...tools } }),
    },
    evidence: 'counted',
    note: withUnread(meter, note),
  };
}

/** Our own count of the text that came. */
async function countOutput(
  counter: TokenCounter,
  { meter: { produced }, model }: Pick<MeasuredReply, 'meter' | 'model'>,
): Promise<number> {
  const text = produced.keptText();
  return (text === '' ? 0 : await counter.count(text, model)) + produced.uncountable;
}

const UNREAD = 'the answer holds content that cannot be counted here';
const withUnread = ({ hasUnread }: ReplyMeter, note: string): string =>
  hasUnread ? [note, UNREAD].filter((text) => text !== '').join('; ') : note;
