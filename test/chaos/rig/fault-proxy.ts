import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Fault of the line between two parts. */
export type LineFault =
  /** No fault. */
  | { readonly kind: 'none' }
  /** Everything arrives this much later, in order. */
  | { readonly kind: 'delay'; readonly delayMs: number }
  /** Connections stay open and nothing arrives, in either direction: a partition. */
  | { readonly kind: 'black-hole' }
  /** Answers of the server never arrive. */
  | { readonly kind: 'deaf' }
  /** Connections are reset at once, old and new: the server's machine is gone. */
  | { readonly kind: 'reset' }
  /** The answers to `share` (0 … 1) of the commits are lost, and their connections with them. */
  | { readonly kind: 'lost-commits'; readonly share: number };

const COMMIT = /\bCOMMIT\b/i;
/** A command that says only COMMIT is small; a batch of rows that happens to contain the word is not one. */
const COMMIT_BYTES = 64;

interface Line {
  readonly client: Socket;
  readonly server: Socket;
  /** When the last delayed bytes to this end are due, by the monotonic clock: nothing overtakes them. */
  readonly dueMs: Map<Socket, number>;
  /** The next answer of the server goes nowhere, then both ends are reset. */
  losesAnswer: boolean;
}

/** A TCP line with faults that can be switched while it is in use. */
export class FaultProxy {
  private fault: LineFault = { kind: 'none' };
  private readonly lines = new Set<Line>();
  private readonly queues = new WeakMap<Socket, Buffer[]>();
  /** Pieces of data that are being delayed. */
  delayed = 0;
  /** Commits whose answer was lost so far. */
  lostCommits = 0;

  private constructor(
    private readonly listener: Server,
    private readonly target: { readonly host: string; readonly port: number },
    private readonly random: () => number,
  ) {}

  /** Opens a line to `target` on a loopback port of its own. */
  static async open(
    target: { readonly host: string; readonly port: number },
    random: () => number,
  ): Promise<FaultProxy> {
    const listener = createServer();
    const proxy = new FaultProxy(listener, target, random);
    listener.on('connection', (client: Socket) => proxy.join(client));
    listener.listen(0, '127.0.0.1');
    await once(listener, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.listener.address() as AddressInfo).port;
  }

  /** From now on. A connection that lost bytes to a black hole is reset when the fault ends, as a real partition would leave it. */
  set(fault: LineFault): void {
    const lostBytes = this.fault.kind === 'black-hole' || this.fault.kind === 'deaf';
    this.fault = fault;
    if (fault.kind === 'reset' || lostBytes) for (const line of this.lines) cut(line);
  }

  close(): void {
    for (const line of this.lines) cut(line);
    this.listener.close();
  }

  private join(client: Socket): void {
    if (this.fault.kind === 'reset') {
      client.resetAndDestroy();
      return;
    }
    const server = connect(this.target.port, this.target.host);
    const line: Line = { client, server, dueMs: new Map(), losesAnswer: false };
    this.lines.add(line);
    for (const socket of [client, server]) {
      socket.setNoDelay(true);
      socket.on('error', () => cut(line));
      socket.on('close', () => {
        cut(line);
        this.lines.delete(line);
      });
    }
    client.on('data', (bytes: Buffer) => this.toServer(line, bytes));
    server.on('data', (bytes: Buffer) => this.toClient(line, bytes));
    client.on('end', () => server.end());
    server.on('end', () => client.end());
  }

  private toServer(line: Line, bytes: Buffer): void {
    const { fault } = this;
    if (fault.kind === 'black-hole') return;
    if (fault.kind === 'lost-commits' && isCommit(bytes) && this.random() < fault.share) {
      line.losesAnswer = true;
      this.lostCommits += 1;
    }
    this.send(line, line.server, bytes);
  }

  private toClient(line: Line, bytes: Buffer): void {
    if (line.losesAnswer) return cut(line);
    if (this.fault.kind === 'black-hole' || this.fault.kind === 'deaf') return;
    this.send(line, line.client, bytes);
  }

  /** In order, also when a delay ends while bytes are still on their way. */
  private send(line: Line, to: Socket, bytes: Buffer): void {
    const nowMs = performance.now();
    const delayMs = this.fault.kind === 'delay' ? this.fault.delayMs : 0;
    const lastMs = line.dueMs.get(to);
    if (delayMs === 0 && lastMs === undefined) return void to.write(bytes);
    const dueMs = Math.max(nowMs + delayMs, lastMs ?? 0);
    line.dueMs.set(to, dueMs);
    // Whichever timer fires first writes what came first.
    const queue = this.queues.get(to) ?? [];
    this.queues.set(to, queue);
    queue.push(bytes);
    this.delayed += 1;
    setTimeout(() => {
      const next = queue.shift();
      this.delayed -= 1;
      if (next !== undefined && !to.destroyed) to.write(next);
      if (queue.length === 0) line.dueMs.delete(to);
    }, dueMs - nowMs);
  }
}

const isCommit = (bytes: Buffer): boolean =>
  bytes.length <= COMMIT_BYTES && COMMIT.test(bytes.toString('latin1'));

function cut(line: Line): void {
  line.client.resetAndDestroy();
  line.server.resetAndDestroy();
}
