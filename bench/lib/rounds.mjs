/** Above these shares of a core a slice measures the neighbours more than us. */
const MOST_STOLEN = 0.05;
const MOST_FOREIGN = 0.1;

/**
 * Runs `slice` for every target in turn, `rounds` times; the order moves on by one each round. A disturbed slice runs
 * again, at most `patience` times; the last one counts then, and is marked.
 * @template R
 * @param {{rounds: number, targets: readonly {key: string}[], patience: number, slice: (target, round: number) => Promise<R>, say: (line: string) => void}} plan
 * @returns {Promise<{rounds: Record<string, R>[], disturbed: number, slices: number}>}
 */
export async function interleave({ rounds, targets, patience, slice, say }) {
  const results = [];
  let disturbed = 0;
  let slices = 0;
  for (let round = 0; round < rounds; round += 1) {
    const ofRound = {};
    for (let step = 0; step < targets.length; step += 1) {
      const target = targets[(step + round) % targets.length];
      for (let attempt = 0; ; attempt += 1) {
        const result = await slice(target, round);
        const isDisturbed = result.stolenShare > MOST_STOLEN || result.foreignShare > MOST_FOREIGN;
        ofRound[target.key] = result;
        if (!isDisturbed) break;
        if (attempt < patience) continue;
        disturbed += 1;
        break;
      }
      slices += 1;
    }
    results.push(ofRound);
    say(`  round ${round + 1} of ${rounds}`);
  }
  return { rounds: results, disturbed, slices };
}

/** One figure of one target over all rounds. */
export const figures = (rounds, key, pick) =>
  rounds.filter((round) => key in round).map((round) => pick(round[key]));

/** A figure against the same figure of another target, within each round. */
export const ratios = (rounds, key, otherKey, pick) =>
  rounds
    .filter((round) => key in round && otherKey in round)
    .map((round) => pick(round[key]) / pick(round[otherKey]));

/** A figure less the same figure of another target, within each round. */
export const differences = (rounds, key, otherKey, pick) =>
  rounds
    .filter((round) => key in round && otherKey in round)
    .map((round) => pick(round[key]) - pick(round[otherKey]));
