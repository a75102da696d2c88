import type { BrowserContext, CDPSession, Page } from '@playwright/test';
import { CLIENT } from '../../e2e/console/identities/scripted-oauth.ts';
import { RealOidcProvider } from '../../e2e/console/identities/oidc-provider.ts';
import { GatewayConsole } from '../../support/gateway-console.js';
import { GatewayProcess } from '../../support/gateway-process.js';
import { mailOptions, startMailServer, type MailServer } from '../../support/mail-server.js';

/** A gateway under a name browsers give passkeys to, with a mail server and an OpenID provider beside it. */
export interface GatewayWithMail {
  readonly gateway: GatewayProcess;
  /** Address in the browser: `http://localhost:…`. */
  readonly address: string;
  readonly root: GatewayConsole;
  readonly mail: MailServer;
  readonly oidc: RealOidcProvider;
  close(): Promise<void>;
}

export async function startGatewayWithMail(): Promise<GatewayWithMail> {
  const gateway = await GatewayProcess.start({ env: { ALLOWED_PRIVATE_HOSTS: '127.0.0.1' } });
  const address = gateway.url.replace('127.0.0.1', 'localhost');
  const mail = await startMailServer();
  const oidc = await RealOidcProvider.start(`${address}/oauth/oidc`);
  const root = new GatewayConsole(gateway.url);
  await root.setUp();
  await root.setOptions({ ServerAddress: address });
  return {
    gateway,
    address,
    root,
    mail,
    oidc,
    close: async () => {
      await gateway.stop();
      await Promise.all([mail.close(), oidc.stop()]);
    },
  };
}

/** Mail and the provider as options; the settings screens do the same by hand in their own test. */
export async function switchMailAndOidcOn({ root, mail, oidc }: GatewayWithMail): Promise<void> {
  for (const option of mailOptions(mail)) await root.send('PUT', '/api/option/', option);
  await root.setOptions({
    'oidc.client_id': CLIENT.id,
    'oidc.client_secret': CLIENT.secret,
    'oidc.well_known': oidc.wellKnown,
    'oidc.authorization_endpoint': `${oidc.issuer}/auth`,
    'oidc.token_endpoint': `${oidc.issuer}/token`,
    'oidc.user_info_endpoint': `${oidc.issuer}/me`,
    'oidc.enabled': true,
  });
}

/** The code of a mail: six letters and digits on a line of their own. */
export async function codeFor(mail: MailServer, address: string, count = 1): Promise<string> {
  const letter = await mail.letterTo(address, count);
  const code = /^\s+([0-9A-Z]{6})\s*$/m.exec(letter.text)?.[1];
  if (code === undefined) throw new Error(`no code in: ${letter.text}`);
  return code;
}

/** A security key inside the browser: one finger that always agrees. */
export async function addVirtualAuthenticator(context: BrowserContext, page: Page): Promise<CDPSession> {
  const session = await context.newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return session;
}
