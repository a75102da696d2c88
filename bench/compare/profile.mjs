import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stopEverything, stopProgram } from '../lib/processes.mjs';
import { buildCommit, thisBuild } from './build-commit.mjs';
import { refuseLoadedMachine, startBench, startGeneration, warmUp } from './comparison.mjs';
import { differencesBetween, perCall, readProfiles, selfTimes } from './cpu-profile.mjs';
import { LOADS } from './loads.mjs';

const SAMPLE_EVERY_US = 500;
const MEASURE_MS = 15_000;
/** Functions below this difference are one row. */
const LEAST_DIFFERENCE_US = 0.1;

const log = (line) => process.stderr.write(`${line}\n`);
const nowUs = () => Number(process.hrtime.bigint() / 1000n);

/** CPU time of each thread of a process, in nanoseconds. */
function threadCpuNs(pid) {
  const times = new Map();
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const [ns] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ', 1);
    const name = readFileSync(`/proc/${pid}/task/${thread}/comm`, 'latin1').trim();
    times.set(thread, { ns: Number(ns), name, isMain: Number(thread) === pid });
  }
  return times;
}

/** Names of functions before the renaming of 0.2.0, by `bench/compare/renamed-functions.tsv`. */
function renamedFunctions() {
  const lines = readFileSync(join(import.meta.dirname, 'renamed-functions.tsv'), 'utf8')
    .trim()
    .split('\n');
  return new Map(lines.slice(1).map((line) => line.split('\t')));
}

/** Runs a load against one build and returns the stretch of time, the calls and the CPU time of its threads. */
async function measure(generation, target, load) {
  const [pid] = target.pids();
  // A lead of the load's own would be in the profile and not among the calls.
  const order = { leadMs: 0, durationMs: MEASURE_MS };
  await generation.slice(target, load);
  const before = threadCpuNs(pid);
  const fromUs = nowUs();
  const slice = await generation.slice(target, load, order);
  const toUs = nowUs();
  const calls = slice.answered ?? (load.order.ratePerSecond * MEASURE_MS) / 1000;
  const threads = [...threadCpuNs(pid)].map(([thread, { ns, name, isMain }]) => ({
    thread,
    name,
    isMain,
    us: (ns - (before.get(thread)?.ns ?? 0)) / 1000,
  }));
  return { fromUs, toUs, calls, threads };
}

const totalOf = (list, pick) => list.reduce((sum, entry) => sum + pick(entry), 0);

/** CPU time a call by function and thread, over the stretches of one load. */
function timesOf({ serving, booking }, stretches, newNames) {
  const calls = totalOf(stretches, (stretch) => stretch.calls);
  const threads = new Map();
  for (const { thread, name, isMain, us } of stretches.flatMap((stretch) => stretch.threads)) {
    const known = threads.get(thread) ?? { name, isMain, usPerCall: 0 };
    known.usPerCall += us / calls;
    threads.set(thread, known);
  }
  const all = [...threads.values()].sort((one, two) => two.usPerCall - one.usPerCall);
  const main = all.find(({ isMain }) => isMain);
  // The booking thread is a worker, whose name in the kernel is the main thread's until Node gives it one.
  const booker =
    booking === undefined ? undefined : all.find(({ isMain, name }) => !isMain && isWorker(name));
  const helpers = new Map();
  for (const entry of all)
    if (entry !== main && entry !== booker && !PROFILER.test(entry.name))
      helpers.set(entry.name, (helpers.get(entry.name) ?? 0) + entry.usPerCall);
  return {
    serving: perCall(selfTimes(serving, stretches), main.usPerCall, newNames),
    booking:
      booker === undefined ? new Map() : perCall(selfTimes(booking, stretches), booker.usPerCall, newNames),
    helpers,
  };
}

/** V8's own thread that collects the samples. */
const PROFILER = /ProfEvntProc/;
/** Threads of V8's platform and of libuv have names of their own. */
const isWorker = (name) => !/V8|libuv|signal|inspector|sampl|Delayed/i.test(name);

function tableOf(title, own, other, builds) {
  const rows = differencesBetween(own, other);
  const sum = (times) => totalOf([...times.values()], (time) => time);
  const row = (name, here, there) =>
    `| ${name} | ${here.toFixed(2)} | ${there.toFixed(2)} | ${here - there < 0 ? '−' : '+'}${Math.abs(here - there).toFixed(2)} |`;
  const shown = rows.filter(({ difference }) => Math.abs(difference) >= LEAST_DIFFERENCE_US);
  const rest = rows.filter(({ difference }) => Math.abs(difference) < LEAST_DIFFERENCE_US);
  const total = (list, key) => totalOf(list, (entry) => entry[key]);
  return [
    `### ${title}`,
    '',
    `| µs a call | ${builds.own.commit} | ${builds.other.commit} | difference |`,
    '| --- | --- | --- | --- |',
    row('**all**', sum(own), sum(other)),
    ...shown.map(({ name, own: here, other: there }) => row(`\`${name}\``, here, there)),
    row(`${rest.length} functions below ${LEAST_DIFFERENCE_US} µs`, total(rest, 'own'), total(rest, 'other')),
  ].join('\n');
}

/**
 * Profiles this checkout's build and another commit's under the same loads and prints the differences by function.
 * @param {string} ref the other commit
 * @param {{isShared?: boolean, only?: readonly string[], keepIn?: string}} wish `keepIn`: a folder for the profiles themselves,
 *   which browsers' developer tools open
 */
export async function profile(ref, { isShared = false, only = ['whole', 'rate'], keepIn } = {}) {
  const loads = LOADS.filter(({ name }) => only.includes(name));
  const newNames = renamedFunctions();
  const builds = {
    own: { key: 'own', ...thisBuild() },
    other: { key: 'other', ...(await buildCommit(ref, log)) },
  };
  await refuseLoadedMachine(log);
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-profile-'));
  try {
    for (const build of Object.values(builds)) {
      build.profiles = join(keepIn ?? folder, `${build.key}-${build.commit}`);
      mkdirSync(build.profiles, { recursive: true });
      const flags = [
        '--cpu-prof',
        `--cpu-prof-interval=${SAMPLE_EVERY_US}`,
        `--cpu-prof-dir=${build.profiles}`,
      ];
      build.nodeArgs = [...flags, ...build.nodeArgs];
    }
    log('starting and warming up');
    const bench = await startBench(folder);
    const generation = await startGeneration(bench, Object.values(builds), folder, { isShared });
    for (const target of generation.instances) await warmUp(generation, target, loads);
    const stretches = new Map(loads.map((load) => [load, { own: [], other: [] }]));
    // Each build is first as often as it is second: a machine that changes meanwhile changes for both.
    for (const load of loads)
      for (const target of [...generation.instances, ...generation.instances.toReversed()])
        stretches.get(load)[target.build].push(await measure(generation, target, load));
    for (const target of generation.instances) await stopProgram(target.child, 30_000);
    const profiles = {
      own: readProfiles(builds.own.profiles),
      other: readProfiles(builds.other.profiles),
    };
    for (const load of loads) {
      const own = timesOf(profiles.own, stretches.get(load).own, newNames);
      const other = timesOf(profiles.other, stretches.get(load).other, newNames);
      const title = `${load.title}${isShared ? ', MariaDB + Redis' : ''}`;
      const tables = ['serving', 'booking'].map((thread) =>
        tableOf(`${title}: ${thread} thread`, own[thread], other[thread], builds),
      );
      tables.push(tableOf(`${title}: threads of V8 and libuv`, own.helpers, other.helpers, builds));
      process.stdout.write(`${tables.join('\n\n')}\n\n`);
    }
    return 0;
  } finally {
    await stopEverything();
    await rm(folder, { recursive: true, force: true });
  }
}
