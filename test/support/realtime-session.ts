import type { Quote } from '../../server/relay-core/ports/price-book.js';
import type { QuotaHolds } from '../../server/relay-core/ports/quota-holds.js';
import type { RealtimeListener, RealtimeSocket } from '../../server/relay-core/ports/realtime-socket.js';
import { RealtimeMeter } from '../../server/relay-core/realtime/realtime-meter.js';
import { RealtimeSession } from '../../server/relay-core/realtime/realtime-session.js';
import type { SessionInput } from '../../server/relay-core/realtime/session-input.js';
import { FakeClock } from './fake-clock.js';

/** A socket whose other end is the test. */
export class FakeSocket implements RealtimeSocket {
  bufferedBytes = 0;
  readonly sent: string[] = [];
  readonly waiting: (() => void)[] = [];
  isPaused = false;
  closed: number | undefined;
  isCut = false;
  pings = 0;
  listener: RealtimeListener | undefined;

  send(frame: Buffer | string, _isText: boolean, onSent: () => void): void {
    this.sent.push(frame.toString());
    this.waiting.push(onSent);
  }
  pause(): void {
    this.isPaused = true;
  }
  resume(): void {
    this.isPaused = false;
  }
  close(code: number): void {
    this.closed ??= code;
  }
  cut(): void {
    this.isCut = true;
  }
  ping(): void {
    this.pings += 1;
  }
  isLate = false;
  limitMemory(): void {
    // Its frames are whole.
  }
  isFrameLate(): boolean {
    return this.isLate;
  }
  listen(listener: RealtimeListener): void {
    this.listener = listener;
  }
  say(event: unknown): void {
    this.listener?.onFrame(Buffer.from(JSON.stringify(event)), true);
  }
}

/** A session between two such sockets. One answer is held for as 10 tokens, each of them costs 1. */
export function openTestSession(fields: Partial<SessionInput> = {}) {
  const clock = new FakeClock();
  const client = new FakeSocket();
  const upstream = new FakeSocket();
  const extensions: number[] = [];
  let extend: (by: number) => unknown = (by) => ({
    ok: true,
    value: { callId: 'c', amount: holdRef.hold.amount + by },
  });
  let checkpoints = 0;
  const faults: unknown[] = [];
  const holdRef = { hold: { callId: 'c', amount: 100 } } as SessionInput['holdRef'];
  let isPurseBroken = false;
  const quota = {
    recordCheckpoint: () => {
      if (isPurseBroken) throw new Error('broken');
      checkpoints += 1;
    },
    extend: (_hold: unknown, by: number) => {
      extensions.push(by);
      return Promise.resolve(extend(by));
    },
  } as unknown as QuotaHolds;
  const quote = {
    estimate: 100,
    charge: ({ input, output }: { input: { total: number }; output: { total: number } }) =>
      input.total + output.total,
  } as unknown as Quote;
  const meter = new RealtimeMeter((text) => text.length);
  // One answer is held for as this much.
  meter.settings.outputCap = 10;
  const successes: number[] = [];
  let heldBytes = 0;
  const session = new RealtimeSession({
    memory: { hasRoomFor: () => true, holdBytes: (bytes) => (heldBytes += bytes) },
    clock,
    quota,
    quote,
    holdRef,
    client,
    upstream,
    early: [],
    sensitiveWords: [],
    meter,
    transcription: {
      bind: () => undefined,
      allow: () => undefined,
      holdNext: () => undefined,
      settle: () => undefined,
    },
    countRequest: () => ({ ok: true, value: undefined }),
    recordSuccess: () => void successes.push(clock.nowMs()),
    quotesKey: () => false,
    writeError: ({ kind }) => `error ${kind}`,
    withReason: (error) => error,
    readFailure: () => ({
      error: { kind: 'upstream-broken', blame: 'upstream', message: 'failed' },
      isFatal: false,
    }),
    reportFault: (fault) => faults.push(fault),
    ...fields,
  });
  const end = session.run();
  const respond = (tokens: number): void => {
    client.say({ type: 'response.create' });
    upstream.say({ type: 'response.created' });
    upstream.say({
      type: 'response.done',
      response: { usage: { input_tokens: 0, output_tokens: tokens } },
    });
  };
  const refuse = (): void => {
    extend = () => ({ ok: false, error: { kind: 'quota-insufficient', blame: 'caller', message: 'spent' } });
  };
  return {
    clock,
    client,
    upstream,
    session,
    end,
    respond,
    refuse,
    breakPurse: () => (isPurseBroken = true),
    meter,
    heldBytes: () => heldBytes,
    successes,
    extensions,
    faults,
    holdRef,
    checkpoints: () => checkpoints,
  };
}

/** Everything that waits for a promise has gone on. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
