import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { until } from '../../../../test/support/until.js';
import { CLOSING_EVENT, openFastPath } from './fast-path.js';
import { INTERIM_REPLY } from '../../../infra/sockets/half-closed.js';
import { NodeReply, type RawReply } from '../../http/relay-replies.js';

interface Taken {
  readonly url: string;
  readonly body: string;
  readonly reply: RawReply;
  readonly isNodes: boolean;
  readonly clientAddress: string;
}

type Asked = Pick<Taken, 'url' | 'clientAddress'>;

const FIELDS = { 'content-type': 'text/plain', 'x-id': '1' };
const post = (body: string, ...lines: readonly string[]): string =>
  ['POST /call HTTP/1.1', 'Host: x', `Content-Length: ${body.length}`, ...lines, '', body].join('\r\n');

/** The fast path in front of a real server; the relay is a stand-in that keeps what it was given. */
describe('the fast path', () => {
  let server: Server;
  let socket: Socket;
  /** The server's end of `socket`. */
  let accepted: Socket | undefined;
  let heard: string;
  let taken: Taken[];
  let gone: RawReply[];
  let answer: (call: Taken) => void;
  let isAdmitted: boolean;
  let hasRoom: boolean;
  let keptBytes: number;

  beforeEach(async () => {
    taken = [];
    heard = '';
    const left: RawReply[] = [];
    gone = left;
    isAdmitted = true;
    hasRoom = true;
    keptBytes = 0;
    answer = ({ reply, body }) => {
      reply.begin(200, FIELDS);
      reply.end(Buffer.from(`<${body}>`));
    };
    server = createServer({ keepAliveTimeout: 75_000 }, (_request, response) => response.end('framework'));
    const take = (call: Taken): void => {
      taken.push(call);
      call.reply.on('close', () => left.push(call.reply));
      answer(call);
    };
    const relay = {
      take: (_route: unknown, request: Asked, raw: NodeJS.ReadableStream, response: ServerResponse) => {
        const reply = new NodeReply(response);
        let body = '';
        raw.on('data', (piece: Buffer) => (body += piece.toString()));
        raw.on('end', () => take({ ...request, body, reply, isNodes: true }));
      },
      admit: (_route: unknown, _request: unknown, _length: number, reply: RawReply) => {
        if (isAdmitted) return true;
        reply.begin(413, { connection: 'close' });
        reply.end('no');
        return false;
      },
      keep: (_route: unknown, _request: unknown, bytes: number, reply: RawReply) => {
        keptBytes += bytes;
        if (hasRoom) return true;
        reply.begin(503, { connection: 'close' });
        reply.end('full');
        return false;
      },
      giveBack: (bytes: number) => (keptBytes -= bytes),
      start: (_route: unknown, request: Asked, body: Buffer, reply: RawReply) =>
        take({ ...request, body: body.toString(), reply, isNodes: false }),
    };
    const routes = [{ path: '/call' }];
    let ids = 0;
    const trust = (_address: string, hop: number): boolean => hop < 1;
    const hosts = { answers: (host: string) => host !== 'foreign.example' };
    const parts = { relay, ids: { callId: () => String((ids += 1)) }, trust, hosts, basePath: '', routes };
    openFastPath(server, parts as unknown as Parameters<typeof openFastPath>[1]);
    accepted = undefined;
    server.once('connection', (end: Socket) => (accepted = end));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('data', (piece: Buffer) => (heard += piece.toString('latin1')));
    socket.on('error', () => undefined);
  });

  afterEach(async () => {
    socket.destroy();
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });

  const answers = (): number => heard.split('HTTP/1.1 200').length - 1;
  /** Sends a piece that the server reads by itself: the next one cannot catch up with it on the way. */
  const sendPiece = (text: string): Promise<void> => {
    socket.write(text);
    return until(() => accepted?.bytesRead === socket.bytesWritten);
  };

  it('answers whole, with what every answer of a server has', async () => {
    socket.write(post('one'));
    await until(() => heard.includes('<one>'));
    const [head, body] = heard.split('\r\n\r\n');
    expect(body).toBe('<one>');
    expect(head).toMatch(
      /^HTTP\/1\.1 200 OK\r\ncontent-type: text\/plain\r\nx-id: 1\r\ncontent-length: 5\r\n/,
    );
    expect(head).toMatch(/\r\ndate: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\r\n/);
    expect(head).toMatch(/\r\nconnection: keep-alive\r\nkeep-alive: timeout=75$/);
    expect(taken[0]).toMatchObject({ url: '/call', isNodes: false });
  });

  it('takes one request after the other, cut anywhere behind the head', async () => {
    const text = post('hello');
    const bodyAt = text.length - 5;
    for (let cut = bodyAt; cut < text.length; cut += 1) {
      await sendPiece(text.slice(0, cut));
      socket.write(text.slice(cut));
      await until(() => answers() === cut - bodyAt + 1);
    }
    expect(taken.every(({ body, isNodes }) => body === 'hello' && !isNodes)).toBe(true);
  });

  it('keeps what comes early until the answer before is out', async () => {
    const waiting: Taken[] = [];
    answer = (call) => waiting.push(call);
    socket.write(post('one') + post('two') + post('three').slice(0, -3));
    await until(() => waiting.length === 1);
    await sendPiece('ree');
    for (let index = 0; index < 3; index += 1) {
      await until(() => waiting.length === index + 1);
      waiting[index]?.reply.begin(200, FIELDS);
      waiting[index]?.reply.end(`<${waiting[index]?.body}>`);
    }
    await until(() => heard.includes('<three>'));
    expect(heard.match(/<\w+>/g)).toEqual(['<one>', '<two>', '<three>']);
  });

  it('gives a connection to Node’s server with the first request it does not understand', async () => {
    socket.write(`${post('one')}GET /else HTTP/1.1\r\nHost: x\r\n\r\n${post('two')}`);
    await until(() => heard.includes('<two>'));
    expect(heard.indexOf('<one>')).toBeLessThan(heard.indexOf('framework'));
    expect(heard.indexOf('framework')).toBeLessThan(heard.indexOf('<two>'));
    expect(taken.map(({ isNodes }) => isNodes)).toEqual([false, true]);
  });

  it.each([
    [
      'a chunked body',
      'POST /call HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
      '<abc>',
    ],
    ['a head in two pieces', post('abc').replace('Host', '|Host'), '<abc>'],
    ['an address of the framework', post('abc').replace('/call', '/else'), 'framework'],
    ['two lengths', post('abc', 'Content-Length: 4'), 'HTTP/1.1 400'],
    ['a length and a coding', post('abc', 'Transfer-Encoding: chunked'), 'HTTP/1.1 400'],
    ['a blank before a colon', post('abc', 'X-Y : 1'), 'HTTP/1.1 400'],
  ])('leaves %s to Node’s server', async (_what, text, expected) => {
    for (const piece of text.split('|')) await sendPiece(piece);
    await until(() => heard.includes(expected));
    expect(taken.some(({ isNodes }) => !isNodes)).toBe(false);
  });

  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7, 198.51.100.1', '198.51.100.1'],
    ['', '127.0.0.1'],
  ])('finds the client a trusted proxy names (%s) as it is found at Node’s server', async (told, address) => {
    const plain = post('one', `X-Forwarded-For: ${told}`);
    socket.write(plain);
    await until(() => answers() === 1);
    socket.write(plain.replace('Host', 'Connection: close\r\nHost'));
    await until(() => answers() === 2);
    expect(taken.map(({ isNodes, clientAddress }) => [isNodes, clientAddress])).toEqual([
      [false, address],
      [true, address],
    ]);
  });

  it('streams pieces as they come, in the chunked coding', async () => {
    answer = ({ reply }) => {
      reply.begin(200, { 'content-type': 'text/event-stream' });
      reply.write('data: \u00e9\n\n');
      reply.write(Buffer.alloc(20_000, 'x'));
      reply.end('end');
    };
    socket.write(post('one'));
    await until(() => heard.endsWith('0\r\n\r\n'));
    const body = heard.slice(heard.indexOf('\r\n\r\n') + 4);
    expect(heard).toContain('transfer-encoding: chunked\r\n');
    const piece = Buffer.from('data: \u00e9\n\n').toString('latin1');
    expect(body).toBe(
      `${piece.length}\r\n${piece}\r\n4e20\r\n${'x'.repeat(20_000)}\r\n3\r\nend\r\n0\r\n\r\n`.replace(
        /^\d+/,
        piece.length.toString(16),
      ),
    );
  });

  it('holds a writer back while the client takes nothing, and resumes it afterwards', async () => {
    let reply: RawReply | undefined;
    let isDrained = false;
    answer = (call) => {
      ({ reply } = call);
      call.reply.begin(200, { 'content-type': 'text/event-stream' });
    };
    socket.write(post('one'));
    await until(() => reply !== undefined);
    socket.pause();
    const piece = Buffer.alloc(256 * 1024, 'x');
    // Bytes the system still accepts for the client are drained all the same.
    do {
      isDrained = false;
      expect(reply?.write(piece)).toBe(false);
      reply?.once('drain', () => (isDrained = true));
      await new Promise((resolve) => setTimeout(resolve, 20));
    } while (isDrained);
    socket.resume();
    await until(() => isDrained);
  });

  it('keeps answers apart that are begun before another one is sent', async () => {
    const waiting: Taken[] = [];
    answer = (call) => waiting.push(call);
    const others = [1, 2].map(() => connect((server.address() as AddressInfo).port, '127.0.0.1'));
    const heardBy = ['', ''];
    others.forEach((other, index) => {
      other.on('data', (piece: Buffer) => (heardBy[index] += piece.toString('latin1')));
      other.write(post(`${index}`));
    });
    await until(() => waiting.length === 2);
    for (const { reply, body } of waiting) reply.begin(200, { 'x-mine': `begun ${body}` });
    for (const { reply, body } of waiting) reply.write(`first of ${body}`);
    for (const { reply, body } of waiting) reply.end(`last of ${body}`);
    await until(() => heardBy.every((text) => text.endsWith('0\r\n\r\n')));
    heardBy.forEach((text, index) => {
      expect(text).toContain(`x-mine: begun ${index}\r\n`);
      expect(text.match(/(first|last) of \d/g)).toEqual([`first of ${index}`, `last of ${index}`]);
      expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(1);
    });
    for (const other of others) other.destroy();
  });

  it('does not mix what a slow client waits for with answers to others', async () => {
    let slow: RawReply | undefined;
    let sent = '';
    answer = ({ reply, body }) => {
      if (body === 'slow') {
        slow = reply;
        reply.begin(200, { 'content-length': '99999999' });
        return;
      }
      reply.begin(200, FIELDS);
      reply.end(`<${body}>`);
    };
    const other = connect((server.address() as AddressInfo).port, '127.0.0.1');
    let answered = '';
    other.on('data', (piece: Buffer) => (answered += piece.toString('latin1')));
    socket.write(post('slow'));
    await until(() => slow !== undefined);
    socket.pause();
    const writeSlow = (): boolean | undefined => {
      const text = `piece ${sent.length} `.repeat(1_000).slice(0, 9_000);
      sent += text;
      return slow?.write(Buffer.from(text));
    };
    while (writeSlow() !== false);
    for (let turn = 0; turn < 3; turn += 1) {
      other.write(post(`fast ${turn}`));
      await until(() => answered.endsWith(`<fast ${turn}>`));
      writeSlow();
    }
    socket.resume();
    await until(() => heard.length - heard.indexOf('\r\n\r\n') - 4 >= sent.length);
    expect(heard.slice(heard.indexOf('\r\n\r\n') + 4) === sent).toBe(true);
    other.destroy();
  });

  it('detects a client that leaves in the middle of an answer', async () => {
    answer = ({ reply }) => {
      reply.begin(200, { 'content-type': 'text/event-stream' });
      reply.write('data: 1\n\n');
    };
    socket.write(post('one'));
    await until(() => heard.includes('data: 1'));
    socket.destroy();
    await until(() => gone.length === 1);
    expect(taken[0]?.reply.destroyed).toBe(true);
    expect(taken[0]?.reply.write('data: 2\n\n')).toBe(true);
  });

  it('answers complete requests of a client that closed its sending half', async () => {
    const waiting: Taken[] = [];
    answer = (call) => waiting.push(call);
    // The third is not all there, and never will be.
    socket.end(post('one') + post('two') + post('three').slice(0, -1));
    for (const body of ['one', 'two']) {
      await until(() => waiting.at(-1)?.body === body && heard.endsWith(INTERIM_REPLY));
      waiting.at(-1)?.reply.begin(200, FIELDS);
      waiting.at(-1)?.reply.end(`<${body}>`);
      await until(() => heard.includes(`<${body}>`));
    }
    const connections = heard.match(/^connection: .*$/gm)?.map((line) => line.trim());
    expect(connections).toEqual(['connection: keep-alive', 'connection: keep-alive']);
    await until(() => socket.closed);
    expect(waiting).toHaveLength(2);
  });

  it('ends the connection of a refused request whose body is not read', async () => {
    isAdmitted = false;
    socket.write(post('x'.repeat(60_000)).slice(0, 300));
    await once(socket, 'close');
    expect(heard).toMatch(/^HTTP\/1\.1 413 /);
    expect(heard).toMatch(/\r\nconnection: close\r\n/);
    expect(taken).toEqual([]);
  });

  it('counts the kept bytes of a body until it is whole, and releases them when the client leaves', async () => {
    const text = post('x'.repeat(1_000));
    socket.write(text.slice(0, -600));
    await until(() => keptBytes === 400);
    socket.write(text.slice(-600, -100));
    await until(() => keptBytes === 900);
    socket.write(text.slice(-100));
    await until(() => answers() === 1);
    expect(keptBytes).toBe(0);
    expect(taken[0]?.body).toHaveLength(1_000);
    socket.write(text.slice(0, -600));
    await until(() => keptBytes === 400);
    socket.destroy();
    await until(() => keptBytes === 0);
  });

  it('refuses a body there is no room for, and keeps nothing of it', async () => {
    hasRoom = false;
    socket.write(post('x'.repeat(1_000)).slice(0, -600));
    await once(socket, 'close');
    expect(heard).toMatch(/^HTTP\/1\.1 503 /);
    expect([keptBytes, taken.length]).toEqual([0, 0]);
  });

  it('ends connections with the last answer when the server closes, and closes idle ones', async () => {
    socket.write(post('one'));
    await until(() => answers() === 1);
    const isTaken = once(server, 'connection');
    const idle = connect((server.address() as AddressInfo).port, '127.0.0.1');
    await isTaken;
    server.emit(CLOSING_EVENT, true);
    socket.write(post('two'));
    await once(socket, 'close');
    expect(heard.slice(heard.lastIndexOf('HTTP/1.1'))).toMatch(/\r\nconnection: close\r\n/);
    server.closeIdleConnections();
    await once(idle, 'close');
  });

  it('serves as many requests on a connection as the server allows', async () => {
    server.maxRequestsPerSocket = 2;
    socket.write(post('one'));
    await until(() => answers() === 1);
    expect(heard).toContain('keep-alive: timeout=75, max=2\r\n');
    socket.write(post('two'));
    await once(socket, 'close');
    expect(heard).toMatch(/connection: close\r\n\r\n<two>$/);
  });

  it('refuses fields that would end the head', async () => {
    const faults: unknown[] = [];
    answer = ({ reply }) => {
      for (const fields of [{ 'x-a': 'b\r\nx-c: d' }, { 'x-a\r\n': 'b' }] as Record<string, string>[]) {
        try {
          reply.begin(200, fields);
        } catch (fault) {
          faults.push(fault);
        }
      }
      reply.begin(200, FIELDS);
      reply.end('fine');
    };
    socket.write(post('one'));
    await until(() => heard.endsWith('fine'));
    expect(faults).toHaveLength(2);
    expect(heard).not.toContain('x-c');
  });
});
