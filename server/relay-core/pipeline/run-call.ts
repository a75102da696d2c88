import type { Dialect, DialectRoute, RouteOf } from '../dialects/dialect.js';
import type { Attempt, Caller, IncomingCall } from '../model/call.js';
import type { Operation } from '../model/operation.js';
import { refusal } from '../model/refusals.js';
import type { RelayError } from '../model/relay-error.js';
import type { TaskOrigin } from '../model/task.js';
import { NO_ATTEMPTS } from '../ports/call-watch.js';
import type { ChannelView } from '../ports/channel-picker.js';
import type { ClientReply } from '../ports/client-reply.js';
import type { Warning } from '../model/warning.js';
import type { Quote } from '../ports/price-book.js';
import type { RateWindow } from '../ports/quota-holds.js';
import type { RelayOptions } from '../ports/relay-options.js';
import type { Result } from '../../common/result.js';
import { AttemptLoop } from './attempt-loop.js';
import { ClientConnection } from './context/client-connection.js';
import type { RelayPorts } from './context/relay-ports.js';
import { END_USER_MISSING, lacksEndUser, tagCaller } from './request/call-tags.js';
import { admitCall, quoteCall, type Reservation, reserveQuota } from './stages/admit-quote-reserve.js';
import { identifyCaller, parseCall } from './stages/identify-and-parse.js';
import type { ClientCall } from './context/call-types.js';
import { fallbackIn, withCheaperModel, type CheaperCall } from './stages/cheaper-model.js';
import { recordFailure } from './stages/record-call.js';
import type { CallEnd, ServedCall } from './context/served-call.js';

/**
 * Serves one call, from its bytes to its record (docs/request-path.md). Every expected failure is answered in the
 * dialect; a fault is a bug or a spool that cannot be written, and the relay handler answers it. A hold is settled or
 * released exactly once, whatever happens.
 *
 * Stages answer at once whenever they can, and nothing here waits for what is there already: suspending and resuming a call
 * costs more than most stages do.
 */
export function startCall(
  ports: RelayPorts,
  call: IncomingCall,
  dialect: Dialect,
  route: DialectRoute,
  reply: ClientReply,
  end: CallEnd,
): void {
  try {
    const spoken = { dialect, route: route as RouteOf<Operation> };
    new RunningCall(ports, call, spoken, reply, end).begin();
  } catch (fault) {
    end.onFault(fault);
  }
}

/** Runs one call to its end, otherwise like `startCall`. Fails: rejects where `onFault` would be called. */
export function runCall(
  ports: RelayPorts,
  call: IncomingCall,
  dialect: Dialect,
  route: DialectRoute,
  reply: ClientReply,
): Promise<void> {
  return new Promise((resolve, reject) =>
    startCall(ports, call, dialect, route, reply, { onOver: resolve, onFault: reject }),
  );
}

/** A call from its first stage on; what it finds out there is what it is served by. */
class RunningCall<O extends Operation> implements ServedCall<O> {
  readonly dialect: Dialect;
  readonly clientRoute: RouteOf<O>;
  readonly client: ClientConnection;
  readonly startedMs: number;
  caller!: Caller;
  clientCall!: ClientCall<O>;
  tagWarnings: readonly Warning[] = [];
  quote!: Quote;
  options!: RelayOptions;
  channels: ChannelView | undefined;

  constructor(
    readonly ports: RelayPorts,
    readonly call: IncomingCall,
    { dialect, route }: { readonly dialect: Dialect; readonly route: RouteOf<O> },
    reply: ClientReply,
    readonly end: CallEnd,
  ) {
    this.dialect = dialect;
    this.clientRoute = route;
    this.client = new ClientConnection(reply, dialect, route.apiFormat, ports.clock, call.callId);
    this.startedMs = ports.clock.monotonicMs();
  }

  get operation(): O {
    return this.clientRoute.operation;
  }

  begin(): void {
    const { ports, end } = this;
    ports.observer?.enter('identify-caller');
    const identified = identifyCaller(ports, this);
    if (!(identified instanceof Promise)) return this.receive(identified);
    identified
      .then((caller) => this.receive(caller))
      .catch((fault: unknown) => {
        end.onFault(fault);
      });
  }

  /** Answers an uncharged failure, records it and ends the call. */
  refuse(error: RelayError, attempts: readonly Attempt[] = NO_ATTEMPTS, passOn?: () => void): void {
    const { ports, call, caller, startedMs } = this;
    const { shape } = this.clientCall.parsed;
    const status =
      passOn === undefined || this.client.isGone ? this.client.sendError(error) : answered(passOn);
    recordFailure(ports, { call, caller, shape, error, status, attempts, startedMs });
    ports.observer?.refused(shape.model, error, attempts);
    this.end.onOver();
  }

  /** Refuses a call before its caller and request are known: there is nothing to record. */
  private reject(error: RelayError): void {
    this.client.sendError(error);
    this.ports.observer?.refused(undefined, error, NO_ATTEMPTS);
    this.end.onOver();
  }

  /** Stages 2 to 5: nothing of this waits but the hold. */
  private receive(identified: Result<Caller, RelayError>): void {
    const { ports, client } = this;
    const { observer } = ports;
    if (!identified.ok) return this.reject(identified.error);
    this.caller = identified.value;
    observer?.enter('parse-call');
    const clientCall = parseCall(this);
    if (!clientCall.ok) {
      ports.refusals?.note(this.caller.tokenId, clientCall.error);
      return this.reject(clientCall.error);
    }
    this.clientCall = clientCall.value;
    const { shape } = this.clientCall.parsed;
    client.expect(shape);
    const tagged = tagCaller(this.caller, this.call.headers, this.clientCall.parsed);
    this.caller = tagged.caller;
    this.tagWarnings = tagged.warnings;
    observer?.enter('admit-call');
    if (lacksEndUser(this.caller)) return this.refuse(END_USER_MISSING);
    const windows = admitCall(ports, this);
    if (!windows.ok) return this.refuse(windows.error);
    observer?.enter('quote-call');
    const quote = quoteCall(ports, { caller: this.caller, shape });
    if (!quote.ok) return this.refuse(quote.error);
    if (client.isGone) return this.refuse(client.closeReason);
    this.quote = quote.value;
    this.options = ports.options.current();
    this.channels = ports.channels.view();
    const { submission } = shape;
    if (submission?.origin !== undefined) return this.continueFrom(submission.origin, windows.value);
    this.reserve(windows.value);
  }

  /** Pins a task that continues an earlier one to the channel that took that one on. */
  private continueFrom(origin: TaskOrigin, windows: readonly RateWindow[]): void {
    const { ports, end } = this;
    if (ports.origins === undefined) return this.refuse(NO_ORIGINS);
    ports.origins
      .findChannel(this.caller, origin)
      .then((channelId) => {
        if (!channelId.ok) return this.refuse(channelId.error);
        this.caller = { ...this.caller, pinnedChannelId: channelId.value };
        this.reserve(windows);
      })
      .catch((fault: unknown) => {
        end.onFault(fault);
      });
  }

  private reserve(windows: readonly RateWindow[]): void {
    const { ports, end, caller, quote } = this;
    const { shape } = this.clientCall.parsed;
    ports.observer?.enter('reserve-quota');
    const reserving = reserveQuota(ports, { callId: this.call.callId, caller, shape, quote, windows });
    if (!(reserving instanceof Promise)) return this.enter(reserving);
    reserving
      .then((reserved) => this.enter(reserved))
      .catch((fault: unknown) => {
        end.onFault(fault);
      });
  }

  private enter(reserved: Result<Reservation, RelayError>): void {
    if (!reserved.ok) return this.goOnCheaper(reserved.error);
    this.client.limits = reserved.value.hold.limitFigures;
    new AttemptLoop(this, reserved.value).start();
  }

  /** One hop to the model that a full limit names; else the refusal of the limit. */
  private goOnCheaper(error: RelayError): void {
    if (fallbackIn(error) === undefined) return this.refuse(error);
    const { ports, end } = this;
    const cheaper = withCheaperModel(ports, this, error);
    if (cheaper === undefined) return this.refuse(error);
    const reserving = reserveQuota(ports, {
      callId: this.call.callId,
      caller: this.caller,
      shape: cheaper.clientCall.parsed.shape,
      quote: cheaper.quote,
      windows: cheaper.windows,
    });
    if (!(reserving instanceof Promise)) return this.enterCheaper(cheaper, reserving, error);
    reserving
      .then((reserved) => this.enterCheaper(cheaper, reserved, error))
      .catch((fault: unknown) => {
        end.onFault(fault);
      });
  }

  private enterCheaper(
    { clientCall, quote, warning }: CheaperCall<O>,
    reserved: Result<Reservation, RelayError>,
    refused: RelayError,
  ): void {
    if (!reserved.ok) return this.refuse(refused);
    this.clientCall = clientCall;
    this.quote = quote;
    this.tagWarnings = [...this.tagWarnings, warning];
    this.enter(reserved);
  }
}

/** Status of a reply that is passed on as it came. */
function answered(passOn: () => void): number {
  passOn();
  return 200;
}

const NO_ORIGINS = refusal('tasks-not-kept');
