import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { FaultProxy } from './fault-proxy.js';

/** `once` of node:events would fail at the reset that comes first. */
const closing = (socket: Socket): Promise<void> =>
  new Promise((resolve) => socket.once('close', () => resolve()));

describe('a faulty line', () => {
  let server: Server;
  let proxy: FaultProxy;
  let received: string[];
  const clients: Socket[] = [];
  let odds = 0;

  beforeEach(async () => {
    received = [];
    // Answers every message with its own words.
    server = createServer((socket) => {
      socket.on('data', (bytes: Buffer) => {
        received.push(bytes.toString());
        socket.write(bytes);
      });
      socket.on('error', () => undefined);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    proxy = await FaultProxy.open({ host: '127.0.0.1', port }, () => odds);
  });

  afterEach(() => {
    for (const client of clients.splice(0)) client.destroy();
    proxy.close();
    server.close();
  });

  async function open(): Promise<Socket> {
    const client = connect(proxy.port, '127.0.0.1');
    client.on('error', () => undefined);
    clients.push(client);
    await once(client, 'connect');
    return client;
  }

  async function ask(client: Socket, words: string): Promise<string> {
    client.write(words);
    const [bytes] = (await once(client, 'data')) as [Buffer];
    return bytes.toString();
  }

  it('passes everything on when nothing is wrong', async () => {
    expect(await ask(await open(), 'hello')).toBe('hello');
  });

  it('delays both ways', async () => {
    const client = await open();
    await ask(client, 'warm');
    proxy.set({ kind: 'delay', delayMs: 40 });
    const fromMs = performance.now();
    expect(await ask(client, 'late')).toBe('late');
    // Timers may come a millisecond early.
    expect(performance.now() - fromMs).toBeGreaterThan(76);
  });

  it('keeps the order when a delay ends while bytes are on their way', async () => {
    const client = await open();
    await ask(client, 'warm');
    proxy.set({ kind: 'delay', delayMs: 60 });
    client.write('first ');
    let heard = '';
    client.on('data', (bytes: Buffer) => (heard += bytes.toString()));
    while (proxy.delayed === 0) await new Promise((resolve) => setImmediate(resolve));
    proxy.set({ kind: 'none' });
    client.write('second');
    while (heard.length < 12) await once(client, 'data');
    expect(heard).toBe('first second');
  });

  it('drops data in a partition, and breaks the line when it is over', async () => {
    const client = await open();
    await ask(client, 'before');
    proxy.set({ kind: 'black-hole' });
    client.write('never heard');
    const closed = closing(client);
    const other = await open();
    proxy.set({ kind: 'none' });
    await closed;
    other.destroy();
    expect(await ask(await open(), 'after')).toBe('after');
    expect(received).toEqual(['before', 'after']);
  });

  it('passes data to the server only', async () => {
    const client = await open();
    await ask(client, 'before');
    proxy.set({ kind: 'deaf' });
    client.write('done, but nobody knows');
    while (received.length < 2) await new Promise((resolve) => setImmediate(resolve));
    const closed = closing(client);
    proxy.set({ kind: 'none' });
    await closed;
    expect(received[1]).toBe('done, but nobody knows');
  });

  it('resets old connections and new ones', async () => {
    const client = await open();
    await ask(client, 'before');
    const closed = closing(client);
    proxy.set({ kind: 'reset' });
    await closed;
    const late = connect(proxy.port, '127.0.0.1');
    late.on('error', () => undefined);
    await closing(late);
    expect(received).toEqual(['before']);
  });

  it('loses the answer to a commit that was made, and only to that', async () => {
    proxy.set({ kind: 'lost-commits', share: 0.5 });
    odds = 0.9;
    const client = await open();
    expect(await ask(client, 'COMMIT')).toBe('COMMIT');
    odds = 0.1;
    expect(await ask(client, 'SELECT 1')).toBe('SELECT 1');
    const closed = closing(client);
    client.write('COMMIT');
    await closed;
    expect(received).toEqual(['COMMIT', 'SELECT 1', 'COMMIT']);
    expect(proxy.lostCommits).toBe(1);
  });
});
