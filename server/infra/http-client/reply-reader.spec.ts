import { describe, expect, it } from '@jest/globals';
import { type ReplyHeaders, ReplyReader, UnreadableReply } from './reply-reader.js';
import { ReplyTooLarge } from './upstream-fault.js';

interface Heard {
  status: number;
  headers: ReplyHeaders;
  body: string;
  isWhole: boolean;
}

/** A reader and the events of its sink; `takes` returns whether the sink takes more. */
function listen(takes: (heard: Heard) => boolean = () => true): { reader: ReplyReader; heard: Heard } {
  const heard: Heard = { status: 0, headers: {}, body: '', isWhole: false };
  const reader = new ReplyReader(
    {
      onReplyHead: (status, headers) => Object.assign(heard, { status, headers }),
      onReplyBytes: (chunk) => {
        heard.body += chunk.toString('latin1');
        return takes(heard);
      },
      onReplyEnd: () => {
        heard.isWhole = true;
      },
    },
    1_024,
  );
  reader.begin();
  return { reader, heard };
}

function read(text: string): { reader: ReplyReader; heard: Heard } {
  const both = listen();
  both.reader.push(Buffer.from(text, 'latin1'));
  return both;
}

const reply = (...lines: readonly string[]): string => `${lines.join('\r\n')}\r\n\r\n`;

const WHOLE = [
  {
    name: 'a length',
    text: `${reply('HTTP/1.1 200 OK', 'Content-Type: application/json', 'content-length:  7 ')}{"a":1}`,
    body: '{"a":1}',
  },
  {
    name: 'chunks with extensions and trailers',
    text: `${reply('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked')}3;x="y"\r\nabc\r\n0A\r\n0123456789\r\n0\r\nx-sum: 1\r\n\r\n`,
    body: 'abc0123456789',
  },
  {
    name: 'interim heads before it',
    text: `${reply('HTTP/1.1 100 Continue')}${reply('HTTP/1.1 103 Early Hints', 'link: x')}${reply('HTTP/1.1 201 Created', 'Content-Length: 2')}ok`,
    body: 'ok',
  },
  { name: 'no content', text: reply('HTTP/1.1 204 No Content', 'Content-Length: 5'), body: '' },
  { name: 'a length of nothing', text: reply('HTTP/1.1 500', 'Content-Length: 0'), body: '' },
];

describe('ReplyReader', () => {
  describe.each(WHOLE)('a reply with $name', ({ text, body }) => {
    it('reads whole, whatever its pieces', () => {
      const bytes = Buffer.from(text, 'latin1');
      for (let cut = 0; cut <= bytes.length; cut += 1) {
        const { reader, heard } = listen();
        for (const piece of [bytes.subarray(0, cut), bytes.subarray(cut)])
          if (piece.length > 0) reader.push(Buffer.from(piece));
        expect(heard).toMatchObject({ body, isWhole: true });
        expect(reader.isReusable).toBe(true);
      }
      const { reader, heard } = listen();
      for (const byte of bytes) reader.push(Buffer.from([byte]));
      expect(heard).toMatchObject({ body, isWhole: true });
    });

    it('does not end when anything is missing', () => {
      const bytes = Buffer.from(text, 'latin1');
      for (let cut = 0; cut < bytes.length; cut += 1) {
        const { reader, heard } = listen();
        reader.push(Buffer.from(bytes.subarray(0, cut)));
        expect(heard.isWhole).toBe(false);
        expect(reader.close()).toBe(false);
      }
    });

    it('reads whole when the sink pauses at every piece', () => {
      const bytes = Buffer.from(text, 'latin1');
      const { reader, heard } = listen(() => false);
      for (const byte of bytes) reader.push(Buffer.from([byte]));
      for (let round = 0; round < bytes.length && !heard.isWhole; round += 1) reader.proceed();
      expect(heard).toMatchObject({ body, isWhole: true });
    });
  });

  it('reads one reply after the other', () => {
    const { reader, heard } = listen();
    for (const text of ['first', 'second']) {
      reader.begin();
      heard.body = '';
      reader.push(Buffer.from(`${reply('HTTP/1.1 200 OK', `Content-Length: ${text.length}`)}${text}`));
      expect(heard.body).toBe(text);
    }
  });

  it('folds names, trims blanks only, keeps repeated fields, and has no prototype to reach', () => {
    const { heard } = read(
      reply(
        'HTTP/1.1 200 Fine',
        'Content-Length:0',
        'X-One: \t a\u00a0b \u00a0 ',
        'Set-Cookie: a=1',
        'set-cookie: b=2',
        'SET-COOKIE:c=3',
        '__proto__: evil',
        'empty:',
      ),
    );
    expect(Object.getPrototypeOf(heard.headers)).toBeNull();
    expect(Object.entries(heard.headers)).toEqual([
      ['content-length', '0'],
      ['x-one', 'a\u00a0b \u00a0'],
      ['set-cookie', ['a=1', 'b=2', 'c=3']],
      ['__proto__', 'evil'],
      ['empty', ''],
    ]);
  });

  it('hands the bytes of a length over without a copy', () => {
    const { reader, heard } = listen();
    reader.push(Buffer.from(reply('HTTP/1.1 200 OK', 'Content-Length: 4')));
    const bytes = Buffer.from('body');
    let given: Buffer | undefined;
    const other = new ReplyReader(
      {
        onReplyHead: () => undefined,
        onReplyBytes: (chunk) => (given = chunk) !== undefined,
        onReplyEnd: () => undefined,
      },
      1_024,
    );
    other.begin();
    other.push(Buffer.from(reply('HTTP/1.1 200 OK', 'Content-Length: 4')));
    other.push(bytes);
    expect(given).toBe(bytes);
    expect(heard.isWhole).toBe(false);
  });

  it('passes on chunks that came together as one, up to 16 KiB, in order', () => {
    const given: Buffer[] = [];
    const reader = new ReplyReader(
      {
        onReplyHead: () => undefined,
        onReplyBytes: (chunk) => given.push(chunk) > 0,
        onReplyEnd: () => given.push(Buffer.from('end')),
      },
      1_024,
    );
    reader.begin();
    const chunk = (index: number): string => `data: ${String(index).padStart(237, '0')}`;
    const chunks = Array.from({ length: 200 }, (_, index) => `f3\r\n${chunk(index)}\r\n`).join('');
    reader.push(Buffer.from(`${reply('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked')}${chunks}0\r\n\r\n`));
    expect(given.map(({ length }) => length)).toEqual([16_524, 16_524, 15_552, 3]);
    expect(Buffer.concat(given).toString()).toBe(
      `${Array.from({ length: 200 }, (_, index) => chunk(index)).join('')}end`,
    );
  });

  describe('the connection afterwards', () => {
    it.each([
      [true, ['HTTP/1.1 200 OK', 'Content-Length: 0']],
      [true, ['HTTP/1.0 200 OK', 'Content-Length: 0', 'Connection: Keep-Alive']],
      [false, ['HTTP/1.0 200 OK', 'Content-Length: 0']],
      [false, ['HTTP/1.1 200 OK', 'Content-Length: 0', 'Connection: close']],
      [false, ['HTTP/1.1 200 OK', 'Content-Length: 0', 'Connection: x, Close']],
      [false, ['HTTP/1.1 200 OK', 'Content-Length: 0', 'Connection: x', 'Connection: close']],
    ])('stays reusable: %s for %j', (isReusable, lines) => {
      const { reader, heard } = read(reply(...lines));
      expect(heard.isWhole).toBe(true);
      expect(reader.isReusable).toBe(isReusable);
    });

    it('closes when more came than the reply', () => {
      const { reader, heard } = read(`${reply('HTTP/1.1 200 OK', 'Content-Length: 2')}okHTTP/1.1 200 OK`);
      expect(heard).toMatchObject({ body: 'ok', isWhole: true });
      expect(reader.isReusable).toBe(false);
    });

    it('returns how long the peer keeps it', () => {
      expect(
        read(reply('HTTP/1.1 200 OK', 'Content-Length: 0', 'Keep-Alive: timeout=5, max=9')).reader
          .keepAliveMs,
      ).toBe(5_000);
      expect(read(reply('HTTP/1.1 200 OK', 'Content-Length: 0')).reader.keepAliveMs).toBeUndefined();
    });

    it('rejects bytes without a request', () => {
      const { reader } = read(reply('HTTP/1.1 200 OK', 'Content-Length: 0'));
      expect(() => reader.push(Buffer.from('x'))).toThrow(UnreadableReply);
    });
  });

  it('ends a reply without a length with its connection', () => {
    const { reader, heard } = read(`${reply('HTTP/1.1 200 OK')}some`);
    reader.push(Buffer.from(' more'));
    expect(heard.isWhole).toBe(false);
    expect(reader.close()).toBe(true);
    expect(heard).toMatchObject({ body: 'some more', isWhole: true });
    expect(reader.isReusable).toBe(false);
  });

  it('stays silent once stopped, in the middle of a piece too', () => {
    let stop = (): void => undefined;
    const { reader, heard } = listen(() => {
      stop();
      return false;
    });
    stop = () => reader.stop();
    reader.push(
      Buffer.from(`${reply('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked')}1\r\na\r\n1\r\nb\r\n0\r\n\r\n`),
    );
    reader.proceed();
    expect(heard).toMatchObject({ body: 'ab', isWhole: false });
  });

  it('refuses a head with bare line feeds at once, however it is cut', () => {
    const head = 'HTTP/1.1 200 OK\nContent-Length: 2\n\nok';
    expect(() => read(head)).toThrow(UnreadableReply);
    const { reader } = listen();
    expect(() => [...head].map((letter) => reader.push(Buffer.from(letter)))).toThrow(UnreadableReply);
    const { heard, reader: good } = listen();
    for (const letter of `${reply('HTTP/1.1 200 OK', 'Content-Length: 2')}ok`) good.push(Buffer.from(letter));
    expect(heard).toMatchObject({ body: 'ok', isWhole: true });
  });

  it('bounds the head, whether it ends or not [UP-04]', () => {
    const { reader } = listen();
    expect(() => reader.push(Buffer.from(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(2_000)}`))).toThrow(
      ReplyTooLarge,
    );
    expect(() => read(reply('HTTP/1.1 200 OK', `x: ${'a'.repeat(2_000)}`))).toThrow(ReplyTooLarge);
  });

  it.each([
    ['two lengths', reply('HTTP/1.1 200 OK', 'Content-Length: 1', 'Content-Length: 2')],
    ['the same length twice', reply('HTTP/1.1 200 OK', 'Content-Length: 1', 'Content-Length: 1')],
    ['a length and chunks', reply('HTTP/1.1 200 OK', 'Content-Length: 1', 'Transfer-Encoding: chunked')],
    ['a signed length', reply('HTTP/1.1 200 OK', 'Content-Length: +1')],
    ['a hexadecimal length', reply('HTTP/1.1 200 OK', 'Content-Length: 0x1')],
    ['an endless length', reply('HTTP/1.1 200 OK', `Content-Length: ${'9'.repeat(16)}`)],
    ['another coding', reply('HTTP/1.1 200 OK', 'Transfer-Encoding: gzip, chunked')],
    ['two codings', reply('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', 'Transfer-Encoding: chunked')],
    ['chunks in HTTP/1.0', reply('HTTP/1.0 200 OK', 'Transfer-Encoding: chunked')],
    ['a blank before the colon', reply('HTTP/1.1 200 OK', 'Content-Length : 1')],
    ['a folded field', reply('HTTP/1.1 200 OK', 'x: a', ' b')],
    ['a bare line feed', 'HTTP/1.1 200 OK\nContent-Length: 0\r\n\r\n'],
    ['a bare line feed in a field', reply('HTTP/1.1 200 OK', 'x: a\ny: b')],
    ['a control character', reply('HTTP/1.1 200 OK', 'x: a\u0000b')],
    ['a field without a name', reply('HTTP/1.1 200 OK', ': a')],
    ['another protocol', reply('HTTP/2 200 OK')],
    ['no protocol', reply('SSH-2.0-OpenSSH_9.2')],
    ['a status of two digits', reply('HTTP/1.1 20 OK')],
    ['another protocol offered', reply('HTTP/1.1 101 Switching Protocols', 'Upgrade: x')],
    ['announcements without end', reply('HTTP/1.1 100 Continue').repeat(20)],
    ['a chunk without a size', `${reply('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked')}\r\nabc\r\n`],
    ['a chunk with a signed size', `${reply('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked')}-1\r\nabc\r\n`],
    ['an endless chunk', `${reply('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked')}${'f'.repeat(14)}\r\n`],
    ['a chunk longer than told', `${reply('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked')}1\r\nabc\r\n`],
    ['a size that ends in a line feed', `${reply('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked')}1\na\r\n`],
    [
      'an extension without end',
      `${reply('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked')}1;${'x'.repeat(9_000)}`,
    ],
  ])('refuses %s', (_, text) => {
    expect(() => read(text)).toThrow(UnreadableReply);
  });
});
