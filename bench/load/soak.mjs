import { cpuNsOf, rssBytes, watchCores } from '../lib/proc.mjs';
import { Http1Connection } from './raw-http-connection.mjs';

const TICK_MS = 10;
const SAMPLE_EVERY_MS = 5_000;
const SAY_EVERY_SAMPLES = 12;
const REFUSALS_TOLD = 20;
const MEBIBYTE = 1024 * 1024;
const REFUSED_PAUSE_MS = 1_000;
const MOST_CONNECTIONS = 256;
const DONE = Buffer.from('[DONE]');

/** Endings so far. The first refusals are shown with the server's own words. */
class Tallies {
  answered = 0;
  streams = 0;
  cut = 0;
  broken = 0;
  statuses = {};
  #told = 0;
  #say;

  constructor(say) {
    this.#say = say;
  }

  refused(status, words) {
    this.statuses[status] = (this.statuses[status] ?? 0) + 1;
    if ((this.#told += 1) <= REFUSALS_TOLD) this.#say(`${new Date().toISOString()} ${status}: ${words}`);
  }
}

/** The last words of an answer, for when it turns out to be a refusal. */
const lastOf = (bytes) => bytes.toString('latin1', Math.max(0, bytes.length - 400));

/** Opens the next stream on its connection as soon as one is over, until stopped. */
function keepStreaming({ port, request, tallies, isOver }) {
  return new Promise((resolve) => {
    let line = new Http1Connection(port);
    const next = () => {
      if (isOver()) {
        line.destroy();
        resolve();
        return;
      }
      let hasEnd = false;
      let last;
      line.send(request(), {
        onData(bytes) {
          last = bytes;
          if (bytes.includes(DONE)) hasEnd = true;
        },
        onEnd(status) {
          tallies.streams += 1;
          if (status !== 200) tallies.refused(status, lastOf(last));
          else if (!hasEnd) tallies.cut += 1;
          // Refused requests come again later, as clients do.
          if (status === 200) next();
          else setTimeout(next, REFUSED_PAUSE_MS);
        },
        onBroken() {
          tallies.broken += 1;
          line = new Http1Connection(port);
          setTimeout(next, REFUSED_PAUSE_MS);
        },
      });
    };
    next();
  });
}

/** Whole calls at a steady rate, as far as connections are free: their lateness is not measured. */
function keepCalling({ port, request, ratePerSecond, durationMs, tallies }) {
  const startedAt = performance.now();
  const idle = [];
  let open = 0;
  let sent = 0;
  const call = (line) => {
    sent += 1;
    let last;
    line.send(request(), {
      onData(bytes) {
        last = bytes;
      },
      onEnd(status) {
        tallies.answered += 1;
        if (status !== 200) tallies.refused(status, lastOf(last));
        idle.push(line);
      },
      onBroken() {
        tallies.broken += 1;
        open -= 1;
      },
    });
  };
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      const elapsedMs = performance.now() - startedAt;
      if (elapsedMs >= durationMs) {
        clearInterval(timer);
        resolve();
        return;
      }
      const due = (elapsedMs * ratePerSecond) / 1000;
      // Calls a busy machine could not send are not made up for: the load stays the load.
      if (due - sent > ratePerSecond) sent = Math.floor(due);
      while (sent < due) {
        let line = idle.pop();
        if (line === undefined && open < MOST_CONNECTIONS) {
          open += 1;
          line = new Http1Connection(port);
        }
        if (line === undefined) break;
        call(line);
      }
    }, TICK_MS);
  });
}

/**
 * `count` streams open all the time and whole calls beside them, for long, with the gateway's memory looked at every five
 * seconds.
 * @param {{port: number, requests: Buffer[], others: Buffer[], count: number, ratePerSecond: number, durationMs: number, pids: number[], cores: object[]}} order
 *   `requests` are the streams, `others` the whole calls
 * @returns resident memory over time, and how everything ended
 */
export async function soak({ port, requests, others, count, ratePerSecond, durationMs, pids, cores, say }) {
  const endWatch = watchCores(cores);
  const tallies = new Tallies(say);
  const samples = [];
  const startedAt = performance.now();
  const cpuBefore = cpuNsOf(pids);
  const sampling = setInterval(() => {
    const seconds = (performance.now() - startedAt) / 1000;
    samples.push({ seconds, rssBytes: rssBytes(pids) });
    if (samples.length % SAY_EVERY_SAMPLES !== 0) return;
    const memory = Math.round(samples.at(-1).rssBytes / MEBIBYTE);
    say(`${Math.round(seconds / 60)} min: ${memory} MB, ${JSON.stringify(tallies)}`);
  }, SAMPLE_EVERY_MS);
  const isOver = () => performance.now() - startedAt >= durationMs;
  const streams = Array.from({ length: count }, (_, index) =>
    keepStreaming({
      port,
      request: () => requests[index % requests.length],
      tallies,
      isOver,
    }),
  );
  let turn = 0;
  const request = () => others[(turn += 1) % others.length];
  await keepCalling({ port, request, ratePerSecond, durationMs, tallies });
  clearInterval(sampling);
  const cpuShare = (cpuNsOf(pids) - cpuBefore) / 1e6 / (performance.now() - startedAt);
  await Promise.all(streams);
  return { samples, cpuShare, ...tallies, ...endWatch() };
}
