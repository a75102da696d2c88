import { untilQuiet } from '../lib/quiet.mjs';
import { percentiles } from '../lib/stats.mjs';
import { MeasuredPart } from './measured-part.mjs';
import { Http1Connection } from './raw-http-connection.mjs';

const connectionsOf = new Map();

/** Connections to a target stay open between slices, as those of real clients do. */
function connectionsTo(port, count) {
  const open = connectionsOf.get(port) ?? [];
  connectionsOf.set(port, open);
  while (open.length < count) open.push(new Http1Connection(port));
  return open.slice(0, count);
}

/**
 * `connections` callers, each asking again as soon as it was answered, for `durationMs`.
 * With `leadMs` the load runs so long before anything is measured.
 * With `restMs` CPU time is taken until the target and its stores are quiet, so that work a gateway puts off is still its own.
 * @param {{port: number, requests: Buffer[], connections: number, durationMs: number, restMs: number, pids: number[], cores: {core: number, pids: number[]}[]}} order
 *   `requests` go to the connections in turn (different callers)
 */
export async function closedLoop({
  port,
  requests,
  connections,
  leadMs = 0,
  durationMs,
  restMs,
  pids,
  cores,
  say,
}) {
  const lines = connectionsTo(port, connections);
  const latencies = [];
  const statuses = {};
  let answered = 0;
  let broken = 0;
  const begunAt = performance.now();
  const start = begunAt + leadMs;
  const end = start + durationMs;
  const part = new MeasuredPart({ leadMs, pids, cores });
  let inTime = 0;
  await Promise.all(
    lines.map(
      (line, index) =>
        new Promise((resolve) => {
          const request = requests[index % requests.length];
          let sentAt = 0;
          const listener = {
            onEnd(status) {
              const now = performance.now();
              if (part.hasBegun) {
                answered += 1;
                if (now <= end) inTime += 1;
                latencies.push(now - sentAt);
              }
              if (status !== 200) statuses[status] = (statuses[status] ?? 0) + 1;
              next(now);
            },
            onBroken() {
              broken += 1;
              next(performance.now());
            },
          };
          function next(now) {
            if (now >= end) {
              resolve();
              return;
            }
            sentAt = now;
            line.send(request, listener);
          }
          next(begunAt);
        }),
    ),
  );
  if (restMs > 0) await untilQuiet(pids, cores, restMs, say);
  const { cpuNs } = part;
  return {
    requestsPerSecond: (inTime / durationMs) * 1000,
    cpuMicrosecondsPerRequest: cpuNs / 1000 / Math.max(1, answered),
    latencyMs: percentiles(latencies),
    answered,
    broken,
    statuses,
    ...part.end(),
  };
}
