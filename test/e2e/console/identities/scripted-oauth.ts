import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/** Profile of a person at a scripted provider, with the fields of its documentation. */
export type Person = Readonly<Record<string, unknown>>;

interface Grant {
  readonly person: Person;
  readonly challenge: string | null;
  readonly redirectUri: string | null;
}

export interface OAuthScript {
  readonly authorizePath: string;
  readonly tokenPath: string;
  readonly userPath: string;
  readonly mailsPath?: string;
  /** Place of client id and secret. */
  readonly secretIn: 'body' | 'basic';
  /** GitHub refuses a code with status 200 and `error`; others with 400. */
  readonly refusalStatus: 200 | 400;
}

export const GITHUB_SCRIPT: OAuthScript = {
  authorizePath: '/login/oauth/authorize',
  tokenPath: '/login/oauth/access_token',
  userPath: '/api/v3/user',
  mailsPath: '/api/v3/user/emails',
  secretIn: 'body',
  refusalStatus: 200,
};
export const LINUX_DO_SCRIPT: OAuthScript = {
  authorizePath: '/oauth2/authorize',
  tokenPath: '/oauth2/token',
  userPath: '/api/user',
  secretIn: 'basic',
  refusalStatus: 400,
};

export const CLIENT = { id: 'client-of-a-test', secret: 'secret-of-a-test' } as const;

/** An OAuth 2 provider that follows the documented protocol of GitHub or Linux DO. */
export class ScriptedOAuth {
  /** Answers a path in place of the protocol, for providers that misbehave. */
  readonly overrides = new Map<string, (reply: ServerResponse) => void>();
  /** Requested paths, in order. */
  readonly asked: string[] = [];
  mails: unknown[] = [];
  private readonly grants = new Map<string, Grant>();
  private readonly tokens = new Map<string, Person>();
  private readonly server: Server;
  address = '';

  constructor(private readonly script: OAuthScript) {
    this.server = createServer((request, reply) => void this.answer(request, reply));
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    const address = this.server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    this.address = `http://127.0.0.1:${address.port}`;
    return this;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  /**
   * The person opens the page and agrees.
   * @returns code and state as the provider's redirect carries them
   */
  agree(authorizeUrl: string, person: Person): { code: string; state: string } {
    const url = new URL(authorizeUrl);
    if (url.origin !== this.address || url.pathname !== this.script.authorizePath)
      throw new Error(`not a page of this provider: ${authorizeUrl}`);
    if (url.searchParams.get('client_id') !== CLIENT.id) throw new Error('unknown client');
    const code = randomBytes(10).toString('hex');
    this.grants.set(code, {
      person,
      challenge: url.searchParams.get('code_challenge'),
      redirectUri: url.searchParams.get('redirect_uri'),
    });
    return { code, state: url.searchParams.get('state') ?? '' };
  }

  private async answer(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    this.asked.push(path);
    const override = this.overrides.get(path);
    if (override !== undefined) return override(reply);
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const json = (status: number, value: unknown): void =>
      void reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (path === this.script.tokenPath && request.method === 'POST')
      return json(...this.exchange(request, new URLSearchParams(body)));
    const person = this.tokens.get((request.headers.authorization ?? '').replace(/^Bearer /, ''));
    if (person === undefined) return json(401, { message: 'Bad credentials' });
    if (request.headers['user-agent'] === undefined)
      return json(403, { message: 'a user agent is required' });
    if (path === this.script.userPath) return json(200, person);
    if (path === this.script.mailsPath) return json(200, this.mails);
    json(404, { message: 'Not Found' });
  }

  private exchange(request: IncomingMessage, form: URLSearchParams): [number, unknown] {
    const refused = (error: string): [number, unknown] => [this.script.refusalStatus, { error }];
    const basic = `Basic ${Buffer.from(`${CLIENT.id}:${CLIENT.secret}`).toString('base64')}`;
    const isClient =
      this.script.secretIn === 'basic'
        ? request.headers.authorization === basic
        : form.get('client_id') === CLIENT.id && form.get('client_secret') === CLIENT.secret;
    if (!isClient) return refused('incorrect_client_credentials');
    const grant = this.grants.get(form.get('code') ?? '');
    this.grants.delete(form.get('code') ?? '');
    if (grant === undefined) return refused('bad_verification_code');
    const verifier = form.get('code_verifier');
    const proof = verifier === null ? null : createHash('sha256').update(verifier).digest('base64url');
    if (proof !== grant.challenge) return refused('bad_verification_code');
    const redirectUri = form.get('redirect_uri');
    if (redirectUri !== null && grant.redirectUri !== null && redirectUri !== grant.redirectUri)
      return refused('redirect_uri_mismatch');
    const token = randomBytes(10).toString('hex');
    this.tokens.set(token, grant.person);
    return [200, { access_token: token, token_type: 'bearer', scope: 'user:email' }];
  }
}
