import { addRatios, formatRatio, multiplyRatios, parseRatio, type Ratio } from '../../common/ratio.js';
import type { LengthTier, PriceSnapshot } from '../../relay-core/model/price-snapshot.js';
import type { Evidence, Usage } from '../../relay-core/model/usage.js';
import { calculateQuota, unitsOf } from './calculate-quota.js';
import {
  baseRatio,
  partRatios,
  serviceFactor,
  tierOf,
  toolPrice,
  unitPrice,
  type CallPrices,
  type RatioPrices,
} from './price-parts.js';
import { toolKeyOf } from './tool-prices.js';
import { inputLength, splitUsage, toolUses, USAGE_PARTS, type UsagePart } from './usage-parts.js';

/** One bucket of tokens and what it adds to the sum, in quota before rounding. */
export interface ChargeStep {
  readonly part: UsagePart | 'call' | 'tool';
  /** Key the tool was priced by. */
  readonly tool?: string;
  /** Tokens, or uses of the tool; for a price per call the number of units paid (images), usually 1. */
  readonly count: number;
  /** The bucket's own multiplier (cache, completion, audio …); for a price per call the dollars, for a tool those per thousand. */
  readonly ratio: string;
  /** Exact decimal. */
  readonly subtotal: string;
}

/** Explanation of a charge, with everything needed to recompute the sum by hand. */
export interface ChargeExplanation {
  readonly mode: PriceSnapshot['mode'];
  readonly evidence: Evidence;
  readonly steps: readonly ChargeStep[];
  /** Ratio mode: model ratio; call mode: quota per dollar. */
  readonly baseRatio: string;
  readonly groupRatio: string;
  /** Prices of long calls, where the call was one; their factors are part of the steps' ratios. */
  readonly tier: LengthTier | undefined;
  /** Class of service the call was served in and its factor, where it has one. */
  readonly serviceTier: { readonly name: string; readonly ratio: string } | undefined;
  /** Factor of an image's size and quality, where there is one; part of the step's ratio. `name` may be empty. */
  readonly factor: { readonly name: string; readonly ratio: string } | undefined;
  /** Exact sum of the subtotals. */
  readonly exact: string;
  /** `half-up`, or `minimum` when a paid call would have rounded to 0. */
  readonly rounding: 'half-up' | 'minimum' | 'nothing-used' | 'free';
  /** Result of today's formula for the stored usage and prices. */
  readonly priced: number;
  readonly charged: number;
  readonly writeoff: number;
  /** True when charged + writeoff is what the formula gives. */
  readonly isConsistent: boolean;
  /** The formula with the numbers filled in. */
  readonly formula: string;
}

const ZERO: Ratio = { units: 0n, scale: 0 };

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
  const main = snapshot.mode === 'call' ? callSteps(usage, snapshot) : ratioSteps(usage, snapshot);
  const tools = toolSteps(usage, snapshot);
  const steps = [...main.steps, ...tools.steps];
  const exact = addRatios(main.exact, tools.exact);
  const rounding = nameRounding(exact, priced, steps);
  return {
    mode: snapshot.mode,
    evidence,
    steps,
    baseRatio: snapshot.mode === 'call' ? String(snapshot.quotaPerUnit) : snapshot.modelRatio,
    groupRatio: snapshot.groupRatio,
    tier: main.tier,
    serviceTier: main.serviceTier,
    factor: factorOf(snapshot),
    exact: formatRatio(exact),
    rounding,
    priced,
    charged,
    writeoff,
    isConsistent: charged + writeoff === priced,
    formula: writeFormula(snapshot, steps, {
      exact: formatRatio(exact),
      priced,
      factor: main.serviceTier?.ratio,
    }),
  };
}

function factorOf(snapshot: PriceSnapshot): ChargeExplanation['factor'] {
  if (snapshot.mode !== 'call' || snapshot.factor === undefined) return undefined;
  return { name: snapshot.factorName ?? '', ratio: snapshot.factor };
}

interface Steps {
  readonly steps: readonly ChargeStep[];
  readonly exact: Ratio;
  readonly tier?: LengthTier | undefined;
  readonly serviceTier?: ChargeExplanation['serviceTier'];
}

function callSteps(usage: Usage, snapshot: CallPrices): Steps {
  const units = unitsOf(usage);
  if (units === 0) return { steps: [], exact: ZERO };
  const exact = multiplyRatios(unitPrice(snapshot), parseRatio(units));
  const ratio = formatRatio(multiplyRatios(parseRatio(snapshot.price), parseRatio(snapshot.factor ?? 1)));
  return { steps: [{ part: 'call', count: units, ratio, subtotal: formatRatio(exact) }], exact };
}

function ratioSteps(usage: Usage, snapshot: RatioPrices): Steps {
  const factor = serviceFactor(snapshot, usage.serviceTier);
  const base = baseRatio(snapshot, factor);
  const parts = splitUsage(usage, snapshot.reasoningRatio !== undefined);
  const tier = tierOf(snapshot, inputLength(parts));
  const ratios = partRatios(snapshot, tier);
  let exact = ZERO;
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
  const serviceTier =
    factor === undefined || usage.serviceTier === undefined
      ? undefined
      : { name: usage.serviceTier, ratio: factor };
  return { steps, exact, tier, serviceTier };
}

/** Uses of the vendor's own tools. Those without a price are shown too: that they cost nothing is part of the answer. */
function toolSteps(usage: Usage, snapshot: PriceSnapshot): Steps {
  let exact = ZERO;
  const steps = toolUses(usage, snapshot.toolsEachCall).map(([tool, count]): ChargeStep => {
    const subtotal = multiplyRatios(toolPrice(snapshot, tool), parseRatio(count));
    exact = addRatios(exact, subtotal);
    const ratio = (Object.hasOwn(snapshot.tools ?? {}, tool) ? snapshot.tools?.[tool] : undefined) ?? '0';
    return {
      part: 'tool',
      tool: toolKeyOf(snapshot, tool),
      count,
      ratio,
      subtotal: formatRatio(subtotal),
    };
  });
  return { steps, exact };
}

/** 0.3 is charged as 1: `minimum`; 0.7 as 1 and 2.5 as 3: `half-up`; 9 tokens of a price of 0: `free`. */
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
  end: { readonly exact: string; readonly priced: number; readonly factor: string | undefined },
): string {
  const factor = end.factor === undefined ? '' : ` × ${end.factor}`;
  const main =
    snapshot.mode === 'call' ? callFormula(snapshot, steps) : ratioFormula(snapshot, steps) + factor;
  const tools = steps
    .filter((step) => step.part === 'tool')
    .map(
      (step) => `${step.count} × ${step.ratio} ÷ 1000 × ${snapshot.quotaPerUnit} × ${snapshot.groupRatio}`,
    );
  return `${[main, ...tools].join(' + ')} = ${end.exact} → ${end.priced}`;
}

function callFormula(snapshot: CallPrices, steps: readonly ChargeStep[]): string {
  const count = steps.find((step) => step.part === 'call')?.count ?? 0;
  const factors = [snapshot.price, ...(snapshot.factor === undefined ? [] : [snapshot.factor])];
  if (count !== 1) factors.push(String(count));
  return [...factors, snapshot.quotaPerUnit, snapshot.groupRatio].join(' × ');
}

function ratioFormula(snapshot: RatioPrices, steps: readonly ChargeStep[]): string {
  const terms = steps
    .filter((step) => step.part !== 'tool')
    .map((step) => (step.ratio === '1' ? String(step.count) : `${step.count} × ${step.ratio}`));
  const sum = terms.length === 0 ? '0' : terms.join(' + ');
  return `(${sum}) × ${snapshot.modelRatio} × ${snapshot.groupRatio}`;
}
