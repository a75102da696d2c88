import { Injectable } from '@nestjs/common';
import { refusal } from '../../../relay-core/model/refusals.js';
import type { RelayError } from '../../../relay-core/model/relay-error.js';
import type { Route } from '../../../relay-core/ports/channel-picker.js';
import { Clock } from '../../../common/clock.js';
import { Ids } from '../../../common/ids.js';
import {
  RealtimeDialer,
  type FrameMemory,
  type RealtimeListener,
  type RealtimeSocket,
} from '../../../relay-core/ports/realtime-socket.js';
import { realtimeRequest } from '../../../relay-core/providers/realtime.js';
import { runRealtime } from '../../../relay-core/realtime/run-realtime.js';
import { documentOf } from '../../../relay-core/formats/shared/fields/json-fields.js';
import { ProbePorts } from './probe-ports.js';
import { parseJson } from '../../../common/parse-json.js';

/** A vendor greets at once; one that has not after this long is silent. */
const SILENCE_MS = 10_000;
const CLOSED_BY_US = 1000;

export interface SessionTest {
  /** Undefined = the session began. */
  readonly error: RelayError | undefined;
  /** Monotonic; undefined = no frame came. */
  readonly firstFrameAtMs: number | undefined;
  /** Name of the first event. */
  readonly text: string;
}

/** Opens a realtime session through the relay's own pipeline, waits for its first event and closes it without requesting a response. */
@Injectable()
export class ProbeSession {
  constructor(
    private readonly ports: ProbePorts,
    private readonly dialer: RealtimeDialer,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  async open(route: Route, model: string): Promise<SessionTest> {
    const failures: RelayError[] = [];
    const socket = new HangUpAfterHello(this.clock);
    const callId = this.ids.callId();
    const ports = {
      ...this.ports.to(route, failures),
      dialer: this.dialer,
      health: {
        recordSuccess: () => undefined,
        recordFailure: (_route: Route, error: RelayError) => void failures.push(error),
      },
    };
    const call = {
      callId,
      path: '/v1/realtime',
      pathModel: undefined,
      query: '',
      headers: {},
      body: Buffer.alloc(0),
      receivedAtMs: this.clock.nowMs(),
      clientAddress: '127.0.0.1',
    };
    const rules = {
      model,
      credential: '',
      memory: UNLIMITED,
      handshake: (to: Route) => realtimeRequest(to, false),
      writeError: () => '',
    };
    const client = {
      isGone: false,
      onGone: () => undefined,
      refuse: (error: RelayError) => {
        failures.push(error);
        return 0;
      },
      accept: () => Promise.resolve(socket),
    };
    const handle = {
      caller: undefined,
      session: undefined,
      reportFault: () => void failures.push(FAULT),
    };
    await runRealtime(ports, call, rules, client, handle);
    const silence = socket.firstFrameAtMs === undefined ? SILENT : undefined;
    return {
      error: failures.at(-1) ?? silence,
      firstFrameAtMs: socket.firstFrameAtMs,
      text: socket.firstEvent,
    };
  }
}

/** Client side of a session that ends with its first event. */
class HangUpAfterHello implements RealtimeSocket {
  readonly bufferedBytes = 0;
  firstFrameAtMs: number | undefined;
  firstEvent = '';
  private listener: RealtimeListener | undefined;
  private isOver = false;
  private cancelTimer: () => void = () => undefined;

  constructor(private readonly clock: Clock) {}

  send(frame: Buffer | string, _isText: boolean, onSent: () => void): void {
    // An empty frame stands for an end that is reported elsewhere.
    if (this.firstFrameAtMs === undefined && frame.length > 0) {
      this.firstFrameAtMs = this.clock.monotonicMs();
      this.firstEvent = eventName(frame.toString());
      this.hangUp();
    }
    onSent();
  }

  listen(listener: RealtimeListener): void {
    this.listener = listener;
    if (this.isOver) listener.onClosed(CLOSED_BY_US, '');
    else this.cancelTimer = this.clock.after(SILENCE_MS, () => this.hangUp());
  }

  close(): void {
    this.hangUp();
  }

  cut(): void {
    this.hangUp();
  }

  pause(): void {}

  resume(): void {}

  ping(): void {}

  limitMemory(): void {}

  isFrameLate(): boolean {
    return false;
  }

  private hangUp(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.cancelTimer();
    this.listener?.onClosed(CLOSED_BY_US, '');
  }
}

function eventName(frame: string): string {
  // A session that begins with something else began all the same.
  const { type } = documentOf(parseJson(frame));
  return typeof type === 'string' ? type : '';
}

/** A test reads one frame. */
const UNLIMITED: FrameMemory = { hasRoomFor: () => true, holdBytes: () => undefined };
const FAULT = refusal('failed');
const SILENT = refusal('session-late');
