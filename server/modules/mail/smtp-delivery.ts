import type { Socket } from 'node:net';
import type { SmtpServer } from './smtp-server.js';

/** A letter ready for the post: one receiver, both forms of the text. */
export interface Letter {
  readonly to: string;
  /** Shown beside the sender's address. */
  readonly fromName: string;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

export type MailFaultKind =
  'not-set-up' | 'refused-by-policy' | 'unreachable' | 'not-encrypted' | 'login' | 'receiver' | 'rejected';

/** A mail did not leave. `reason` is for whoever set the mail server up, never for guests. */
export class MailFault extends Error {
  constructor(
    readonly kind: MailFaultKind,
    readonly reason: string,
    /** Whether the same letter may go through a little later. */
    readonly isPassing = false,
  ) {
    super(reason);
  }
}

const GREETING_MS = 10_000;
const SILENCE_MS = 20_000;

/**
 * Hands one letter to the mail server over an open connection and closes it. A password is sent over TLS only, unless the
 * operator switched the upgrade to TLS off.
 * Fails: MailFault.
 */
export async function deliver(server: SmtpServer, connection: Socket, letter: Letter): Promise<void> {
  // Fifteen megabytes that an instance without mail never needs.
  const { createTransport } = await import('nodemailer');
  const { host, port, isSecure, startsTls, login } = server;
  const transport = createTransport({
    ...{ host, port, connection, secure: isSecure },
    ignoreTLS: !startsTls,
    requireTLS: startsTls && login !== null,
    ...(login === null ? {} : { auth: { user: login.user, pass: login.password } }),
    ...(login?.forcesLogin === true ? { authMethod: 'LOGIN' } : {}),
    greetingTimeout: GREETING_MS,
    socketTimeout: SILENCE_MS,
    // Certificates are checked against the name the operator typed (CODE-07).
    tls: { rejectUnauthorized: !server.skipsVerification, minVersion: 'TLSv1.2' },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    await transport.sendMail({
      from: { name: letter.fromName, address: server.from },
      to: { name: '', address: letter.to },
      subject: letter.subject,
      text: letter.text,
      html: letter.html,
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    });
  } catch (error) {
    throw mailFaultOf(error);
  } finally {
    transport.close();
    connection.destroy();
  }
}

interface SmtpError {
  readonly code?: string;
  readonly responseCode?: number;
  readonly message?: string;
}

const REASONS: Readonly<Record<string, MailFaultKind>> = {
  ETLS: 'not-encrypted',
  EREQUIRETLS: 'not-encrypted',
  EAUTH: 'login',
  ENOAUTH: 'login',
  EENVELOPE: 'receiver',
  EMESSAGE: 'rejected',
};

/** What went wrong, from an error of the mail library or of the network. */
export function mailFaultOf(error: unknown): MailFault {
  if (error instanceof MailFault) return error;
  const { code = '', responseCode, message = String(error) } = error as SmtpError;
  if (code === 'ERR_OUTBOUND_REFUSED') return new MailFault('refused-by-policy', message);
  const reason = message.replace(/\s+/g, ' ').slice(0, 300);
  const kind = REASONS[code] ?? 'unreachable';
  const isPassing =
    responseCode === undefined ? kind === 'unreachable' : responseCode >= 400 && responseCode < 500;
  return new MailFault(kind, reason, isPassing);
}
