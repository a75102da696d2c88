import { createServer } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');
const NOTHING = Buffer.alloc(0);
const REASONS = {
  200: 'OK',
  404: 'Not Found',
  411: 'Length Required',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
};

/**
 * HTTP/1.1 over raw sockets, as much of it as an upstream under test needs: keep-alive, bodies with a length, one request
 * at a time per connection. A third of the cost of node:http, because the mock shares its core with the stores.
 * @param {(call: {method: string, path: string, body: Buffer}, reply: Reply) => void} answer
 */
export function createRawHttpServer(answer) {
  return createServer({ noDelay: true }, (socket) => {
    let waiting = NOTHING;
    let reply;
    socket.on('data', (chunk) => {
      waiting = waiting.length === 0 ? chunk : Buffer.concat([waiting, chunk]);
      read();
    });
    // Resets and half-closed connections are part of the script; 'close' notifies pending answers.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => reply?.closed());

    function read() {
      if (reply !== undefined && !reply.isOver) return;
      const headEnd = waiting.indexOf(HEAD_END);
      if (headEnd < 0) return;
      const head = waiting.latin1Slice(0, headEnd);
      const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
      const bodyStart = headEnd + HEAD_END.length;
      if (waiting.length < bodyStart + length) return;
      const body = waiting.subarray(bodyStart, bodyStart + length);
      waiting = waiting.length === bodyStart + length ? NOTHING : waiting.subarray(bodyStart + length);
      const [method, path] = head.split(' ', 2);
      reply = new Reply(socket, read);
      if (/\r\ntransfer-encoding:/i.test(head))
        reply.whole(411, '{"error":{"message":"send a content-length"}}');
      else answer({ method, path, body }, reply);
    }
  });
}

/** The answer to one request. */
class Reply {
  isOver = false;
  /** Called once when the other side left before the answer was over. */
  onLeft;
  #socket;
  #onOver;

  constructor(socket, onOver) {
    this.#socket = socket;
    this.#onOver = onOver;
  }

  /** A whole JSON answer, in one write. @param {string} text ASCII */
  whole(status, text) {
    this.#socket.write(
      `HTTP/1.1 ${status} ${REASONS[status]}\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`,
      'latin1',
    );
    this.#over();
  }

  startStream() {
    this.#socket.write(
      'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncache-control: no-cache\r\ntransfer-encoding: chunked\r\n\r\n',
      'latin1',
    );
  }

  /** @param {Buffer} framed see `frame`. @returns false when the other side reads too slowly */
  write(framed) {
    return this.#socket.write(framed);
  }

  get isFull() {
    return this.#socket.writableNeedDrain;
  }

  onceDrained(listener) {
    this.#socket.once('drain', listener);
  }

  endStream() {
    this.#socket.write('0\r\n\r\n', 'latin1');
    this.#over();
  }

  /** Breaks the connection in the middle. */
  break() {
    this.isOver = true;
    this.#socket.resetAndDestroy();
  }

  closed() {
    if (this.isOver) return;
    this.isOver = true;
    this.onLeft?.();
  }

  #over() {
    this.isOver = true;
    this.#onOver();
  }
}

/** Bytes as one chunk of the chunked transfer coding. */
export const frame = (text) => Buffer.from(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`);
