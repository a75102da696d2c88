/** The mock upstream of the rig: an OpenAI-like vendor with a script per model and a journal of every call it took. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { serveParent } from './child-service.js';
import { serveRealtime } from './realtime-vendor.js';
import {
  MODEL_SCRIPTS,
  PROMPT_TOKENS,
  type JournalEntry,
  type ModelScript,
  type UpstreamFault,
} from './upstream-models.js';

const MARKER = /mark-(\d{9})/;
const SCRIPTS: Readonly<Record<string, ModelScript>> = MODEL_SCRIPTS;

const journal: JournalEntry[] = [];
let fault: UpstreamFault = { kind: 'none' };
let release: PromiseWithResolvers<void> = Promise.withResolvers();
let streams = 0;

const server = createServer({ keepAliveTimeout: 60_000, requestTimeout: 0 }, (request, response) => {
  take(request, response).catch((error: unknown) => {
    process.stderr.write(`mock upstream: ${String(error)}\n`);
    response.destroy();
  });
});

serveRealtime(server);

async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const parts: Buffer[] = [];
  try {
    for await (const part of request) parts.push(part as Buffer);
  } catch {
    return; // Hung up while sending: never taken, so not in the journal.
  }
  const text = Buffer.concat(parts).toString();
  const body = JSON.parse(text) as { model: string; stream?: boolean };
  const entry: JournalEntry = {
    marker: Number(MARKER.exec(text)?.[1] ?? -1),
    model: body.model,
    address: request.url ?? '',
    chunksSent: 0,
    ending: 'open',
  };
  response.once('close', () => {
    if (entry.ending === 'open') entry.ending = response.writableFinished ? 'completed' : 'cancelled';
  });
  journal.push(entry);
  const script = SCRIPTS[body.model];
  if (script === undefined) return fail(entry, response, 404);
  if (fault.kind === 'errors') return fail(entry, response, 500);
  if (fault.kind === 'first-address-resets' && entry.address.startsWith('/a/')) return cut(entry, response);
  if (fault.kind === 'hung' || fault.kind === 'held') await release.promise;
  if (response.destroyed) return;
  await (body.stream === true ? stream(entry, response, script) : answerWhole(entry, response, script));
}

function fail(entry: JournalEntry, response: ServerResponse, status: number): void {
  entry.ending = 'refused';
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end('{"error":{"message":"the mock says no","type":"server_error"}}');
}

function cut(entry: JournalEntry, response: ServerResponse): void {
  entry.ending = 'cut';
  response.socket?.resetAndDestroy();
}

const usageOf = (script: ModelScript): object =>
  script.reportsUsage
    ? {
        usage: {
          prompt_tokens: PROMPT_TOKENS,
          completion_tokens: script.tokens,
          total_tokens: PROMPT_TOKENS + script.tokens,
        },
      }
    : {};

async function answerWhole(
  entry: JournalEntry,
  response: ServerResponse,
  script: ModelScript,
): Promise<void> {
  if (script.wholeMs > 0) await pause(script.wholeMs);
  if (response.destroyed) return;
  const content = ' tok'.repeat(script.tokens).trim();
  entry.chunksSent = script.tokens;
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(
    JSON.stringify({
      id: 'chatcmpl-chaos',
      object: 'chat.completion',
      created: 1_700_000_000,
      model: entry.model,
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
      ...usageOf(script),
    }),
  );
}

function chunk(entry: JournalEntry, choices: unknown, extra: object = {}): string {
  const head = {
    id: 'chatcmpl-chaos',
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model: entry.model,
  };
  return `data: ${JSON.stringify({ ...head, choices, ...extra })}\n\n`;
}

async function stream(entry: JournalEntry, response: ServerResponse, script: ModelScript): Promise<void> {
  streams += 1;
  const cutAfter = fault.kind === 'cut' && streams % fault.everyNth === 0 ? fault.afterChunks : -1;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const token = chunk(entry, [{ index: 0, delta: { content: ' tok' }, finish_reason: null }]);
  for (let index = 0; index < script.tokens; index += 1) {
    if (index === cutAfter) {
      // Written bytes have to be on their way before the reset drops the rest.
      await pause(50);
      return cut(entry, response);
    }
    entry.chunksSent += 1;
    response.write(token);
    if (script.gapMs > 0) await pause(script.gapMs);
    if (response.destroyed) return;
  }
  let tail = chunk(entry, [{ index: 0, delta: {}, finish_reason: 'stop' }]);
  if (script.reportsUsage) tail += chunk(entry, [], usageOf(script));
  response.end(`${tail}data: [DONE]\n\n`);
}

serveParent({
  open: async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  },
  set: (next: UpstreamFault) => {
    fault = next;
    release.resolve();
    release = Promise.withResolvers();
  },
  journal: () => journal,
  count: () => journal.length,
  forget: () => void journal.splice(0),
});
