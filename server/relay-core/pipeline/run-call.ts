import type { Dialect, DialectRoute, RouteOf } from '../dialects/dialect.js';
import type { Attempt, Caller, WireCall } from '../model/call.js';
import type { Operation } from '../model/operation.js';
import type { RelayError } from '../model/relay-error.js';
import { NO_ATTEMPTS } from '../ports/call-watch.js';
import type { ClientReply } from '../ports/client-reply.js';
import type { Result } from '../../common/result.js';
import { AttemptLoop } from './attempt-loop.js';
import { ClientLine } from './client-line.js';
import type { RelayPorts } from './relay-ports.js';
import { admitCall } from './rooms/admit-call.js';
import { identifyCaller } from './rooms/identify-caller.js';
import { parseCall } from './rooms/parse-call.js';
import { quoteCall } from './rooms/quote-call.js';
import { recordFailure } from './rooms/record-call.js';
import { reserveQuota } from './rooms/reserve-quota.js';
import type { CallEnd, ServedCall } from './served-call.js';

/**
 * Serves one call, from its bytes to its record (docs/request-path.md). Every expected failure is answered in the
 * dialect; a fault is a bug or a spool that cannot be written, and the edge answers it. A hold is settled or
 * released exactly once, whatever happens.
 *
 * Rooms answer at once whenever they can, and nothing here waits for what is there already: suspending and resuming a call
 * costs more than most rooms do.
 */
export function startCall(
  ports: RelayPorts,
  call: WireCall,
  dialect: Dialect,
  route: DialectRoute,
  reply: ClientReply,
  end: CallEnd,
): void {
  try {
    const client = new ClientLine(reply, dialect, route.wire, ports.clock, call.callId);
    const startedMs = ports.clock.monotonicMs();
    const visit: Visit<Operation> = { ports, call, door: route, client, startedMs, end };
    ports.witness?.enter('identify-caller');
    const identified = identifyCaller(ports, { call, dialect });
    if (identified instanceof Promise)
      identified.then((caller) => receive(visit, caller)).catch((fault: unknown) => end.onFault(fault));
    else receive(visit, identified);
  } catch (fault) {
    end.onFault(fault);
  }
}

/** As `startCall`, for whoever waits for the end of one call. Fails: rejects where `onFault` would be told. */
export function runCall(
  ports: RelayPorts,
  call: WireCall,
  dialect: Dialect,
  route: DialectRoute,
  reply: ClientReply,
): Promise<void> {
  return new Promise((resolve, reject) =>
    startCall(ports, call, dialect, route, reply, { onOver: resolve, onFault: reject }),
  );
}

/** A call whose caller is not known yet, and where its end is told. */
interface Visit<O extends Operation> {
  readonly ports: RelayPorts;
  readonly call: WireCall;
  readonly door: RouteOf<O>;
  readonly client: ClientLine;
  /** Monotonic start of the call. */
  readonly startedMs: number;
  readonly end: CallEnd;
}

/** Rooms 2 to 5: nothing of this waits but the hold. */
function receive<O extends Operation>(visit: Visit<O>, identified: Result<Caller, RelayError>): void {
  const { ports, call, client, door, startedMs, end } = visit;
  const { witness } = ports;
  const turnAway = (error: RelayError): void => {
    client.sendError(error);
    witness?.refused(undefined, error, NO_ATTEMPTS);
    end.onOver();
  };
  if (!identified.ok) return turnAway(identified.error);
  const caller = identified.value;
  witness?.enter('parse-call');
  const front = parseCall({ call, door });
  if (!front.ok) return turnAway(front.error);
  const { shape } = front.value.parsed;
  client.expect(shape);

  const refuse = (error: RelayError, attempts: readonly Attempt[] = NO_ATTEMPTS): void => {
    const status = client.sendError(error);
    recordFailure(ports, { call, caller, shape, error, status, attempts, startedMs });
    witness?.refused(shape.model, error, attempts);
    end.onOver();
  };

  witness?.enter('admit-call');
  const windows = admitCall(ports, { caller, front: front.value });
  if (!windows.ok) return refuse(windows.error);
  witness?.enter('quote-call');
  const quote = quoteCall(ports, { caller, shape });
  if (!quote.ok) return refuse(quote.error);
  if (client.isGone) return end.onOver();
  const served: ServedCall<O> = {
    ports,
    call,
    operation: door.operation,
    client,
    startedMs,
    caller,
    front: front.value,
    quote: quote.value,
    options: ports.options.current(),
    channels: ports.channels.view(),
    refuse,
    end,
  };
  witness?.enter('reserve-quota');
  const reserving = reserveQuota(ports, {
    callId: call.callId,
    caller,
    shape,
    quote: quote.value,
    windows: windows.value,
  });
  const enter = (reserved: Awaited<typeof reserving>): void => {
    if (reserved.ok) new AttemptLoop(served, reserved.value).start();
    else refuse(reserved.error);
  };
  if (reserving instanceof Promise) reserving.then(enter).catch((fault: unknown) => end.onFault(fault));
  else enter(reserving);
}
