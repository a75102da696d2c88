import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { stopEverything } from '../lib/processes.mjs';
import { median } from '../lib/stats.mjs';
import { buildCommit, thisBuild } from './build-commit.mjs';
import {
  MOST_FOREIGN,
  MOST_STOLEN,
  percent,
  refuseLoadedMachine,
  startBench,
  startGeneration,
  warmUp,
} from './comparison.mjs';
import { LOADS } from './loads.mjs';
import { isKnown, pairedRatio } from './paired-ratio.mjs';
import { comparisonTable } from './comparison-table.mjs';

/**
 * A generation is a fresh process of each build. One process alone can stay some per cent off for all its life, by the code V8
 * settled on and where its heap lies, so a ratio counts only over several of them.
 */
const GENERATIONS = 3;
/** A ratio is known when 95 % of resampled medians lie within so much of it. */
const TOLERANCE = 0.02;
const LEAST_ROUNDS = 9;
/** Generations share them, starting and warming up included. */
const MOST_MINUTES = 10;

const log = (line) => process.stderr.write(`${line}\n`);

const failuresOf = (slice) =>
  slice.broken +
  (slice.cut ?? 0) +
  Object.values(slice.statuses ?? {}).reduce((sum, count) => sum + count, 0);

/** Plain proxies have no collections worth waiting for, but their latencies are compared over the same time. */
const PLAIN_SLICE_MS = 1_000;

/** One round of a load: a pair of neighbouring slices, the order turned each time, and the plain targets beside them. */
async function playRound({ bare, nginx, generation, worst }, load, round) {
  const pair = round % 2 === 0 ? generation.instances : generation.instances.toReversed();
  const result = {};
  for (const target of [...pair, ...(load.hasPlainTargets ? [bare, nginx] : [])]) {
    const isShort = target.build === undefined && load.delays === undefined;
    const slice = await generation.slice(target, load, isShort ? { durationMs: PLAIN_SLICE_MS } : {});
    worst.foreign = Math.max(worst.foreign, slice.foreignShare);
    worst.stolen = Math.max(worst.stolen, slice.stolenShare);
    worst.disturbed += slice.foreignShare > MOST_FOREIGN || slice.stolenShare > MOST_STOLEN ? 1 : 0;
    worst.failures += failuresOf(slice);
    result[target.build ?? target.key] = slice;
  }
  return result;
}

const ratioOf = (load, rounds) =>
  pairedRatio(rounds.map(({ own, other }) => ({ own: load.cpu(own), other: load.cpu(other) })));

/** Plays rounds with one generation, until the ratios are known or its share of the time is over. */
async function playGeneration(stage, rounds, { least, deadline }) {
  for (let round = 0; ; round += 1) {
    const open = [...rounds].filter(
      ([load, played]) => round < least || !isKnown(ratioOf(load, played), TOLERANCE),
    );
    if (open.length === 0 || (round >= least && performance.now() > deadline)) return;
    for (const [load, played] of open) played.push(await playRound(stage, load, round));
  }
}

/** Plays all generations. @returns the rounds of each load, and the worst of what disturbed them */
async function playGenerations(builds, folder, loads, { isShared, minutes }) {
  const rounds = new Map(loads.map((load) => [load, []]));
  const worst = { foreign: 0, stolen: 0, disturbed: 0, failures: 0 };
  const bench = await startBench(folder);
  const startedAt = performance.now();
  for (let count = 1; count <= GENERATIONS; count += 1) {
    const generation = await startGeneration(bench, builds, join(folder, String(count)), { isShared });
    for (const target of generation.instances) await warmUp(generation, target, loads);
    await playGeneration({ ...bench, generation, worst }, rounds, {
      least: Math.ceil(LEAST_ROUNDS / GENERATIONS),
      deadline: startedAt + (minutes * 60_000 * count) / GENERATIONS,
    });
    await generation.stop();
    const soFar = loads.map((load) => `${load.name} ${ratioOf(load, rounds.get(load)).ratio.toFixed(3)}`);
    log(`  generation ${count} of ${GENERATIONS}: ${soFar.join(', ')}`);
  }
  return { rounds, worst };
}

function rowOf(load, rounds) {
  const figure = (key, pick) => rounds.filter((round) => key in round).map((round) => pick(round[key]));
  const overBare = (key, pick) => median(rounds.map((round) => pick(round[key]) - pick(round.bare)));
  return {
    load,
    cpu: Object.fromEntries(
      ['own', 'other', 'bare', 'nginx'].map((key) => [key, median(figure(key, load.cpu))]),
    ),
    ...ratioOf(load, rounds),
    delays: Object.entries(load.delays ?? {}).map(([name, pick]) => ({
      name,
      own: overBare('own', pick),
      other: overBare('other', pick),
    })),
  };
}

/**
 * Compares the CPU time of this checkout's build with another commit's, in one run on one machine.
 * @param {string} ref the other commit
 * @param {{isShared?: boolean, minutes?: number, only?: readonly string[], json?: (figures: object) => Promise<void>}} wish
 *   `isShared`: with MariaDB and Redis instead of SQLite alone
 */
export async function compare(ref, { isShared = false, minutes = MOST_MINUTES, only, json } = {}) {
  const loads = LOADS.filter(({ name }) => only === undefined || only.includes(name));
  const own = { key: 'own', ...thisBuild() };
  const other = { key: 'other', ...(await buildCommit(ref, log)) };
  await refuseLoadedMachine(log);
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-compare-'));
  try {
    const { rounds, worst } = await playGenerations([own, other], folder, loads, { isShared, minutes });
    const rows = loads.map((load) => rowOf(load, rounds.get(load)));
    const about =
      `${own.commit} beside ${other.commit}, ${isShared ? 'MariaDB + Redis' : 'SQLite alone'}, ` +
      `${new Date().toISOString().slice(0, 16)}Z, ${cpus().length} cores (${cpus()[0].model.trim()}).\n` +
      `Other work during a slice: ${percent(worst.foreign)} of a core at most, the host ${percent(worst.stolen)}; ` +
      `${worst.disturbed} slices disturbed, ${worst.failures} calls failed.`;
    process.stdout.write(`${comparisonTable({ own, other, about, rows, tolerance: TOLERANCE })}\n`);
    await json?.({
      about,
      rows: rows.map(({ load, ...row }) => ({ load: load.name, ...row })),
      rounds: Object.fromEntries(loads.map((load) => [load.name, rounds.get(load)])),
    });
    return worst.failures === 0 ? 0 : 1;
  } finally {
    await stopEverything();
    await rm(folder, { recursive: true, force: true });
  }
}
