import { fail } from '../../common/result.js';
import { CLIENT_LEFT, NOT_RECORDED } from '../model/call-failures.js';
import type { Attempt, Caller, CallShape, IncomingCall } from '../model/call.js';
import { type RelayError, vendorErrorIn } from '../model/relay-error.js';
import { END_USER_MISSING, lacksEndUser, tagCaller } from '../pipeline/request/call-tags.js';
import { refuseOwnCall, viaFor } from '../pipeline/request/via-header.js';
import { overrideHeaders } from '../pipeline/request/overrides/header-override.js';
import type { RelayPorts } from '../pipeline/context/relay-ports.js';
import { mayRetry } from '../pipeline/context/retries.js';
import { ChannelRoom } from '../pipeline/stages/choose-channel.js';
import { recordAttemptFailure, recordFailure } from '../pipeline/stages/record-call.js';
import { describeFault } from '../pipeline/stages/send-call.js';
import { NO_ATTEMPTS } from '../ports/call-watch.js';
import type { ChannelRequest } from '../ports/channel-health.js';
import type { Route } from '../ports/channel-picker.js';
import type { Hold } from '../ports/quota-holds.js';
import type { RealtimeDialer, RealtimeSocket } from '../ports/realtime-socket.js';
import type { RealtimeClient, RealtimeHandle, RealtimeRules } from './realtime-parties.js';
import { eventHostRefusals, firstRefusal } from './event-hosts.js';
import { eventRefusals } from './event-ids.js';
import { CLOSED_AT_ONCE, RealtimeRefusals } from './realtime-refusals.js';
import { RealtimeMeter } from './realtime-meter.js';
import { RoomyHolds } from './roomy-holds.js';
import { RealtimeSession } from './realtime-session.js';
import type { SessionEnd } from './session-input.js';
import { settleSession } from './settle-session.js';
import { TranscriptionCalls } from './transcription-calls.js';

/** An upstream greets at once; after this time one without a greeting counts as ready. */
const HELLO_MS = 5_000;
/** Status shown for a session that fails before anything was used. */
const SWITCHED_PROTOCOLS = 101;
/** Output a session is held for at first: about a minute of audio output, and the input meanwhile. */
const HELD_TOKENS = 2_000;

type RealtimePorts = Omit<RelayPorts, 'sender' | 'media' | 'tokens' | 'counter'> &
  Pick<RelayPorts, 'counter'> & { readonly dialer: RealtimeDialer };

/**
 * Serves one realtime session, from the handshake to its record: the same stages as a call, with two pumps where a call
 * has its reply. Another channel may be tried until the first frame of an upstream is there. One hold, one settlement.
 */
export async function runRealtime(
  ports: RealtimePorts,
  call: IncomingCall,
  rules: RealtimeRules,
  client: RealtimeClient,
  handle: RealtimeHandle,
): Promise<void> {
  const startedMs = ports.clock.monotonicMs();
  const { observer } = ports;
  observer?.enter('identify-caller');
  const ownCall = refuseOwnCall(call, ports.gateway.via);
  const identified =
    ownCall === undefined
      ? await ports.callers.identify(rules.credential, call.clientAddress)
      : fail(ownCall);
  if (!identified.ok) {
    client.refuse(identified.error);
    observer?.refused(undefined, identified.error, NO_ATTEMPTS);
    return;
  }
  const { caller } = tagCaller(identified.value, call.headers);
  const shape: CallShape = {
    operation: 'chat',
    model: rules.model,
    stream: true,
    outputCap: undefined,
    choices: 1,
    promptTokens: 0,
    wantsStreamUsage: true,
    heldOutput: { tokens: HELD_TOKENS, kind: 'audio' },
  };
  const attempts: Attempt[] = [];
  const refuse = (error: RelayError): void => {
    const status = client.refuse(error);
    recordFailure(ports, { call, caller, shape, error, status, attempts, startedMs });
    observer?.refused(shape.model, error, attempts);
  };
  observer?.enter('admit-call');
  if (lacksEndUser(caller)) return refuse(END_USER_MISSING);
  const windows = ports.admission.admit(caller, shape);
  if (!windows.ok) return refuse(windows.error);
  handle.caller = caller;
  observer?.enter('quote-call');
  const quote = ports.prices.quote(caller, shape);
  if (!quote.ok) return refuse(quote.error);
  if (client.isGone) return;
  observer?.enter('reserve-quota');
  const held = await ports.quota.reserve({
    callId: call.callId,
    caller,
    quote: quote.value,
    windows: windows.value,
  });
  if (!held.ok) return refuse(held.error);

  const holdRef = { hold: held.value };
  const room = new ChannelRoom(ports);
  let isSettled = false;
  let transcription: TranscriptionCalls | undefined;
  try {
    const opened = await openUpstream(ports, { call, rules, client, caller, shape, holdRef, attempts, room });
    if (opened.type === 'failed') return refuse(opened.error);
    const { route, upstream, early } = opened;
    const socket = await client.accept();
    if (socket === undefined) {
      upstream.close(1000, '');
      return;
    }
    const options = ports.options.current();
    const refusals = new RealtimeRefusals(ports.findProvider, route);
    const { snapshot } = quote.value;
    const meter = new RealtimeMeter((text) => ports.counter.estimate(text, route.upstreamModel), {
      model: shape.model,
      largestAnswer: quote.value.worstCaseOf(shape, route.upstreamModel).modelOutputCap,
      countsUnits: snapshot.mode === 'call',
    });
    transcription = new TranscriptionCalls({ ports, callId: call.callId, caller, route, meter });
    let successes = 0;
    const session = new RealtimeSession({
      clock: ports.clock,
      quota: new RoomyHolds(ports.quota, room),
      quote: quote.value,
      holdRef,
      client: socket,
      upstream,
      early,
      memory: rules.memory,
      sensitiveWords: options.sensitiveWords,
      meter,
      transcription,
      countRequest: () => ports.admission.countRequest(caller),
      recordSuccess: () => {
        successes += 1;
        ports.admission.recordSuccess(caller);
      },
      quotesKey: (frame) => refusals.quotesKey(frame),
      refusalOf: firstRefusal(eventHostRefusals(ports, route), eventRefusals(ports, caller.userId, route)),
      writeError: (error) => rules.writeError(error),
      withReason: (error, reason) => refusals.inGoodbye(error, reason),
      readFailure: (document) => refusals.inSession(document),
      reportFault: (fault) => handle.reportFault(fault),
    });
    handle.session = session;
    const end = await session.run();
    observer?.enter('settle-call');
    const ended = { call, caller, shape, route, end, attempts, startedMs, quote: quote.value };
    await settleSession(ports, {
      ended,
      hold: holdRef.hold,
      room,
      transcription,
      onSettled: (finished) => {
        isSettled = true;
        observer?.answered(finished, { error: end.error, finishReason: undefined });
      },
    });
    if (!isSettled && end.error !== undefined) {
      const { error } = end;
      recordFailure(ports, { call, caller, shape, error, status: SWITCHED_PROTOCOLS, attempts, startedMs });
    }
    const startedAtMs = attempts.at(-1)?.startedAtMs ?? call.receivedAtMs;
    const asked: ChannelRequest = { kind: 'realtime', model: shape.model, startedAtMs };
    recordEnd(ports, { caller, route, end, asked, isCounted: successes > 0 });
  } finally {
    handle.session = undefined;
    room.release();
    if (!isSettled) ports.quota.release(holdRef.hold);
    transcription?.release();
  }
}

type Opened =
  | { readonly type: 'failed'; readonly error: RelayError }
  | {
      readonly type: 'opened';
      readonly route: Route;
      readonly upstream: RealtimeSocket;
      readonly early: readonly EarlyFrame[];
    };

interface EarlyFrame {
  readonly frame: Buffer;
  readonly isText: boolean;
}

interface OpenInput {
  readonly call: IncomingCall;
  readonly rules: RealtimeRules;
  readonly client: RealtimeClient;
  readonly caller: Caller;
  readonly holdRef: { readonly hold: Hold };
  readonly shape: CallShape;
  readonly attempts: Attempt[];
  readonly room: ChannelRoom;
}

/** One channel after the other until one greets. */
async function openUpstream(ports: RealtimePorts, input: OpenInput): Promise<Opened> {
  const { caller, client, rules, attempts, room } = input;
  const options = ports.options.current();
  const tried: number[] = [];
  ports.retries.countCall(ports.clock.monotonicMs());
  let failure: RelayError | undefined;
  for (let attempt = 0; ; attempt += 1) {
    ports.observer?.enter('choose-channel');
    const { passedOver } = room;
    const route = ports.channels.pick({ caller, model: rules.model, attempt, tried, passedOver });
    if (!route.ok) return { type: 'failed', error: failure ?? room.refusal() ?? route.error };
    const { channelId, channelName } = route.value;
    const startedAtMs = ports.clock.nowMs();
    const full = await room.take(route.value, input.shape, input.holdRef.hold.amount);
    if (full !== undefined) {
      attempts.push(room.passOver(route.value, full));
      // It got no request: the next one is no retry.
      attempt -= 1;
      continue;
    }
    tried.push(channelId);
    const opened = await openOne(ports, input, route.value, attempt);
    const base = { channelId, channelName, startedAtMs, endedAtMs: ports.clock.nowMs() };
    if (opened.type === 'opened') {
      attempts.push(base);
      ports.retries.refund(attempt);
      return opened;
    }
    failure = opened.error;
    attempts.push({ ...base, failure: failure.kind, ...vendorErrorIn(failure) });
    if (client.isGone) return opened;
    recordAttemptFailure(ports, route.value, failure, { kind: 'realtime', model: rules.model, startedAtMs });
    const isLast =
      caller.pinnedChannelId !== null ||
      attempt >= options.retryTimes ||
      !mayRetry(failure, options.retryStatuses) ||
      !ports.retries.spend();
    if (isLast) return opened;
  }
}

async function openOne(
  ports: RealtimePorts,
  input: OpenInput,
  route: Route,
  attempt: number,
): Promise<Opened> {
  const request = input.rules.handshake(route);
  if (!request.ok) return { type: 'failed', error: request.error };
  if (input.client.isGone) return { type: 'failed', error: CLIENT_LEFT };
  ports.observer?.enter('record-dispatch');
  try {
    const { admission } = input.room;
    await ports.quota.recordDispatch(input.holdRef.hold, route.channelId, attempt, admission?.marks);
    admission?.markSent();
  } catch (cause) {
    // A session without a record must not go upstream.
    return { type: 'failed', error: { ...NOT_RECORDED, cause } };
  }
  ports.observer?.enter('relay-reply');
  const along = ports.observer?.onSend(route, attempt);
  const giveUp = new AbortController();
  const cancelTimer = ports.clock.after(ports.options.current().firstByteTimeoutMs, () => giveUp.abort());
  input.client.onGone(() => giveUp.abort());
  const via = viaFor(input.call, route, ports.gateway.via);
  const own = { ...request.value.headers, ...along, ...(via === undefined ? {} : { via }) };
  const headers = overrideHeaders(own, route.headerOverride, {
    credential: route.credential,
    callerHeaders: input.call.headers,
  });
  const outcome = await ports.dialer.dial({ ...request.value, headers }, giveUp.signal);
  cancelTimer();
  if (outcome.type === 'broken') return { type: 'failed', error: describeFault(outcome.fault) };
  const refusals = new RealtimeRefusals(ports.findProvider, route);
  if (outcome.type === 'refused') return { type: 'failed', error: refusals.inHandshake(outcome) };
  const hello = await waitForHello(ports, outcome.socket, input.client, refusals);
  return hello.type === 'failed'
    ? hello
    : { type: 'opened', route, upstream: outcome.socket, early: hello.early };
}

/** The first frame proves an answer: until it is there, a failure is one that another channel may make good. */
function waitForHello(
  ports: RealtimePorts,
  upstream: RealtimeSocket,
  client: RealtimeClient,
  refusals: RealtimeRefusals,
): Promise<{ type: 'failed'; error: RelayError } | { type: 'ready'; early: readonly EarlyFrame[] }> {
  return new Promise((resolve) => {
    const early: EarlyFrame[] = [];
    let isDecided = false;
    const decide = (error: RelayError | undefined): void => {
      if (isDecided) return;
      isDecided = true;
      cancelTimer();
      if (error === undefined) {
        upstream.pause();
        resolve({ type: 'ready', early });
        return;
      }
      upstream.cut();
      resolve({ type: 'failed', error });
    };
    const cancelTimer = ports.clock.after(HELLO_MS, () => decide(undefined));
    upstream.listen({
      onFrame: (frame, isText) => {
        const refusal = !isDecided ? refusals.inFirstFrame(frame) : undefined;
        if (refusal === undefined) early.push({ frame, isText });
        decide(refusal);
      },
      onClosed: (_code, reason) => decide(refusals.inGoodbye(CLOSED_AT_ONCE, reason)),
      onControl: () => undefined,
      onFull: () => undefined,
    });
    client.onGone(() => decide(CLIENT_LEFT));
  });
}

function recordEnd(
  ports: RealtimePorts,
  input: {
    readonly caller: Caller;
    readonly route: Route;
    readonly end: SessionEnd;
    readonly asked: ChannelRequest;
    /** Its responses were counted among the successful requests, each by itself. */
    readonly isCounted: boolean;
  },
): void {
  const { caller, route, end, asked, isCounted } = input;
  const failure = end.error?.blame === 'upstream' ? end.error : end.failure;
  if (failure?.blame === 'upstream') ports.health.recordFailure(route, failure, asked);
  // An event that was refused is its caller's; any other failure means that the channel did not serve.
  if (end.outcome !== 'ok' || (failure !== undefined && failure.kind !== 'upstream-request-rejected')) return;
  if (end.firstContentMs !== undefined) ports.health.recordSuccess(route, asked);
  if (!isCounted) ports.admission.recordSuccess(caller);
}
