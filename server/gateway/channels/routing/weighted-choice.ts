/** Added to every weight, so that a channel of weight 0 still gets calls. */
const BASE_WEIGHT = 10;

export interface Weighted {
  readonly weight: number;
}

/**
 * Draws one item with probability proportional to weight + 10; negative weights count as 0.
 * @param random  in [0, 1)
 * @returns undefined when there is nothing to draw from
 */
export function chooseWeighted<T extends Weighted>(items: readonly T[], random: number): T | undefined {
  if (items.length <= 1) return items[0];
  let total = 0;
  for (const item of items) total += effectiveWeight(item);
  let rest = random * total;
  for (const item of items) {
    rest -= effectiveWeight(item);
    if (rest < 0) return item;
  }
  return items[items.length - 1];
}

const effectiveWeight = (item: Weighted): number => Math.max(0, item.weight) + BASE_WEIGHT;
