import { cpuNsOf, rssBytes, watchCores } from '../lib/proc.mjs';
import { median, percentiles } from '../lib/stats.mjs';
import { MeasuredPart } from './measured-part.mjs';
import { Http1Connection } from './raw-http-connection.mjs';

const EVENT_END = Buffer.from('\n\n');
const DONE = Buffer.from('[DONE]');
const NOTHING = Buffer.alloc(0);
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Counts events over chunk borders and sees the end marker. */
class StreamReader {
  events = 0;
  done = false;
  #tail = NOTHING;

  read(chunk) {
    const bytes = this.#tail.length === 0 ? chunk : Buffer.concat([this.#tail, chunk]);
    let from = 0;
    for (;;) {
      const at = bytes.indexOf(EVENT_END, from);
      if (at < 0) break;
      this.events += 1;
      from = at + 2;
    }
    if (bytes.subarray(Math.max(0, bytes.length - 32)).includes(DONE)) this.done = true;
    this.#tail = from === bytes.length ? NOTHING : bytes.subarray(from);
  }
}

/**
 * `connections` streams at once, each followed by the next one, for `leadMs` unmeasured and `durationMs` measured.
 * @returns chunks per second of wall time and of the gateway's CPU time
 */
export async function fastStreams({ port, requests, connections, leadMs = 0, durationMs, pids, cores }) {
  let chunks = 0;
  let chunksInTime = 0;
  let broken = 0;
  let cut = 0;
  const end = performance.now() + leadMs + durationMs;
  const part = new MeasuredPart({ leadMs, pids, cores });
  await Promise.all(
    Array.from(
      { length: connections },
      (_, index) =>
        new Promise((resolve) => {
          const line = new Http1Connection(port);
          const request = requests[index % requests.length];
          function next() {
            if (performance.now() >= end) {
              line.destroy();
              resolve();
              return;
            }
            const reader = new StreamReader();
            let counted = 0;
            line.send(request, {
              onData(chunk) {
                reader.read(chunk);
                const fresh = reader.events - counted;
                counted = reader.events;
                if (!part.hasBegun) return;
                chunks += fresh;
                if (performance.now() <= end) chunksInTime += fresh;
              },
              onEnd() {
                if (!reader.done) cut += 1;
                next();
              },
              onBroken() {
                broken += 1;
                next();
              },
            });
          }
          next();
        }),
    ),
  );
  await pause(250);
  return {
    chunksPerSecond: (chunksInTime / durationMs) * 1000,
    cpuMicrosecondsPerChunk: part.cpuNs / 1000 / Math.max(1, chunks),
    broken,
    cut,
    ...part.end(),
  };
}

/**
 * Opens `count` slow streams, `perSecond` of them each second; when all are open measures for `measureMs`; then waits for
 * every end. Every stream must bring all its chunks and its end marker.
 */
export async function manyStreams({ port, requests, count, perSecond, measureMs, chunks, pids, cores }) {
  const endWatch = watchCores(cores);
  const rssBefore = pids.length === 0 ? 0 : rssBytes(pids);
  const firstByteMs = [];
  const gapsMs = [];
  let cut = 0;
  const endings = {};
  const streams = [];
  let chunksNow = 0;
  const startedAt = performance.now();
  for (let index = 0; index < count; index += 1) {
    const due = startedAt + (index * 1000) / perSecond;
    if (due > performance.now()) await pause(due - performance.now());
    streams.push(
      new Promise((resolve) => {
        const line = new Http1Connection(port);
        const reader = new StreamReader();
        const sentAt = performance.now();
        let lastAt = 0;
        let counted = 0;
        const over = (ending) => {
          const isWhole = ending === '200' && reader.done && reader.events >= chunks + 2;
          if (!isWhole) {
            cut += 1;
            const why = ending === '200' ? 'ended early' : ending;
            endings[why] = (endings[why] ?? 0) + 1;
          }
          line.destroy();
          resolve();
        };
        line.send(requests[index % requests.length], {
          onData(bytes) {
            const now = performance.now();
            if (lastAt === 0) firstByteMs.push(now - sentAt);
            else gapsMs.push(now - lastAt);
            lastAt = now;
            reader.read(bytes);
            chunksNow += reader.events - counted;
            counted = reader.events;
          },
          onEnd: (status) => over(String(status)),
          onBroken: (reason) => over(reason),
        });
      }),
    );
  }
  const rssOpen = pids.length === 0 ? 0 : rssBytes(pids);
  const cpuBefore = cpuNsOf(pids);
  const measureFrom = performance.now();
  const chunksBefore = chunksNow;
  await pause(measureMs);
  const elapsedMs = performance.now() - measureFrom;
  const cpuNs = cpuNsOf(pids) - cpuBefore;
  const measuredChunks = chunksNow - chunksBefore;
  const rssLater = pids.length === 0 ? 0 : rssBytes(pids);
  await Promise.all(streams);
  return {
    cpuShare: cpuNs / 1e6 / elapsedMs,
    cpuMicrosecondsPerChunk: cpuNs / 1000 / Math.max(1, measuredChunks),
    chunksPerSecond: (measuredChunks / elapsedMs) * 1000,
    rssBeforeBytes: rssBefore,
    rssOpenBytes: Math.max(rssOpen, rssLater),
    firstByteMs: percentiles(firstByteMs),
    gapMs: median(gapsMs),
    cut,
    endings,
    ...endWatch(),
  };
}

/**
 * `count` streams at once, each from its first byte to its end, with the gateway's memory looked at twice a second.
 * @returns resident memory over the time all of them ran, and what a chunk cost
 */
export async function longStreams({ port, requests, count, pids, cores }) {
  const endWatch = watchCores(cores);
  const rssSamples = [];
  const sampling = setInterval(() => rssSamples.push(rssBytes(pids)), 500);
  const cpuBefore = cpuNsOf(pids);
  const startedAt = performance.now();
  let chunks = 0;
  let cut = 0;
  await Promise.all(
    Array.from(
      { length: count },
      (_, index) =>
        new Promise((resolve) => {
          const line = new Http1Connection(port);
          const reader = new StreamReader();
          const over = (isWhole) => {
            // Memory is compared while all of them run.
            clearInterval(sampling);
            chunks += reader.events;
            if (!isWhole) cut += 1;
            line.destroy();
            resolve();
          };
          line.send(requests[index % requests.length], {
            onData: (bytes) => reader.read(bytes),
            onEnd: (status) => over(status === 200 && reader.done),
            onBroken: () => over(false),
          });
        }),
    ),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  const cpuMicrosecondsPerChunk = (cpuNsOf(pids) - cpuBefore) / 1000 / Math.max(1, chunks);
  return { seconds, chunks, cut, rssSamples, cpuMicrosecondsPerChunk, ...endWatch() };
}
