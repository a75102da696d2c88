import { contained } from '../../../common/contain-faults.js';
import { connect, isIP, type Socket } from 'node:net';
import type { OutboundPolicy } from '../../../infra/http-client/safe-url.js';
import type { OptionValues } from '../../options/option-catalogue.js';
import { parseMailAddress } from '../../../common/mail-address.js';

const IMPLICIT_TLS_PORT = 465;

/** A mail server as the options describe it. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** Sender address; the name beside it is the name of the system. */
  readonly from: string;
  /** TLS from the first byte. */
  readonly isSecure: boolean;
  /** Upgrade to TLS when the server offers it. */
  readonly startsTls: boolean;
  /** True when any certificate of the server is accepted. */
  readonly skipsVerification: boolean;
  readonly login: { readonly user: string; readonly password: string; readonly forcesLogin: boolean } | null;
}

/** Mail server of the options; null while they are not filled in. */
export function smtpServerOf(options: OptionValues): SmtpServer | null {
  const { SMTPServer: host, SMTPPort: port, SMTPAccount: account, SMTPToken: password } = options;
  const from = parseMailAddress(options.SMTPFrom === '' ? account : options.SMTPFrom);
  if (host === '' || from === null) return null;
  return {
    host,
    port,
    from: from.address,
    isSecure: options.SMTPSSLEnabled || port === IMPLICIT_TLS_PORT,
    startsTls: options.SMTPStartTLSEnabled,
    skipsVerification: options.SMTPInsecureSkipVerify,
    login:
      account === '' || password === ''
        ? null
        : { user: account, password, forcesLogin: options.SMTPForceAuthLogin },
  };
}

/**
 * A connection to the mail server that went through the outbound policy: the name is resolved once and every address of it
 * checked, so that no option leads into the network behind this machine.
 * Fails: OutboundRefusal, or the network's error.
 */
export function connectToMailServer(
  policy: OutboundPolicy,
  { host, port }: Pick<SmtpServer, 'host' | 'port'>,
  timeoutMs: number,
): Promise<Socket> {
  policy.checkMailServer(host, port);
  return new Promise((resolve, reject) => {
    const lookup = isIP(host) === 0 ? { lookup: policy.lookupFor('service', { port, scheme: 'smtp:' }) } : {};
    const socket = connect({ host, port, ...lookup });
    const fail = (error: Error): void => {
      socket.destroy();
      reject(error);
    };
    socket.setTimeout(
      timeoutMs,
      contained(() => fail(new Error('the mail server did not answer in time'))),
    );
    // It stays when the connection stands: an error that comes before the mail library listens must not end the process.
    socket.on('error', contained(fail));
    const ready = (): void => {
      socket.setTimeout(0);
      resolve(socket);
    };
    socket.once('connect', contained(ready));
  });
}
