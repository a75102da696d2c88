/**
 * Prints, as JSON, the milliseconds of CPU that the most expensive turn of the event loop took for each hostile stream: every client API
 * over one format of a vendor, streamed and collected. A core slower than the usual one has its figures reduced by as much. Arguments:
 * the format, and a part of the name of the cases to play.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { estimateTokens } from '../../server/relay-core/framing/estimate-tokens.js';
import type { ClientReply } from '../../server/relay-core/ports/client-reply.js';
import { runCall } from '../../server/relay-core/pipeline/run-call.js';
import { CHAT_APIS, FORMAT_ROUTES, type ChatApi } from './core-calls.js';
import { HOSTILE_STREAMS } from './hostile-streams/all.js';
import type { HostileStream } from './hostile-streams/shared.js';
import { speedOfCore } from './speed-of-core.js';
import { aRoute, MemoryPorts, someOptions, WordCounter } from './memory-ports.js';
import { aClientCall, clientRouteOf } from './relay-calls.js';

/** Bytes of one read of a socket. */
const CHUNK_BYTES = 65_536;
/** A machine that does other work adds to a reading; the least of three is what the turn costs. */
const READINGS = 3;
const WORTH_REPEATING_MS = 50;
const HOPELESS_MS = 1_000;

/** Counts as the gateway does while it waits for no thread. */
class EstimatingCounter extends WordCounter {
  override estimate(text: string): number {
    return text.length > 262_144 ? Math.ceil(Buffer.byteLength(text) / 3) : estimateTokens(text);
  }
}

/** A client that reads everything and keeps nothing. */
class Drain implements ClientReply {
  isCommitted = false;
  isClosed = false;
  readonly ended: Promise<void>;
  private onEnded: () => void = () => undefined;

  constructor() {
    this.ended = new Promise((resolve) => {
      this.onEnded = resolve;
    });
  }

  writeHead(): void {
    this.isCommitted = true;
  }
  write(): boolean {
    return true;
  }
  end(): void {
    this.isClosed = true;
    this.onEnded();
  }
  abort(): void {
    this.end();
  }
  onDrain(): void {}
  onClientGone(): void {}
  onProbe(): void {}
}

async function turn(step: () => void): Promise<number> {
  const before = process.threadCpuUsage();
  step();
  await nextTurn();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

async function play(
  api: ChatApi,
  isStream: boolean,
  { format, body, isWhole }: HostileStream,
): Promise<number> {
  const ports = new MemoryPorts();
  Object.assign(ports, { counter: new EstimatingCounter() });
  ports.quota.balance = 1_000_000_000;
  ports.options.value = someOptions({ retryTimes: 0, maxResponseBytes: 64 * 1024 * 1024 });
  ports.channels.routes.splice(0, Infinity, aRoute(FORMAT_ROUTES[format] ?? {}));
  const path = isStream ? api.path.replace('::generate', '::streamGenerate') : api.path;
  const reply = new Drain();
  const arrived = ports.sender.next();
  const call = aClientCall({
    path,
    pathModel: api.pathModel,
    query: isStream ? (api.query ?? '') : '',
    body: Buffer.from(JSON.stringify(api.body(isStream))),
    receivedAtMs: ports.clock.nowMs(),
  });
  void runCall(ports, call, api.dialect, clientRouteOf(api.dialect, 'chat', path), reply);
  const upstream = await arrived;
  upstream.head(200, { 'content-type': isWhole === true ? 'application/json' : 'text/event-stream' });
  let dearestMs = 0;
  for (let at = 0; at < body.length && !upstream.isAborted; at += CHUNK_BYTES) {
    const chunk = Buffer.from(body.subarray(at, at + CHUNK_BYTES));
    dearestMs = Math.max(dearestMs, await turn(() => upstream.bytes(chunk)));
  }
  dearestMs = Math.max(dearestMs, await turn(() => upstream.end()));
  const last = process.threadCpuUsage();
  if (!reply.isClosed) await reply.ended;
  const { user, system } = process.threadCpuUsage(last);
  return Math.max(dearestMs, (user + system) / 1_000);
}

const [format = 'chat', wanted = ''] = process.argv.slice(2);
const costs: Record<string, number> = {};
for (const stream of HOSTILE_STREAMS[format as HostileStream['format']]()) {
  for (const api of CHAT_APIS) {
    for (const isStream of stream.isWhole === true ? [false] : [true, false]) {
      const name = `${api.name}${isStream ? ' (stream)' : ''} over ${stream.format}: ${stream.name}`;
      if (!name.includes(wanted)) continue;
      let leastMs = await play(api, isStream, stream);
      for (
        let reading = 1;
        reading < READINGS && leastMs > WORTH_REPEATING_MS && leastMs < HOPELESS_MS;
        reading += 1
      )
        leastMs = Math.min(leastMs, (await play(api, isStream, stream)) * speedOfCore());
      costs[name] = Math.round(leastMs);
    }
  }
}
process.stdout.write(JSON.stringify(costs));
