import { figures, interleave, ratios } from '../lib/rounds.mjs';
import { summary } from '../lib/stats.mjs';

/** The same words in three API formats; callers use OpenAI's, so the first passes through and the others are translated. */
const FORMATS = [
  { name: 'passing', label: 'OpenAI, passed through', model: 'bench-fast-stream' },
  { name: 'anthropic', label: 'Anthropic, translated', model: 'bench-fast-anthropic' },
  { name: 'gemini', label: 'Gemini, translated', model: 'bench-fast-gemini' },
];

/** 64 streams as fast as they go, from three vendors to OpenAI's clients: what translation costs over passing on. */
export async function translated(bench) {
  const targets = bench.products.flatMap((product) =>
    FORMATS.map((format) => ({ ...product, key: `${product.key} ${format.name}`, product, format })),
  );
  if (targets.length === 0) return;
  bench.say('translated: 64 streams at once, 200 chunks of the same words, three grammars');
  const order = (model, durationMs) => [
    { model, stream: true },
    { connections: 64, durationMs },
  ];
  for (const target of targets) await bench.load('fastStreams', target, ...order(target.format.model, 3000));
  const played = await interleave({
    rounds: Math.min(5, bench.rounds ?? 5),
    targets,
    patience: bench.patience,
    say: bench.say,
    slice: (target) => bench.load('fastStreams', target, ...order(target.format.model, 2000)),
  });
  const cost = (slice) => slice.cpuMicrosecondsPerChunk;
  const overPassing = ({ key, product }) =>
    summary(ratios(played.rounds, key, `${product.key} passing`, cost));
  for (const target of targets) {
    if (target.format.name === 'passing') continue;
    bench.measured(target.product, `${target.format.name}OverPassing`, overPassing(target));
  }
  bench.report('translated', {
    rows: targets.map((target) => ({
      target: `${target.label}: ${target.format.label}`,
      chunksPerSecond: summary(figures(played.rounds, target.key, (slice) => slice.chunksPerSecond)),
      cpuMicroseconds: summary(figures(played.rounds, target.key, cost)),
      cpuOverPassing: overPassing(target),
      cut: figures(played.rounds, target.key, (slice) => slice.cut + slice.broken).reduce(
        (sum, count) => sum + count,
        0,
      ),
    })),
    disturbed: played.disturbed,
    slices: played.slices,
  });
}
