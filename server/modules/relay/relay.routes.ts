import type {
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  HookHandlerDoneFunction,
} from 'fastify';
import { unauthenticated } from '../tokens/caller-record.js';
import type { RelayError } from '../../relay-core/model/relay-error.js';
import type { CallRunner, RelayRoute } from './call-runner.js';
import type { ModelLists } from './model-lists.js';
import type { RelayGates } from './relay-gates.js';
import { isKnownButNotImplemented, pathOf, RELAY_PREFIXES } from './relay-paths.js';
import { answer, refuse } from './relay-replies.js';
import { checkBodyHeaders, contentLengthOf, repeatsCredential } from './request-checks.js';

/** What a full or stopping gateway asks clients to wait. */
const RETRY_AFTER_MS = 1_000;
const PREFLIGHT_SECONDS = '86400';
/** Names of headers a browser asks for in a preflight, nothing else. */
const HEADER_LIST = /^[A-Za-z0-9-]{1,64}(, ?[A-Za-z0-9-]{1,64}){0,63}$/;

export interface RelayParts {
  readonly runner: CallRunner;
  readonly models: ModelLists;
  readonly gates: RelayGates;
  readonly maxBodyBytes: number;
}

/**
 * The relay's routes on Nest's own Fastify instance, in a context of their own: bodies stay bytes, no Nest pipe, guard or
 * interceptor stands in the way of a call, errors have the shape clients of the API expect.
 */
export function relayRoutes(parts: RelayParts) {
  const { runner, models, maxBodyBytes } = parts;
  return (scope: FastifyInstance, _options: unknown, done: () => void): void => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: maxBodyBytes },
      (_request, body, parsed) => parsed(null, body),
    );
    scope.setErrorHandler((error: FastifyError, request, reply) =>
      refuse(request, reply, toRelayError(error, maxBodyBytes)),
    );
    for (const route of runner.routes) {
      scope.route({
        method: 'POST',
        url: route.path,
        bodyLimit: maxBodyBytes,
        onRequest: (request, reply, next) => openGate(parts, route, request, reply, next),
        handler: (request, reply) => runner.start(route, request, reply),
      });
    }
    scope.get('/v1/models', (request, reply) => models.list(request, reply));
    scope.get('/v1/models/*', (request, reply) => models.show(request, reply));
    for (const prefix of RELAY_PREFIXES) {
      for (const url of [prefix, `${prefix}/*`]) {
        scope.all(url, { bodyLimit: maxBodyBytes }, (request, reply) => answerOther(runner, request, reply));
      }
    }
    done();
  };
}

/** Everything that can be decided without the body is decided before it is read. */
function openGate(
  { runner, gates, maxBodyBytes }: RelayParts,
  route: RelayRoute,
  request: FastifyRequest,
  reply: FastifyReply,
  next: HookHandlerDoneFunction,
): void {
  const lengthBytes = contentLengthOf(request.headers);
  // Not a matter of how busy it is here: who is told to try again would, for ever.
  if (lengthBytes !== undefined && lengthBytes > maxBodyBytes) {
    refuseUnread(request, reply, bodyTooLarge(maxBodyBytes));
    return;
  }
  const gate = gates.refusal(lengthBytes);
  const error = gate === null ? checkHeaders(request) : busy(gate);
  if (error !== null) {
    refuseUnread(request, reply, error);
    return;
  }
  const stranger = runner.refuseStranger(route, request, lengthBytes);
  if (stranger === null) {
    next();
    return;
  }
  stranger.then((refusal) => {
    if (refusal !== null) {
      refuseUnread(request, reply, refusal);
      return;
    }
    // Small bodies arrive with their head; these take time and memory, so they are counted until they are read or cut off.
    gates.beginPreparing();
    request.raw.once('close', () => gates.endPreparing());
    next();
  }, next);
}

function checkHeaders(request: FastifyRequest): RelayError | null {
  if (repeatsCredential(request.raw.rawHeaders)) return unauthenticated('Send exactly one API key.');
  return checkBodyHeaders(request.headers);
}

/** The body will not be read, so the connection cannot carry another request. */
function refuseUnread(request: FastifyRequest, reply: FastifyReply, error: RelayError): void {
  void reply.header('connection', 'close');
  refuse(request, reply, error);
}

function answerOther(runner: CallRunner, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = pathOf(request.url);
  const methods = methodsOf(runner, path);
  if (request.method === 'OPTIONS') return answerPreflight(request, reply, methods);
  if (isKnownButNotImplemented(path)) {
    return refuse(request, reply, {
      kind: 'not-implemented',
      blame: 'caller',
      message: `${request.method} ${path.slice(0, 200)} is not offered by this gateway.`,
    });
  }
  if (methods.length > 0) {
    const message = `${request.method} is not allowed for ${path}. Use ${methods.join(' or ')}.`;
    const error = { message, type: 'invalid_request_error', param: null, code: 'method_not_allowed' };
    return answer(request, reply.header('allow', methods.join(', ')), 405, { error });
  }
  return refuse(request, reply, {
    kind: 'not-found',
    blame: 'caller',
    message: `Invalid URL (${request.method} ${path.slice(0, 200)})`,
  });
}

function methodsOf(runner: CallRunner, path: string): readonly string[] {
  if (path === '/v1/models' || path.startsWith('/v1/models/')) return ['GET'];
  return runner.routes.some((route) => route.pattern.test(path)) ? ['POST'] : [];
}

/** AUTH-06: any origin, never with credentials; cookies mean nothing here. */
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

function busy(gate: 'draining' | 'full'): RelayError {
  const message =
    gate === 'draining'
      ? 'This gateway is restarting. Please try again.'
      : 'This gateway is at its limit. Please try again.';
  return { kind: 'unavailable', blame: 'gateway', retryAfterMs: RETRY_AFTER_MS, message };
}

function bodyTooLarge(maxBodyBytes: number): RelayError {
  const megabytes = Math.floor(maxBodyBytes / (1024 * 1024));
  return {
    kind: 'body-too-large',
    blame: 'caller',
    message: `The request body is larger than ${megabytes} MB.`,
  };
}

/** Fastify's own refusals while it reads a request. */
function toRelayError(error: FastifyError, maxBodyBytes: number): RelayError {
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return bodyTooLarge(maxBodyBytes);
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return { kind: 'unsupported-media', blame: 'caller', message: 'The request body must be JSON.' };
  }
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return { kind: 'invalid-request', blame: 'caller', message: 'The request could not be read.' };
  }
  return { kind: 'internal', blame: 'gateway', message: 'The gateway failed.', cause: error };
}
