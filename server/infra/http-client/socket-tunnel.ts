import { contained } from '../../common/contain-faults.js';
import { isIP, connect as connectTcp, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { OutboundRefusal } from './safe-url.js';

/** Target of a tunnel, and the time limit of its set-up. */
export interface TunnelTarget {
  readonly host: string;
  readonly port: number;
  /** Checks the proxy's own addresses. */
  readonly lookup: LookupFunction;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

const MAX_HEAD_BYTES = 16 * 1024;
const HEAD_END = '\r\n\r\n';
const SOCKS_VERSION = 5;
const SOCKS_NO_PASSWORD = 0;
const SOCKS_PASSWORD = 2;
const SOCKS_CONNECT = 1;

/**
 * A raw connection through an HTTP or SOCKS5 proxy, for protocols that are no HTTP calls.
 * Fails: rejects with an error whose code `toUpstreamFault` understands.
 */
export async function tunnelThrough(proxy: URL, target: TunnelTarget): Promise<Socket> {
  const isSecure = proxy.protocol === 'https:';
  const isSocks = /^socks5?h?:$/.test(proxy.protocol);
  if (!isSecure && !isSocks && proxy.protocol !== 'http:')
    throw new OutboundRefusal('The proxy of a channel must be an http, https or socks5 address.');
  const host = proxy.hostname.replace(/^\[|\]$/g, '');
  const port = proxy.port === '' ? (isSocks ? 1080 : isSecure ? 443 : 80) : Number(proxy.port);
  const { lookup, timeoutMs } = target;
  const socket: Socket = isSecure
    ? connectTls({ host, port, lookup, servername: isIP(host) === 0 ? host : '', timeout: timeoutMs })
    : connectTcp({ host, port, lookup, timeout: timeoutMs });
  const line = new ByteLine(socket, target.signal);
  try {
    await line.connected(isSecure ? 'secureConnect' : 'connect');
    if (isSocks) await openSocksTunnel(line, proxy, target);
    else await openHttpTunnel(line, proxy, target);
  } catch (fault) {
    socket.destroy();
    throw fault;
  }
  line.release();
  return socket;
}

async function openHttpTunnel(line: ByteLine, proxy: URL, { host, port }: TunnelTarget): Promise<void> {
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const login = credentialsOf(proxy);
  const authorization =
    login === undefined
      ? ''
      : `Proxy-Authorization: Basic ${Buffer.from(`${login.user}:${login.password}`).toString('base64')}\r\n`;
  line.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${authorization}\r\n`);
  const head = await line.readUntil(HEAD_END, MAX_HEAD_BYTES);
  if (!/^HTTP\/1\.[01] 2\d\d /.test(head)) throw refused('the proxy refused the connection');
}

/** RFC 1928 and 1929; names are resolved by the proxy. */
async function openSocksTunnel(line: ByteLine, proxy: URL, { host, port }: TunnelTarget): Promise<void> {
  const login = credentialsOf(proxy);
  const method = login === undefined ? SOCKS_NO_PASSWORD : SOCKS_PASSWORD;
  line.write(Buffer.from([SOCKS_VERSION, 1, method]));
  const chosen = await line.read(2);
  if (chosen[0] !== SOCKS_VERSION || chosen[1] !== method) throw refused('the proxy wants another login');
  if (login !== undefined) {
    line.write(Buffer.from([1, ...field(login.user), ...field(login.password)]));
    const answer = await line.read(2);
    if (answer[1] !== 0) throw refused('the proxy refused the login');
  }
  line.write(Buffer.from([SOCKS_VERSION, SOCKS_CONNECT, 0, 3, ...field(host), port >> 8, port & 0xff]));
  const head = await line.read(5);
  if (head[1] !== 0) throw refused('the proxy could not connect');
  const addressBytes = head[3] === 1 ? 4 : head[3] === 4 ? 16 : (head[4] as number) + 1;
  // One byte of the address was read with the head.
  await line.read(addressBytes - 1 + 2);
}

/** A text behind its length, which is one byte. */
function field(text: string): readonly number[] {
  const bytes = Buffer.from(text);
  if (bytes.length > 255) throw refused('the proxy takes names of at most 255 bytes');
  return [bytes.length, ...bytes];
}

function credentialsOf(proxy: URL): { readonly user: string; readonly password: string } | undefined {
  if (proxy.username === '') return undefined;
  return { user: decodeURIComponent(proxy.username), password: decodeURIComponent(proxy.password) };
}

const refused = (message: string): Error => Object.assign(new Error(message), { code: 'UND_ERR_PRX_CONN' });

/** Reads exact pieces of a socket during a handshake; what came beyond them is put back. */
class ByteLine {
  private bytes = Buffer.alloc(0);
  private fault: Error | undefined;
  private wake: () => void = () => undefined;
  private readonly onFault = contained((fault?: unknown): void => {
    this.fault ??= fault instanceof Error ? fault : refused('the proxy closed the connection');
    this.wake();
  });
  private readonly onData = contained((chunk: Buffer): void => {
    this.bytes = Buffer.concat([this.bytes, chunk]);
    this.wake();
  }, this.onFault);
  private readonly onTimeout = contained(() =>
    this.onFault(Object.assign(new Error('the proxy is too slow'), { code: 'ETIMEDOUT' })),
  );
  private readonly onAbort = contained(() =>
    this.onFault(Object.assign(new Error('given up'), { code: 'UND_ERR_ABORTED' })),
  );

  constructor(
    private readonly socket: Socket,
    private readonly signal: AbortSignal,
  ) {
    socket.on('error', this.onFault);
    socket.on('close', this.onFault);
    socket.on('timeout', this.onTimeout);
    signal.addEventListener('abort', this.onAbort, { once: true });
    if (signal.aborted) this.onAbort();
  }

  async connected(event: 'connect' | 'secureConnect'): Promise<void> {
    let isConnected = false;
    const note = (): void => {
      isConnected = true;
      this.wake();
    };
    this.socket.once(event, contained(note, this.onFault));
    await this.until(() => isConnected);
    this.socket.on('data', this.onData);
  }

  write(bytes: Buffer | string): void {
    this.socket.write(bytes);
  }

  async read(length: number): Promise<Buffer> {
    await this.until(() => this.bytes.length >= length);
    return this.take(length);
  }

  async readUntil(mark: string, maxBytes: number): Promise<string> {
    await this.until(() => this.bytes.includes(mark) || this.bytes.length > maxBytes);
    const at = this.bytes.indexOf(mark);
    if (at === -1) throw refused('the proxy answered too much');
    return this.take(at + mark.length).toString('latin1');
  }

  /**
   * From here on the socket belongs to its next owner. Errors are still listened for: one that comes before the next owner listens
   * must not end the process.
   */
  release(): void {
    this.socket.off('data', this.onData);
    this.socket.off('close', this.onFault);
    this.socket.off('timeout', this.onTimeout);
    this.signal.removeEventListener('abort', this.onAbort);
    this.socket.setTimeout(0);
    if (this.bytes.length > 0) this.socket.unshift(this.bytes);
  }

  private take(length: number): Buffer {
    const taken = Buffer.from(this.bytes.subarray(0, length));
    this.bytes = Buffer.from(this.bytes.subarray(length));
    return taken;
  }

  private async until(isTrue: () => boolean): Promise<void> {
    while (!isTrue()) {
      if (this.fault !== undefined) throw this.fault;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
        if (isTrue() || this.fault !== undefined) resolve();
      });
    }
  }
}
