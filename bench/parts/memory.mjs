import { rssBytes } from '../lib/proc.mjs';
import { summary } from '../lib/stats.mjs';

const MEBIBYTE = 1024 * 1024;

/** Row 12, first half: resident memory of processes that are ready and have done nothing; and after the set-up. */
export async function memory(bench) {
  const rows = [bench.bare, ...bench.products].map((target) => {
    const rssIdleMb = target.freshRssBytes / MEBIBYTE;
    bench.measured(target, 'rssIdleMb', summary([rssIdleMb]));
    return { target: target.label, rssIdleMb, rssSetUpMb: rssBytes(target.pids()) / MEBIBYTE };
  });
  bench.report('memory', { rows });
}
