const STRICT = ['sqlite', 'strict'];
const SLICED = ['sliced', 'workers'];

/**
 * The targets, with the figure each is judged by. `least` = bigger is better, `most` = smaller is better.
 * `of`: only for these set-ups; a call that asks Redis has other bounds than one that does not (design/performance, rows 1 to 3).
 * The other peer (row 5) is not here.
 */
export const TARGETS = [
  {
    row: '1',
    measure: 'throughput over bare, every call held',
    figure: 'rpsOverBare',
    unit: '×',
    least: [0.7, 0.8],
    of: STRICT,
  },
  {
    row: '2',
    measure: 'throughput over bare, slices',
    figure: 'rpsOverBare',
    unit: '×',
    least: [0.8, 0.9],
    of: SLICED,
  },
  {
    row: '3',
    measure: 'CPU a call over bare, every call held',
    figure: 'cpuOverBare',
    unit: '×',
    most: [1.4, 1.25],
    of: STRICT,
  },
  {
    row: '3',
    measure: 'CPU a call over bare, slices',
    figure: 'cpuOverBare',
    unit: '×',
    most: [1.2, 1.1],
    of: SLICED,
  },
  { row: '4', measure: 'throughput over Portkey', figure: 'rpsOverPortkey', unit: '×', least: [6, 7.5] },
  {
    row: '6',
    measure: 'added p50 over bare, 200/s',
    figure: 'addedP50At200',
    unit: 'ms',
    most: [0.5, 0.25],
    of: STRICT,
  },
  {
    row: '6',
    measure: 'added p50 over bare, 200/s, slices',
    figure: 'addedP50At200',
    unit: 'ms',
    most: [0.1, 0.05],
    of: SLICED,
  },
  {
    row: '6',
    measure: 'added p50 over bare, 1000/s',
    figure: 'addedP50At1000',
    unit: 'ms',
    most: [0.5, 0.25],
  },
  {
    row: '7',
    measure: 'added p50 over direct, 200/s',
    figure: 'overDirectP50At200',
    unit: 'ms',
    most: [1.2, 0.8],
  },
  { row: '8', measure: 'added p99 over bare, 1000/s', figure: 'addedP99At1000', unit: 'ms', most: [10, 3] },
  {
    row: '9',
    measure: 'chunks a second over bare, 64 streams',
    figure: 'chunksOverBare',
    unit: '×',
    least: [0.85, 0.95],
  },
  { row: '9', measure: 'CPU a chunk, 64 streams', figure: 'cpuPerChunk', unit: 'µs', most: [14, 12.5] },
  {
    row: '9',
    measure: 'Anthropic’s stream for an OpenAI client: CPU a chunk over passing on',
    figure: 'anthropicOverPassing',
    unit: '×',
    most: [2, 1.5],
  },
  {
    row: '9',
    measure: 'Gemini’s stream for an OpenAI client: CPU a chunk over passing on',
    figure: 'geminiOverPassing',
    unit: '×',
    most: [2, 1.5],
  },
  ...['passing', 'anthropic', 'gemini'].map((name) => ({
    row: '11',
    measure: `memory gained over answers of 600,000 tokens (${name})`,
    figure: `${name}GrowthMb`,
    unit: 'MB',
    most: [32, 8],
  })),
  {
    row: '10',
    measure: '1,000 streams: CPU over bare',
    figure: 'streamsCpuOverBare',
    unit: '×',
    most: [1.15, 1.05],
  },
  { row: '10', measure: '1,000 streams: streams cut', figure: 'streamsCut', unit: '', most: [0, 0] },
  { row: '11', measure: 'memory for each open stream', figure: 'kbPerStream', unit: 'KB', most: [60, 45] },
  { row: '12', measure: 'memory, fresh and idle', figure: 'rssIdleMb', unit: 'MB', most: [150, 120] },
  { row: '12', measure: 'memory, 1,000 streams open', figure: 'rssOpenMb', unit: 'MB', most: [260, 200] },
  {
    row: '13',
    measure: 'added time to first byte, ramp of streams',
    figure: 'addedFirstByteMs',
    unit: 'ms',
    most: [3, 1],
  },
  { row: '14', measure: '256 KB prompt: CPU over bare', figure: 'largePromptMs', unit: 'ms', most: [2, 0.3] },
  {
    row: '12',
    measure: 'soak: memory gained in an hour, after warming up',
    figure: 'soakSlopeMb',
    unit: 'MB',
    most: [1, 0.2],
  },
  { row: '12', measure: 'soak: calls and streams cut', figure: 'soakCut', unit: '', most: [0, 0] },
  {
    row: '15',
    measure: "billed tokens off the upstream's count",
    figure: 'tokensOff',
    unit: '',
    most: [0, 0],
  },
  { row: '15', measure: 'money:check clean (1 = yes)', figure: 'booksClean', unit: '', least: [1, 1] },
];

/** True when the target speaks of that set-up. */
export const concerns = (target, key) => target.of === undefined || target.of.includes(key);

/** @returns {'ambitious' | 'must' | 'missed'} */
export function verdict(target, value) {
  const reaches = (bound) => (target.least === undefined ? value <= bound : value >= bound);
  const [must, ambitious] = target.least ?? target.most;
  if (reaches(ambitious)) return 'ambitious';
  return reaches(must) ? 'must' : 'missed';
}
