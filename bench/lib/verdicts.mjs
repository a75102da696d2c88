const STRICT = ['sqlite', 'strict'];
const SLICED = ['sliced', 'workers'];

/** Number of the target (docs/performance-history.md), figure, its words; at least or at most what it must be, and what it is hoped to be; unit, set-ups. */
const ROWS = [
  ['1', 'rpsOverBare', 'throughput over bare, every call held', '≥', 0.7, 0.8, '×', STRICT],
  ['2', 'rpsOverBare', 'throughput over bare, slices', '≥', 0.8, 0.9, '×', SLICED],
  [
    '1',
    'sustainedOverBare',
    'throughput over bare, 16 s on end, every call held',
    '≥',
    0.7,
    0.8,
    '×',
    STRICT,
  ],
  ['2', 'sustainedOverBare', 'throughput over bare, 16 s on end, slices', '≥', 0.8, 0.9, '×', SLICED],
  ['2', 'sustainedFailures', '16 s on end: calls not served', '≤', 0, 0, ''],
  ['3', 'cpuOverBare', 'CPU a call over bare, every call held', '≤', 1.4, 1.25, '×', STRICT],
  ['3', 'cpuOverBare', 'CPU a call over bare, slices', '≤', 1.2, 1.1, '×', SLICED],
  ['4', 'rpsOverPortkey', 'throughput over Portkey', '≥', 6, 7.5, '×'],
  ['6', 'addedP50At200', 'added p50 over bare, 200/s', '≤', 0.5, 0.25, 'ms', STRICT],
  ['6', 'addedP50At200', 'added p50 over bare, 200/s, slices', '≤', 0.1, 0.05, 'ms', SLICED],
  ['6', 'addedP50At1000', 'added p50 over bare, 1000/s', '≤', 0.5, 0.25, 'ms'],
  ['7', 'overDirectP50At200', 'added p50 over direct, 200/s', '≤', 1.2, 0.8, 'ms'],
  ['8', 'addedP99At1000', 'added p99 over bare, 1000/s', '≤', 10, 3, 'ms'],
  ['9', 'chunksOverBare', 'chunks a second over bare, 64 streams', '≥', 0.85, 0.95, '×'],
  ['9', 'cpuPerChunk', 'CPU a chunk, 64 streams', '≤', 14, 12.5, 'µs'],
  ...['Anthropic', 'Gemini'].map((vendor) => [
    '9',
    `${vendor.toLowerCase()}OverPassing`,
    `${vendor}’s stream for an OpenAI client: CPU a chunk over passing on`,
    '≤',
    2,
    1.5,
    '×',
  ]),
  ...['passing', 'anthropic', 'gemini'].map((name) => [
    '11',
    `${name}GrowthMb`,
    `memory gained over answers of 600,000 tokens (${name})`,
    '≤',
    32,
    8,
    'MB',
  ]),
  ['10', 'streamsCpuOverBare', '1,000 streams: CPU over bare', '≤', 1.15, 1.05, '×'],
  ['10', 'streamsCut', '1,000 streams: streams cut', '≤', 0, 0, ''],
  ['11', 'kbPerStream', 'memory for each open stream', '≤', 60, 45, 'KB'],
  ['12', 'rssIdleMb', 'memory, fresh and idle', '≤', 150, 120, 'MB'],
  ['12', 'rssOpenMb', 'memory, 1,000 streams open', '≤', 260, 200, 'MB'],
  ['13', 'addedFirstByteMs', 'added time to first byte, ramp of streams', '≤', 3, 1, 'ms'],
  ['14', 'largePromptMs', '256 KB prompt: CPU over bare', '≤', 2, 0.3, 'ms'],
  ['12', 'soakSlopeMb', 'soak: memory gained in an hour, after warming up', '≤', 1, 0.2, 'MB'],
  ['12', 'soakCut', 'soak: calls and streams cut', '≤', 0, 0, ''],
  ['15', 'tokensOff', "billed tokens off the upstream's count", '≤', 0, 0, ''],
  ['15', 'booksClean', 'money:check clean (1 = yes)', '≥', 1, 1, ''],
];

/**
 * The targets, with the figure each is judged by. `least` = bigger is better, `most` = smaller is better.
 * `of`: only for these set-ups; a call that asks Redis has other bounds than one that does not (targets 1 to 3).
 */
export const TARGETS = ROWS.map(([row, figure, measure, sign, must, ambitious, unit, of]) => ({
  row,
  measure,
  figure,
  unit,
  [sign === '≥' ? 'least' : 'most']: [must, ambitious],
  ...(of === undefined ? {} : { of }),
}));

/** True when the target applies to that set-up. */
export const concerns = (target, key) => target.of === undefined || target.of.includes(key);

/** @returns {'ambitious' | 'must' | 'missed'} */
export function verdict(target, value) {
  const reaches = (bound) => (target.least === undefined ? value <= bound : value >= bound);
  const [must, ambitious] = target.least ?? target.most;
  if (reaches(ambitious)) return 'ambitious';
  return reaches(must) ? 'must' : 'missed';
}
