import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refusal } from '../../relay-core/model/refusals.js';
import type { RelayError } from '../../relay-core/model/relay-error.js';
import type { CallRunner, RelayRoute } from './call-runner.js';
import type { ModelLists } from './model-lists.js';
import { bodyTooLarge, type RelayHandler } from './relay-handler.js';
import type { TaskRoutes } from '../tasks/task.routes.js';
import { isKnownButNotImplemented, pathOf, RELAY_PREFIXES } from '../relay-http/relay-paths.js';
import { answer, refuse, refuseMethod } from '../relay-http/relay-replies.js';
import type { RealtimeRunner } from './realtime/realtime-runner.js';
import { addRealtimeRoute } from './realtime/realtime.routes.js';
import { REALTIME_PATH, type Upgrades } from './realtime/upgrades.js';

const PREFLIGHT_SECONDS = '86400';
/** Names of headers a browser asks for in a preflight, nothing else. */
const HEADER_LIST = /^[A-Za-z0-9-]{1,64}(, ?[A-Za-z0-9-]{1,64}){0,63}$/;

/** Lists of models, each with one model below it. */
const MODEL_LISTS = ['/v1/models', '/v1beta/models', '/v1beta/openai/models'];

export interface RelayParts {
  readonly runner: CallRunner;
  readonly models: ModelLists;
  readonly relay: RelayHandler;
  readonly realtime: RealtimeRunner;
  readonly upgrades: Upgrades;
  readonly tasks: TaskRoutes;
  readonly maxBodyBytes: number;
}

/**
 * The relay's routes on Nest's own Fastify instance, in a context of their own: bodies stay bytes, no Nest pipe, guard or
 * interceptor stands in the way of a call, errors have the shape clients of the API expect.
 */
export function relayRoutes(parts: RelayParts) {
  const { runner, relay, models, tasks, maxBodyBytes } = parts;
  return (scope: FastifyInstance, _options: unknown, done: () => void): void => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: maxBodyBytes },
      (_request, body, parsed) => parsed(null, body),
    );
    scope.setErrorHandler((error: FastifyError, request, reply) =>
      refuse(request, reply, toRelayError(error, request.routeOptions.bodyLimit ?? maxBodyBytes)),
    );
    for (const route of runner.routes) {
      scope.route({
        method: 'POST',
        url: route.path,
        // The relay reads the body itself: the framework is left before it would.
        onRequest: (request, reply) => takeOver(relay, route, request, reply),
        handler: (request, reply) => takeOver(relay, route, request, reply),
      });
    }
    addRealtimeRoute(scope, parts.realtime, parts.upgrades);
    for (const list of MODEL_LISTS) {
      scope.get(list, (request, reply) => models.list(request, reply));
      scope.get(`${list}/*`, (request, reply) => models.show(request, reply));
    }
    tasks.addTo(scope);
    for (const prefix of RELAY_PREFIXES) {
      for (const url of [prefix, `${prefix}/*`]) {
        scope.route({
          method: ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'],
          url,
          bodyLimit: maxBodyBytes,
          onRequest: (request, reply, next) => {
            if (!takeSlashed(parts, request, reply)) next();
          },
          handler: (request, reply) => answerOther(parts, request, reply),
        });
      }
    }
    done();
  };
}

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

/** Names of models may hold slashes, which the router parts an address by. @returns false when it is no such call */
function takeSlashed({ runner, relay }: RelayParts, request: FastifyRequest, reply: FastifyReply): boolean {
  if (request.method !== 'POST') return false;
  const path = pathOf(request.url);
  for (const route of runner.routes) {
    const model = route.path.includes(':') ? decoded(route.pattern.exec(path)?.[1]) : undefined;
    if (model === undefined) continue;
    takeOver(relay, route, request, reply, model);
    return true;
  }
  return false;
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return undefined; // a stray percent sign: no model has that name
  }
}

function answerOther(parts: RelayParts, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = pathOf(request.url);
  const methods = methodsOf(parts, path);
  if (request.method === 'OPTIONS') return answerPreflight(request, reply, methods);
  const place = { method: request.method, path: path.slice(0, 200) };
  if (isKnownButNotImplemented(path)) {
    return refuse(request, reply, refusal('address-not-offered', place));
  }
  if (methods.length > 0) return refuseMethod(request, reply, path, methods);
  return refuse(request, reply, refusal('address-unknown', place));
}

function methodsOf({ runner, tasks }: RelayParts, path: string): readonly string[] {
  const taskMethods = tasks.methodsOf(path);
  if (taskMethods.length > 0) return taskMethods;
  if (runner.routes.some((route) => route.pattern.test(path))) return ['POST'];
  const isRead = path === REALTIME_PATH || MODEL_LISTS.some((list) => isListed(path, list));
  return isRead ? ['GET'] : [];
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
    return { kind: 'invalid-request', blame: 'caller', message: 'The request could not be read.' };
  }
  return { ...refusal('failed'), cause: error };
}
