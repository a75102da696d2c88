import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { BEHAVIOURS, listModels, sendJson, unknownModel } from './fake-upstream-behaviours.js';
import { RequestChecker } from './strict-vendors/request-check.js';
import type { Behaviour, FakeExchange, JournalEntry } from './fake-upstream-exchange.js';

/**
 * An upstream with a script per model, over real HTTP, OpenAI-compatible where it behaves. Model names starting with
 * `fx-` have the behaviours of fake-upstream-behaviours.ts; `on` adds or replaces one.
 */
export class FakeUpstream {
  readonly journal: JournalEntry[] = [];
  /** Sums of every `claim`. */
  readonly totals = { calls: 0, promptTokens: 0, completionTokens: 0 };
  models: readonly string[] = ['fx-std', 'fx-json'];
  private readonly behaviours = new Map<string, Behaviour>(Object.entries(BEHAVIOURS));
  private readonly watchers = new Set<() => void>();
  private gate: Promise<void> | undefined;
  private openGate: (() => void) | undefined;

  private constructor(
    private readonly server: Server,
    private readonly sockets: Set<Socket>,
    private readonly checker: RequestChecker,
  ) {}

  /** @param options.isLenient  takes what its vendor would refuse, for tests of such requests */
  static async start({ isLenient = false }: { readonly isLenient?: boolean } = {}): Promise<FakeUpstream> {
    const sockets = new Set<Socket>();
    const server = createServer({ keepAliveTimeout: 60_000, requestTimeout: 0 });
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    });
    const upstream = new FakeUpstream(server, sockets, new RequestChecker(isLenient));
    server.on('request', (request, response) => void upstream.serve(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return upstream;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  on(model: string, behaviour: Behaviour): void {
    this.behaviours.set(model, behaviour);
  }

  /** From now on answers wait until the returned function is called. */
  holdAnswers(): () => void {
    this.gate = new Promise((resolve) => {
      this.openGate = resolve;
    });
    return () => {
      this.openGate?.();
      this.gate = undefined;
    };
  }

  /** Resolves as soon as `isTrue` holds; checked at every journal change. Fails after `timeoutMs`. */
  async waitUntil(isTrue: (upstream: FakeUpstream) => boolean, timeoutMs = 10_000): Promise<void> {
    if (isTrue(this)) return;
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.watchers.delete(watcher);
        reject(
          new Error(
            `the upstream did not get there in ${timeoutMs} ms: ${JSON.stringify(this.journal.map((e) => [e.model, e.ending]))}`,
          ),
        );
      }, timeoutMs);
      const watcher = (): void => {
        if (!isTrue(this)) return;
        clearTimeout(timer);
        this.watchers.delete(watcher);
        resolve();
      };
      this.watchers.add(watcher);
    });
  }

  entriesOf(model: string): JournalEntry[] {
    return this.journal.filter((entry) => entry.model === model);
  }

  /** The only request for a model. */
  single(model: string): JournalEntry {
    const [entry, ...more] = this.entriesOf(model);
    if (entry === undefined || more.length > 0)
      throw new Error(`${model}: expected one request, saw ${this.entriesOf(model).length}`);
    return entry;
  }

  /** Fails: when a request came that the vendor would have refused. */
  async close(): Promise<void> {
    this.openGate?.();
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    if (this.server.listening) await once(this.server, 'close');
    this.checker.expectNone();
  }

  private changed(): void {
    for (const watcher of this.watchers) watcher();
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const entry = await this.journalise(request, response);
    if (entry === undefined) return;
    const exchange = this.exchangeFor(request, response, entry);
    if (this.gate !== undefined) await this.gate;
    const refusal = this.checker.refusalOf(entry.path, entry.body, entry.headers);
    if (refusal === undefined) await this.behaviourFor(entry)(exchange);
    else sendJson(exchange, 400, refusal.body);
  }

  private async journalise(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<JournalEntry | undefined> {
    const parts: Buffer[] = [];
    try {
      for await (const part of request) parts.push(part as Buffer);
    } catch {
      return undefined; // hung up while sending: never accepted, so not in the journal
    }
    const rawBody = Buffer.concat(parts);
    const body = parseObject(rawBody);
    const entry: JournalEntry = {
      path: request.url ?? '',
      headers: request.headers,
      rawBody,
      body,
      model: typeof body.model === 'string' ? body.model : '',
      startedAtMs: Date.now(),
      chunksSent: 0,
      bytesSent: 0,
      ending: 'open',
      endedAtMs: undefined,
    };
    response.once('close', () => {
      if (entry.ending === 'open') entry.ending = response.writableFinished ? 'completed' : 'cancelled';
      entry.endedAtMs = Date.now();
      this.changed();
    });
    this.journal.push(entry);
    this.changed();
    return entry;
  }

  private exchangeFor(request: IncomingMessage, response: ServerResponse, entry: JournalEntry): FakeExchange {
    const { totals } = this;
    const changed = (): void => this.changed();
    return {
      upstream: this,
      request,
      response,
      entry,
      get isGone() {
        return response.destroyed || response.closed;
      },
      async write(bytes) {
        if (response.destroyed) return false;
        entry.chunksSent += 1;
        entry.bytesSent += bytes.length;
        const isRoomy = response.write(bytes);
        changed();
        if (!isRoomy) await roomIn(response);
        return !response.destroyed;
      },
      claim(promptTokens, completionTokens) {
        totals.calls += 1;
        totals.promptTokens += promptTokens;
        totals.completionTokens += completionTokens;
      },
      cut() {
        entry.ending = 'cut';
        const { socket } = response;
        if (socket !== null) socket.resetAndDestroy();
      },
    };
  }

  private behaviourFor(entry: JournalEntry): Behaviour {
    if (entry.path.endsWith('/models')) return listModels;
    return this.behaviours.get(entry.model) ?? unknownModel;
  }
}

function roomIn(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      response.off('drain', settle);
      response.off('close', settle);
      resolve();
    };
    response.on('drain', settle);
    response.on('close', settle);
  });
}

function parseObject(bytes: Buffer): Record<string, unknown> {
  if (bytes.length === 0) return {};
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {}; // the raw bytes are in the journal; a test that sends nonsense looks at those
  }
}
