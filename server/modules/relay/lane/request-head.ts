/** Address and header fields of a request, at most; Node's server is told the same (build-app.ts). */
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
/** Fields that say more than where a request ends and whose it is. */
const ODD_FIELDS: ReadonlySet<string> = new Set([
  ...[
    'transfer-encoding',
    'expect',
    'upgrade',
    'te',
    'trailer',
    'proxy-connection',
    'set-cookie',
    'http2-settings',
  ],
]);

/** The head of a plain request. */
export interface RequestHead {
  /** As it stands in the request line. */
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
