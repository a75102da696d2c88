import { addRatios, formatRatio, multiplyRatios, parseRatio, type Ratio } from '../../common/ratio.js';
import type { PriceSnapshot } from '../../relay-core/model/price-snapshot.js';
import type { Evidence, Usage } from '../../relay-core/model/usage.js';
import { calculateQuota, partRatios, unitPrice, unitsOf, USAGE_PARTS } from './calculate-quota.js';
import { splitUsage, type UsagePart } from './usage-parts.js';

/** One bucket of tokens and what it adds to the sum, in quota before rounding. */
export interface ChargeStep {
  readonly part: UsagePart | 'call';
  /** Tokens; for a price per call how often it is paid (pictures), usually 1. */
  readonly count: number;
  /** The bucket's own multiplier (cache, completion, audio …); for a price per call the dollars. */
  readonly ratio: string;
  /** Exact decimal. */
  readonly subtotal: string;
}

/** Why a call cost what it cost; everything a person needs to redo the sum by hand. */
export interface ChargeExplanation {
  readonly mode: PriceSnapshot['mode'];
  readonly evidence: Evidence;
  readonly steps: readonly ChargeStep[];
  /** Ratio mode: model ratio; call mode: quota per dollar. */
  readonly baseRatio: string;
  readonly groupRatio: string;
  /** Exact sum of the subtotals. */
  readonly exact: string;
  /** `half-up`, or `minimum` when a paid call would have rounded to 0. */
  readonly rounding: 'half-up' | 'minimum' | 'nothing-used' | 'free';
  /** What the formula gives today for the stored usage and prices. */
  readonly priced: number;
  readonly charged: number;
  readonly writeoff: number;
  /** True when charged + writeoff is what the formula gives (I12). */
  readonly isConsistent: boolean;
  /** The formula with the numbers filled in. */
  readonly formula: string;
}

/**
 * Explains a stored settlement. Pure: needs nothing but the row, so it works years later.
 * Fails: throws RangeError when the snapshot is damaged.
 */
export function explainCharge(input: {
  readonly usage: Usage;
  readonly snapshot: PriceSnapshot;
  readonly evidence: Evidence;
  readonly charged: number;
  readonly writeoff: number;
}): ChargeExplanation {
  const { usage, snapshot, evidence, charged, writeoff } = input;
  const priced = calculateQuota(usage, snapshot);
  const { steps, exact, baseRatio } =
    snapshot.mode === 'call' ? callSteps(usage, snapshot) : ratioSteps(usage, snapshot);
  const rounding = nameRounding(exact, priced, steps);
  return {
    mode: snapshot.mode,
    evidence,
    steps,
    baseRatio,
    groupRatio: snapshot.groupRatio,
    exact: formatRatio(exact),
    rounding,
    priced,
    charged,
    writeoff,
    isConsistent: charged + writeoff === priced,
    formula: writeFormula(snapshot, steps, formatRatio(exact), priced),
  };
}

interface Steps {
  readonly steps: readonly ChargeStep[];
  readonly exact: Ratio;
  readonly baseRatio: string;
}

function callSteps(usage: Usage, snapshot: PriceSnapshot & { mode: 'call' }): Steps {
  const units = unitsOf(usage);
  const exact = multiplyRatios(unitPrice(snapshot), parseRatio(Math.max(1, units)));
  const ratio = formatRatio(multiplyRatios(parseRatio(snapshot.price), parseRatio(snapshot.factor ?? 1)));
  const step: ChargeStep = {
    part: 'call',
    count: Math.max(1, units),
    ratio,
    subtotal: formatRatio(exact),
  };
  return { steps: [step], exact, baseRatio: String(snapshot.quotaPerUnit) };
}

function ratioSteps(usage: Usage, snapshot: PriceSnapshot & { mode: 'ratio' }): Steps {
  const base = multiplyRatios(parseRatio(snapshot.modelRatio), parseRatio(snapshot.groupRatio));
  const ratios = partRatios(snapshot);
  const parts = splitUsage(usage);
  let exact: Ratio = { units: 0n, scale: 0 };
  const steps: ChargeStep[] = [];
  for (const part of USAGE_PARTS) {
    if (parts[part] === 0) continue;
    const subtotal = multiplyRatios(multiplyRatios(parseRatio(parts[part]), ratios[part]), base);
    exact = addRatios(exact, subtotal);
    steps.push({
      part,
      count: parts[part],
      ratio: formatRatio(ratios[part]),
      subtotal: formatRatio(subtotal),
    });
  }
  return { steps, exact, baseRatio: snapshot.modelRatio };
}

function nameRounding(
  exact: Ratio,
  priced: number,
  steps: readonly ChargeStep[],
): ChargeExplanation['rounding'] {
  if (priced === 0) return steps.length === 0 || exact.units !== 0n ? 'nothing-used' : 'free';
  const isBelowHalf = exact.units * 2n < 10n ** BigInt(exact.scale);
  return priced === 1 && isBelowHalf ? 'minimum' : 'half-up';
}

function writeFormula(
  snapshot: PriceSnapshot,
  steps: readonly ChargeStep[],
  exact: string,
  priced: number,
): string {
  if (snapshot.mode === 'call') {
    const count = steps[0]?.count ?? 1;
    const factors = [snapshot.price, ...(snapshot.factor === undefined ? [] : [snapshot.factor])];
    if (count !== 1) factors.push(String(count));
    return `${[...factors, snapshot.quotaPerUnit, snapshot.groupRatio].join(' × ')} = ${exact} → ${priced}`;
  }
  const terms = steps.map((step) =>
    step.ratio === '1' ? String(step.count) : `${step.count} × ${step.ratio}`,
  );
  const sum = terms.length === 0 ? '0' : terms.join(' + ');
  return `(${sum}) × ${snapshot.modelRatio} × ${snapshot.groupRatio} = ${exact} → ${priced}`;
}
