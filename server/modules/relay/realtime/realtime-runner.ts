import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { WebSocketServer } from 'ws';
import { ChangeFeed } from '../../../infra/events/change-feed.js';
import { MAX_FRAME_BYTES } from '../../../infra/http/ws-realtime-socket.js';
import {
  findRealtimeCredential,
  realtimeErrorEvent,
  realtimeModel,
} from '../../../relay-core/dialects/openai-realtime.js';
import type { Caller } from '../../../relay-core/model/call.js';
import type { RelayError } from '../../../relay-core/model/relay-error.js';
import type { RelayPorts } from '../../../relay-core/pipeline/relay-ports.js';
import { RealtimeDialer } from '../../../relay-core/ports/realtime-socket.js';
import { realtimeRequest } from '../../../relay-core/providers/realtime.js';
import { type RealtimeHandle, runRealtime } from '../../../relay-core/realtime/run-realtime.js';
import { type EdgeRequest, RELAY_PORTS } from '../call-runner.js';
import { RelayGates } from '../relay-gates.js';
import { pathOf, queryOf } from '../relay-paths.js';
import { repeatsCredential } from '../request-checks.js';
import { UserGate } from '../user-gate.js';
import { UpgradingClient } from './realtime-client.js';
import type { PendingUpgrade } from './upgrades.js';

const NO_BODY = Buffer.alloc(0);
const RETRY_AFTER_MS = 1_000;
/** Refusals of the caller itself that end what it has running. */
const ENDING_REFUSALS: ReadonlySet<RelayError['kind']> = new Set(['unauthenticated', 'account-banned']);

interface ActiveSession extends RealtimeHandle {
  readonly client: UpgradingClient;
  readonly credential: string;
  readonly clientAddress: string;
}

/** Realtime sessions of this process: lets them in, keeps count of them, ends them when their key or the process ends. */
@Injectable()
export class RealtimeRunner implements OnApplicationShutdown {
  private readonly logger = new Logger('Realtime');
  private readonly active = new Set<ActiveSession>();
  private readonly stopListening: readonly (() => void)[];
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
    this.server.close();
  }

  /** Takes a handshake; answers by itself, later. */
  start(request: EdgeRequest, raw: IncomingMessage, upgrade: PendingUpgrade): void {
    const { callId, url, headers, clientAddress } = request;
    const client = new UpgradingClient(this.server, raw, upgrade, callId);
    const refusal = this.refusal(raw);
    if (refusal !== null) return void client.refuse(refusal);
    const query = queryOf(url);
    const found = findRealtimeCredential(headers, query);
    if (!found.ok) return void client.refuse(found.error);
    const model = realtimeModel(query);
    if (!model.ok) return void client.refuse(model.error);
    const { credential, asBrowser } = found.value;
    const session: ActiveSession = {
      ...{ client, credential, clientAddress },
      caller: undefined,
      session: undefined,
    };
    const gate = new UserGate(this.ports.admission, this.gates);
    this.active.add(session);
    this.gates.beginCall(0);
    const call = {
      ...{ callId, path: pathOf(url), pathModel: undefined, headers, query, clientAddress },
      body: NO_BODY,
      receivedAtMs: this.ports.clock.nowMs(),
    };
    const rules = {
      model: model.value,
      credential,
      handshake: (route: Parameters<typeof realtimeRequest>[0]) => realtimeRequest(route, asBrowser),
      writeError: (error: RelayError) => realtimeErrorEvent(error, callId),
    };
    const ports = { ...this.ports, admission: gate, dialer: this.dialer };
    runRealtime(ports, call, rules, client, session)
      .catch((fault: unknown) => {
        // The pipeline answers every expected failure itself; what arrives here is a bug.
        this.logger.error(
          `session ${callId} failed: ${fault instanceof Error ? fault.stack : String(fault)}`,
        );
        client.giveUp({ kind: 'internal', blame: 'gateway', message: 'The gateway failed.' });
        upgrade.socket.destroy();
      })
      .finally(() => {
        gate.leave();
        this.active.delete(session);
        this.gates.endCall(0);
      });
  }

  /** Ends every session under way with an error event; what they used is charged. */
  endAll(): void {
    for (const session of this.active) cutShort(session, SHUTTING_DOWN);
  }

  private refusal(raw: IncomingMessage): RelayError | null {
    const gate = this.gates.refusal(0);
    if (gate !== null) {
      const message = gate === 'draining' ? 'This gateway is restarting.' : 'This gateway is at its limit.';
      return {
        kind: 'unavailable',
        blame: 'gateway',
        retryAfterMs: RETRY_AFTER_MS,
        message: `${message} Please try again.`,
      };
    }
    return repeatsCredential(raw.rawHeaders)
      ? { kind: 'unauthenticated', blame: 'caller', message: 'Send exactly one API key.' }
      : null;
  }

  /** An account or a key changed: sessions whose key would be refused now end with that refusal. */
  private recheck(isConcerned: (caller: Caller) => boolean): void {
    for (const session of this.active) {
      if (session.caller === undefined || !isConcerned(session.caller)) continue;
      Promise.resolve(this.ports.callers.identify(session.credential, session.clientAddress)).then(
        (caller) => {
          if (!caller.ok && ENDING_REFUSALS.has(caller.error.kind)) cutShort(session, caller.error);
        },
        (fault: unknown) =>
          this.logger.error(`a running session could not be looked at again: ${String(fault)}`),
      );
    }
  }
}

function cutShort({ session, client }: ActiveSession, error: RelayError): void {
  if (session === undefined) client.giveUp(error);
  else session.cutShort(error);
}

const SHUTTING_DOWN: RelayError = {
  kind: 'shutting-down',
  blame: 'gateway',
  message: 'This gateway is shutting down.',
};
