import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { SeededRandom } from '../../simulator/seeded-random.js';
import type { ChaosToken } from '../rig/accounts.js';
import { REALTIME_MODEL } from '../rig/realtime-vendor.js';

/** Responses of one session at most, before its client opens another. */
export const LONGEST_SESSION = 40;
const SHORTEST_SESSION = 5;
/** Milliseconds between two responses. */
const GAP_MS = [200, 2_000] as const;
/** One response in so many is cut: its client closes the socket after the first delta. */
const CUT_ONE_OF = 20;
/** A response that does not end is a finding; this only makes the run end. */
const GIVE_UP_MS = 60_000;
const REOPEN_MS = 1_000;

type Ending = 'whole' | 'cut' | 'refused' | 'broken';

/** Counts of all sessions of a run. */
export interface SessionCounts {
  opened: number;
  /** Sessions whose handshake was refused or broken. */
  unopened: number;
  whole: number;
  cut: number;
  refused: number;
  broken: number;
}

/** Clients of realtime sessions: each keeps one open, asks for responses, and closes some in the middle of a response. */
export class Sessions {
  readonly counts: SessionCounts = { opened: 0, unopened: 0, whole: 0, cut: 0, refused: 0, broken: 0 };
  private readonly stopping = new AbortController();
  private running: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly url: string,
    private readonly tokens: readonly ChaosToken[],
    private readonly random: SeededRandom,
    private readonly clients: number,
  ) {}

  start(): void {
    this.running = Promise.all(Array.from({ length: this.clients }, () => this.runClient()));
  }

  /** Ends all sessions between two responses. Resolves when every socket is closed. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async runClient(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const socket = await this.open();
      if (socket === undefined) {
        this.counts.unopened += 1;
        await this.wait(REOPEN_MS);
        continue;
      }
      this.counts.opened += 1;
      await this.converse(socket);
      await close(socket);
    }
  }

  private async open(): Promise<WebSocket | undefined> {
    const address = `${this.url.replace(/^http/, 'ws')}/v1/realtime?model=${REALTIME_MODEL}`;
    const { key } = this.random.pick(this.tokens);
    const socket = new WebSocket(address, { headers: { authorization: `Bearer ${key}` } });
    const { promise, resolve } = Promise.withResolvers<WebSocket | undefined>();
    socket.on('error', () => resolve(undefined));
    socket.once('open', () => resolve(socket));
    return promise;
  }

  private async converse(socket: WebSocket): Promise<void> {
    const responses = this.random.between(SHORTEST_SESSION, LONGEST_SESSION);
    for (let count = 0; count < responses && !this.stopping.signal.aborted; count += 1) {
      const ending = await this.respond(socket, this.random.below(CUT_ONE_OF) === 0);
      this.counts[ending] += 1;
      if (ending === 'cut' || ending === 'broken') return;
      await this.wait(this.random.between(...GAP_MS));
    }
  }

  /** Asks for one response and waits for its end. */
  private async respond(socket: WebSocket, isCut: boolean): Promise<Ending> {
    const { promise, resolve } = Promise.withResolvers<Ending>();
    const onMessage = (data: Buffer): void => {
      const { type } = JSON.parse(data.toString('utf8')) as { readonly type: string };
      if (type === 'response.done') resolve('whole');
      else if (type === 'error') resolve('refused');
      else if (isCut && type === 'response.output_text.delta') resolve('cut');
    };
    const onClose = (): void => resolve('broken');
    const timer = setTimeout(onClose, GIVE_UP_MS);
    socket.on('message', onMessage).once('close', onClose);
    if (socket.readyState !== WebSocket.OPEN) onClose();
    const content = [{ type: 'input_text', text: 'Say tok 50 times' }];
    const item = { type: 'message', role: 'user', content };
    socket.send(JSON.stringify({ type: 'conversation.item.create', item }));
    socket.send(JSON.stringify({ type: 'response.create' }));
    const ending = await promise;
    clearTimeout(timer);
    socket.off('message', onMessage).off('close', onClose);
    return ending;
  }

  private async wait(milliseconds: number): Promise<void> {
    await pause(milliseconds, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }
}

async function close(socket: WebSocket): Promise<void> {
  if (socket.readyState === WebSocket.CLOSED) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.once('close', () => resolve());
  socket.close();
  const timer = setTimeout(() => socket.terminate(), REOPEN_MS);
  await promise;
  clearTimeout(timer);
}
