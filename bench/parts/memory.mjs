import { rssBytes } from '../lib/proc.mjs';
import { summary } from '../lib/stats.mjs';

/** Row 12, first half: resident memory of processes that were set up but have not served a call yet. */
export async function memory(bench) {
  const rows = [bench.bare, ...bench.products].map((target) => {
    const mebibytes = rssBytes(target.pids()) / 1024 / 1024;
    bench.measured(target, 'rssIdleMb', summary([mebibytes]));
    return { target: target.label, rssIdleMb: mebibytes };
  });
  bench.report('memory', { rows });
}
