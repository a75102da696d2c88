import { differences, figures, interleave, ratios } from '../lib/rounds.mjs';
import { summary } from '../lib/stats.mjs';

const CONNECTIONS = 64;
const rps = (slice) => slice.requestsPerSecond;
const cpu = (slice) => slice.cpuMicrosecondsPerRequest;

/** Rows 1, 3, 4 and 14: whole answers, 64 callers that never wait. */
export async function throughput(bench) {
  const targets = [bench.bare, ...bench.products, ...(bench.portkey === undefined ? [] : [bench.portkey])];
  await bench.warmUp(targets);
  bench.say('throughput: 64 callers, 1 KB in, 1 KB out');
  const run = await interleave({
    rounds: bench.rounds ?? 13,
    targets,
    patience: bench.patience,
    say: bench.say,
    slice: (target) =>
      bench.load(
        'closedLoop',
        target,
        { model: 'bench-json' },
        { connections: CONNECTIONS, durationMs: 1000, restMs: 250 },
      ),
  });
  const rows = targets.map((target) => ({
    target: target.label,
    rps: summary(figures(run.rounds, target.key, rps)),
    rpsOverBare: summary(ratios(run.rounds, target.key, 'bare', rps)),
    cpuMicroseconds: summary(figures(run.rounds, target.key, cpu)),
    cpuOverBare: summary(ratios(run.rounds, target.key, 'bare', cpu)),
    failures: failuresOf(run.rounds, target.key),
  }));
  for (const product of bench.products) {
    bench.measured(product, 'rpsOverBare', summary(ratios(run.rounds, product.key, 'bare', rps)));
    bench.measured(product, 'cpuOverBare', summary(ratios(run.rounds, product.key, 'bare', cpu)));
    if (bench.portkey !== undefined) {
      bench.measured(product, 'rpsOverPortkey', summary(ratios(run.rounds, product.key, 'portkey', rps)));
    }
  }
  bench.report('throughput', { rows, disturbed: run.disturbed, slices: run.slices });
  await largePrompts(bench, [bench.bare, ...bench.products]);
}

/** Row 14: what a 256 KB prompt costs the one thread that serves everybody, over what merely moving it costs. */
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
