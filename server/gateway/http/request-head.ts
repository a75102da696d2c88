/** Maximum of address and header fields of a request; Node's server has the same limit (build-app.ts). */
export const MAX_HEAD_BYTES = 16 * 1024;
const MAX_FIELDS = 100;
/** Longer addresses are refused (guard-heads.ts), and not here. */
const MAX_ADDRESS_BYTES = 8 * 1024;
/** Larger bodies are read only for callers we know, and arrive in many pieces: Node's server is good at both. */
const MAX_BODY_BYTES = 64 * 1024;

const HEAD_END = Buffer.from('\r\n\r\n');
const POST = Buffer.from('POST /');
/** Printable ASCII only, one blank where one belongs; a target without the mark of a fragment. */
const HEAD = /^POST (\/[!"$-~]*) HTTP\/1\.1\r\n(?:[!#$%&'*+\-.^_`|~0-9A-Za-z]+:[\t\x20-\x7e]*\r\n)+$/;
const LENGTH = /^\d{1,6}$/;
/** Fields beyond the end of a request and its caller. */
const ODD_FIELDS: ReadonlySet<string> = new Set([
  'transfer-encoding',
  'expect',
  'upgrade',
  'te',
  'trailer',
  'proxy-connection',
  'set-cookie',
  'http2-settings',
]);

/** The head of a plain request. */
export interface RequestHead {
  /** Address as written in the request line. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes of the head, its end included. */
  readonly headBytes: number;
  readonly bodyBytes: number;
}

/**
 * Reads a request every reader of HTTP understands alike: `POST`, HTTP/1.1, one host, one length, no field twice, nothing folded or
 * foreign. Everything else is Node's to judge, so this is no second opinion about what is odd: it only knows what is not.
 * @returns null for everything else, and for a head that is not all there
 */
export function readRequestHead(bytes: Buffer): RequestHead | null {
  // Looked for first: most of what is not for us is a GET.
  if (bytes.length < POST.length || POST.compare(bytes, 0, POST.length) !== 0) return null;
  const end = bytes.indexOf(HEAD_END);
  if (end === -1 || end > MAX_HEAD_BYTES - HEAD_END.length) return null;
  const text = bytes.toString('latin1', 0, end + 2);
  const match = HEAD.exec(text);
  if (match === null) return null;
  const url = match[1] as string;
  if (url.length > MAX_ADDRESS_BYTES) return null;
  const headers = readFields(text);
  if (headers === null || headers['host'] === undefined) return null;
  const connection = headers['connection'];
  if (connection !== undefined && connection.toLowerCase() !== 'keep-alive') return null;
  const length = headers['content-length'];
  if (length === undefined || !LENGTH.test(length)) return null;
  const bodyBytes = Number(length);
  return bodyBytes > MAX_BODY_BYTES ? null : { url, headers, headBytes: end + HEAD_END.length, bodyBytes };
}

/** Heads up to this size are remembered. */
const MAX_KNOWN_BYTES = 2 * 1024;
/** A connection whose heads differ so often is not looked at any more. */
const MAX_MISSES = 3;
const MAX_DIGITS = 6;
const LENGTH_FIELD = /\r\ncontent-length:[\t ]*(\d{1,6})[\t ]*\r\n/i;
const RETURN = 0x0d;
const ZERO = 0x30;

/**
 * Reads the heads of one connection. Clients send the same one with every request, but for the length of the body: what has the
 * same bytes needs no second reading.
 */
export class RequestHeadReader {
  private requests = 0;
  private misses = 0;
  private known: KnownHead | null = null;

  /** Same as `readRequestHead`. */
  read(bytes: Buffer): RequestHead | null {
    this.requests += 1;
    const again = this.known === null ? null : readAgain(this.known, bytes);
    if (again !== null) return again;
    const head = readRequestHead(bytes);
    // Most connections of scripts bring one request only.
    if (head === null || this.requests < 2 || this.misses >= MAX_MISSES) return head;
    this.misses += 1;
    this.known = head.headBytes > MAX_KNOWN_BYTES ? null : keep(head, bytes);
    return head;
  }
}

interface KnownHead {
  readonly head: RequestHead;
  /** Bytes of the head before and behind its content length. */
  readonly before: Buffer;
  readonly after: Buffer;
}

function keep(head: RequestHead, bytes: Buffer): KnownHead | null {
  const match = LENGTH_FIELD.exec(bytes.toString('latin1', 0, head.headBytes));
  const digits = match?.[1];
  if (match === null || digits === undefined) return null;
  // All requests with this head share them.
  Object.freeze(head.headers);
  const lengthAt = match.index + match[0].indexOf(digits);
  const copy = Buffer.allocUnsafeSlow(head.headBytes);
  bytes.copy(copy, 0, 0, head.headBytes);
  return { head, before: copy.subarray(0, lengthAt), after: copy.subarray(lengthAt + digits.length) };
}

/** @returns null when it is not the same head with a length, its own or another one that is allowed */
function readAgain({ head, before, after }: KnownHead, bytes: Buffer): RequestHead | null {
  const lengthAt = before.length;
  if (bytes.length < lengthAt + after.length || bytes.compare(before, 0, lengthAt, 0, lengthAt) !== 0)
    return null;
  let at = lengthAt;
  let bodyBytes = 0;
  for (let byte = bytes[at] as number; byte !== RETURN && byte !== after[0]; byte = bytes[at] as number) {
    const digit = byte - ZERO;
    if (!(digit >= 0 && digit <= 9) || bodyBytes > MAX_BODY_BYTES) return null;
    bodyBytes = bodyBytes * 10 + digit;
    at += 1;
  }
  const headBytes = at + after.length;
  const digits = at - lengthAt;
  if (digits === 0 || digits > MAX_DIGITS || bodyBytes > MAX_BODY_BYTES) return null;
  if (bytes.length < headBytes) return null;
  if (bytes.compare(after, 0, after.length, at, headBytes) !== 0) return null;
  if (headBytes === head.headBytes && bodyBytes === head.bodyBytes) return head;
  const length = bytes.toString('latin1', lengthAt, at);
  return { url: head.url, headers: { ...head.headers, 'content-length': length }, headBytes, bodyBytes };
}

function readFields(text: string): Record<string, string> | null {
  const headers: Record<string, string> = {};
  let count = 0;
  let at = text.indexOf('\r\n') + 2;
  while (at < text.length) {
    const colon = text.indexOf(':', at);
    const end = text.indexOf('\r\n', colon);
    const name = text.slice(at, colon).toLowerCase();
    count += 1;
    // A name twice, or one every object has: what others make of it differs.
    if (headers[name] !== undefined || ODD_FIELDS.has(name) || count > MAX_FIELDS) return null;
    headers[name] = text.slice(colon + 1, end).trim();
    at = end + 2;
  }
  return headers;
}
