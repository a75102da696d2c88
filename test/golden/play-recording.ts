import { openai } from '../../server/relay-core/dialects/openai.js';
import { DIALECTS } from '../../server/relay-core/dialects/registry.js';
import type { FinishedCall } from '../../server/relay-core/model/call.js';
import { runCall } from '../../server/relay-core/pipeline/run-call.js';
import { aRoute, MemoryPorts, someOptions } from '../support/memory-ports.js';
import { aClientCall, clientRouteOf } from '../support/relay-calls.js';
import { MemoryReply } from '../support/memory-sides.js';
import type { Recording } from './recordings.js';

/** Delivery of the upstream's bytes. */
export interface Delivery {
  readonly chunks: readonly Buffer[];
  /** The connection breaks instead of ending. */
  readonly breaks?: boolean;
}

export type Path = 'pass-through' | 'translated';

/** Result of a call in the ledger and at the client. */
export interface Played {
  readonly charge: Pick<FinishedCall, 'usage' | 'evidence' | 'outcome' | 'priced' | 'note'> | 'nothing';
  readonly status: number;
  readonly text: string;
}

const BODIES = {
  chat: { messages: [{ role: 'user', content: 'hello there' }] },
  embed: { input: ['hello', 'there'] },
} as const;

const KEYS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  openai: { authorization: 'Bearer sk-test' },
  anthropic: { 'x-api-key': 'sk-test', 'anthropic-version': '2023-06-01' },
  gemini: { 'x-goog-api-key': 'sk-test' },
};

/** Caller, address and vendor of a recording. */
function sidesOf({ sides, operation, isStream }: Recording) {
  if (sides === undefined) {
    const stream = isStream ? { stream: true, stream_options: { include_usage: true } } : {};
    const body = { model: 'gpt-test', ...BODIES[operation], ...stream };
    return { dialect: openai, clientRoute: clientRouteOf(openai, operation), body };
  }
  const dialect = DIALECTS.find(({ id }) => id === sides.dialect);
  if (dialect === undefined) throw new Error(`there is no dialect ${sides.dialect}`);
  const named = dialect.id === 'gemini' ? {} : { model: 'gpt-test', stream: isStream };
  return {
    dialect,
    clientRoute: clientRouteOf(dialect, operation, sides.path),
    body: { ...sides.body, ...named },
  };
}

/** Plays one recording to one caller, by either path. Time stands still. */
export async function playRecording(recording: Recording, path: Path, delivery: Delivery): Promise<Played> {
  const ports = new MemoryPorts();
  ports.options.value = someOptions({ retryTimes: 0, maxResponseBytes: 64 * 1024 * 1024 });
  ports.channels.routes[0] = aRoute({
    channelType: recording.sides?.channelType ?? 1,
    settings: { forceFormat: path === 'translated' },
  });
  const type = recording.isStream ? 'text/event-stream' : 'application/json';
  ports.sender.scripts = [
    (upstream) => {
      upstream.head(200, { 'content-type': type });
      for (const chunk of delivery.chunks) upstream.bytes(chunk);
      if (delivery.breaks === true) upstream.breakWith({ kind: 'reset' });
      else upstream.end();
    },
  ];
  const reply = new MemoryReply();
  const { dialect, clientRoute, body } = sidesOf(recording);
  const isGemini = dialect.id === 'gemini';
  await runCall(
    ports,
    aClientCall({
      path: clientRoute.path,
      pathModel: isGemini ? 'gpt-test' : undefined,
      query: isGemini && recording.isStream ? 'alt=sse' : '',
      headers: KEYS[dialect.id] ?? {},
      body: Buffer.from(JSON.stringify(body)),
      receivedAtMs: ports.clock.nowMs(),
    }),
    dialect,
    clientRoute,
    reply,
  );
  if (ports.quota.holds.size > 0) throw new Error('a hold outlived its call');
  const [settled] = ports.quota.settled;
  if (settled === undefined) return { charge: 'nothing', status: reply.status, text: reply.text };
  const { usage, evidence, outcome, priced, note } = settled;
  return { charge: { usage, evidence, outcome, priced, note }, status: reply.status, text: reply.text };
}
