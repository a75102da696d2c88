import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { Ring, RingMember } from '../../common/ring.js';
import { ChangeFeed } from '../../infra/events/change-feed.js';
import type { Caller } from '../../relay-core/model/call.js';
import type { Dialect, DialectRoute } from '../../relay-core/dialects/dialect.js';
import { DIALECTS } from '../../relay-core/dialects/registry.js';
import type { RelayError } from '../../relay-core/model/relay-error.js';
import { countCall, isCountRoute } from '../../relay-core/pipeline/count-call.js';
import type { RelayPorts } from '../../relay-core/pipeline/relay-ports.js';
import { startCall } from '../../relay-core/pipeline/run-call.js';
import type { CallEnd } from '../../relay-core/pipeline/served-call.js';
import { CallPorts } from './call-ports.js';
import { RelayGates } from './relay-gates.js';
import { pathOf, patternOf, queryOf } from './relay-paths.js';
import { commonHeaders } from './relay-replies.js';
import { ReplySink } from './reply-sink.js';

/** Token of the ports of the pipeline (relay.module.ts). */
export const RELAY_PORTS = Symbol('RELAY_PORTS');

/** Bodies up to here are read before the caller is known: looking twice would cost more than reading. */
const ANONYMOUS_BODY_BYTES = 64 * 1024;

/** An address of a dialect, ready to be matched. */
export type RelayRoute = DialectRoute & { readonly dialect: Dialect; readonly pattern: RegExp };

/** A request as it came, without its body. */
export interface EdgeRequest {
  readonly callId: string;
  /** Path and query as they stand in the request line. */
  readonly url: string;
  /** Model named by the address, decoded; undefined = the body names it. */
  readonly pathModel: string | undefined;
  readonly headers: IncomingHttpHeaders;
  /** Address of the client behind the trusted proxies. */
  readonly clientAddress: string;
}

/** A call under way. */
class ActiveCall extends RingMember implements CallEnd {
  private isOver = false;

  constructor(
    readonly route: RelayRoute,
    readonly request: EdgeRequest,
    readonly sink: ReplySink,
    readonly ports: CallPorts,
    readonly bodyBytes: number,
    private readonly home: {
      leave(call: ActiveCall): void;
      answerFault(call: ActiveCall, fault: unknown): void;
    },
  ) {
    super();
  }

  /** Undefined until the pipeline knows. */
  get caller(): Caller | undefined {
    return this.ports.admission.caller;
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

/** Refusals of the caller itself that end what it has running; a group or an address only matters for new calls. */
const ENDING_REFUSALS: ReadonlySet<RelayError['kind']> = new Set(['unauthenticated', 'account-banned']);

/** Gives requests to the pipeline, and keeps count of what is under way. */
@Injectable()
export class CallRunner implements OnApplicationShutdown {
  readonly routes: readonly RelayRoute[] = DIALECTS.flatMap((dialect) =>
    dialect.routes.map((route) => ({
      ...route,
      dialect,
      pattern: patternOf(route.path),
    })),
  );
  private readonly logger = new Logger('Relay');
  private readonly active = new Ring<ActiveCall>();
  private readonly stopListening: readonly (() => void)[];

  constructor(
    @Inject(RELAY_PORTS) private readonly ports: RelayPorts,
    private readonly gates: RelayGates,
    changes: ChangeFeed,
  ) {
    this.stopListening = [
      changes.on('token', (id) => this.recheck((caller) => caller.tokenId === id)),
      changes.on('user', (id) => this.recheck((caller) => caller.userId === id)),
    ];
  }

  onApplicationShutdown(): void {
    for (const stop of this.stopListening) stop();
  }

  /**
   * A large body, or one of unknown length, is only read for somebody we know.
   * @returns null when the body may be read at once
   */
  refuseStranger(
    route: RelayRoute,
    request: EdgeRequest,
    lengthBytes: number | undefined,
  ): Promise<RelayError | null> | null {
    if (lengthBytes !== undefined && lengthBytes <= ANONYMOUS_BODY_BYTES) return null;
    return this.identify(route, request);
  }

  /** Answers by itself, later. */
  start(route: RelayRoute, request: EdgeRequest, body: Buffer, response: ServerResponse): void {
    const { callId, url } = request;
    const sink = new ReplySink(response, commonHeaders(callId));
    const ports = new CallPorts(this.ports, this.gates);
    const active = new ActiveCall(route, request, sink, ports, body.length, this);
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
  answerFault({ route, sink, request: { callId } }: ActiveCall, fault: unknown): void {
    this.logger.error(
      `call ${callId} failed: ${fault instanceof Error ? (fault.stack ?? fault.message) : String(fault)}`,
    );
    if (sink.isCommitted) {
      sink.abort();
      return;
    }
    const message = 'The gateway failed while handling this call.';
    const rendered = route.dialect.writeError({ kind: 'internal', blame: 'gateway', message }, callId);
    sink.writeHead(rendered.status, rendered.headers);
    sink.end(rendered.body);
  }

  /** Ends every call under way with an error event; what they produced is charged. */
  endAll(): void {
    const error: RelayError = {
      kind: 'shutting-down',
      blame: 'gateway',
      message: 'This gateway is shutting down.',
    };
    for (const call of this.active.toArray()) cutShort(call, error);
  }

  /** An account or a key changed: calls whose key would be refused now end with that refusal; what they produced is charged. */
  private recheck(isConcerned: (caller: Caller) => boolean): void {
    for (const call of this.active.toArray()) {
      const { caller } = call;
      if (caller === undefined || !isConcerned(caller)) continue;
      this.identify(call.route, call.request).then(
        (refusal) => {
          if (refusal !== null && ENDING_REFUSALS.has(refusal.kind)) cutShort(call, refusal);
        },
        (fault: unknown) =>
          this.logger.error(`a running call could not be looked at again: ${String(fault)}`),
      );
    }
  }

  private async identify(route: RelayRoute, request: EdgeRequest): Promise<RelayError | null> {
    const credential = route.dialect.findCredential(request.headers, queryOf(request.url));
    if (!credential.ok) return credential.error;
    const caller = await this.ports.callers.identify(credential.value, request.clientAddress);
    return caller.ok ? null : caller.error;
  }
}

function cutShort({ route, request: { callId }, sink }: ActiveCall, error: RelayError): void {
  sink.cutShort(route.dialect.writeError(error, callId), route.dialect.writeErrorFrame(error, callId));
}
