import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type Server as HttpServer } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { until } from '../../../test/support/until.js';
import { allowHalfClosed, answerHalfClosed, INTERIM_REPLY, watchHalfClosed } from './half-closed.js';

let heard: string;
let client: Socket;

const open = async (server: Server | HttpServer): Promise<void> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  heard = '';
  const { port } = server.address() as AddressInfo;
  client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  client.on('data', (bytes: Buffer) => (heard += bytes.toString())).on('error', () => undefined);
  await once(client, 'connect');
};

describe('watchHalfClosed', () => {
  let server: Server;
  let accepted: Socket;
  let probes: number;

  beforeEach(async () => {
    probes = 0;
    server = createServer({ allowHalfOpen: true });
    const connection = once(server, 'connection');
    await open(server);
    [accepted] = (await connection) as [Socket];
    accepted.on('error', () => undefined).resume();
  });
  afterEach(async () => {
    client.destroy();
    accepted.destroy();
    server.close();
    await once(server, 'close');
  });

  const probe = (): boolean => {
    probes += 1;
    accepted.write(INTERIM_REPLY);
    return true;
  };

  it('notices at once that a peer has left with nothing but FIN', async () => {
    const ended = once(accepted, 'end');
    client.destroy();
    await ended;
    watchHalfClosed(accepted, probe);
    await until(() => accepted.destroyed);
    expect(probes).toBe(1);
  });

  it('leaves a peer alone that still reads, and notices when it leaves later', async () => {
    const ended = once(accepted, 'end');
    client.end();
    await ended;
    watchHalfClosed(accepted, probe);
    await until(() => probes === 2);
    expect(accepted.destroyed).toBe(false);
    expect(heard.startsWith(INTERIM_REPLY)).toBe(true);
    client.destroy();
    await until(() => accepted.destroyed);
  });

  it('notices a reset without writing anything', async () => {
    const ended = once(accepted, 'end');
    client.end();
    await ended;
    watchHalfClosed(accepted, () => true);
    client.resetAndDestroy();
    await until(() => accepted.destroyed);
  });

  it('ends a connection that cannot be probed', async () => {
    const ended = once(accepted, 'end');
    client.end();
    await ended;
    watchHalfClosed(accepted, () => false);
    await until(() => client.closed && accepted.destroyed);
  });

  it('writes nothing more once it is stopped', async () => {
    const ended = once(accepted, 'end');
    client.end();
    await ended;
    const stop = watchHalfClosed(accepted, probe);
    stop();
    client.destroy();
    await once(client, 'close');
    expect(accepted.destroyed).toBe(false);
  });
});

describe('allowHalfClosed', () => {
  const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
  let server: HttpServer;
  let isNotified: boolean;
  let asked: IncomingMessage[];
  let probes: number;
  let closed: number;
  let answers: (() => void)[];

  beforeEach(async () => {
    const requests: IncomingMessage[] = [];
    const pending: (() => void)[] = [];
    asked = requests;
    answers = pending;
    probes = 0;
    closed = 0;
    isNotified = true;
    server = createHttpServer((request, response) => {
      requests.push(request);
      response.on('close', () => (closed += 1));
      const done = isNotified
        ? answerHalfClosed(request.socket, { probe: () => (probes += 1) > 0 })
        : () => undefined;
      pending.push(() => {
        done();
        response.end('<answer>');
      });
    });
    allowHalfClosed(server);
    await open(server);
  });
  afterEach(async () => {
    client.destroy();
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });

  it('lets a registered reply come to its end, and then ends the connection', async () => {
    client.end(REQUEST);
    await until(() => probes === 1);
    answers[0]?.();
    await once(client, 'end');
    expect(heard).toContain('<answer>');
  });

  it('answers all requests from before the end', async () => {
    client.end(REQUEST + REQUEST);
    await until(() => asked.length === 2 && probes === 2);
    for (const answer of answers) answer();
    await once(client, 'end');
    expect(heard.split('<answer>')).toHaveLength(3);
  });

  it('ends any other connection with what its client sends', async () => {
    isNotified = false;
    client.end(REQUEST);
    await once(client, 'end');
    await until(() => closed === 1);
    expect(heard).toBe('');
  });

  it('ends an idle connection', async () => {
    client.end();
    await once(client, 'end');
    expect(asked).toEqual([]);
  });
});
