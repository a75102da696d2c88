/**
 * Jest's global setup of the integration project: one keeper in the main process owns the servers, test workers ask it for
 * their addresses. A database server starts when the first test asks for it, so that a run without one pays nothing; Redis
 * starts at once, in less time than asking takes.
 */
import { once } from 'node:events';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RealServers, type ServerKind } from './real-servers.ts';

/** Address of the keeper for test workers. */
export const KEEPER_VARIABLE = 'TOLLGATE_TEST_KEEPER';
/** Address of the shared Redis, and the folder where callers claim a database number each. */
export const REDIS_VARIABLE = 'TOLLGATE_TEST_REDIS';
export const REDIS_CLAIMS_VARIABLE = 'TOLLGATE_TEST_REDIS_CLAIMS';

const FOLDER_VARIABLE = 'TOLLGATE_TEST_FOLDER';

/** A new folder that is gone after the run at the latest, also when the run is interrupted. */
export function createTestFolder(prefix: string): string {
  return mkdtempSync(join(process.env[FOLDER_VARIABLE] ?? tmpdir(), `tollgate-${prefix}-`));
}

interface Keeper {
  readonly http: Server;
  readonly servers: RealServers;
  readonly onExit: () => void;
}

const slot = globalThis as typeof globalThis & { tollgateTestKeeper?: Keeper };

/** Jest calls this once before the first integration test. */
export default async function startKeeper(): Promise<void> {
  // Watch mode runs the setup again and again: the servers of the first round stay.
  if (slot.tollgateTestKeeper !== undefined) return;
  const servers = new RealServers((line) => process.stderr.write(`  ${line}\n`));
  const http = createServer((request, reply) => {
    const kind = (request.url ?? '').slice(1);
    if (!isServerKind(kind)) {
      reply.writeHead(404).end(`no server called ${kind}`);
      return;
    }
    servers.url(kind).then(
      (url) => reply.end(url),
      (error: unknown) => reply.writeHead(500).end(error instanceof Error ? error.message : String(error)),
    );
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  http.unref();
  const address = http.address();
  if (address === null || typeof address === 'string') throw new Error('the keeper has no port');
  process.env[KEEPER_VARIABLE] = `http://127.0.0.1:${address.port}`;
  const claims = join(servers.folder, 'redis-claims');
  mkdirSync(claims);
  const onExit = (): void => servers.stopNow();
  process.once('exit', onExit);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => process.exit(130));
  slot.tollgateTestKeeper = { http, servers, onExit };
  process.env[FOLDER_VARIABLE] = servers.folder;
  process.env[REDIS_CLAIMS_VARIABLE] = claims;
  process.env[REDIS_VARIABLE] = await servers.url('redis');
}

/** Ends the keeper and its servers. */
export function stopKeeper(): void {
  const keeper = slot.tollgateTestKeeper;
  if (keeper === undefined) return;
  slot.tollgateTestKeeper = undefined;
  process.removeListener('exit', keeper.onExit);
  keeper.http.closeAllConnections();
  keeper.http.close();
  keeper.servers.stopNow();
}

/**
 * Address of a shared server, for tests.
 * Fails: when the server cannot be started; the message says why and what to install.
 */
export async function sharedServerUrl(kind: ServerKind): Promise<string> {
  const keeper = process.env[KEEPER_VARIABLE];
  if (keeper === undefined)
    throw new Error('no server keeper: this test must run in the integration project');
  // One connection per question: a kept one would keep the test process alive.
  const question = get(`${keeper}/${kind}`, { agent: false });
  const [reply] = (await once(question, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of reply) text += String(chunk);
  if (reply.statusCode !== 200) throw new Error(text);
  return text;
}

function isServerKind(kind: string): kind is ServerKind {
  return kind === 'mariadb' || kind === 'postgres' || kind === 'redis';
}
