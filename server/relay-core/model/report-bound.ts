/** Share by which vendors may count more than the cap they were sent: some stop a little late, some count the frame of the answer. */
const CAP_SLACK = 1.25;
/** Tokens one of ours may stand for: vocabularies differ, and some vendors count what they do not show. */
export const TOKENS_PER_OWN_TOKEN = 4;
/** Frames, roles and ends of turns, which vendors count at will. */
export const UNSEEN_OUTPUT_TOKENS = 1_000;
/** Tokens of sound or of images that are believed without a reason in the request or the answer, whichever part of it reports them. */
export const SMALL_MEDIA_TOKENS = 1_000;
/** Largest answer of a model that no price table knows: no model known in 2026 gives more in one answer. */
export const UNKNOWN_MODEL_ANSWER_TOKENS = 131_072;
/** Largest cap that counts as one, for a model whose largest answer is unknown. */
const MAX_CAP_TOKENS = 2_000_000;

/** Facts that bound what a vendor may report as output. All figures are tokens, integers of at least 0. */
export interface OutputFacts {
  /** Output the vendor reports, the reasoning included. */
  readonly reportedOutput: number;
  /** Part of it that the vendor reports as reasoning, or that cannot be seen for another reason; 0 = none. */
  readonly reportedReasoning: number;
  /** Cap on one answer in the request as it was sent; undefined = none was sent, or none the vendor reads. */
  readonly capSent: number | undefined;
  /** Answers asked for (`n`, `best_of`), at least 1. */
  readonly choices: number;
  /** Our own count of what came; a lower bound of it is enough to believe a report. */
  readonly ownCount: number;
  /** Largest answer of the model; undefined = unknown, taken as `UNKNOWN_MODEL_ANSWER_TOKENS`. */
  readonly largestAnswer: number | undefined;
  /** The vendor's cap does not cover reasoning; see `reasonsBesideCap`. */
  readonly isReasoningBesideCap: boolean;
}

/** Facts of a request alone. */
type CapFacts = Pick<OutputFacts, 'capSent' | 'choices' | 'largestAnswer'>;

/** Output to charge, in tokens, and whether it is less than the vendor reported. */
export interface BoundedOutput {
  readonly tokens: number;
  readonly isBounded: boolean;
}

/**
 * Output tokens to charge for a report: the report itself up to a bound, above it the larger of our own count and the cap that was
 * sent. The bound is the larger of 1.25 × cap × choices + 1,000 and 4 × own count + 1,000. Reasoning counts against it, unless no
 * cap was sent or the vendor's cap does not cover reasoning: then it is believed up to the model's largest answer × choices
 * beside the rest. The figures are those of docs/request-path.md, "The upper bound of a report".
 */
export function boundedOutput(facts: OutputFacts): BoundedOutput {
  if (isBelievable(facts)) return { tokens: facts.reportedOutput, isBounded: false };
  return { tokens: Math.max(facts.ownCount, capOf(facts) ?? 0), isBounded: true };
}

/** True when a report is within its bound. Allocates nothing: every call gets here. */
export function isBelievable(facts: OutputFacts): boolean {
  const cap = capOf(facts);
  const byCap = cap === undefined ? 0 : cap * CAP_SLACK;
  const bound = Math.max(byCap, facts.ownCount * TOKENS_PER_OWN_TOKEN) + UNSEEN_OUTPUT_TOKENS;
  if (facts.reportedOutput <= bound) return true;
  if (cap !== undefined && !facts.isReasoningBesideCap) return false;
  const reasoning = Math.min(facts.reportedReasoning, largestOf(facts));
  return facts.reportedOutput - reasoning <= bound;
}

/**
 * Most output tokens, by our own count, that a running answer may bring before it is stopped. One token of a vendor may be two of
 * ours, so an answer that keeps to its cap, or to what its model can answer, is never cut.
 */
export function deliveredBound(facts: CapFacts & Pick<OutputFacts, 'isReasoningBesideCap'>): number {
  const cap = capOf(facts);
  const reasoning = facts.isReasoningBesideCap ? largestOf(facts) : 0;
  if (cap !== undefined) return cap * OWN_TOKENS_PER_TOKEN + UNSEEN_OUTPUT_TOKENS + reasoning;
  // The figure for unknown models is above what they answer: it needs no such allowance.
  const slack = facts.largestAnswer === undefined ? CAP_SLACK : OWN_TOKENS_PER_TOKEN;
  return largestOf(facts) * slack + UNSEEN_OUTPUT_TOKENS;
}

/** Tokens of ours that one of a vendor's may be. */
const OWN_TOKENS_PER_TOKEN = 2;

/** Vendors lengthen their answers before price tables know of it. */
const LARGEST_ANSWER_SLACK = 2;

/** The cap of all answers together; undefined = none was sent. No cap allows more than the model may answer. */
function capOf({ capSent, choices, largestAnswer }: CapFacts): number | undefined {
  if (capSent === undefined) return undefined;
  const most = largestAnswer === undefined ? MAX_CAP_TOKENS : largestAnswer * LARGEST_ANSWER_SLACK;
  return Math.min(capSent, most) * choices;
}

const largestOf = ({ choices, largestAnswer }: CapFacts): number =>
  (largestAnswer ?? UNKNOWN_MODEL_ANSWER_TOKENS) * choices;
