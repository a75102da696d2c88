import type { CallShape, Outcome } from '../model/call.js';
import type { Evidence, Usage } from '../model/usage.js';
import type { TokenCounter } from '../ports/token-counter.js';
import type { ReplyMeter } from '../wire/reply-meter.js';
import { isPlausible, type Traffic } from './plausible-usage.js';

/** Usage a call is charged for, where its figures come from, and why they are not the provider's. */
export interface Measure {
  readonly usage: Usage;
  readonly evidence: Evidence;
  readonly note: string;
}

/** A reply that ended, and what was asked for. */
interface MeasuredReply {
  readonly meter: ReplyMeter;
  readonly shape: CallShape;
  readonly model: string;
  readonly outcome: Outcome;
  readonly traffic: Traffic;
}

/**
 * Decides what was used (security reference 2.3.5, UP-01). The provider's report when it can be true; else our own
 * count of what came, plus the prompt. Waits only when something must be counted.
 */
export function measureReply(counter: TokenCounter, reply: MeasuredReply): Measure | Promise<Measure> {
  const measure = measureTokens(counter, reply);
  const { serviceTier } = reply.meter;
  if (serviceTier === undefined) return measure;
  return measure instanceof Promise
    ? measure.then((measured) => withTier(measured, serviceTier))
    : withTier(measure, serviceTier);
}

const withTier = (measure: Measure, serviceTier: string): Measure => ({
  ...measure,
  usage: { ...measure.usage, serviceTier },
});

function measureTokens(counter: TokenCounter, reply: MeasuredReply): Measure | Promise<Measure> {
  const reported = reply.meter.usage;
  const usage = reported !== undefined && isPlausible(reported, reply.traffic) ? reported : undefined;
  const isFalse = reply.meter.usageIsInvalid || usage !== reported;
  const fault = isFalse
    ? 'the upstream reported a usage that cannot be true'
    : faultOf(reply.meter, reply.shape, reply.outcome);
  const units = unitsOf(reply.meter, reply.shape);
  if (fault === undefined && usage !== undefined) {
    return { usage: withUnits(usage, units), evidence: isNothing(usage) ? 'none' : 'reported', note: '' };
  }
  const own = reply.meter.ownCount();
  if (own !== undefined) {
    // That nobody reports pictures and seconds is how it is; only a report that is no good is worth a word.
    const note = usage === undefined && !isFalse ? '' : (fault ?? '');
    return { usage: withUnits(withinAsked(own, reply), units), evidence: 'counted', note };
  }
  return count(counter, { ...reply, reported: isFalse ? undefined : usage }, fault ?? '');
}

/**
 * What a price per unit is paid for. More pictures than were asked for are the vendor's affair: a reply that lists
 * thousands of them must not empty an account (UP-01).
 */
function unitsOf({ units }: ReplyMeter, { operation, choices }: CallShape): number | undefined {
  return units === undefined || operation !== 'image' ? units : Math.min(units, Math.max(1, choices));
}

/** Our own count of pictures, for those that were asked for. */
function withinAsked(
  own: Usage,
  { meter, shape }: { readonly meter: ReplyMeter; readonly shape: CallShape },
): Usage {
  const asked = unitsOf(meter, shape);
  const { total } = own.output;
  if (asked === undefined || meter.units === undefined || asked === meter.units || total === undefined)
    return own;
  return { ...own, output: { ...own.output, total: Math.ceil((total * asked) / meter.units) } };
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
  if (shape.operation === 'chat') {
    if (usage.output.total === 0 && produced.totalBytes > 0)
      return 'the upstream reported no output although there was some';
    const cap = capOf(shape);
    if (cap !== undefined && usage.output.total > cap)
      return 'the upstream reported more output than the cap allows';
  }
  const hasOutput = usage.output.total > 0 || meter.hasFinish;
  if (usage.input.total === 0 && hasOutput && shape.promptTokens > 0 && !isNothing(usage)) {
    return 'the upstream reported no input';
  }
  return undefined;
}

/** All output a call may make: vendors cap each answer by itself. */
const capOf = (shape: CallShape): number | undefined =>
  shape.outputCap === undefined ? undefined : shape.outputCap * shape.choices;

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
  },
  note: string,
): Promise<Measure> {
  const { meter, shape, model, outcome, reported } = reply;
  const text = meter.produced.keptText();
  const counted = (text === '' ? 0 : await counter.count(text, model)) + meter.produced.uncountable;
  // Cut short, the report so far and our count are both lower bounds.
  const output = outcome === 'ok' ? counted : Math.max(counted, reported?.output.total ?? 0);
  const cap = capOf(shape);
  const input = reported?.input.total;
  const tools = reported?.tools ?? meter.toolUses;
  return {
    usage: {
      input: { ...reported?.input, total: input === undefined || input === 0 ? shape.promptTokens : input },
      output: { total: shape.operation === 'embed' ? 0 : Math.min(output, cap ?? output) },
      ...(tools === undefined ? {} : { tools: { ...tools } }),
    },
    evidence: 'counted',
    note,
  };
}
