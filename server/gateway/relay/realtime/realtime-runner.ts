import type { IncomingMessage } from 'node:http';
import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { type WebSocket, WebSocketServer } from 'ws';
import { MAX_FRAME_BYTES, WsRealtimeSocket } from '../../../infra/http-client/ws-realtime-socket.js';
import {
  findRealtimeCredential,
  realtimeErrorEvent,
  realtimeModel,
} from '../../../relay-core/dialects/openai-realtime.js';
import type { Caller } from '../../../relay-core/model/call.js';
import { refusal } from '../../../relay-core/model/refusals.js';
import type { RelayError } from '../../../relay-core/model/relay-error.js';
import type { RelayPorts } from '../../../relay-core/pipeline/context/relay-ports.js';
import { NO_ATTEMPTS } from '../../../relay-core/ports/call-watch.js';
import { RealtimeDialer, type RealtimeSocket } from '../../../relay-core/ports/realtime-socket.js';
import { realtimeRequest } from '../../../relay-core/providers/realtime.js';
import type { RealtimeClient, RealtimeHandle } from '../../../relay-core/realtime/realtime-parties.js';
import { runRealtime } from '../../../relay-core/realtime/run-realtime.js';
import { RELAY_PORTS, type RelayRequest } from '../call-runner.js';
import { RevokedCallers, type RunningWork } from '../revoked-callers.js';
import { RelayWatch } from '../watch/relay-watch.js';
import { ConcurrencyLimits, gateRefusal, UserConcurrency } from '../concurrency-limits.js';
import { pathOf, queryOf } from '../../http/relay-paths.js';
import { repeatsCredential } from '../../http/request-checks.js';
import type { PendingUpgrade } from './upgrades.js';
import { contained } from '../../../common/contain-faults.js';
import { openai } from '../../../relay-core/dialects/openai.js';
import { NodeReply } from '../../http/relay-replies.js';
import { writeRefusal } from '../../http/relay-replies.js';

const GONE_STATUS = 499;

const REALTIME_PATH = '/v1/realtime';
const NO_BODY = Buffer.alloc(0);
const RETRY_AFTER_MS = 1_000;

interface ActiveSession extends RealtimeHandle, RunningWork {
  readonly client: UpgradingClient;
  caller: Caller | undefined;
}

/** Realtime sessions of this process: lets them in, keeps count of them, ends them when their key or the process ends. */
@Injectable()
export class RealtimeRunner implements OnApplicationShutdown {
  private readonly logger = new Logger('Realtime');
  private readonly active = new Set<ActiveSession>();
  private readonly server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_FRAME_BYTES,
    perMessageDeflate: false,
    // The key is offered as a protocol too, and is never sent back.
    handleProtocols: (offered) => (offered.has('realtime') ? 'realtime' : false),
  });

  constructor(
    @Inject(RELAY_PORTS) private readonly ports: RelayPorts,
    private readonly dialer: RealtimeDialer,
    private readonly gates: ConcurrencyLimits,
    private readonly watch: RelayWatch,
    closed: RevokedCallers,
  ) {
    watch.countStreams(() => this.active.size);
    closed.watch(() => [...this.active]);
  }

  onApplicationShutdown(): void {
    this.server.close();
  }

  /** Takes a handshake; answers by itself, later. */
  start(request: RelayRequest, raw: IncomingMessage, upgrade: PendingUpgrade): void {
    const { callId, url, headers, clientAddress } = request;
    const client = new UpgradingClient(this.server, raw, upgrade, callId);
    const refusal = this.refusal(raw);
    if (refusal !== null) return this.reject(client, refusal);
    const query = queryOf(url);
    const found = findRealtimeCredential(headers, query);
    if (!found.ok) return this.reject(client, found.error);
    const model = realtimeModel(query);
    if (!model.ok) return this.reject(client, model.error);
    const { credential, asBrowser } = found.value;
    const session: ActiveSession = {
      client,
      credential,
      caller: undefined,
      session: undefined,
      terminate: (error) => terminate(session, error),
      reportFault: (fault) => this.report(fault, callId),
    };
    const gate = new UserConcurrency(this.ports.admission, this.gates);
    this.active.add(session);
    this.gates.beginCall(0);
    const call = {
      callId,
      path: pathOf(url),
      pathModel: undefined,
      headers,
      query,
      clientAddress,
      body: NO_BODY,
      receivedAtMs: this.ports.clock.nowMs(),
    };
    const rules = {
      model: model.value,
      credential,
      handshake: (route: Parameters<typeof realtimeRequest>[0]) => realtimeRequest(route, asBrowser),
      writeError: (error: RelayError) => realtimeErrorEvent(error, callId),
      memory: this.gates,
    };
    const observer = this.watch.begin(REALTIME_PATH, request, 'chat');
    const ports = { ...this.ports, admission: gate, dialer: this.dialer, observer };
    runRealtime(ports, call, rules, client, session)
      .catch((fault: unknown) => {
        // The pipeline answers every expected failure itself; what arrives here is a bug.
        this.report(fault, callId);
        observer.refused(undefined, FAULT, NO_ATTEMPTS);
        client.failHandshake(FAULT);
        upgrade.socket.destroy();
      })
      .finally(() => {
        gate.leave();
        observer.over();
        this.active.delete(session);
        this.gates.endCall(0);
      });
  }

  /** Ends every open session with an error event and charges its usage. */
  endAll(): void {
    for (const session of this.active) terminate(session, SHUTTING_DOWN);
  }

  private report(fault: unknown, callId: string): void {
    const text = fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
    this.logger.error({ message: `a session failed: ${text}`, callId });
  }

  private reject(client: UpgradingClient, error: RelayError): void {
    client.refuse(error);
    this.watch.refusedBeforeItsBody(REALTIME_PATH, error);
  }

  private refusal(raw: IncomingMessage): RelayError | null {
    const gate = this.gates.refusal(0);
    if (gate !== null) return gateRefusal(gate, RETRY_AFTER_MS);
    return repeatsCredential(raw.rawHeaders) ? refusal('keys-sent') : null;
  }
}

function terminate({ session, client }: ActiveSession, error: RelayError): void {
  if (session === undefined) client.failHandshake(error);
  else session.cutShort(error);
}

const FAULT = refusal('failed');
const SHUTTING_DOWN = refusal('shutting-down');

/** The caller's handshake, until it is refused or becomes a session. */
export class UpgradingClient implements RealtimeClient {
  private readonly goneListeners = new Set<() => void>();
  private isDecided = false;
  isGone = false;

  constructor(
    private readonly server: WebSocketServer,
    private readonly request: IncomingMessage,
    private readonly upgrade: PendingUpgrade,
    private readonly callId: string,
  ) {
    upgrade.socket.once(
      'close',
      contained(() => this.leave()),
    );
  }

  onGone(listener: () => void): void {
    if (this.isGone) listener();
    else this.goneListeners.add(listener);
  }

  refuse(error: RelayError): number {
    if (this.isDecided || this.isGone) return GONE_STATUS;
    this.isDecided = true;
    const reply = openai.writeError(error, this.callId);
    writeRefusal(new NodeReply(this.upgrade.response), reply, this.callId, { connection: 'close' });
    return reply.status;
  }

  /** Ends a handshake that is still waiting for its upstream. */
  failHandshake(error: RelayError): void {
    this.refuse(error);
    this.leave();
  }

  accept(): Promise<RealtimeSocket | undefined> {
    if (this.isDecided || this.isGone) return Promise.resolve(undefined);
    this.isDecided = true;
    const { socket, head, response } = this.upgrade;
    response.detachSocket(socket);
    return new Promise((resolve) => {
      // A handshake `ws` refuses by itself closes the connection.
      const end = contained(() => resolve(undefined));
      socket.once('close', end);
      const begin = (webSocket: WebSocket): void => {
        const connection = new WsRealtimeSocket(webSocket, true);
        connection.count(socket);
        resolve(connection);
      };
      this.server.handleUpgrade(
        this.request,
        socket,
        head,
        contained(begin, () => socket.destroy()),
      );
    });
  }

  private leave(): void {
    this.isGone = true;
    for (const listener of this.goneListeners) listener();
    this.goneListeners.clear();
  }
}
