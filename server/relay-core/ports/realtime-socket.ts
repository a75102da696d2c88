import type { UpstreamFault } from './http-sender.js';

/** Memory that frames share with the bodies of calls. */
export interface FrameMemory {
  hasRoomFor(bytes: number): boolean;
  /** Negative = given back. */
  holdBytes(bytes: number): void;
}

/** One side of a realtime session: whole frames, both ways. */
export interface RealtimeSocket {
  /** Bytes given to `send` that the network has not taken yet. */
  readonly bufferedBytes: number;
  /** @param onSent  the frame left this process, or never will */
  send(frame: Buffer | string, isText: boolean, onSent: () => void): void;
  /** Stops reading frames, so that the other end is slowed down. */
  pause(): void;
  resume(): void;
  /** Says goodbye; what was sent before arrives first. */
  close(code: number, reason: string): void;
  /** Cuts the connection. */
  cut(): void;
  ping(): void;
  /** Counts a frame that is not whole yet; one without room in memory is read no further. */
  limitMemory(memory: FrameMemory): void;
  /** True when the frame that comes was there at the last look and is still not whole; never while the side is paused. */
  isFrameLate(): boolean;
  /** One listener; frames that came earlier are given to it at once. */
  listen(listener: RealtimeListener): void;
}

export interface RealtimeListener {
  onFrame(frame: Buffer, isText: boolean): void;
  /** Called once, whichever side closed. 1006 = without a goodbye, 1009 = a frame was too large. */
  onClosed(code: number, reason: string): void;
  /** A ping, or a pong. */
  onControl(isPong: boolean): void;
  /** There is no room in memory for the frame that comes: nothing more is read. */
  onFull(): void;
}

/** Handshake with an upstream. */
export interface RealtimeRequest {
  /** Absolute, `ws:` or `wss:`. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly protocols: readonly string[];
  readonly proxy?: string;
}

export type DialOutcome =
  | { readonly type: 'opened'; readonly socket: RealtimeSocket }
  /** The upstream answered with something else than a WebSocket. */
  | {
      readonly type: 'refused';
      readonly status: number;
      readonly headers: Readonly<Record<string, string | string[] | undefined>>;
      readonly body: Buffer;
    }
  | { readonly type: 'broken'; readonly fault: UpstreamFault };

export abstract class RealtimeDialer {
  /** Through the same address guard and proxies as every call; never follows redirects. @param signal  gives up */
  abstract dial(request: RealtimeRequest, signal: AbortSignal): Promise<DialOutcome>;
}
