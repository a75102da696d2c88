import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { DomainError } from '../common/errors/domain-error.js';
import { renderRefusal } from '../common/errors/render-refusal.js';
import { parseJsonBody } from '../common/api/json-body.js';
import { languageOf } from '../common/language.js';
import { isRawRoute } from '../common/api/raw-route.js';
import type { RouteLog } from '../common/api/route-log.js';
import { SECURITY_HEADERS } from '../common/api/security-headers.js';
import { RELAY_PREFIXES, servedPathLike } from '../gateway/http/relay-paths.js';
import { namesForeignCharset } from '../gateway/http/request-checks.js';
import { sendConsolePage } from './console-page.js';
import type { FirstAnswers } from './first-answers.js';

const compress = promisify(gzip);
export const CONSOLE_BODY_BYTES = 1024 * 1024;
/** Notifications of payment services. */
const FORM_BYTES = 64 * 1024;
const MIN_COMPRESSED_CHARACTERS = 1_400;
/** Served on a port of its own: a collector that asks here must not take a page for its answer. */
const SCRAPED_PATH = '/metrics';
/** Another instance serves by then. */
const STOPPING_RETRY_MS = 1_000;
const YEAR_SECONDS = 31_536_000;

/** Folder of the built console, from the sources and from the build. */
export function consoleFolder(): string {
  const isBuilt = basename(dirname(import.meta.dirname)) === 'dist';
  return join(import.meta.dirname, isBuilt ? '../console' : '../../dist/console');
}

export const isRelayPath = (path: string): boolean =>
  RELAY_PREFIXES.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));

const isHealthPath = (path: string): boolean => path === '/healthz' || path === '/readyz';

const isApiPath = (path: string): boolean => path === '/api' || path.startsWith('/api/');

/**
 * Hooks before the handler of every console route: request id, security headers, no caching of answers, no parameter twice.
 * The relay's routes are left alone, since each hook there is paid per call.
 */
export function guardConsoleRoutes(
  fastify: FastifyInstance,
  headers: () => Readonly<Record<string, string>>,
  stop: { readonly isStopping: () => boolean; readonly isClosing: () => boolean },
): void {
  fastify.addHook('onRoute', (route) => {
    if (isRelayPath(route.url)) return;
    route.onRequest = [
      (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => {
        writeServerHeaders(request, reply, headers());
        // Clients on old connections move to another instance by themselves.
        if (stop.isStopping()) void reply.header('Connection', 'close');
        if (stop.isClosing() && !isHealthPath(route.url))
          done(new DomainError('server_stopping', {}, STOPPING_RETRY_MS));
        else done(isRawRoute(route.config) ? undefined : refuseAddress(request));
      },
      ...[route.onRequest ?? []].flat(),
    ];
    if (isApiPath(route.url)) route.onSend = [...[route.onSend ?? []].flat(), compressAnswer];
  });
}

function writeServerHeaders(
  request: FastifyRequest,
  reply: FastifyReply,
  headers: Readonly<Record<string, string>>,
): void {
  void reply.headers({
    ...SECURITY_HEADERS,
    ...headers,
    'X-Request-Id': request.id,
    'X-Oneapi-Request-Id': request.id,
  });
  if (isApiPath(request.url)) void reply.header('Cache-Control', 'no-store');
}

/** A parameter that is given twice would mean two things to two readers. */
function refuseAddress(request: FastifyRequest): DomainError | undefined {
  for (const [name, value] of Object.entries(request.query as Record<string, unknown>)) {
    if (Array.isArray(value)) return new DomainError('parameter_repeated', { name: name.slice(0, 50) });
  }
  return undefined;
}

/** Bodies are JSON and nothing else; only routes that verify signatures get their bytes, from a form as well. */
export function readJsonBodiesOnly(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: CONSOLE_BODY_BYTES },
    async (request: FastifyRequest, body: Buffer) => {
      const encoding = request.headers['content-encoding'];
      if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
        throw new DomainError('media_type_unsupported');
      if (namesForeignCharset(request.headers['content-type']))
        throw new DomainError('media_type_unsupported');
      return isRawRoute(request.routeOptions.config) ? body : parseJsonBody(body);
    },
  );
  fastify.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer', bodyLimit: FORM_BYTES },
    async (request: FastifyRequest, body: Buffer) => {
      if (!isRawRoute(request.routeOptions.config)) throw new DomainError('media_type_unsupported');
      return body;
    },
  );
  fastify.addContentTypeParser(
    'application/octet-stream',
    { parseAs: 'buffer', bodyLimit: CONSOLE_BODY_BYTES },
    async (request: FastifyRequest, body: Buffer) => {
      if (!isRawRoute(request.routeOptions.config)) throw new DomainError('media_type_unsupported');
      return body;
    },
  );
}

async function compressAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  if (
    typeof payload !== 'string' ||
    payload.length < MIN_COMPRESSED_CHARACTERS ||
    reply.hasHeader('content-encoding')
  )
    return payload;
  void reply.header('Vary', 'Accept-Encoding');
  if (!/\bgzip\b(?!\s*;\s*q=0(\.0+)?\s*(,|$))/i.test(request.headers['accept-encoding'] ?? ''))
    return payload;
  void reply.header('Content-Encoding', 'gzip').removeHeader('content-length');
  return compress(payload, { level: 4 });
}

/** Serves the built console. Hashed files may be cached for ever, the page itself is requested each time. */
export async function serveConsole(fastify: FastifyInstance, folder: string): Promise<void> {
  if (!existsSync(join(folder, 'index.html'))) return;
  await fastify.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    index: false,
    cacheControl: false,
    dotfiles: 'ignore',
    preCompressed: true,
    setHeaders: (reply, path) => {
      const isHashed = path.startsWith(join(folder, 'assets/'));
      void reply.header(
        'Cache-Control',
        isHashed ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache',
      );
    },
  });
}

/**
 * Paths no route has. Below /api and for anything that is not a page: an error in the console API's shape. Other paths
 * belong to the console, whose own router knows them.
 */
export function answerUnknownPath(
  routes: RouteLog,
  folder: string,
  headers: () => Readonly<Record<string, string>>,
  readAnswers: (request: FastifyRequest) => Promise<FirstAnswers>,
) {
  return (request: FastifyRequest, reply: FastifyReply): void => {
    writeServerHeaders(request, reply, headers());
    const path = request.url.split('?', 1)[0] ?? '/';
    if (isPage(request, path)) {
      void sendConsolePage(request, reply, folder, readAnswers);
      return;
    }
    const methods = isApiPath(path) ? routes.methodsOf(path) : [];
    const isKnownMethod = ['OPTIONS', 'HEAD', ...methods].includes(request.method);
    if (methods.length > 0 && !isKnownMethod) {
      const { status, body } = renderRefusal(
        'method_not_allowed',
        { method: request.method },
        languageOf(request.headers['accept-language']),
      );
      void reply.status(status).header('Allow', methods.join(', ')).send(body);
      return;
    }
    const served = servedPathLike(path);
    const hint = served === undefined ? '' : `. Use ${served}.`;
    const message = `Invalid URL (${request.method} ${path.slice(0, 200)})${hint}`;
    void reply
      .status(404)
      .send({ error: { message, type: 'invalid_request_error', param: '', code: 'not_found' } });
  };
}

/** Path segments that no page is below, in any position: the client's base address is wrong. */
const MACHINE_SEGMENT = new RegExp(
  `/(?:api${RELAY_PREFIXES.map((prefix) => `|${prefix.slice(1)}`).join('')})(?:/|$)`,
);
const KEY_FIELDS = ['authorization', 'x-api-key', 'x-goog-api-key', 'mj-api-secret'] as const;

/** Returns true when a browser requests a page of the console. Programs get an error instead of a page they would read as an answer. */
function isPage({ method, headers }: FastifyRequest, path: string): boolean {
  if ((method !== 'GET' && method !== 'HEAD') || path === SCRAPED_PATH) return false;
  if (MACHINE_SEGMENT.test(path) || isFile(path)) return false;
  const accept = headers.accept ?? '*/*';
  if (/\btext\/html\b/i.test(accept)) return true;
  return accept.includes('*/*') && KEY_FIELDS.every((name) => headers[name] === undefined);
}

/** The last segment has a dot: a file that does not exist, not a place in the console. */
const isFile = (path: string): boolean => path.startsWith('/assets/') || /\.[^/]+$/.test(path);
