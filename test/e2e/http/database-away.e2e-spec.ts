import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { setUpRoot, startTestApp, type TestApp } from '../../support/build-test-app.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';

/** A way to the database that can be cut. */
async function startBridge(url: URL): Promise<{ readonly url: string; cut(): void }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((client) => {
    const upstream = connect(Number(url.port), url.hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy()).on('close', () => to.destroy());
      from.pipe(to);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bridged = new URL(url);
  bridged.hostname = '127.0.0.1';
  bridged.port = String((server.address() as AddressInfo).port);
  return {
    url: bridged.href,
    cut: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

describe.each(['mariadb', 'postgres'] as const)('the console API with %s away', (kind) => {
  let database: TestDatabase;
  let bridge: Awaited<ReturnType<typeof startBridge>>;
  let app: TestApp;

  beforeEach(async () => {
    database = await createTestDatabase(kind);
    bridge = await startBridge(new URL(database.url));
    app = await startTestApp({ env: { DATABASE_URL: bridge.url, LOG_LEVEL: 'silent' } });
  });
  afterEach(async () => {
    bridge.cut();
    await app.close();
    await database.drop();
  });

  it('answers 503 with a code and Retry-After', async () => {
    await setUpRoot(app);
    bridge.cut();
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const answer = await fetch(`${app.url}/api/user/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: 'root', password: 'correct horse battery' }),
      });
      expect(answer.status).toBe(503);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await answer.json()).toMatchObject({ success: false, code: 'database_unavailable' });
    }
  });
});
