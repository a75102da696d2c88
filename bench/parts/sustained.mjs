import { summary } from '../lib/stats.mjs';
import { failuresOf, flatOut, rpsRatio } from './throughput.mjs';

/** So long that whatever a gateway puts off falls due, or has to be refused, while callers still ask. */
const SECONDS = 16;

/** The same load as in `throughput`, without a pause in which bookings could be made up for. */
export async function sustained(bench) {
  const targets = [bench.bare, ...bench.products];
  const run = await flatOut(bench, { targets, rounds: 3, durationMs: SECONDS * 1000 });
  for (const product of bench.products) {
    bench.measured(product, 'sustainedOverBare', rpsRatio(run, product.key, 'bare'));
    bench.measured(product, 'sustainedFailures', summary([failuresOf(run.rounds, product.key)]));
  }
  bench.report('sustained', run);
}
