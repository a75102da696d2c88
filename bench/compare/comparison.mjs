import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { watchCores } from '../lib/proc.mjs';
import { GATEWAY_CORE, OTHER_CORE, stopProgram } from '../lib/processes.mjs';
import { startMariadb, startRedis } from '../lib/stores.mjs';
import { startNginx } from '../targets/start-nginx.mjs';
import { startBare, startGenerator, startMock, startTollgate } from '../targets/start-targets.mjs';

/** Above these shares of a core, other work on the machine decides the figures. */
export const MOST_FOREIGN = 0.1;
export const MOST_STOLEN = 0.05;
const QUIET_LOOK_MS = 3_000;
const WARM_UP_SLICES = {
  once: { least: 1, most: 1 },
  further: { least: 1, most: 3 },
  first: { least: 6, most: 12 },
};
const WARM_UP_SLICE_MS = 1_500;
const STOP_MS = 10_000;
/** A warm-up ends after so many slices without a gain of 3 %. */
const FLAT_SLICES = 2;

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
export const percent = (share) => `${(share * 100).toFixed(1)} %`;

/** Refuses to measure on a machine that is busy with something else. */
export async function refuseLoadedMachine(log) {
  const endWatch = watchCores([GATEWAY_CORE, OTHER_CORE].map((core) => ({ core, pids: [process.pid] })));
  await pause(QUIET_LOOK_MS);
  const { foreignShare, stolenShare } = endWatch();
  log(`before: other work takes ${percent(foreignShare)} of a core, the host ${percent(stolenShare)}`);
  if (foreignShare > MOST_FOREIGN || stolenShare > MOST_STOLEN) {
    throw new Error('This machine is busy: ratios taken now would be those of the other work.');
  }
}

async function startInstances(builds, folder, mockPort, isShared) {
  const instances = [];
  const stores = [];
  const shared = {};
  if (isShared) {
    [shared.redis, shared.mariadb] = await Promise.all([
      startRedis(folder),
      startMariadb(
        folder,
        builds.map(({ key }) => key),
      ),
    ]);
    stores.push(shared.redis.child, shared.mariadb.child);
  }
  for (const [index, build] of builds.entries()) {
    const { key } = build;
    const urls = isShared
      ? { databaseUrl: shared.mariadb.urlOf(key), redisUrl: `${shared.redis.url}/${index}` }
      : {};
    const target = await startTollgate({
      key,
      label: build.commit,
      folder,
      mockPort,
      server: join(build.folder, 'dist/server'),
      node: build.node,
      nodeArgs: build.nodeArgs,
      cwd: build.folder,
      ...urls,
    });
    instances.push({ ...target, build: key });
  }
  return { instances, stores };
}

/** Starts the mock upstream, bare, nginx and the load generator, which last for the whole comparison. */
export async function startBench(folder) {
  const mock = await startMock();
  return {
    mock,
    bare: await startBare(mock.port),
    nginx: await startNginx(folder, mock.port),
    generator: await startGenerator(),
  };
}

/**
 * Starts a process of each build, with stores of their own.
 * @returns the processes of the builds, `slice`, which runs one load against one target, and `stop`
 */
export async function startGeneration(bench, builds, folder, { isShared }) {
  await mkdir(folder, { recursive: true });
  const { mock, bare, nginx, generator } = bench;
  const { instances, stores } = await startInstances(builds, folder, mock.port, isShared);
  const onGatewayCore = [bare, nginx, ...instances].flatMap((target) => target.pids());
  const onOtherCore = [mock.child, generator.child, ...stores].map(({ pid }) => pid);
  const cores = [
    { core: GATEWAY_CORE, pids: onGatewayCore },
    { core: OTHER_CORE, pids: onOtherCore },
  ];
  return {
    instances,
    slice: (target, load, order = {}) =>
      generator.run(load.kind, {
        port: target.port,
        calls: target.calls(load.call),
        pids: target.pids(),
        cores,
        ...load.order,
        ...order,
      }),
    stop: async () => {
      for (const { child } of instances) await stopProgram(child, STOP_MS);
      for (const child of stores) await stopProgram(child, STOP_MS);
    },
  };
}

/** Loads a target until its CPU time stops falling. */
async function warmLoad(generation, target, load, { least: fewest, most }) {
  let least = Number.POSITIVE_INFINITY;
  let flat = 0;
  for (let count = 1; count <= most; count += 1) {
    const cost = load.cpu(await generation.slice(target, load, { durationMs: WARM_UP_SLICE_MS }));
    flat = cost > least * 0.97 ? flat + 1 : 0;
    least = Math.min(least, cost);
    if (count >= fewest && flat >= FLAT_SLICES) return;
  }
}

/**
 * Warms a target in two passes. V8 throws optimized code away when a load shows it values of another shape, so each load has met the
 * code once before the second pass waits for the CPU time to settle; the first load, which most of the code has its warmth from, is last.
 */
export async function warmUp(generation, target, loads) {
  if (loads.length > 1)
    for (const load of loads) await warmLoad(generation, target, load, WARM_UP_SLICES.once);
  for (const load of loads.toReversed()) {
    await warmLoad(
      generation,
      target,
      load,
      load === loads[0] ? WARM_UP_SLICES.first : WARM_UP_SLICES.further,
    );
  }
}
