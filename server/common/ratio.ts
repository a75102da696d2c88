/**
 * An exact decimal as `units / 10^scale`. Ratios and prices are entered as decimals, so nothing is lost;
 * floats are read through their shortest decimal text.
 */
export interface Ratio {
  readonly units: bigint;
  readonly scale: number;
}

const DECIMAL = /^([+-]?)(\d+)(?:\.(\d*))?(?:e([+-]?\d+))?$/i;
const MAX_SCALE = 40;

/**
 * Reads a decimal number or its text, exponent allowed.
 * Fails: throws RangeError for NaN, infinities, other text and exponents beyond 40 places.
 */
export function parseRatio(value: number | string): Ratio {
  const match = DECIMAL.exec(String(value).trim());
  if (!match) throw new RangeError(`not a decimal: ${value}`);
  const [, sign, whole = '', fraction = '', exponentText = '0'] = match;
  const exponent = Number(exponentText);
  if (Math.abs(exponent) > MAX_SCALE) throw new RangeError(`exponent out of range: ${value}`);
  const scale = fraction.length - exponent;
  let units = BigInt(whole + fraction);
  if (sign === '-') units = -units;
  return scale >= 0 ? trim({ units, scale }) : { units: units * 10n ** BigInt(-scale), scale: 0 };
}

function trim(ratio: Ratio): Ratio {
  let { units, scale } = ratio;
  while (scale > 0 && units % 10n === 0n) {
    units /= 10n;
    scale -= 1;
  }
  return { units, scale };
}

export function multiplyRatios(left: Ratio, right: Ratio): Ratio {
  return trim({ units: left.units * right.units, scale: left.scale + right.scale });
}

export function addRatios(left: Ratio, right: Ratio): Ratio {
  const scale = Math.max(left.scale, right.scale);
  return trim({ units: rescale(left, scale) + rescale(right, scale), scale });
}

/** `ratio.units` as it would be with `scale` decimal places; `scale` must not be smaller than the ratio's own. */
export function rescale(ratio: Ratio, scale: number): bigint {
  return ratio.units * 10n ** BigInt(scale - ratio.scale);
}

/** Shortest decimal text, e.g. `0.075`. */
export function formatRatio(ratio: Ratio): string {
  const { units, scale } = trim(ratio);
  if (scale === 0) return units.toString();
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const text = `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return units < 0n ? `-${text}` : text;
}
