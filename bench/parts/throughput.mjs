import { differences, figures, interleave, ratios } from '../lib/rounds.mjs';
import { summary } from '../lib/stats.mjs';

const CONNECTIONS = 64;
const rps = (slice) => slice.requestsPerSecond;
const cpu = (slice) => slice.cpuMicrosecondsPerRequest;

/**
 * 64 callers that never wait, for so long at a time.
 * @returns {Promise<{rounds: object[], rows: object[], disturbed: number, slices: number}>}
 */
export async function flatOut(bench, { targets, rounds, durationMs }) {
  await bench.warmUp(targets);
  bench.say(`${CONNECTIONS} callers for ${durationMs / 1000} s at a time, 1 KB in, 1 KB out`);
  const run = await interleave({
    rounds: bench.rounds ?? rounds,
    targets,
    patience: bench.patience,
    say: bench.say,
    slice: (target) =>
      bench.load(
        'closedLoop',
        target,
        { model: 'bench-json' },
        { connections: CONNECTIONS, durationMs, restMs: 250 },
      ),
  });
  const rows = targets.map((target) => ({
    target: target.label,
    rps: summary(figures(run.rounds, target.key, rps)),
    rpsOverBare: summary(ratios(run.rounds, target.key, 'bare', rps)),
    cpuMicroseconds: summary(figures(run.rounds, target.key, cpu)),
    cpuOverBare: summary(ratios(run.rounds, target.key, 'bare', cpu)),
    p99Ms: summary(figures(run.rounds, target.key, (slice) => slice.latencyMs.p99)),
    failures: failuresOf(run.rounds, target.key),
  }));
  return { ...run, rows };
}

/** Ratio of a target's throughput to another one's, within each round. */
export const rpsRatio = (run, key, otherKey) => summary(ratios(run.rounds, key, otherKey, rps));

/** Rows 1, 3, 4 and 14: whole answers, in slices of a second. */
export async function throughput(bench) {
  const targets = [bench.bare, ...bench.products, ...(bench.portkey === undefined ? [] : [bench.portkey])];
  const run = await flatOut(bench, { targets, rounds: 13, durationMs: 1000 });
  for (const product of bench.products) {
    bench.measured(product, 'rpsOverBare', rpsRatio(run, product.key, 'bare'));
    bench.measured(product, 'cpuOverBare', summary(ratios(run.rounds, product.key, 'bare', cpu)));
    if (bench.portkey !== undefined) {
      bench.measured(product, 'rpsOverPortkey', rpsRatio(run, product.key, 'portkey'));
    }
  }
  bench.report('throughput', run);
  await largePrompts(bench, [bench.bare, ...bench.products]);
}

/** Row 14: cost of a 256 KB prompt on the shared event loop, over the cost of merely moving it. */
async function largePrompts(bench, targets) {
  bench.say('large prompts: 256 KB in, one caller');
  const run = await interleave({
    rounds: Math.min(5, bench.rounds ?? 5),
    targets,
    patience: bench.patience,
    say: bench.say,
    slice: (target) =>
      bench.load(
        'closedLoop',
        target,
        { model: 'bench-json', promptBytes: 256 * 1024 },
        { connections: 1, durationMs: 1000, restMs: 250 },
      ),
  });
  const rows = targets.map((target) => ({
    target: target.label,
    cpuMilliseconds: summary(figures(run.rounds, target.key, (slice) => cpu(slice) / 1000)),
    failures: failuresOf(run.rounds, target.key),
  }));
  for (const product of bench.products) {
    bench.measured(
      product,
      'largePromptMs',
      summary(differences(run.rounds, product.key, 'bare', (slice) => cpu(slice) / 1000)),
    );
  }
  bench.report('largePrompts', { rows, disturbed: run.disturbed, slices: run.slices });
}

/** Calls that were not answered with 200, over all rounds. */
export function failuresOf(rounds, key) {
  return rounds.reduce((sum, round) => {
    const slice = round[key];
    const refused = Object.values(slice.statuses ?? {}).reduce((count, value) => count + value, 0);
    return sum + refused + slice.broken;
  }, 0);
}
