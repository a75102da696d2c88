import { Inject, Injectable, Logger } from '@nestjs/common';
import type { IncomingHttpHeaders } from 'node:http';
import { LinkedList, LinkedListNode } from '../../common/linked-list.js';
import type { Caller } from '../../relay-core/model/call.js';
import type { Dialect, DialectRoute } from '../../relay-core/dialects/dialect.js';
import { DIALECTS } from '../../relay-core/dialects/registry.js';
import { refusal } from '../../relay-core/model/refusals.js';
import type { RelayError } from '../../relay-core/model/relay-error.js';
import { countCall, isCountRoute } from '../../relay-core/pipeline/count-call.js';
import type { RelayPorts } from '../../relay-core/pipeline/context/relay-ports.js';
import { startCall } from '../../relay-core/pipeline/run-call.js';
import { type CallObserver, NO_ATTEMPTS } from '../../relay-core/ports/call-watch.js';
import type { CallerDirectory } from '../../relay-core/ports/caller-directory.js';
import type { MediaFetcher } from '../../relay-core/ports/media-fetcher.js';
import type { CallEnd } from '../../relay-core/pipeline/context/served-call.js';
import { CallMedia } from './call-media.js';
import { RevokedCallers, type RunningWork } from './revoked-callers.js';
import type { RawReply } from '../http/relay-replies.js';
import { RelayWatch } from './watch/relay-watch.js';
import { ConcurrencyLimits, UserConcurrency } from './concurrency-limits.js';
import { pathOf, patternOf, queryOf } from '../http/relay-paths.js';
import { commonHeaders } from '../http/relay-replies.js';
import { ReplySink } from './reply-sink.js';

/** Token of the ports of the pipeline (relay.module.ts). */
export const RELAY_PORTS = Symbol('RELAY_PORTS');

/** Bodies up to here are read before the caller is known: looking twice would cost more than reading. */
const ANONYMOUS_BODY_BYTES = 64 * 1024;

/** An address of a dialect, ready to be matched. */
export type RelayRoute = DialectRoute & { readonly dialect: Dialect; readonly pattern: RegExp };

/** A request as it came, without its body. */
export interface RelayRequest {
  readonly callId: string;
  /** Path and query as they stand in the request line. */
  readonly url: string;
  /** Model named by the address, decoded; undefined = the body names it. */
  readonly pathModel: string | undefined;
  readonly headers: IncomingHttpHeaders;
  /** Address of the client behind the trusted proxies. */
  readonly clientAddress: string;
}

/** The ports as one call sees them: those of all calls, with a gate that counts its caller and a fetcher that counts its files. */
interface CallPorts extends RelayPorts {
  readonly admission: UserConcurrency;
  readonly observer: CallObserver;
  /** The call is over. */
  leave(): void;
}

/** Builds the ports of one call. @param callers  directory for this caller; absent = the shared one */
type CallPortsClass = new (observer: CallObserver, callers?: CallerDirectory) => CallPorts;

/** The ports of a call inherit those that all calls share: each port is named once, and a call copies none. */
function callPortsOver(shared: RelayPorts, gates: ConcurrencyLimits): CallPortsClass {
  class OwnPorts {
    readonly admission = new UserConcurrency(shared.admission, gates);
    declare readonly callers: CallerDirectory;
    ownMedia?: CallMedia | undefined;

    constructor(
      readonly observer: CallObserver,
      callers?: CallerDirectory,
    ) {
      if (callers !== undefined) this.callers = callers;
    }

    /** Made when it is first asked for: few calls name files. */
    get media(): MediaFetcher {
      return (this.ownMedia ??= new CallMedia(shared.media, gates));
    }

    leave(): void {
      this.admission.leave();
      this.ownMedia?.leave();
      this.observer.over();
    }
  }
  Object.setPrototypeOf(OwnPorts.prototype, shared);
  return OwnPorts as CallPortsClass;
}

interface ActiveCallParts {
  readonly route: RelayRoute;
  readonly request: RelayRequest;
  readonly sink: ReplySink;
  readonly ports: CallPorts;
  readonly bodyBytes: number;
  readonly callers: CallerDirectory | undefined;
}

/** A running call. */
class ActiveCall extends LinkedListNode implements CallEnd, RunningWork, ActiveCallParts {
  readonly route: RelayRoute;
  readonly request: RelayRequest;
  readonly sink: ReplySink;
  readonly ports: CallPorts;
  readonly bodyBytes: number;
  readonly callers: CallerDirectory | undefined;
  private isOver = false;

  constructor(
    { route, request, sink, ports, bodyBytes, callers }: ActiveCallParts,
    private readonly home: {
      leave(call: ActiveCall): void;
      answerFault(call: ActiveCall, fault: unknown): void;
    },
  ) {
    super();
    this.route = route;
    this.request = request;
    this.sink = sink;
    this.ports = ports;
    this.bodyBytes = bodyBytes;
    this.callers = callers;
  }

  /** Undefined until the pipeline knows. */
  get caller(): Caller | undefined {
    return this.ports.admission.caller;
  }

  get credential(): string | null {
    const found = this.route.dialect.findCredential(this.request.headers, queryOf(this.request.url));
    return found.ok ? found.value : null;
  }

  /** Ends it with an error event; what it produced is charged. */
  terminate(error: RelayError): void {
    const { dialect } = this.route;
    const { callId } = this.request;
    this.sink.cutShort(error, dialect.writeError(error, callId), dialect.writeErrorFrame(error, callId));
  }

  onOver(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.home.leave(this);
  }

  onFault(fault: unknown): void {
    if (this.isOver) return;
    this.onOver();
    this.home.answerFault(this, fault);
  }
}

const FAULT = refusal('call-failed');

/** Gives requests to the pipeline, and tracks running calls. */
@Injectable()
export class CallRunner {
  readonly routes: readonly RelayRoute[] = DIALECTS.flatMap((dialect) =>
    dialect.routes.map((route) => ({ ...route, dialect, pattern: patternOf(route.path) })),
  );
  private readonly logger = new Logger('Relay');
  private readonly active = new LinkedList<ActiveCall>();
  private readonly callPorts: CallPortsClass;

  constructor(
    @Inject(RELAY_PORTS) private readonly ports: RelayPorts,
    private readonly gates: ConcurrencyLimits,
    private readonly watch: RelayWatch,
    closed: RevokedCallers,
  ) {
    this.callPorts = callPortsOver(ports, gates);
    watch.countStreams(() => this.active.toArray().filter(({ sink }) => sink.isStreaming).length);
    watch.countAbandoned(() => this.ports.abandoned?.count ?? 0);
    closed.watch(() => this.active.toArray());
  }

  /**
   * A large body, or one of unknown length, is only read for a known caller.
   * @returns null when the body may be read at once
   */
  rejectUnknownCaller(
    route: RelayRoute,
    request: RelayRequest,
    lengthBytes: number | undefined,
  ): Promise<RelayError | null> | null {
    if (lengthBytes !== undefined && lengthBytes <= ANONYMOUS_BODY_BYTES) return null;
    return this.identify(route, request);
  }

  /** Answers by itself, later. @param callers  directory for this caller; absent = callers are identified by their keys */
  start(
    route: RelayRoute,
    request: RelayRequest,
    body: Buffer,
    response: RawReply,
    callers?: CallerDirectory,
  ): void {
    const { callId, url } = request;
    const sink = new ReplySink(response, commonHeaders(callId, route.dialect));
    const observer = this.watch.begin(route.path, request, route.operation);
    const ports = new this.callPorts(observer, callers);
    const active = new ActiveCall({ route, request, sink, ports, bodyBytes: body.length, callers }, this);
    this.active.add(active);
    this.gates.beginCall(body.length);
    const call = {
      callId,
      path: pathOf(url),
      pathModel: request.pathModel,
      headers: request.headers,
      query: queryOf(url),
      body,
      receivedAtMs: this.ports.clock.nowMs(),
      clientAddress: request.clientAddress,
    };
    if (isCountRoute(route))
      countCall(ports, call, route.dialect, route, sink).then(
        () => active.onOver(),
        (fault: unknown) => active.onFault(fault),
      );
    else startCall(ports, call, route.dialect, route, sink, active);
  }

  /** For its calls: one is over. */
  leave(call: ActiveCall): void {
    call.ports.leave();
    this.active.remove(call);
    this.gates.endCall(call.bodyBytes);
  }

  /** For its calls. The pipeline answers every expected failure itself; what arrives here is a bug. */
  answerFault({ route, sink, ports, request: { callId } }: ActiveCall, fault: unknown): void {
    const text = fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
    this.logger.error({ message: `a call failed: ${text}`, callId });
    ports.observer.refused(undefined, FAULT, NO_ATTEMPTS);
    if (sink.isCommitted) {
      sink.abort();
      return;
    }
    const rendered = route.dialect.writeError(FAULT, callId);
    sink.writeHead(rendered.status, rendered.headers);
    sink.end(rendered.body);
  }

  /** Ends the calls whose clients are gone, and reads none on any more. */
  endAbandoned(): void {
    this.ports.abandoned?.close();
  }

  /** Ends every running call with an error event; what they produced is charged. */
  endAll(): void {
    const error = refusal('shutting-down');
    for (const call of this.active.toArray()) call.terminate(error);
  }

  private async identify(route: RelayRoute, request: RelayRequest): Promise<RelayError | null> {
    const credential = route.dialect.findCredential(request.headers, queryOf(request.url));
    if (!credential.ok) return credential.error;
    const caller = await this.ports.callers.identify(credential.value, request.clientAddress);
    return caller.ok ? null : caller.error;
  }
}
