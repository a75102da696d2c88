/** An exact fraction; the tests' own arithmetic, which shares nothing with the program's. */
export interface Fraction {
  readonly over: bigint;
  readonly under: bigint;
}

export const fraction = (text: string | number): Fraction => {
  const [whole = '0', places = ''] = String(text).split('.');
  return { over: BigInt(whole + places), under: 10n ** BigInt(places.length) };
};

export const times = (...factors: readonly Fraction[]): Fraction =>
  factors.reduce(
    (product, factor) => ({ over: product.over * factor.over, under: product.under * factor.under }),
    fraction(1),
  );

export const plus = (...terms: readonly Fraction[]): Fraction =>
  terms.reduce(
    (sum, term) => ({ over: sum.over * term.under + term.over * sum.under, under: sum.under * term.under }),
    fraction(0),
  );

export const isEqual = (left: Fraction, right: Fraction): boolean =>
  left.over * right.under === right.over * left.under;

/** Halves away from zero. */
export const rounded = ({ over, under }: Fraction): number => Number((2n * over + under) / (2n * under));

/** Works out a formula of sums, products, quotients and brackets. Fails: throws for anything else. */
export function evaluate(formula: string): Fraction {
  const words = formula.match(/\d+(\.\d+)?|[()+×÷]/g) ?? [];
  if (words.join('') !== formula.replaceAll(' ', '')) throw new Error(`not a formula: ${formula}`);
  let at = 0;
  const factor = (): Fraction => {
    const word = words[at];
    at += 1;
    if (word !== '(') return fraction(word ?? '');
    const inner = sum();
    if (words[at] !== ')') throw new Error(`a bracket is open in ${formula}`);
    at += 1;
    return inner;
  };
  const product = (): Fraction => {
    let value = factor();
    while (words[at] === '×' || words[at] === '÷') {
      const isTimes = words[at] === '×';
      at += 1;
      const next = factor();
      value = times(value, isTimes ? next : { over: next.under, under: next.over });
    }
    return value;
  };
  const sum = (): Fraction => {
    let value = product();
    while (words[at] === '+') {
      at += 1;
      value = plus(value, product());
    }
    return value;
  };
  const value = sum();
  if (at !== words.length) throw new Error(`something is left of ${formula}`);
  return value;
}
