import { contained, reportBug } from './common/contain-faults.js';
import 'reflect-metadata';
import fastifyCookie from '@fastify/cookie';
import type { LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyHttpOptions, FastifyRequest } from 'fastify';
import type { IncomingMessage, Server } from 'node:http';
import { DataSource } from 'typeorm';
import { type RouteAccess, readAccessTable } from './http/route-access-table.js';
import { serveApiDocs } from './http/api-docs.js';
import { AppModule } from './app.module.js';
import { ConsoleAdapter } from './common/api/console-adapter.js';
import { describeClients, readProxyTrust } from './common/api/client-address.js';
import { EnvelopeFilter } from './common/api/envelope.filter.js';
import { OwnHosts } from './common/api/own-hosts.js';
import { applyBodyLimits } from './common/api/body-limits.js';
import { RouteLog } from './common/api/route-log.js';
import { pageHeaders } from './common/api/security-headers.js';
import { boundConnections, connectionsFor, openFileLimit } from './http/connection-limits.js';
import { registerBuildInfo } from './process/build-info.js';
import type { Env } from './config/env.js';
import {
  answerUnknownPath,
  CONSOLE_BODY_BYTES,
  consoleFolder,
  guardConsoleRoutes,
  readJsonBodiesOnly,
  serveConsole,
} from './http/serve-console.js';
import { answerFrameworkFault, answerParserFault } from './http/framework-errors.js';
import { MAX_HEAD_BYTES } from './gateway/http/request-head.js';
import { normalisePath } from './gateway/http/relay-paths.js';
import { contentSourcesOf } from './http/content-sources.js';
import { type FirstAnswers, firstAnswersOf } from './http/first-answers.js';
import { serveGuides } from './http/guides.js';
import { finishRefusals } from './http/finish-refusals.js';
import { guardHeads, requestFault } from './http/request-head-guard.js';
import { SecretBox } from './infra/crypto/secret-box.js';
import { UuidIds } from './infra/ids/uuid-ids.js';
import { MetricsRegistry } from './infra/observability/metrics-registry.js';
import { knownSecrets } from './infra/observability/known-secrets.js';
import { RateLimitedFaults } from './infra/observability/rate-limited-faults.js';
import { PinoLogger } from './infra/observability/pino-logger.js';
import { Readiness } from './infra/health/readiness.js';
import { OptionsService } from './base/options/options.service.js';
import { BOOT_ID } from './base/billing/ledger/billing.tokens.js';
import { isRealtimeUpgrade } from './gateway/relay/realtime/upgrades.js';
import { checkSessionSecret, aliveHost } from './process/start-checks/session-secret-check.js';
import { Clock } from './common/clock.js';

/** Parts that tests and tools replace. */
export interface AppParts {
  readonly clock?: Clock;
  readonly logger?: LoggerService;
  /** Folder of the built console. */
  readonly consoleDir?: string;
}

/** The application with its routes, ready to `listen`. Its parts in the container are started by `listen` or `init`. */
export interface BuiltApp {
  readonly app: NestFastifyApplication;
  /** Every route and its access level; complete after `app.init()`. */
  readonly accessTable: () => RouteAccess[];
}

/** Fails: when the database is away, when migrations fail, when a route declares no access level. */
export async function buildApp(env: Env, parts: AppParts = {}): Promise<NestFastifyApplication> {
  return (await assembleApp(env, parts)).app;
}

export async function assembleApp(env: Env, parts: AppParts = {}): Promise<BuiltApp> {
  const folder = parts.consoleDir ?? consoleFolder();
  let headers = pageHeaders({ frames: [] });
  const readHeaders = (): typeof headers => headers;
  const heads = { isSound: (_request: IncomingMessage): boolean => false };
  const adapter = new ConsoleAdapter(
    serverOptions(env, (request) => heads.isSound(request), parts.clock),
    (request, reply) => answerUnknown(request, reply),
  );
  describeClients(adapter.fastify, readProxyTrust(env.trustProxy), env.basePath);
  applyBodyLimits(adapter.fastify);
  const routes = new RouteLog(adapter.fastify);
  const first = { read: async (_request: FastifyRequest): Promise<FirstAnswers> => ({}) };
  const answerUnknown = answerUnknownPath(routes, folder, readHeaders, (request) => first.read(request));
  readJsonBodiesOnly(adapter.fastify);
  // Read where a session is looked for; a hook would be paid by every call of the relay.
  await adapter.fastify.register(fastifyCookie, { secret: env.sessionSecret, hook: false });
  const stop = { isStopping: (): boolean => false, isClosing: (): boolean => false };
  guardConsoleRoutes(adapter.fastify, readHeaders, stop);

  const logger = parts.logger ?? new PinoLogger(env.logLevel, knownSecrets(env));
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.forEnv(env, parts.clock), adapter, {
    logger,
    bodyParser: false,
    abortOnError: false,
    forceCloseConnections: false,
  });
  registerBuildInfo(app.get(MetricsRegistry));
  const readiness = app.get(Readiness);
  stop.isStopping = () => readiness.stopping;
  stop.isClosing = () => readiness.closing;
  const options = app.get(OptionsService);
  const hosts = app.get(OwnHosts);
  heads.isSound = (request) => requestFault(hosts, request) === null;
  const readSources = (): void => {
    headers = pageHeaders(contentSourcesOf(options.values()));
  };
  readSources();
  options.onChange(readSources);

  first.read = firstAnswersOf(app);
  serveHealth(adapter, readiness);
  serveApiDocs(adapter.fastify, app);
  serveGuides(adapter.fastify, app, folder);
  const firstFile = routes.routes.length;
  await serveConsole(adapter.fastify, folder);
  const files = new Set(routes.routes.slice(firstFile).map(({ path }) => path));
  const accessTable = (): RouteAccess[] => readAccessTable(app, routes.routes, (path) => files.has(path));
  await app.init();
  await checkSharedSecret(app, env, logger);
  await adapter.fastify.ready();
  guardHeads(
    adapter.fastify.server,
    hosts,
    { relay: env.maxRequestBodyBytes, other: CONSOLE_BODY_BYTES },
    env.basePath,
  );
  // Before the guard's own refusals, too.
  finishRefusals(adapter.fastify.server);
  limitConnections(adapter.fastify.server, env, app.get(Clock), logger);
  // Refuses to start rather than serve a route without an access level.
  accessTable();
  return { app, accessTable };
}

/** Call it after all other connection listeners are added: it runs before them. */
function limitConnections(server: Server, env: Env, clock: Clock, logger: LoggerService): void {
  const most = connectionsFor(env.maxConnections, openFileLimit());
  if (most < env.maxConnections / 2)
    logger.warn(
      `${most} connections are taken at once and not MAX_CONNECTIONS (${env.maxConnections}): more files may not be open. ` +
        'Raise that limit (ulimit -n, LimitNOFILE, nofile).',
      'Start',
    );
  const faults = new RateLimitedFaults(clock, (line) => logger.warn(line, 'Server'));
  boundConnections(server, most, () =>
    faults.record(`more than ${most} connections: further ones are refused`),
  );
}

/** By now what died on this host has left the list of the living. Fails: StartRefusal; the app is closed then. */
async function checkSharedSecret(
  app: NestFastifyApplication,
  env: Env,
  logger: LoggerService,
): Promise<void> {
  try {
    const bootId = app.get<string>(BOOT_ID, { strict: false });
    const dataSource = app.get(DataSource);
    await checkSessionSecret(dataSource, app.get(SecretBox), { sessionSecret: env.sessionSecret, bootId });
    const neighbour = env.redisUrl === undefined ? await aliveHost(dataSource, bootId) : undefined;
    if (neighbour !== undefined) logger.warn(unconnected(neighbour), 'Start');
  } catch (error) {
    await app.close();
    throw error;
  }
}

const unconnected = (host: string): string =>
  `another instance, on ${host}, works on this database, and REDIS_URL is not set: limits count per instance and changes take five ` +
  'seconds to arrive. Set the same REDIS_URL for both (one that was just killed counts for a minute).';

/** Limits of one connection and one request, so that slow or endless senders cannot hold the process. */
function serverOptions(
  { basePath }: Env,
  hasSoundHead: (request: IncomingMessage) => boolean,
  clock?: Clock,
): FastifyHttpOptions<Server> {
  const ids = new UuidIds(clock);
  const filter = new EnvelopeFilter();
  return {
    logger: false,
    genReqId: () => ids.callId(),
    requestIdHeader: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    bodyLimit: 1024 * 1024,
    keepAliveTimeout: 75_000,
    requestTimeout: 120_000,
    maxRequestsPerSocket: 1_000,
    return503OnClosing: true,
    forceCloseConnections: false,
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    exposeHeadRoutes: true,
    http: {
      headersTimeout: 15_000,
      connectionsCheckingInterval: 5_000,
      maxHeaderSize: MAX_HEAD_BYTES,
      shouldUpgradeCallback: (request) => {
        try {
          request.url = normalisePath(request.url ?? '', basePath);
          return isRealtimeUpgrade(request) && hasSoundHead(request);
        } catch (fault) {
          reportBug(fault);
          return false;
        }
      },
    },
    frameworkErrors: (error, request, reply) => answerFrameworkFault(filter, error, request, reply),
    clientErrorHandler: contained(answerParserFault, (_error, socket) => socket.destroy()),
  };
}

function serveHealth(adapter: ConsoleAdapter, readiness: Readiness): void {
  adapter.fastify.get('/healthz', async () => ({ status: 'ok' }));
  adapter.fastify.get('/readyz', async (_request, reply) => {
    const isReady = await readiness.isReady();
    const { reasons } = readiness;
    return reply
      .status(isReady ? 200 : 503)
      .header('Cache-Control', 'no-store')
      .send(isReady ? { status: 'ok' } : { status: 'unavailable', ...(reasons.length > 0 && { reasons }) });
  });
  adapter.fastify.server.maxHeadersCount = 100;
}
