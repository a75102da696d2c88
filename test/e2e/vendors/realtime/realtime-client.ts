import { once } from 'node:events';
import { WebSocket } from 'ws';

/** An event of a session, as a client reads it. */
export type SessionEvent = { readonly type: string } & Readonly<Record<string, unknown>>;

/** A bare client of realtime sessions whose frames can be waited for. */
export class RealtimeClient {
  readonly events: SessionEvent[] = [];
  closed: { readonly code: number } | undefined;
  private readonly watchers = new Set<() => void>();

  private constructor(readonly socket: WebSocket) {
    socket.on('message', (data: Buffer) => {
      this.events.push(JSON.parse(data.toString('utf8')) as SessionEvent);
      this.notify();
    });
    socket.on('close', (code) => {
      this.closed = { code };
      this.notify();
    });
    socket.on('error', () => this.notify());
  }

  /** Opens a session and waits for its first event. */
  static async open(gatewayUrl: string, model: string, key: string): Promise<RealtimeClient> {
    const url = `${gatewayUrl.replace(/^http/, 'ws')}/v1/realtime?model=${model}`;
    const client = new RealtimeClient(new WebSocket(url, { headers: { authorization: `Bearer ${key}` } }));
    await once(client.socket, 'open');
    await client.until(() => client.events.length > 0);
    return client;
  }

  of(type: string): readonly SessionEvent[] {
    return this.events.filter((event) => event.type === type);
  }

  /** Messages of the error events so far. */
  get errors(): readonly string[] {
    return this.of('error').map(({ error }) => (error as { message: string }).message);
  }

  send(event: unknown): void {
    this.socket.send(typeof event === 'string' ? event : JSON.stringify(event));
  }

  async until(isTrue: () => boolean, timeoutMs = 10_000): Promise<void> {
    if (isTrue()) return;
    await new Promise<void>((resolve, reject) => {
      const seen = () => this.events.map(({ type }) => type).join(' ');
      const timer = setTimeout(() => reject(new Error(`not seen: ${seen()}`)), timeoutMs);
      const watcher = (): void => {
        if (!isTrue()) return;
        clearTimeout(timer);
        this.watchers.delete(watcher);
        resolve();
      };
      this.watchers.add(watcher);
    });
  }

  private notify(): void {
    for (const watcher of this.watchers) watcher();
  }
}
