import { readFile, writeFile } from 'node:fs/promises';
import { concerns, TARGETS, verdict } from './verdicts.mjs';

const BEGIN = '<!-- figures: written by npm run bench -- --write -->';
const END = '<!-- end of figures -->';

function digits(value) {
  if (!Number.isFinite(value)) return '–';
  if (Number.isInteger(value)) return value.toLocaleString('en-US');
  const size = Math.abs(value);
  if (size >= 100) return Math.round(value).toLocaleString('en-US');
  return value.toFixed(size >= 10 ? 1 : 2);
}

/** A figure; a summary with its middle half, when there was more than one round. */
export function show(figure) {
  if (typeof figure === 'number') return digits(figure);
  if (figure.count <= 1) return digits(figure.median);
  return `${digits(figure.median)} (${digits(figure.low)}–${digits(figure.high)})`;
}

const line = (cells) => `| ${cells.join(' | ')} |`;
const table = (heads, rows) => [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');

/** Each target against each set-up of the product. */
export function targetTable(products, measurements) {
  const sign = (target) => (target.least === undefined ? '≤' : '≥');
  const rows = TARGETS.flatMap((target) => {
    const measured = products.map((product) =>
      concerns(target, product.key) ? measurements.get(`${product.key} ${target.figure}`) : undefined,
    );
    if (measured.every((figure) => figure === undefined)) return [];
    const [must, ambitious] = target.least ?? target.most;
    return [
      [
        target.row,
        target.measure,
        `${sign(target)} ${must} ${target.unit}`.trim(),
        `${sign(target)} ${ambitious} ${target.unit}`.trim(),
        ...measured.map((figure) =>
          figure === undefined
            ? '–'
            : `${show(figure)} ${target.unit} **${verdict(target, figure.median)}**`.replace('  ', ' '),
        ),
      ],
    ];
  });
  return table(['#', 'measure', 'must', 'ambitious', ...products.map((product) => product.label)], rows);
}

const SECTIONS = {
  throughput: { title: 'Throughput: 64 callers, 1 KB in, 1 KB out', columns: throughputColumns() },
  sustained: { title: 'Sustained: 64 callers for 16 seconds', columns: throughputColumns() },
  largePrompts: {
    title: 'A 256 KB prompt, one caller',
    columns: { target: 'target', cpuMilliseconds: 'CPU ms a call', failures: 'not 200' },
  },
  latency200: { title: 'Latency at 200 calls/s', columns: latencyColumns() },
  latency1000: { title: 'Latency at 1,000 calls/s', columns: latencyColumns() },
  fastStreams: {
    title: '64 streams, 200 chunks of 243 B as fast as they go',
    columns: {
      target: 'target',
      chunksPerSecond: 'chunks/s',
      chunksOverBare: '÷ bare',
      cpuMicroseconds: 'CPU µs a chunk',
      cpuOverBare: '÷ bare',
      cut: 'cut',
    },
  },
  manyStreams: {
    title: '1,000 streams, ten chunks a second each',
    columns: {
      target: 'target',
      cpuShare: 'cores used',
      cpuOverBare: '÷ bare',
      kbPerStreamFirstRound: 'KB a stream, first round',
      rssOpenMb: 'MB, all open',
      firstByteP50Ms: 'first byte p50 ms',
      gapMs: 'gap p50 ms (100 = ideal)',
      cut: 'cut',
      why: 'how',
    },
  },
  translated: {
    title: '64 streams to OpenAI’s clients, the same words in three grammars',
    columns: {
      target: 'target',
      chunksPerSecond: 'chunks/s',
      cpuMicroseconds: 'CPU µs a chunk',
      cpuOverPassing: '÷ passed through',
      cut: 'cut',
    },
  },
  longStreams: {
    title: 'Answers of 600,000 tokens at once',
    columns: {
      target: 'target',
      seconds: 'seconds',
      chunks: 'chunks',
      cpuMicroseconds: 'CPU µs a chunk',
      rssEarlyMb: 'MB, second quarter',
      rssLateMb: 'MB, last quarter',
      rssMostMb: 'MB, most',
      growthMb: 'growth MB',
      cut: 'cut',
    },
  },
  soak: {
    title: 'Soak: half the load, for long',
    columns: {
      target: 'target',
      minutes: 'minutes',
      answered: 'calls',
      streams: 'streams',
      cpuShare: 'cores used',
      rssFirstMb: 'MB, warm',
      rssLastMb: 'MB, at the end',
      slope: 'MB an hour (95 %)',
      cut: 'cut or not 200',
      why: 'how',
    },
  },
  memory: {
    title: 'Memory of a fresh process',
    columns: { target: 'target', rssIdleMb: 'MB, ready', rssSetUpMb: 'MB, set up over the console API' },
  },
};

function throughputColumns() {
  return {
    target: 'target',
    rps: 'calls/s',
    rpsOverBare: '÷ bare',
    cpuMicroseconds: 'CPU µs a call',
    cpuOverBare: '÷ bare',
    p99Ms: 'p99 ms',
    failures: 'not 200',
  };
}

function latencyColumns() {
  return {
    target: 'target',
    p50Ms: 'p50 ms',
    p99Ms: 'p99 ms',
    addedP50Ms: 'p50 − bare',
    addedP99Ms: 'p99 − bare',
    cpuShare: 'cores used',
    failures: 'not 200',
  };
}

function billingSection({ rows }) {
  const body = rows.map(({ target, claimed, billed, books }) => [
    target,
    `${digits(claimed.completed)} / ${digits(billed.calls)}`,
    `${digits(claimed.promptTokens)} / ${digits(billed.promptTokens)}`,
    `${digits(claimed.completionTokens)} / ${digits(billed.completionTokens)}`,
    `${digits(claimed.refused)} and ${digits(claimed.reset)}`,
    books.split('\n').at(-1),
  ]);
  const heads = [
    'target',
    'calls: claimed / billed',
    'prompt tokens',
    'completion tokens',
    'failures and resets',
    'money:check',
  ];
  return `### Billing with failures and resets on\n\n${table(heads, body)}`;
}

/** One part's table as Markdown. */
export function section(name, report) {
  if (name === 'billing') return billingSection(report);
  const { title, columns } = SECTIONS[name];
  const body = report.rows.map((row) =>
    Object.keys(columns).map((key) => (typeof row[key] === 'string' ? row[key] : show(row[key]))),
  );
  const note =
    report.disturbed > 0
      ? `\n\n${report.disturbed} of ${report.slices} slices were disturbed by other work on the machine.`
      : '';
  return `### ${title}\n\n${table(Object.values(columns), body)}${note}`;
}

/** The whole report as Markdown. */
export function markdown({ products, measurements, reports, about }) {
  const parts = [...reports].map(([name, report]) => section(name, report));
  return [about, targetTable(products, measurements), ...parts].join('\n\n');
}

/** Puts the report between the marks of a document. Fails when the marks are missing. */
export async function writeFigures(path, text) {
  const page = await readFile(path, 'utf8');
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin < 0 || end < begin) throw new Error(`${path} has no place for figures (${BEGIN} … ${END})`);
  await writeFile(path, `${page.slice(0, begin + BEGIN.length)}\n\n${text}\n\n${page.slice(end)}`);
}
