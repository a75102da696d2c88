import { differences, figures, interleave } from '../lib/rounds.mjs';
import { summary } from '../lib/stats.mjs';
import { failuresOf } from './throughput.mjs';

const p50 = (slice) => slice.latencyMs.p50;
const p99 = (slice) => slice.latencyMs.p99;

/** Rows 6, 7 and 8: calls at a fixed rate, counted from the time each was due. */
export async function latency(bench) {
  const targets = [bench.mock, bench.bare, ...bench.products];
  await bench.warmUp(targets);
  for (const ratePerSecond of [200, 1000]) {
    bench.say(`latency: ${ratePerSecond} calls a second`);
    const run = await interleave({
      rounds: Math.min(7, bench.rounds ?? 7),
      targets,
      patience: bench.patience,
      say: bench.say,
      slice: (target) =>
        bench.load('openLoop', target, { model: 'bench-json' }, { ratePerSecond, durationMs: 2000 }),
    });
    const rows = targets.map((target) => ({
      target: target.label,
      p50Ms: summary(figures(run.rounds, target.key, p50)),
      p99Ms: summary(figures(run.rounds, target.key, p99)),
      addedP50Ms: summary(differences(run.rounds, target.key, 'bare', p50)),
      addedP99Ms: summary(differences(run.rounds, target.key, 'bare', p99)),
      cpuShare: summary(figures(run.rounds, target.key, (slice) => slice.cpuShare)),
      failures: failuresOf(run.rounds, target.key),
    }));
    for (const product of bench.products) {
      bench.measured(
        product,
        `addedP50At${ratePerSecond}`,
        summary(differences(run.rounds, product.key, 'bare', p50)),
      );
      bench.measured(
        product,
        `addedP99At${ratePerSecond}`,
        summary(differences(run.rounds, product.key, 'bare', p99)),
      );
      bench.measured(
        product,
        `overDirectP50At${ratePerSecond}`,
        summary(differences(run.rounds, product.key, 'direct', p50)),
      );
    }
    bench.report(`latency${ratePerSecond}`, { rows, disturbed: run.disturbed, slices: run.slices });
  }
}
