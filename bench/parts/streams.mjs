import { differences, figures, interleave, ratios } from '../lib/rounds.mjs';
import { summary } from '../lib/stats.mjs';
import { MODELS } from '../models.mjs';

const MEBIBYTE = 1024 * 1024;

/**
 * Rows 9 to 13: 1,000 streams at ten chunks a second, then 64 as fast as they go. The many come first: memory a process
 * has already taken for something else would hide what they need.
 */
export async function streams(bench) {
  const targets = [bench.bare, ...bench.products];
  await bench.warmUp(targets);
  await manyStreams(bench, targets);
  bench.say('streams: 64 at once, 200 chunks of 243 B, one a turn');
  const fast = await interleave({
    rounds: Math.min(5, bench.rounds ?? 5),
    targets,
    patience: bench.patience,
    say: bench.say,
    slice: (target) =>
      bench.load(
        'fastStreams',
        target,
        { model: 'bench-fast-stream', stream: true },
        { connections: 64, durationMs: 2000 },
      ),
  });
  const speed = (slice) => slice.chunksPerSecond;
  const cost = (slice) => slice.cpuMicrosecondsPerChunk;
  for (const product of bench.products) {
    bench.measured(product, 'chunksOverBare', summary(ratios(fast.rounds, product.key, 'bare', speed)));
    bench.measured(product, 'cpuPerChunk', summary(figures(fast.rounds, product.key, cost)));
    bench.measured(product, 'cpuPerChunkOverBare', summary(ratios(fast.rounds, product.key, 'bare', cost)));
  }
  bench.report('fastStreams', {
    rows: targets.map((target) => ({
      target: target.label,
      chunksPerSecond: summary(figures(fast.rounds, target.key, speed)),
      chunksOverBare: summary(ratios(fast.rounds, target.key, 'bare', speed)),
      cpuMicroseconds: summary(figures(fast.rounds, target.key, cost)),
      cpuOverBare: summary(ratios(fast.rounds, target.key, 'bare', cost)),
      cut: figures(fast.rounds, target.key, (slice) => slice.cut + slice.broken).reduce(
        (sum, count) => sum + count,
        0,
      ),
    })),
    disturbed: fast.disturbed,
    slices: fast.slices,
  });
}

async function manyStreams(bench, targets) {
  const count = bench.streamCount;
  bench.say(`streams: ${count} open, ten chunks a second each`);
  const many = await interleave({
    rounds: Math.min(3, bench.rounds ?? 3),
    targets,
    patience: Math.min(1, bench.patience),
    say: bench.say,
    slice: (target) =>
      bench.load(
        'manyStreams',
        target,
        { model: 'bench-slow-stream', stream: true },
        { count, perSecond: 250, measureMs: 4000, chunks: MODELS['bench-slow-stream'].chunks },
      ),
  });
  const share = (slice) => slice.cpuShare;
  const perStreamKb = (slice) => (slice.rssOpenBytes - slice.rssBeforeBytes) / count / 1024;
  const firstByte = (slice) => slice.firstByteMs.p50;
  const cut = (key) => figures(many.rounds, key, (slice) => slice.cut).reduce((sum, value) => sum + value, 0);
  for (const product of bench.products) {
    bench.measured(product, 'streamsCpuOverBare', summary(ratios(many.rounds, product.key, 'bare', share)));
    bench.measured(product, 'streamsCut', summary([cut(product.key)]));
    bench.measured(
      product,
      'kbPerStream',
      summary(figures(many.rounds.slice(0, 1), product.key, perStreamKb)),
    );
    bench.measured(
      product,
      'rssOpenMb',
      summary(figures(many.rounds, product.key, (slice) => slice.rssOpenBytes / MEBIBYTE)),
    );
    bench.measured(
      product,
      'addedFirstByteMs',
      summary(differences(many.rounds, product.key, 'bare', firstByte)),
    );
  }
  bench.report('manyStreams', {
    count,
    rows: targets.map((target) => ({
      target: target.label,
      cpuShare: summary(figures(many.rounds, target.key, share)),
      cpuOverBare: summary(ratios(many.rounds, target.key, 'bare', share)),
      kbPerStreamFirstRound: perStreamKb(many.rounds[0][target.key]),
      rssOpenMb: summary(figures(many.rounds, target.key, (slice) => slice.rssOpenBytes / MEBIBYTE)),
      firstByteP50Ms: summary(figures(many.rounds, target.key, firstByte)),
      gapMs: summary(figures(many.rounds, target.key, (slice) => slice.gapMs)),
      cut: cut(target.key),
      why: endingsOf(many.rounds, target.key),
    })),
    disturbed: many.disturbed,
    slices: many.slices,
  });
}

/** Endings of incomplete streams: a status, a socket error, or "ended early". */
function endingsOf(rounds, key) {
  const sums = {};
  for (const round of rounds) {
    for (const [why, count] of Object.entries(round[key].endings)) sums[why] = (sums[why] ?? 0) + count;
  }
  return Object.entries(sums)
    .map(([why, count]) => `${count} × ${why}`)
    .join(', ');
}
