import type { Result } from '../../common/result.js';
import type { Caller } from '../model/call.js';
import type { RelayError } from '../model/relay-error.js';
import type { Route } from '../ports/channel-picker.js';
import type { FrameMemory, RealtimeRequest, RealtimeSocket } from '../ports/realtime-socket.js';
import type { RealtimeSession } from './realtime-session.js';

/** The client's handshake: refused as a whole reply, or let in once an upstream answers. */
export interface RealtimeClient {
  readonly isGone: boolean;
  onGone(listener: () => void): void;
  /** @returns the status that was sent */
  refuse(error: RelayError): number;
  accept(): Promise<RealtimeSocket | undefined>;
}

/** Realtime rules of the dialect and the providers. */
export interface RealtimeRules {
  readonly model: string;
  readonly credential: string;
  handshake(route: Route): Result<RealtimeRequest, RelayError>;
  writeError(error: RelayError): string;
  /** Memory that the frames of a session are held in. */
  readonly memory: FrameMemory;
}

/** Lets the code that started a session end it. */
export interface RealtimeHandle {
  /** Undefined until the caller is known. */
  caller: Caller | undefined;
  session: RealtimeSession | undefined;
  /** A fault of ours in the handling of the session, which ends it. */
  reportFault(fault: unknown): void;
}
