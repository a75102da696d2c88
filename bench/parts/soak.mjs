import { slopeOf } from '../lib/stats.mjs';

const MEBIBYTE = 1024 * 1024;
/** The first part of the time is warming up: heaps find their size, connections are opened, caches fill. */
const WARM_SHARE = 1 / 3;
/** Share of the gateway's capacity with nothing else to do; the streams take about as much again. */
const CALLS_SHARE = 0.25;

/** Half of what the gateway can do, for long: what it keeps of calls that are over shows as a slope. */
export async function soak(bench) {
  const rows = [];
  for (const product of bench.products) {
    await bench.warmUp([product]);
    const wish = { model: 'bench-json' };
    const most = await bench.load('closedLoop', product, wish, {
      connections: 64,
      durationMs: 5_000,
      restMs: 500,
    });
    const ratePerSecond = Math.round(most.requestsPerSecond * CALLS_SHARE);
    bench.say(
      `soak: ${product.label}, ${bench.soakMinutes} minutes, ${bench.soakStreams} streams, ${ratePerSecond} calls/s`,
    );
    const run = await bench.load(
      'soak',
      product,
      { model: 'bench-slow-stream', stream: true },
      {
        others: product.calls(wish),
        count: bench.soakStreams,
        ratePerSecond,
        durationMs: bench.soakMinutes * 60_000,
      },
    );
    const warmUntil = bench.soakMinutes * 60 * WARM_SHARE;
    const points = run.samples
      .filter(({ seconds }) => seconds >= warmUntil)
      .map(({ seconds, rssBytes }) => ({ x: seconds / 3600, y: rssBytes / MEBIBYTE }));
    const { slope, error } = slopeOf(points);
    const refused = Object.values(run.statuses).reduce((sum, count) => sum + count, 0);
    rows.push({
      target: product.label,
      minutes: bench.soakMinutes,
      answered: run.answered,
      streams: run.streams,
      cpuShare: run.cpuShare,
      rssFirstMb: points[0]?.y ?? Number.NaN,
      rssLastMb: points.at(-1)?.y ?? Number.NaN,
      slope: `${slope.toFixed(2)} ± ${(2 * error).toFixed(2)}`,
      cut: run.cut + run.broken + refused,
      why: Object.entries({ ...run.statuses, cut: run.cut, broken: run.broken })
        .filter(([, count]) => count > 0)
        .map(([what, count]) => `${what}: ${count}`)
        .join(', '),
    });
    bench.measured(product, 'soakSlopeMb', {
      median: slope,
      low: slope - 2 * error,
      high: slope + 2 * error,
      count: 2,
    });
    bench.measured(product, 'soakCut', { median: run.cut + run.broken + refused, low: 0, high: 0, count: 1 });
  }
  bench.report('soak', { rows, disturbed: 0, slices: rows.length });
}
