import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

/** A session as the vendor saw it. */
export interface VendorSession {
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly frames: string[];
  readonly socket: WebSocket;
  /** Close code of the other side; undefined = open. */
  closed: number | undefined;
}

type Script = (session: VendorSession, frame: { readonly type: string } & Record<string, unknown>) => void;

/** A realtime vendor: says hello, then plays a script for every frame that comes. */
export class ScriptedRealtime {
  readonly sessions: VendorSession[] = [];
  /** Answers the handshake with this status instead. */
  refusesWith: number | undefined;
  refusal = JSON.stringify({ error: { message: 'no', code: 'invalid_api_key' } });
  /** Closes every session like this instead of saying hello. */
  goodbye: { readonly code: number; readonly reason: string } | undefined;
  /** First frame of a session; undefined = none. */
  hello: unknown = { type: 'session.created', session: { id: 'sess_1', input_audio_format: 'pcm16' } };
  script: Script = () => undefined;
  private readonly watchers = new Set<() => void>();

  private constructor(private readonly server: Server) {
    const sockets = new WebSocketServer({
      noServer: true,
      handleProtocols: (offered) => (offered.has('realtime') ? 'realtime' : false),
    });
    server.on('upgrade', (request, socket, head) => {
      if (this.refusesWith !== undefined) {
        const body = this.refusal;
        socket.end(
          `HTTP/1.1 ${this.refusesWith} No\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
        );
        return;
      }
      sockets.handleUpgrade(request, socket, head, (webSocket) => this.greet(webSocket, request));
    });
  }

  static async start(): Promise<ScriptedRealtime> {
    const server = createServer();
    const vendor = new ScriptedRealtime(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return vendor;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get last(): VendorSession {
    const session = this.sessions.at(-1);
    if (session === undefined) throw new Error('nobody called');
    return session;
  }

  async until(isTrue: () => boolean, timeoutMs = 10_000): Promise<void> {
    if (isTrue()) return;
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('the vendor did not see it')), timeoutMs);
      const watcher = (): void => {
        if (!isTrue()) return;
        clearTimeout(timer);
        this.watchers.delete(watcher);
        resolve();
      };
      this.watchers.add(watcher);
    });
  }

  async close(): Promise<void> {
    for (const { socket } of this.sessions) socket.terminate();
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private greet(socket: WebSocket, request: IncomingMessage): void {
    const session: VendorSession = {
      url: request.url ?? '',
      headers: request.headers,
      frames: [],
      socket,
      closed: undefined,
    };
    this.sessions.push(session);
    socket.on('message', (data: Buffer) => {
      const text = data.toString('utf8');
      session.frames.push(text);
      this.script(session, JSON.parse(text) as { type: string });
      this.tell();
    });
    socket.on('close', (code) => {
      session.closed = code;
      this.tell();
    });
    if (this.goodbye !== undefined) socket.close(this.goodbye.code, this.goodbye.reason);
    else if (this.hello !== undefined) socket.send(JSON.stringify(this.hello));
    this.tell();
  }

  private tell(): void {
    for (const watcher of this.watchers) watcher();
  }
}

export const say = (session: VendorSession, event: unknown): void =>
  session.socket.send(JSON.stringify(event));

/** A whole response, with the vendor's figures. */
export function respond(session: VendorSession, usage: unknown): void {
  say(session, { type: 'response.created', response: { id: 'resp_1' } });
  say(session, { type: 'response.output_audio.delta', delta: Buffer.alloc(4_800).toString('base64') });
  say(session, { type: 'response.output_audio_transcript.delta', delta: 'Hello there.' });
  say(session, { type: 'response.done', response: { id: 'resp_1', status: 'completed', output: [], usage } });
}

export const USAGE = {
  total_tokens: 130,
  input_tokens: 100,
  output_tokens: 30,
  input_token_details: {
    cached_tokens: 20,
    text_tokens: 40,
    audio_tokens: 60,
    cached_tokens_details: { text_tokens: 5, audio_tokens: 15 },
  },
  output_token_details: { text_tokens: 10, audio_tokens: 20 },
};

/**
 * Prices of media-house.ts for gpt-realtime: text 1, cached 0.1, audio 8 in and 16 out, text out 4:
 * 35 text + 20 cached × 0.1 + 45 audio × 8 + 10 × 4 + 20 × 16.
 */
export const CHARGE = 35 + 2 + 45 * 8 + 10 * 4 + 20 * 16;
