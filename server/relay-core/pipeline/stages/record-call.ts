import type { Attempt, Caller, CallShape, FinishedCall, IncomingCall } from '../../model/call.js';
import { type RelayError, vendorErrorIn } from '../../model/relay-error.js';
import type { Usage } from '../../model/usage.js';
import type { Conversation } from '../../ports/channel-affinity.js';
import type { ChannelRequest } from '../../ports/channel-health.js';
import type { Route } from '../../ports/channel-picker.js';
import type { RelayPorts } from '../context/relay-ports.js';
import type { ReplyRecord } from '../context/attempt.js';

/** Refusals that are the caller's everyday business, not errors to look into. */
const UNLOGGED: ReadonlySet<RelayError['kind']> = new Set([
  'quota-insufficient',
  'limit-full',
  'rate-limited',
  'client-gone',
]);

/** Stage 11, after an answer: the channel's health and the caller's success window. Never refuses. */
export function recordAnswer(
  ports: Pick<RelayPorts, 'health' | 'admission' | 'affinity'>,
  input: {
    readonly caller: Caller;
    readonly conversation?: Conversation | undefined;
    readonly route: Route;
    readonly record: ReplyRecord;
    readonly finished: FinishedCall;
  },
): void {
  const { route, record, finished } = input;
  const asked = channelRequestOf(
    finished.shape,
    finished.attempts.at(-1)?.startedAtMs ?? finished.startedAtMs,
  );
  if (record.error?.blame === 'upstream') ports.health.recordFailure(route, record.error, asked);
  else if (record.outcome === 'ok') ports.health.recordSuccess(route, asked);
  if (record.outcome !== 'ok') return;
  ports.admission.recordSuccess(input.caller);
  if (input.conversation !== undefined) ports.affinity?.recordSuccess(input.conversation, route.channelId);
}

/** An attempt without an answer, as records name it. @param billedUsage  usage that its vendor bills */
export function failedAttempt(
  { channelId, channelName }: Pick<Route, 'channelId' | 'channelName'>,
  error: RelayError,
  startedAtMs: number,
  endedAtMs: number,
  billedUsage: Usage | undefined,
): Attempt {
  const upstreamStatus = error.blame === 'upstream' ? error.upstreamStatus : undefined;
  return {
    channelId,
    channelName,
    startedAtMs,
    endedAtMs,
    failure: error.kind,
    ...(upstreamStatus === undefined ? {} : { upstreamStatus }),
    ...(billedUsage === undefined ? {} : { billedUsage }),
    ...vendorErrorIn(error),
  };
}

/** Attempts of one call, as its record names them. */
export class AttemptRecords {
  readonly all: Attempt[] = [];
  private startedAtMs = 0;

  constructor(
    private readonly ports: Pick<RelayPorts, 'clock' | 'health'>,
    private readonly shape: Pick<CallShape, 'operation' | 'model'>,
  ) {}

  /** The next attempt begins now. */
  begin(): void {
    this.startedAtMs = this.ports.clock.nowMs();
  }

  /** @param error  reason for an early end of the reply */
  addAnswered({ channelId, channelName }: Route, error: RelayError | undefined): void {
    const { startedAtMs } = this;
    const endedAtMs = this.ports.clock.nowMs();
    const attempt = { channelId, channelName, startedAtMs, endedAtMs };
    this.all.push(error === undefined ? attempt : { ...attempt, failure: error.kind });
  }

  addFailed(route: Route, error: RelayError, billedUsage: Usage | undefined): void {
    const { startedAtMs } = this;
    this.all.push(failedAttempt(route, error, startedAtMs, this.ports.clock.nowMs(), billedUsage));
  }

  /** Reports the failure to the health of the channel. */
  reportFailure(route: Route, error: RelayError): void {
    recordAttemptFailure(this.ports, route, error, channelRequestOf(this.shape, this.startedAtMs));
  }
}

/** Stage 11, after a failed attempt. */
export function recordAttemptFailure(
  ports: Pick<RelayPorts, 'health'>,
  route: Route,
  error: RelayError,
  asked: ChannelRequest,
): void {
  // The vendor's words decide whether a refused request counts against the channel all the same.
  if (error.blame === 'upstream') ports.health.recordFailure(route, error, asked);
}

export const channelRequestOf = (
  { operation, model }: Pick<CallShape, 'operation' | 'model'>,
  startedAtMs: number,
): ChannelRequest => ({ kind: operation, model, startedAtMs });

/** Stage 11 of a call that charges no account: counts its attempts, notes the token's last refusal, writes a line into the error log. */
export function recordFailure(
  ports: Pick<RelayPorts, 'journal' | 'options' | 'clock' | 'refusals'>,
  input: {
    readonly call: IncomingCall;
    readonly caller: Caller;
    readonly shape: Pick<CallShape, 'operation' | 'model' | 'stream'>;
    readonly error: RelayError;
    readonly status: number;
    readonly attempts: readonly Attempt[];
    readonly startedMs: number;
  },
): void {
  ports.refusals?.note(input.caller.tokenId, input.error);
  const { attempts } = input;
  if (attempts.length > 0) ports.journal.countAttempts({ model: input.shape.model, attempts });
  if (UNLOGGED.has(input.error.kind) || !ports.options.current().logErrors) return;
  ports.journal.recordFailure({
    callId: input.call.callId,
    caller: input.caller,
    shape: input.shape,
    error: input.error,
    status: input.status,
    startedAtMs: input.call.receivedAtMs,
    durationMs: Math.max(0, Math.round(ports.clock.monotonicMs() - input.startedMs)),
    attempts,
    path: input.call.path,
  });
}
