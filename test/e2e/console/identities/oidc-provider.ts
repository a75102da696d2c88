import { createServer, type Server } from 'node:http';
import { CLIENT } from './scripted-oauth.ts';

/** A person as the provider's database knows them. */
export interface OidcPerson {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
  readonly preferred_username?: string;
}

/** A real OpenID Connect provider on a port of its own; every client must prove itself by PKCE. */
export class RealOidcProvider {
  private readonly people = new Map<string, OidcPerson>();

  private constructor(
    readonly issuer: string,
    private readonly server: Server,
    private readonly unmute: () => void,
  ) {}

  static async start(redirectUri: string): Promise<RealOidcProvider> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const self = new RealOidcProvider(`http://127.0.0.1:${address.port}`, server, muteProvider());
    // Loaded here, while it is muted: it logs a lot about its runtime as it loads.
    const { default: Provider } = await import('oidc-provider');
    const provider = new Provider(self.issuer, {
      clients: [
        {
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          redirect_uris: [redirectUri],
          token_endpoint_auth_method: 'client_secret_post',
        },
      ],
      claims: {
        openid: ['sub'],
        email: ['email', 'email_verified'],
        profile: ['name', 'preferred_username'],
      },
      cookies: { keys: ['a key of this test'] },
      pkce: { required: () => true },
      findAccount: (_context, sub) => {
        const person = self.people.get(sub);
        return person === undefined ? undefined : { accountId: sub, claims: () => ({ ...person }) };
      },
    });
    const handle = provider.callback();
    server.on('request', (request, reply) => void handle(request, reply));
    return self;
  }

  get wellKnown(): string {
    return `${this.issuer}/.well-known/openid-configuration`;
  }

  /** Adds a person who can sign in on the provider's page by typing `sub` as their name. */
  know(person: OidcPerson): void {
    this.people.set(person.sub, person);
  }

  /**
   * The person opens the page, types their name and agrees, as a browser would: by redirects, cookies and forms.
   * @returns the query the provider sends the browser back with
   */
  async agree(
    authorizeUrl: string,
    person: OidcPerson,
    redirectUri: string,
  ): Promise<Record<string, string>> {
    this.know(person);
    const cookies = new Map<string, string>();
    let next: { readonly url: string; readonly form?: string } = { url: authorizeUrl };
    for (let hop = 0; hop < 12; hop += 1) {
      const reply = await fetch(next.url, {
        method: next.form === undefined ? 'GET' : 'POST',
        redirect: 'manual',
        headers: {
          cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          ...(next.form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        },
        ...(next.form === undefined ? {} : { body: next.form }),
      });
      for (const cookie of reply.headers.getSetCookie()) {
        const pair = cookie.split(';', 1)[0] ?? '';
        cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
      }
      const page = await reply.text();
      const location = reply.headers.get('location');
      if (location?.startsWith(redirectUri) === true)
        return Object.fromEntries(new URL(location).searchParams);
      if (location !== null) {
        next = { url: new URL(location, next.url).toString() };
        continue;
      }
      const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
      if (prompt === undefined) throw new Error(`the provider shows ${reply.status} ${page.slice(0, 300)}`);
      const action = /action="([^"]+)"/.exec(page)?.[1] ?? '';
      next = {
        url: new URL(action, next.url).toString(),
        form: new URLSearchParams({ prompt, login: person.sub, password: 'any' }).toString(),
      };
    }
    throw new Error('the provider never sent the browser back');
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.unmute();
  }
}

/** The provider warns repeatedly against such a configuration outside of tests, and hides the tests' own output. */
function muteProvider(): () => void {
  const { info, warn } = console;
  const without =
    (say: typeof info): typeof info =>
    (...words) => {
      if (!String(words[0]).includes('oidc-provider ')) say(...words);
    };
  Object.assign(console, { info: without(info), warn: without(warn) });
  return () => void Object.assign(console, { info, warn });
}
