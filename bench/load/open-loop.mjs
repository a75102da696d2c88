import { Worker } from 'node:worker_threads';
import { cpuNsOf, watchCores } from '../lib/proc.mjs';
import { untilQuiet } from '../lib/quiet.mjs';
import { percentiles } from '../lib/stats.mjs';
import { Http1Connection } from './raw-http-connection.mjs';

/* A thread that sleeps exactly: timers of the event loop come up to two milliseconds late. */
const METRONOME = `
const { parentPort, workerData } = require('node:worker_threads');
const cell = new Int32Array(new SharedArrayBuffer(4));
const { startsAt, gapMs, count } = workerData;
const now = () => performance.timeOrigin + performance.now();
for (let beat = 0; beat < count; beat += 1) {
  const wait = startsAt + beat * gapMs - now();
  if (wait > 0) Atomics.wait(cell, 0, 0, wait);
  parentPort.postMessage(beat);
}
`;

const MOST_CONNECTIONS = 512;
const idleOf = new Map();

/**
 * Calls at a fixed rate whatever the answers do; latency counts from the time each call was due, so that a target that
 * stalls pays for every call that had to wait.
 * @param {{port: number, requests: Buffer[], ratePerSecond: number, durationMs: number, pids: number[], cores: {core: number, pids: number[]}[]}} order
 */
export async function openLoop({ port, requests, ratePerSecond, durationMs, pids, cores, say }) {
  const idle = idleOf.get(port) ?? [];
  idleOf.set(port, idle);
  let open = idle.length;
  const waiting = [];
  const latencies = [];
  const firstBytes = [];
  const statuses = {};
  let broken = 0;
  const count = Math.round((ratePerSecond * durationMs) / 1000);
  const gapMs = 1000 / ratePerSecond;
  const endWatch = watchCores(cores);
  const cpuBefore = cpuNsOf(pids);
  const startsAt = performance.now() + 30;
  const metronome = new Worker(METRONOME, {
    eval: true,
    workerData: { startsAt: performance.timeOrigin + startsAt, gapMs, count },
  });
  await new Promise((resolve, reject) => {
    let left = count;
    metronome.once('error', reject);

    function over(line) {
      const next = waiting.shift();
      if (next !== undefined) call(line, next);
      else idle.push(line);
      left -= 1;
      if (left === 0) resolve();
    }

    function call(line, beat) {
      const dueAt = startsAt + beat * gapMs;
      let isFirst = true;
      line.send(requests[beat % requests.length], {
        onData() {
          if (!isFirst) return;
          isFirst = false;
          firstBytes.push(performance.now() - dueAt);
        },
        onEnd(status) {
          latencies.push(performance.now() - dueAt);
          if (status !== 200) statuses[status] = (statuses[status] ?? 0) + 1;
          over(line);
        },
        onBroken() {
          broken += 1;
          over(line);
        },
      });
    }

    metronome.on('message', (beat) => {
      let line = idle.pop();
      if (line === undefined && open < MOST_CONNECTIONS) {
        open += 1;
        line = new Http1Connection(port);
      }
      if (line === undefined) waiting.push(beat);
      else call(line, beat);
    });
  });
  const cpuShare = (cpuNsOf(pids) - cpuBefore) / 1e6 / durationMs;
  const watched = endWatch();
  // Deferred bookings must not affect the next target.
  await untilQuiet(pids, cores, 0, say);
  return {
    latencyMs: percentiles(latencies),
    firstByteMs: percentiles(firstBytes),
    cpuShare,
    broken,
    statuses,
    ...watched,
  };
}
