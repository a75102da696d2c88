import type { Dialect, DialectRoute, RouteOf } from '../dialects/dialect.js';
import type { Attempt, Caller, WireCall } from '../model/call.js';
import type { Operation } from '../model/operation.js';
import type { RelayError } from '../model/relay-error.js';
import { knownWarnings, type Warning } from '../model/warning.js';
import type { Conversation } from '../ports/channel-affinity.js';
import type { Route } from '../ports/channel-picker.js';
import type { ClientReply } from '../ports/client-reply.js';
import type { Quote } from '../ports/price-book.js';
import type { Hold } from '../ports/quota-desk.js';
import type { RelayOptions } from '../ports/relay-options.js';
import { ClientLine } from './client-line.js';
import { measureReply } from './measure-reply.js';
import { type AttemptFacts, joinOverrides } from './overrides/attempt-overrides.js';
import type { RelayPorts } from './relay-ports.js';
import { mayRetry } from './retry-policy.js';
import { admitCall } from './rooms/admit-call.js';
import { chooseChannel } from './rooms/choose-channel.js';
import { identifyCaller } from './rooms/identify-caller.js';
import { parseCall, type FrontCall } from './rooms/parse-call.js';
import { quoteCall } from './rooms/quote-call.js';
import { recordAnswer, recordAttemptFailure, recordFailure } from './rooms/record-call.js';
import type { ReplyRecord } from './attempt.js';
import { relayReply } from './rooms/relay-reply.js';
import { reserveQuota } from './rooms/reserve-quota.js';
import { settleCall } from './rooms/settle-call.js';
import { translateCall } from './rooms/translate-call.js';

/** Attempts that led nowhere, and the one that may have. */
interface Trail {
  readonly attempts: Attempt[];
  readonly tried: Set<number>;
}

/**
 * Serves one call, from its bytes to its record (docs/request-path.md). Every expected failure is answered in the
 * dialect; a rejection is a bug or a spool that cannot be written, and the edge answers it. A hold is settled or
 * released exactly once, whatever happens.
 */
export function runCall(
  ports: RelayPorts,
  call: WireCall,
  dialect: Dialect,
  route: DialectRoute,
  reply: ClientReply,
): Promise<void> {
  return serve<Operation>(
    ports,
    { call, dialect, door: route },
    new ClientLine(reply, dialect, route.wire, ports.clock, call.callId),
  );
}

async function serve<O extends Operation>(
  ports: RelayPorts,
  { call, dialect, door }: { readonly call: WireCall; readonly dialect: Dialect; readonly door: RouteOf<O> },
  client: ClientLine,
): Promise<void> {
  const startedMs = ports.clock.monotonicMs();
  const identified = identifyCaller(ports, { call, dialect });
  const caller = identified instanceof Promise ? await identified : identified;
  if (!caller.ok) return void client.sendError(caller.error);

  const front = parseCall({ call, door });
  if (!front.ok) return void client.sendError(front.error);
  const { shape } = front.value.parsed;
  client.expect(shape);

  const refuse = (error: RelayError, attempts: readonly Attempt[] = []): void => {
    const status = client.sendError(error);
    recordFailure(ports, { call, caller: caller.value, shape, error, status, attempts, startedMs });
  };

  const windows = admitCall(ports, { caller: caller.value, front: front.value });
  if (!windows.ok) return refuse(windows.error);
  const quote = quoteCall(ports, { caller: caller.value, shape });
  if (!quote.ok) return refuse(quote.error);
  if (client.isGone) return;
  const reserved = await reserveQuota(ports, {
    callId: call.callId,
    caller: caller.value,
    shape,
    quote: quote.value,
    windows: windows.value,
  });
  if (!reserved.ok) return refuse(reserved.error);

  const holdBox = { hold: reserved.value.hold };
  const trail: Trail = { attempts: [], tried: new Set() };
  let isSettled = false;
  try {
    const answer = await attemptChannels(ports, {
      call,
      operation: door.operation,
      client,
      caller: caller.value,
      front: front.value,
      quote: quote.value,
      holdBox,
      affordableCap: reserved.value.affordableCap,
      trail,
    });
    if (answer.type === 'failed') return refuse(answer.error, trail.attempts);

    const { record, route, conversation, warnings } = answer;
    const measured = measureReply(ports.counter, {
      ...record,
      shape,
      model: route.upstreamModel,
      traffic: {
        requestBody: front.value.parsed.document.bytes,
        route,
        receivedBytes: record.receivedBytes,
        modelOutputCap: quote.value.modelOutputCap,
        choices: shape.choices,
      },
    });
    const measure = measured instanceof Promise ? await measured : measured;
    const finished = await settleCall(ports, {
      hold: holdBox.hold,
      call,
      caller: caller.value,
      shape,
      quote: quote.value,
      route,
      record,
      measure,
      attempts: trail.attempts,
      warnings,
      startedMs,
    });
    isSettled = true;
    record.finish();
    recordAnswer(ports, { caller: caller.value, route, record, finished, conversation });
  } finally {
    if (!isSettled) ports.quota.release(holdBox.hold);
  }
}

interface AttemptInput<O extends Operation> {
  readonly call: WireCall;
  readonly operation: O;
  readonly client: ClientLine;
  readonly caller: Caller;
  readonly front: FrontCall<O>;
  readonly quote: Quote;
  readonly holdBox: { hold: Hold };
  readonly affordableCap: number | undefined;
  readonly trail: Trail;
}

type Answer =
  | { readonly type: 'failed'; readonly error: RelayError }
  | {
      readonly type: 'answered';
      readonly record: ReplyRecord;
      readonly route: Route;
      readonly warnings: readonly Warning[];
      readonly conversation?: Conversation | undefined;
    };

/** Rooms 6 to 9, on one channel after the other until one answers. Nothing is retried once the client has a byte. */
async function attemptChannels<O extends Operation>(
  ports: RelayPorts,
  input: AttemptInput<O>,
): Promise<Answer> {
  const { caller, client, front, trail } = input;
  const options = ports.options.current();
  ports.retries.countCall();
  const { model } = front.parsed.shape;
  const { document } = front.parsed;
  const finding = ports.affinity?.find({ call: input.call, caller, model, document });
  const conversation = finding instanceof Promise ? await finding : finding;
  let failure: RelayError | undefined;
  for (let attempt = 0; ; attempt += 1) {
    const chosen = chooseChannel(ports, {
      ...{ caller, model, attempt, tried: trail.tried },
      boundChannelId: conversation?.boundChannelId,
    });
    if (!chosen.ok) return { type: 'failed', error: finalError(failure) ?? chosen.error };
    const route = withOverride(chosen.value, conversation?.paramOverride);
    const facts = {
      ...{ call: input.call, model, index: attempt, lastError: failure },
      isChannelTest: caller.isChannelTest === true,
    };
    const answer = await attemptChannel(ports, input, route, facts, options);
    if (answer.type === 'answered') {
      ports.retries.giveBack(attempt);
      return { ...answer, conversation };
    }
    failure = answer.error;
    const isBound = conversation?.staysOnFailure === true && route.channelId === conversation.boundChannelId;
    const isLast =
      client.isCommitted ||
      client.isGone ||
      caller.pinnedChannelId !== null ||
      isBound ||
      attempt >= options.retryTimes ||
      !mayRetry(failure, options.retryStatuses) ||
      !ports.retries.spend();
    if (isLast) return { type: 'failed', error: finalError(failure) ?? failure };
  }
}

async function attemptChannel<O extends Operation>(
  ports: RelayPorts,
  input: AttemptInput<O>,
  route: Route,
  attempt: AttemptFacts,
  options: RelayOptions,
): Promise<Answer> {
  const { call, client, front, quote, holdBox, trail } = input;
  const startedAtMs = ports.clock.nowMs();
  trail.tried.add(route.channelId);
  const translating = translateCall(ports, {
    front,
    operation: input.operation,
    route,
    affordableCap: input.affordableCap,
    options,
    attempt,
  });
  const translated = translating instanceof Promise ? await translating : translating;
  if (!translated.ok) return failAttempt(ports, trail, route, startedAtMs, translated.error);
  if (client.isGone) return { type: 'failed', error: CLIENT_LEFT };
  const warnings = knownWarnings(translated.value.warnings);
  client.warnings = warnings;
  try {
    await ports.quota.recordDispatch(holdBox.hold, route.channelId, attempt.index);
  } catch (cause) {
    // What is not on record must not go upstream.
    return { type: 'failed', error: { ...NOT_RECORDED, cause } };
  }
  if (client.isGone) return { type: 'failed', error: CLIENT_LEFT };
  const { shape } = front.parsed;
  const end = await relayReply({
    ports,
    options,
    client,
    front,
    translated: translated.value,
    route: translated.value.route,
    quote,
    holdBox,
    context: {
      callId: call.callId,
      createdAtSeconds: Math.floor(call.receivedAtMs / 1000),
      model: shape.model,
      wantsStreamUsage: shape.wantsStreamUsage,
      promptTokens: shape.promptTokens,
    },
  });
  if (end.type === 'failed') return failAttempt(ports, trail, route, startedAtMs, end.error);
  trail.attempts.push({
    channelId: route.channelId,
    channelName: route.channelName,
    startedAtMs,
    endedAtMs: ports.clock.nowMs(),
    ...(end.error === undefined ? {} : { failure: end.error.kind }),
  });
  return { type: 'answered', record: end, route: translated.value.route, warnings };
}

const withOverride = (route: Route, override: Route['paramOverride']): Route =>
  override === undefined ? route : { ...route, paramOverride: joinOverrides(override, route.paramOverride) };

function failAttempt(
  ports: RelayPorts,
  trail: Trail,
  route: Route,
  startedAtMs: number,
  error: RelayError,
): Answer {
  const upstreamStatus = error.blame === 'upstream' ? error.upstreamStatus : undefined;
  trail.attempts.push({
    channelId: route.channelId,
    channelName: route.channelName,
    startedAtMs,
    endedAtMs: ports.clock.nowMs(),
    failure: error.kind,
    ...(upstreamStatus === undefined ? {} : { upstreamStatus }),
  });
  recordAttemptFailure(ports, route, error);
  return { type: 'failed', error };
}

/** A vendor's own words about its limits would mislead: to the caller it is the model's channels that are busy. */
function finalError(failure: RelayError | undefined): RelayError | undefined {
  if (failure?.kind !== 'upstream-rate-limited') return failure;
  const { vendorType: _type, vendorCode: _code, vendorParam: _param, ...rest } = failure;
  return { ...rest, message: 'The channels of this model are busy at the moment; please try again later.' };
}

const CLIENT_LEFT: RelayError = {
  kind: 'client-gone',
  blame: 'caller',
  message: 'The client closed the connection.',
};
const NOT_RECORDED: RelayError = {
  kind: 'unavailable',
  blame: 'gateway',
  message: 'The gateway cannot take calls at the moment; please try again later.',
  retryAfterMs: 5_000,
};
