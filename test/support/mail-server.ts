import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { ApiClient } from './api-client.ts';

/** A mail as the server took it. */
export interface ReceivedLetter {
  readonly from: string;
  readonly to: readonly string[];
  /** Header names in lower case; the last of several wins. */
  readonly headers: Readonly<Record<string, string>>;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly raw: string;
  readonly isEncrypted: boolean;
  /** Account the client signed in with, null without. */
  readonly user: string | null;
}

export interface MailServer {
  readonly port: number;
  /** In the order they came. */
  readonly letters: readonly ReceivedLetter[];
  /** The `count`-th mail to an address, as soon as it is there. */
  letterTo(address: string, count?: number): Promise<ReceivedLetter>;
  /** Refuses every mail with this SMTP status until it is undefined again. */
  refusal: number | undefined;
  /** Settles when it has refused the next mail. */
  nextRefusal(): Promise<void>;
  close(): Promise<void>;
}

/** The only account that may sign in. */
export const MAIL_ACCOUNT = { user: 'gateway@mail.test', password: 'mail-password' } as const;

/**
 * A real SMTP server on a loopback port, with an untrusted certificate.
 * @param options  over the defaults: sign-in optional, STARTTLS offered
 */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const letters: ReceivedLetter[] = [];
  let listeners: (() => void)[] = [];
  const refusalListeners: (() => void)[] = [];
  const state = { refusal: undefined as number | undefined };
  const server = new SMTPServer({
    authOptional: true,
    logger: false,
    disableReverseLookup: true,
    onAuth: ({ username, password }, _session, callback) => {
      const isRight = username === MAIL_ACCOUNT.user && password === MAIL_ACCOUNT.password;
      if (isRight) callback(null, { user: username });
      else callback(new Error('Invalid username or password'));
    },
    onData: (stream, session, callback) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (state.refusal !== undefined) {
          callback(Object.assign(new Error('not today'), { responseCode: state.refusal }));
          for (const tell of refusalListeners.splice(0)) tell();
          return;
        }
        const { mailFrom, rcptTo } = session.envelope;
        letters.push({
          ...readMail(Buffer.concat(chunks).toString('utf8')),
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          isEncrypted: session.secure,
          user: typeof session.user === 'string' ? session.user : null,
        });
        callback();
        const waiting = listeners;
        listeners = [];
        for (const tell of waiting) tell();
      });
    },
    ...options,
  });
  // A client that breaks off, as one that does not trust the certificate does, is no fault of the test.
  server.on('error', () => undefined);
  const listener = server.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const letterTo = async (address: string, count = 1): Promise<ReceivedLetter> => {
    for (;;) {
      const found = letters.filter(({ to }) => to.includes(address))[count - 1];
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => listeners.push(resolve));
    }
  };
  return {
    port: (listener.address() as AddressInfo).port,
    letters,
    letterTo,
    nextRefusal: () => new Promise((resolve) => refusalListeners.push(resolve)),
    get refusal() {
      return state.refusal;
    },
    set refusal(status) {
      state.refusal = status;
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** The options of a gateway that sends through the server. */
export const mailOptions = (
  server: Pick<MailServer, 'port'>,
): { key: string; value: string | number | boolean }[] => [
  { key: 'SMTPServer', value: '127.0.0.1' },
  { key: 'SMTPPort', value: server.port },
  { key: 'SMTPAccount', value: MAIL_ACCOUNT.user },
  { key: 'SMTPToken', value: MAIL_ACCOUNT.password },
  // The server's certificate is its own.
  { key: 'SMTPInsecureSkipVerify', value: true },
];

/** Codes by mail can be required once a mail was sent with the settings. */
export const proveMail = async (root: Pick<ApiClient, 'expectSuccess'>): Promise<void> => {
  await root.expectSuccess('POST', '/api/option/test_mail', { to: 'proof@example.test' });
};

function readMail(raw: string): Pick<ReceivedLetter, 'headers' | 'subject' | 'text' | 'html' | 'raw'> {
  const { headers, body } = readPart(raw);
  const boundary = /boundary="?([^";]+)"?/.exec(headers['content-type'] ?? '')?.[1];
  const parts = boundary === undefined ? [raw] : body.split(`--${boundary}`).slice(1, -1);
  const textOf = (type: string): string => {
    const part = parts.map(readPart).find((one) => (one.headers['content-type'] ?? '').startsWith(type));
    return part === undefined ? '' : decodeBody(part.body, part.headers['content-transfer-encoding'] ?? '');
  };
  return {
    headers,
    raw,
    subject: decodeWords(headers['subject'] ?? ''),
    text: textOf('text/plain'),
    html: textOf('text/html'),
  };
}

function readPart(text: string): { headers: Record<string, string>; body: string } {
  const trimmed = text.replace(/^\r?\n/, '');
  const end = trimmed.indexOf('\r\n\r\n');
  const head = trimmed.slice(0, end).replace(/\r\n[ \t]+/g, ' ');
  const headers: Record<string, string> = {};
  for (const line of head.split('\r\n')) {
    const colon = line.indexOf(':');
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  return { headers, body: trimmed.slice(end + 4) };
}

function decodeBody(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  if (encoding === 'quoted-printable') return decodeQuoted(body.replace(/=\r\n/g, ''));
  return body;
}

const decodeQuoted = (text: string): string =>
  Buffer.from(
    text.replace(/=([0-9A-F]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16))),
    'latin1',
  ).toString('utf8');

const decodeWords = (text: string): string =>
  text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(word, 'base64').toString('utf8')
        : decodeQuoted(word.replaceAll('_', ' ')),
    );
