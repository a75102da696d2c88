import type { Socket } from 'node:net';
import type { SmtpServer } from './smtp-server.js';

/** A rendered mail: one recipient, both forms of the text. */
export interface OutgoingMail {
  readonly to: string;
  /** Shown beside the sender's address. */
  readonly fromName: string;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly subscription?: Subscription;
}

/** Membership of an e-mail in a series. */
export interface Subscription {
  /** Stops the series by a POST, without a sign-in. */
  readonly stopUrl: string;
  /** Part of the Message-ID before the @: the same for each attempt, so that mailboxes keep one copy. */
  readonly letterId: string;
}

export type MailFaultKind =
  'not-set-up' | 'refused-by-policy' | 'unreachable' | 'not-encrypted' | 'login' | 'receiver' | 'rejected';

/** A mail was not sent. `reason` is for the operator of the mail server, never for guests. */
export class MailFault extends Error {
  constructor(
    readonly kind: MailFaultKind,
    readonly reason: string,
    /** True when the same mail may succeed a little later. */
    readonly isPassing = false,
  ) {
    super(reason);
  }
}

const GREETING_MS = 10_000;
const SILENCE_MS = 20_000;

/**
 * Sends one mail to the mail server over an open connection and closes it. A password is sent over TLS only, unless the operator
 * switched the upgrade to TLS off. Fails: MailFault.
 */
export async function deliver(server: SmtpServer, connection: Socket, letter: OutgoingMail): Promise<void> {
  // Fifteen megabytes that an instance without mail never needs.
  const { createTransport } = await import('nodemailer');
  const { host, port, isSecure, startsTls, login } = server;
  const transport = createTransport({
    host,
    port,
    connection,
    secure: isSecure,
    ignoreTLS: !startsTls,
    requireTLS: startsTls && login !== null,
    ...(login === null ? {} : { auth: { user: login.user, pass: login.password } }),
    ...(login?.forcesLogin === true ? { authMethod: 'LOGIN' } : {}),
    greetingTimeout: GREETING_MS,
    socketTimeout: SILENCE_MS,
    // Certificates are checked against the name the operator typed.
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
      ...seriesMembers(letter.subscription, server.from),
    });
  } catch (error) {
    throw mailFaultOf(error);
  } finally {
    transport.close();
    connection.destroy();
  }
}

/** Headers of https://www.rfc-editor.org/rfc/rfc8058 (2026-11-29) for e-mails of a series. */
function seriesMembers(subscription: Subscription | undefined, from: string) {
  const headers = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' };
  if (subscription === undefined) return { headers };
  const domain = from.slice(from.lastIndexOf('@') + 1);
  return {
    messageId: `<${subscription.letterId}@${domain}>`,
    headers: {
      ...headers,
      'List-Unsubscribe': `<${subscription.stopUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  };
}

interface SmtpError {
  readonly code?: string;
  readonly command?: string;
  readonly response?: string;
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

/** Classifies an error of the mail library or of the network. */
export function mailFaultOf(error: unknown): MailFault {
  if (error instanceof MailFault) return error;
  const { code = '', command, response = '', responseCode, message = String(error) } = error as SmtpError;
  if (code === 'ERR_OUTBOUND_REFUSED') return new MailFault('refused-by-policy', message);
  const reason = message.replace(/\s+/g, ' ').slice(0, 300);
  const refusal = REASONS[code] ?? 'unreachable';
  const kind = refusal === 'receiver' && !isOfReceiver(command, response) ? 'rejected' : refusal;
  const isPassing =
    responseCode === undefined ? kind === 'unreachable' : responseCode >= 400 && responseCode < 500;
  return new MailFault(kind, reason, isPassing);
}

/**
 * True when an address of an envelope was refused itself: X.1.X and X.2.X of https://www.rfc-editor.org/rfc/rfc3463 (2026-11-25)
 * concern addresses and mailboxes, all others the way there.
 */
function isOfReceiver(command: string | undefined, response: string): boolean {
  if (command === 'MAIL FROM') return false;
  const subject = /^\d{3}[ -][245]\.(\d{1,3})\.\d{1,3}\b/m.exec(response)?.[1];
  return subject === undefined || subject === '1' || subject === '2';
}
