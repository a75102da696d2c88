import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, Socket } from 'node:net';
import { OutBytes } from './socket-buffers.js';

/** Says that it wrote, and hands on later what it was given. */
class LateSocket extends Socket {
  readonly given: Uint8Array[] = [];

  override _write(chunk: Uint8Array, _encoding: string, done: () => void): void {
    this.given.push(chunk);
    done();
  }
}

describe('OutBytes', () => {
  let server: Server;
  let socket: Socket;
  let heard = '';
  let peer: Socket;

  beforeEach(async () => {
    heard = '';
    server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    await once(socket, 'connect');
    [peer] = await accepted;
    peer.on('data', (bytes: Buffer) => (heard += bytes.toString('latin1')));
  });

  afterEach(async () => {
    socket.destroy();
    peer.destroy();
    server.close();
    await once(server, 'close');
  });

  it('uses one buffer for everything the system takes at once', async () => {
    const out = new OutBytes();
    const { bytes } = out;
    for (let turn = 0; turn < 100; turn += 1) out.ascii(`turn ${turn};`).sendTo(socket);
    expect(out.bytes).toBe(bytes);
    socket.end();
    await once(peer, 'end');
    expect(heard).toBe(Array.from({ length: 100 }, (_, turn) => `turn ${turn};`).join(''));
  });

  it('leaves its buffer to a socket that did not take all of it, and copies for one that waits', async () => {
    const out = new OutBytes();
    peer.pause();
    let sent = '';
    const send = (): boolean => {
      const text = `${sent.length};`.repeat(2_000).slice(0, 10_000);
      sent += text;
      return out.ascii(text).sendTo(socket);
    };
    const first = out.bytes;
    while (socket.writableLength === 0) send();
    expect(out.bytes).not.toBe(first);
    const second = out.bytes;
    for (let turn = 0; turn < 5; turn += 1) send();
    expect(out.bytes).toBe(second);
    out.bytes.fill(0x78);
    peer.resume();
    socket.end();
    await once(peer, 'end');
    expect(heard === sent).toBe(true);
  });

  it('gives a copy to whatever is not simply a socket of the system', () => {
    const out = new OutBytes();
    const late = new LateSocket();
    for (const text of ['one', 'two']) out.ascii(text).sendTo(late);
    out.bytes.fill(0x78);
    expect(late.given.map((chunk) => Buffer.from(chunk).toString())).toEqual(['one', 'two']);
    late.destroy();
  });

  it('does not keep a place that grew', () => {
    const out = new OutBytes();
    const room = out.bytes.length;
    out.ascii('x'.repeat(100_000)).sendTo(socket);
    expect(out.bytes.length).toBe(room);
    expect(out.length).toBe(0);
  });
});
