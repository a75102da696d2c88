import { Injectable } from '@nestjs/common';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refusal, requestRefusal } from '../../relay-core/model/refusals.js';
import type { RelayError } from '../../relay-core/model/relay-error.js';
import { CallRunner, type RelayRoute } from './call-runner.js';
import { ModelLists } from './model-lists.js';
import { bodyTooLarge, RelayHandler } from './relay-handler.js';
import { TaskRoutes } from '../tasks/task.routes.js';
import { isKnownButNotImplemented, pathOf, RELAY_PREFIXES, servedPathLike } from '../http/relay-paths.js';
import { answer, refuse, refuseMethod, refuseUpgrade } from '../http/relay-replies.js';
import { RealtimeRunner } from './realtime/realtime-runner.js';
import { REALTIME_PATH, type Upgrades } from './realtime/upgrades.js';

const PREFLIGHT_SECONDS = '86400';
/** Names of headers a browser asks for in a preflight, nothing else. */
const HEADER_LIST = /^[A-Za-z0-9-]{1,64}(, ?[A-Za-z0-9-]{1,64}){0,63}$/;

/** Lists of models, each with one model below it. */
const MODEL_LISTS = ['/v1/models', '/v1beta/models', '/v1beta/openai/models'];

/**
 * The relay's routes on Nest's own Fastify instance, in a context of their own: bodies stay bytes, no Nest pipe, guard or
 * interceptor stands in the way of a call, errors have the shape clients of the API expect.
 */
@Injectable()
export class RelayRoutes {
  constructor(
    private readonly runner: CallRunner,
    private readonly relay: RelayHandler,
    private readonly realtime: RealtimeRunner,
    private readonly models: ModelLists,
    private readonly tasks: TaskRoutes,
  ) {}

  addTo(fastify: FastifyInstance, upgrades: Upgrades): void {
    fastify.register((scope, _options, done) => {
      this.readBodies(scope);
      this.addCalls(scope);
      addRealtimeRoute(scope, this.realtime, upgrades);
      this.addModelLists(scope);
      this.tasks.addTo(scope);
      this.addOthers(scope);
      done();
    });
  }

  private readBodies(scope: FastifyInstance): void {
    const { maxBodyBytes: bodyLimit } = this.relay;
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, body, parsed) =>
      parsed(null, body),
    );
    scope.setErrorHandler((error: FastifyError, request, reply) =>
      refuse(request, reply, toRelayError(error, request.routeOptions.bodyLimit ?? bodyLimit)),
    );
  }

  private addCalls(scope: FastifyInstance): void {
    for (const route of this.runner.routes) {
      scope.route({
        method: 'POST',
        url: route.path,
        // The relay reads the body itself: the framework is left before it would.
        onRequest: (request, reply) => takeOver(this.relay, route, request, reply),
        handler: (request, reply) => takeOver(this.relay, route, request, reply),
      });
    }
  }

  private addModelLists(scope: FastifyInstance): void {
    for (const list of MODEL_LISTS) {
      scope.get(list, (request, reply) => this.models.list(request, reply));
      scope.get(`${list}/*`, (request, reply) => this.models.show(request, reply));
    }
  }

  private addOthers(scope: FastifyInstance): void {
    for (const prefix of RELAY_PREFIXES) {
      for (const url of [prefix, `${prefix}/*`]) {
        scope.route({
          method: ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'],
          url,
          bodyLimit: this.relay.maxBodyBytes,
          onRequest: (request, reply, next) => {
            if (!this.handleSlashedModel(request, reply)) next();
          },
          handler: (request, reply) => this.answerOther(request, reply),
        });
      }
    }
  }

  /** Names of models may hold slashes, which the router parts an address by. @returns false when it is no such call */
  private handleSlashedModel(request: FastifyRequest, reply: FastifyReply): boolean {
    if (request.method !== 'POST') return false;
    const path = pathOf(request.url);
    for (const route of this.runner.routes) {
      const model = route.path.includes(':') ? decoded(route.pattern.exec(path)?.[1]) : undefined;
      if (model === undefined) continue;
      takeOver(this.relay, route, request, reply, model);
      return true;
    }
    return false;
  }

  private answerOther(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const path = pathOf(request.url);
    const methods = this.methodsOf(path);
    if (request.method === 'OPTIONS') return answerPreflight(request, reply, methods);
    const place = { method: request.method, path: path.slice(0, 200) };
    if (isKnownButNotImplemented(path)) return refuse(request, reply, refusal('address-not-offered', place));
    if (path === RESPONSES_PATH && request.headers.upgrade?.toLowerCase() === 'websocket')
      return refuseUpgrade(request, reply, path);
    if (methods.length > 0) return refuseMethod(request, reply, path, methods);
    const served = servedPathLike(path);
    if (served !== undefined)
      return refuse(request, reply, refusal('address-mistyped', { ...place, served }));
    return refuse(request, reply, refusal('address-unknown', place));
  }

  private methodsOf(path: string): readonly string[] {
    const taskMethods = this.tasks.methodsOf(path);
    if (taskMethods.length > 0) return taskMethods;
    if (this.runner.routes.some((route) => route.pattern.test(path))) return ['POST'];
    const isRead = path === REALTIME_PATH || MODEL_LISTS.some((list) => isListed(path, list));
    return isRead ? ['GET'] : [];
  }
}

/** OpenAI has its WebSocket here; Codex opens it first. */
const RESPONSES_PATH = '/v1/responses';

function takeOver(
  relay: RelayHandler,
  route: RelayRoute,
  request: FastifyRequest,
  reply: FastifyReply,
  pathModel = (request.params as { readonly model?: string }).model,
): void {
  reply.hijack();
  const { id: callId, url, headers, ip: clientAddress } = request;
  relay.take(route, { callId, url, pathModel, headers, clientAddress }, request.raw, reply.raw);
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return undefined; // a stray percent sign: no model has that name
  }
}

/** Below Google's list a colon begins a verb: those we know are routes, all others do not exist. */
const isListed = (path: string, list: string): boolean =>
  path === list || (path.startsWith(`${list}/`) && !(list === '/v1beta/models' && /:[A-Za-z]+$/.test(path)));

/** Any origin may ask, never with credentials: the relay takes keys from headers only and reads no cookie. */
function answerPreflight(
  request: FastifyRequest,
  reply: FastifyReply,
  methods: readonly string[],
): FastifyReply {
  const asked = request.headers['access-control-request-headers'];
  void reply
    .header('access-control-allow-methods', (methods.length > 0 ? methods : ['GET', 'POST']).join(', '))
    .header(
      'access-control-allow-headers',
      asked !== undefined && HEADER_LIST.test(asked) ? asked : 'authorization, content-type',
    )
    .header('access-control-max-age', PREFLIGHT_SECONDS);
  return answer(request, reply, 204, undefined);
}

/** Fastify's own refusals while it reads a request. */
function toRelayError(error: FastifyError, maxBodyBytes: number): RelayError {
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return bodyTooLarge(maxBodyBytes);
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return refusal('body-no-json');
  }
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return requestRefusal('The request could not be read.');
  }
  return { ...refusal('failed'), cause: error };
}

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
