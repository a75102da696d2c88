import { median, summary } from '../lib/stats.mjs';

const MEBIBYTE = 1024 * 1024;

const FORMATS = [
  { name: 'passing', label: 'OpenAI, passed through', model: 'bench-endless-openai' },
  { name: 'anthropic', label: 'Anthropic, translated', model: 'bench-endless-anthropic' },
  { name: 'gemini', label: 'Gemini, translated', model: 'bench-endless-gemini' },
];

/** Middle of the samples between two shares of the time, in MB. */
const between = (samples, from, to) =>
  median(samples.slice(Math.floor(samples.length * from), Math.ceil(samples.length * to))) / MEBIBYTE;

/** Answers of 600,000 tokens, 200 at once: what a gateway keeps of what passed through it would show as a slope. */
export async function longStreams(bench) {
  const count = bench.longStreamCount;
  const rows = [];
  for (const product of bench.products) {
    for (const { label, model, name } of FORMATS) {
      bench.say(`long streams: ${count} at once, ${label}`);
      const wish = { model, stream: true, maxTokens: 700_000 };
      // Once unmeasured: pages a process takes for so many sockets are no slope, and it keeps them.
      await bench.load('longStreams', product, wish, { count });
      const run = await bench.load('longStreams', product, wish, { count });
      const early = between(run.rssSamples, 0.25, 0.5);
      const late = between(run.rssSamples, 0.75, 1);
      const row = {
        target: `${product.label}: ${label}`,
        seconds: run.seconds,
        chunks: run.chunks,
        cpuMicroseconds: run.cpuMicrosecondsPerChunk,
        rssEarlyMb: early,
        rssLateMb: late,
        rssMostMb: Math.max(...run.rssSamples) / MEBIBYTE,
        growthMb: late - early,
        cut: run.cut,
      };
      rows.push(row);
      bench.say(
        `  ${Math.round(early)} MB, later ${Math.round(late)} MB, most ${Math.round(row.rssMostMb)} MB; ` +
          `${row.cpuMicroseconds.toFixed(1)} µs a chunk; ${run.cut} cut; ${Math.round(run.seconds)} s`,
      );
      bench.measured(product, `${name}GrowthMb`, summary([late - early]));
    }
  }
  bench.report('longStreams', { rows });
}
