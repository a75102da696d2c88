import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { DIRECT_READS, restoreReads, interceptReads } from './socket-buffers.js';

/** Collects the bytes a socket read, and resolves at a requested length. */
class Collected {
  readonly pieces: Buffer[] = [];
  private told = (): void => undefined;

  readonly take = (bytes: Buffer): boolean => {
    this.pieces.push(bytes);
    this.told();
    return true;
  };

  get text(): string {
    return Buffer.concat(this.pieces).toString('latin1');
  }

  async until(text: string): Promise<void> {
    while (this.text !== text) {
      await new Promise<void>((resolve) => {
        this.told = resolve;
      });
    }
  }
}

describe('what a socket reads', () => {
  let server: Server;
  let accepted: Socket;
  let opened: Socket;

  beforeEach(async () => {
    server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const connection = once(server, 'connection');
    opened = connect({ port, host: '127.0.0.1', onread: DIRECT_READS });
    [accepted] = (await connection) as [Socket];
  });

  afterEach(() => {
    opened.destroy();
    accepted.destroy();
    server.close();
  });

  test.each(['accepted', 'opened'] as const)(
    '%s: keeps the bytes of a taken buffer unchanged',
    async (which) => {
      const [reader, writer] = which === 'accepted' ? [accepted, opened] : [opened, accepted];
      const collected = new Collected();
      interceptReads(reader, collected.take);
      for (const piece of ['one,', 'two,', 'three']) {
        const before = collected.text;
        writer.write(piece);
        await collected.until(before + piece);
      }
      expect(collected.pieces.map(String)).toEqual(['one,', 'two,', 'three']);
    },
  );

  test('two sockets do not read into one another', async () => {
    const [ours, theirs] = [new Collected(), new Collected()];
    interceptReads(accepted, ours.take);
    interceptReads(opened, theirs.take);
    opened.write('to the server');
    accepted.write('to the client');
    await Promise.all([ours.until('to the server'), theirs.until('to the client')]);
  });

  test('more than one read brings comes whole', async () => {
    const collected = new Collected();
    interceptReads(accepted, collected.take);
    const sent = Buffer.from('0123456789abcdef'.repeat(20_000));
    opened.write(sent);
    await collected.until(sent.toString('latin1'));
  });

  test('gives no more to a paused reader until it resumes', async () => {
    const pieces: string[] = [];
    const first = new Promise<void>((resolve) => {
      interceptReads(accepted, (bytes) => {
        pieces.push(String(bytes));
        resolve();
        return false;
      });
    });
    opened.write('first');
    await first;
    expect(accepted.isPaused()).toBe(true);
    const written = new Promise((resolve) => opened.write('second', resolve));
    await written;
    await new Promise((resolve) => setImmediate(resolve));
    expect(pieces).toEqual(['first']);
    const second = new Promise<Buffer>((resolve) => {
      interceptReads(accepted, (bytes) => {
        resolve(bytes);
        return true;
      });
    });
    accepted.resume();
    expect(String(await second)).toBe('second');
  });

  test('emits events again on a socket without a taker', async () => {
    interceptReads(accepted, () => {
      throw new Error('not mine');
    });
    restoreReads(accepted);
    const data = once(accepted, 'data');
    opened.write('for everybody');
    expect(String((await data)[0])).toBe('for everybody');
  });

  test('reports the end of the other side’s data', async () => {
    interceptReads(accepted, () => true);
    const end = once(accepted, 'end');
    opened.end('bye');
    await end;
  });
});
