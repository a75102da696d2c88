import type { PriceSnapshot } from '../../../../server/relay-core/model/price-snapshot.js';
import type { Usage } from '../../../../server/relay-core/model/usage.js';
import { type Fraction, fraction, plus, rounded, times } from './exact.ts';

/** The same numbers in every run. */
export class Dice {
  constructor(private state: number) {}

  /** A whole number from 0 to below `bound`. */
  below(bound: number): number {
    this.state = (Math.imul(this.state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.state / 4_294_967_296) * bound);
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  /** A decimal as an operator types it, 0 among them. */
  decimal(): string {
    if (this.chance(5)) return '0';
    const whole = this.chance(50) ? 0 : this.below(this.chance(10) ? 1_000 : 20);
    const places = this.below(13);
    const digits = Array.from({ length: places }, () => this.below(10))
      .join('')
      .replace(/0+$/, '');
    return digits === '' ? String(whole) : `${whole}.${digits}`;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }
}

const TOOLS = ['web-search', 'file-search', 'image-generation', 'code-execution'];

export function randomSnapshot(dice: Dice): PriceSnapshot {
  const common = {
    model: `model-${dice.below(20)}`,
    group: dice.pick(['default', 'vip', 'svip']),
    groupRatio: dice.decimal(),
    quotaPerUnit: dice.pick([500_000, 1, 1_000_000]),
    revision: dice.below(1_000),
    ...(dice.chance(20)
      ? { userGroup: 'partners', ...(dice.chance(50) ? { modelPattern: 'model-*' } : {}) }
      : {}),
    ...(dice.chance(40)
      ? { tools: Object.fromEntries(TOOLS.slice(0, 3).map((tool) => [tool, dice.decimal()])) }
      : {}),
    ...(dice.chance(10) ? { toolsEachCall: ['web-search'] } : {}),
  };
  if (dice.chance(25)) {
    return {
      mode: 'call',
      ...common,
      price: dice.decimal(),
      ...(dice.chance(50) ? { factor: dice.decimal() } : {}),
    };
  }
  const tiers = [
    { above: 1_000, input: dice.decimal(), output: dice.decimal() },
    {
      above: 50_000,
      input: dice.decimal(),
      output: dice.decimal(),
      cacheRead: dice.decimal(),
      cacheWrite: dice.decimal(),
    },
  ];
  return {
    mode: 'ratio',
    ...common,
    modelRatio: dice.decimal(),
    completionRatio: dice.decimal(),
    cacheRatio: dice.decimal(),
    cacheWriteRatio: dice.decimal(),
    imageRatio: dice.decimal(),
    audioRatio: dice.decimal(),
    audioCompletionRatio: dice.decimal(),
    ...(dice.chance(30) ? { cacheWrite1hRatio: dice.decimal() } : {}),
    ...(dice.chance(30) ? { imageOutputRatio: dice.decimal() } : {}),
    ...(dice.chance(30) ? { reasoningRatio: dice.decimal() } : {}),
    ...(dice.chance(30) ? { tiers } : {}),
    ...(dice.chance(30) ? { serviceTiers: { flex: dice.decimal(), priority: dice.decimal() } } : {}),
    ...(dice.chance(5) ? { unset: true as const } : {}),
  };
}

/** A usage as vendors report it; parts never exceed their total, so that there is one reading of it. */
export function randomUsage(dice: Dice): Usage {
  if (dice.chance(3)) return { input: { total: 0 }, output: { total: 0 } };
  const size = dice.pick([10, 1_000, 1_001, 200_000, 20_000_000]);
  const [cacheRead, cacheWrite, audio, image, text] = Array.from({ length: 5 }, () => dice.below(size)) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const [outputText, outputAudio, outputImage] = Array.from({ length: 3 }, () => dice.below(size)) as [
    number,
    number,
    number,
  ];
  return {
    input: {
      total: cacheRead + cacheWrite + audio + image + text,
      cacheRead,
      cacheWrite,
      audio,
      image,
      ...(dice.chance(40) ? { cacheWrite1h: dice.below(cacheWrite + 1) } : {}),
    },
    output: {
      total: outputText + outputAudio + outputImage,
      audio: outputAudio,
      image: outputImage,
      ...(dice.chance(40) ? { reasoning: dice.below(outputText + 1) } : {}),
    },
    ...(dice.chance(30) ? { units: dice.below(12) } : {}),
    ...(dice.chance(40) ? { serviceTier: dice.pick(['flex', 'priority', 'scale']) } : {}),
    ...(dice.chance(40)
      ? {
          tools: Object.fromEntries(TOOLS.filter(() => dice.chance(50)).map((tool) => [tool, dice.below(6)])),
        }
      : {}),
  };
}

/** The charge by the formulas of docs/prices.md, in the tests' own arithmetic. */
export function expectedCharge(usage: Usage, snapshot: PriceSnapshot): number {
  const isEmpty = usage.input.total === 0 && usage.output.total === 0;
  const tools = plus(...toolTerms(usage, snapshot, isEmpty));
  if (snapshot.mode === 'call') {
    const units = isEmpty && (usage.units ?? 0) === 0 ? 0 : Math.max(1, usage.units ?? 1);
    const unit = times(
      ...[snapshot.price, snapshot.factor ?? '1', snapshot.quotaPerUnit, snapshot.groupRatio].map(fraction),
    );
    return charge(
      plus(times(fraction(units), unit), tools),
      (units > 0 && unit.over > 0n) || tools.over > 0n,
    );
  }
  const factors = new Map(Object.entries(snapshot.serviceTiers ?? {}));
  const base = times(
    ...[snapshot.modelRatio, snapshot.groupRatio, factors.get(usage.serviceTier ?? '') ?? '1'].map(fraction),
  );
  const tokens = (usage.input.total ?? 0) + (usage.output.total ?? 0);
  const exact = plus(times(plus(...tokenTerms(usage, snapshot)), base), tools);
  return charge(exact, (tokens > 0 && base.over > 0n) || tools.over > 0n);
}

function charge(exact: Fraction, isPaid: boolean): number {
  const figure = Math.min(rounded(exact), Number.MAX_SAFE_INTEGER);
  return isPaid ? Math.max(1, figure) : figure;
}

function toolTerms(
  usage: Usage,
  { tools, toolsEachCall, groupRatio, quotaPerUnit }: PriceSnapshot,
  isEmpty: boolean,
): Fraction[] {
  return Object.entries(tools ?? {}).map(([tool, price]) => {
    const reported = usage.tools?.[tool] ?? 0;
    const count = reported === 0 && !isEmpty && toolsEachCall?.includes(tool) === true ? 1 : reported;
    return times(
      fraction(count),
      fraction(price),
      { over: 1n, under: 1_000n },
      fraction(quotaPerUnit),
      fraction(groupRatio),
    );
  });
}

function tokenTerms({ input, output }: Usage, prices: PriceSnapshot & { mode: 'ratio' }): Fraction[] {
  const tier = prices.tiers?.findLast(({ above }) => (input.total ?? 0) > above);
  const [longInput, longOutput] = [tier?.input ?? '1', tier?.output ?? '1'];
  const [longRead, longWrite] = [tier?.cacheRead ?? longInput, tier?.cacheWrite ?? longInput];
  const part = (count: number | undefined, ...ratios: readonly string[]): Fraction =>
    times(fraction(count ?? 0), ...ratios.map(fraction));
  const [read, write, hour] = [input.cacheRead ?? 0, input.cacheWrite ?? 0, input.cacheWrite1h ?? 0];
  const text = (input.total ?? 0) - read - write - (input.audio ?? 0) - (input.image ?? 0);
  const words = (output.total ?? 0) - (output.audio ?? 0) - (output.image ?? 0);
  const thoughts = output.reasoning ?? 0;
  const hourRatio =
    prices.cacheWrite1hRatio === undefined ? [prices.cacheWriteRatio, '1.6'] : [prices.cacheWrite1hRatio];
  return [
    part(text, longInput),
    part(read, prices.cacheRatio, longRead),
    part(write - hour, prices.cacheWriteRatio, longWrite),
    part(hour, ...hourRatio, longWrite),
    part(input.image, prices.imageRatio, longInput),
    part(input.audio, prices.audioRatio, longInput),
    part(words - thoughts, prices.completionRatio, longOutput),
    part(thoughts, prices.reasoningRatio ?? prices.completionRatio, longOutput),
    part(output.audio, prices.audioRatio, prices.audioCompletionRatio, longOutput),
    part(output.image, prices.imageOutputRatio ?? prices.completionRatio, longOutput),
  ];
}
