import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answer } from '../../http/relay-replies.js';
import type { RealtimeRunner } from './realtime-runner.js';
import { REALTIME_PATH, type Upgrades } from './upgrades.js';

/** `GET /v1/realtime`: a WebSocket, or a word about it. */
export function addRealtimeRoute(scope: FastifyInstance, runner: RealtimeRunner, upgrades: Upgrades): void {
  const take = (request: FastifyRequest, reply: FastifyReply): void => {
    const upgrade = upgrades.of(request.raw);
    if (upgrade === undefined) return;
    reply.hijack();
    const { id: callId, url, headers, ip: clientAddress } = request;
    runner.start({ callId, url, pathModel: undefined, headers, clientAddress }, request.raw, upgrade);
  };
  scope.route({
    method: 'GET',
    url: REALTIME_PATH,
    exposeHeadRoute: false,
    handler: (request, reply) => {
      take(request, reply);
      if (reply.sent) return undefined;
      const error = {
        message: 'Realtime sessions are WebSockets: connect with wss:// and the Upgrade header.',
        type: 'invalid_request_error',
        param: null,
        code: 'upgrade_required',
      };
      return answer(request, reply.header('upgrade', 'websocket'), 426, { error });
    },
  });
}
