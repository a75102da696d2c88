import { connect } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');
const LINE_END = Buffer.from('\r\n');

/**
 * One keep-alive HTTP/1.1 connection over a raw socket: a tenth of the cost of a real client, so that the load does not
 * take the CPU it is meant to measure. One request at a time. Reconnects by itself when the server closed between calls.
 *
 * Listener: `{ onHead?(status), onData?(chunk), onEnd(status), onBroken(reason) }`; exactly one of the last two is called.
 */
export class Http1Connection {
  #port;
  #socket;
  #listener;
  #status = 0;
  /** 'head' | 'length' | 'chunk-size' | 'chunk-data' | 'trailer' */
  #state = 'head';
  #remaining = 0;
  #carried;
  #closing = false;

  constructor(port) {
    this.#port = port;
  }

  get busy() {
    return this.#listener !== undefined;
  }

  /** @param {Buffer} bytes a whole request, head and body */
  send(bytes, listener) {
    this.#listener = listener;
    this.#state = 'head';
    if (this.#socket === undefined) this.#open();
    this.#socket.write(bytes);
  }

  /** Leaves, in the middle of an answer or not. The listener gets no further calls. */
  destroy() {
    this.#listener = undefined;
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  #open() {
    const socket = connect({ port: this.#port, host: '127.0.0.1', noDelay: true });
    this.#socket = socket;
    this.#carried = undefined;
    this.#closing = false;
    socket.on('data', (chunk) => this.#read(chunk));
    const gone = (reason) => {
      if (this.#socket !== socket) return;
      this.#socket = undefined;
      const listener = this.#listener;
      this.#listener = undefined;
      listener?.onBroken(reason);
    };
    socket.on('error', (error) => gone(error.code ?? error.message));
    socket.on('close', () => gone('closed'));
  }

  #finish() {
    const listener = this.#listener;
    this.#listener = undefined;
    this.#state = 'head';
    if (this.#closing) {
      const socket = this.#socket;
      this.#socket = undefined;
      socket.destroy();
    }
    listener?.onEnd(this.#status);
  }

  #read(incoming) {
    let bytes = this.#carried === undefined ? incoming : Buffer.concat([this.#carried, incoming]);
    this.#carried = undefined;
    while (bytes.length > 0) {
      if (this.#listener === undefined) return;
      switch (this.#state) {
        case 'head': {
          const end = bytes.indexOf(HEAD_END);
          if (end < 0) {
            this.#carried = bytes;
            return;
          }
          this.#readHead(bytes.latin1Slice(0, end).toLowerCase());
          bytes = bytes.subarray(end + 4);
          if (this.#state === 'length' && this.#remaining === 0) this.#finish();
          break;
        }
        case 'length':
        case 'chunk-data': {
          const part = bytes.length <= this.#remaining ? bytes : bytes.subarray(0, this.#remaining);
          this.#remaining -= part.length;
          bytes = bytes.subarray(part.length);
          this.#listener.onData?.(part);
          if (this.#remaining > 0) break;
          if (this.#state === 'length') this.#finish();
          else this.#state = 'chunk-end';
          break;
        }
        case 'chunk-end':
          if (bytes.length < 2) {
            this.#carried = bytes;
            return;
          }
          bytes = bytes.subarray(2);
          this.#state = 'chunk-size';
          break;
        case 'chunk-size':
        case 'trailer': {
          const end = bytes.indexOf(LINE_END);
          if (end < 0) {
            this.#carried = bytes;
            return;
          }
          const line = bytes.latin1Slice(0, end);
          bytes = bytes.subarray(end + 2);
          if (this.#state === 'trailer') {
            if (line === '') this.#finish();
            break;
          }
          this.#remaining = Number.parseInt(line, 16);
          this.#state = this.#remaining === 0 ? 'trailer' : 'chunk-data';
          break;
        }
      }
    }
  }

  #readHead(head) {
    this.#status = Number(head.slice(9, 12));
    this.#closing = head.includes('\r\nconnection: close');
    if (head.includes('\r\ntransfer-encoding: chunked')) {
      this.#state = 'chunk-size';
    } else {
      const at = head.indexOf('\r\ncontent-length:');
      this.#state = 'length';
      this.#remaining = at < 0 ? 0 : Number.parseInt(head.slice(at + 17), 10);
    }
    this.#listener.onHead?.(this.#status);
  }
}

/** A POST as bytes. @param {{path: string, headers?: Record<string, string>, body: Buffer}} call */
export function postBytes({ path, headers = {}, body }) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head =
    `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n` +
    `content-length: ${body.length}\r\n${lines.join('')}\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), body]);
}
