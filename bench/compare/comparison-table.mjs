const figure = (value, digits = 1) => (Number.isFinite(value) ? value.toFixed(digits) : '–');
const signed = (value) => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`;

/**
 * The result of a comparison as Markdown.
 * @param {{own: {commit: string}, other: {commit: string}, about: string, rows: readonly object[], tolerance: number}} result
 */
export function comparisonTable({ own, other, about, rows, tolerance }) {
  const lines = [
    about,
    '',
    `| CPU µs | ${own.commit} | ${other.commit} | ratio | 95 % | lower quartiles | minima | bare | nginx | rounds |`,
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    ...rows.map(({ load, cpu, ratio, low, high, ofLowerQuartiles, ofMinima, pairs }) => {
      const isWide = high - low > 2 * tolerance ? ' (wide)' : '';
      return (
        `| ${load.title}, a ${load.unit} | ${figure(cpu.own)} | ${figure(cpu.other)} | **${ratio.toFixed(3)}** ` +
        `| ${low.toFixed(3)}–${high.toFixed(3)}${isWide} | ${ofLowerQuartiles.toFixed(3)} | ${ofMinima.toFixed(3)} ` +
        `| ${figure(cpu.bare)} | ${figure(cpu.nginx)} | ${pairs} |`
      );
    }),
  ];
  const delays = rows.flatMap(({ load, delays: ofLoad, pairs }) =>
    ofLoad.map((delay) => ({ ...delay, title: load.title, pairs })),
  );
  if (delays.length === 0) return lines.join('\n');
  return [
    ...lines,
    '',
    `| ms | ${own.commit} | ${other.commit} | rounds |`,
    '| --- | --- | --- | --- |',
    ...delays.map(
      (delay) =>
        `| ${delay.title}: ${delay.name} | ${signed(delay.own)} | ${signed(delay.other)} | ${delay.pairs} |`,
    ),
  ].join('\n');
}
