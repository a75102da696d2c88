import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { containFaults, contained } from '../../common/contain-faults.js';
import type {
  FrameMemory,
  RealtimeListener,
  RealtimeSocket,
} from '../../relay-core/ports/realtime-socket.js';
import { UnfinishedFrame } from './unfinished-frame.js';

/** Largest frame of either side: OpenAI takes 15 MiB of sound in one event. */
export const MAX_FRAME_BYTES = 16 * 1024 * 1024;

/** A `ws` connection as the relay sees one; frames that come before a listener is attached wait. */
export class WsRealtimeSocket implements RealtimeSocket {
  private listener: RealtimeListener | undefined;
  private readonly waiting: { readonly frame: Buffer; readonly isText: boolean }[] = [];
  private closed: { readonly code: number; readonly reason: string } | undefined;
  private readonly unfinished: UnfinishedFrame;
  /** No more of it is read. */
  private isFull = false;

  /** @param isClient  the other end is a client, whose frames are masked */
  constructor(
    private readonly socket: WebSocket,
    isClient: boolean,
  ) {
    this.unfinished = new UnfinishedFrame(isClient);
    socket.on('message', (data: Buffer | ArrayBuffer | Buffer[], isBinary) =>
      this.guard(() => {
        this.unfinished.finish();
        const frame = Array.isArray(data)
          ? Buffer.concat(data)
          : Buffer.isBuffer(data)
            ? data
            : Buffer.from(data);
        if (this.listener === undefined) this.waiting.push({ frame, isText: !isBinary });
        else this.listener.onFrame(frame, !isBinary);
      }),
    );
    socket.on('ping', (data: Buffer) => this.guard(() => this.takeControl(data, false)));
    socket.on('pong', (data: Buffer) => this.guard(() => this.takeControl(data, true)));
    socket.on('close', (code, reason) =>
      this.guard(() => {
        this.unfinished.release();
        this.closed = { code, reason: reason.toString('utf8') };
        this.listener?.onClosed(code, this.closed.reason);
      }),
    );
    // 'close' follows with the reason; without a listener the fault would end the process.
    socket.on(
      'error',
      contained(() => undefined),
    );
  }

  /** Counts what is read from the connection below; `ws` reads it after us. */
  count(connection: Socket): void {
    connection.prependListener(
      'data',
      contained(
        (chunk: Buffer) => this.unfinished.addChunk(chunk.length),
        () => this.socket.terminate(),
      ),
    );
  }

  limitMemory(memory: FrameMemory): void {
    this.unfinished.limit(memory, () => {
      if (this.isFull) return;
      this.isFull = true;
      this.pause();
      this.listener?.onFull();
    });
  }

  isFrameLate(): boolean {
    return !this.socket.isPaused && this.unfinished.hasNotGrownWhole();
  }

  private takeControl(data: Buffer, isPong: boolean): void {
    this.unfinished.skipControl(data.length);
    this.listener?.onControl(isPong);
  }

  /** A fault in a listener ends this connection, not the process. */
  private guard(step: () => void): void {
    containFaults(step, () => this.socket.terminate());
  }

  get bufferedBytes(): number {
    return this.socket.bufferedAmount;
  }

  send(frame: Buffer | string, isText: boolean, onSent: () => void): void {
    if (this.socket.readyState !== this.socket.OPEN) return onSent();
    this.socket.send(frame, { binary: !isText, compress: false }, () => this.guard(onSent));
  }

  pause(): void {
    if (this.socket.readyState === this.socket.OPEN) this.socket.pause();
  }

  resume(): void {
    if (!this.isFull) this.socket.resume();
  }

  close(code: number, reason: string): void {
    this.socket.close(code, reason);
  }

  cut(): void {
    this.socket.terminate();
  }

  ping(): void {
    if (this.socket.readyState === this.socket.OPEN) this.socket.ping();
  }

  listen(listener: RealtimeListener): void {
    this.listener = listener;
    for (const { frame, isText } of this.waiting.splice(0)) listener.onFrame(frame, isText);
    if (this.closed !== undefined) listener.onClosed(this.closed.code, this.closed.reason);
  }
}
