import type { ApiClient, ApiReply } from '../../../support/api-client.ts';
import {
  setUpRoot,
  startTestApp,
  type TestApp,
  type TestAppOptions,
} from '../../../support/build-test-app.ts';
import { Browser } from './browser.ts';
import { CLIENT, GITHUB_SCRIPT, LINUX_DO_SCRIPT, type Person, ScriptedOAuth } from './scripted-oauth.ts';

/** Address of the console, as configured at providers. */
export const CONSOLE = 'http://console.test';

/** The application, with scripted providers switched on. */
export interface IdentityFixture {
  readonly app: TestApp;
  readonly root: ApiClient;
  readonly github: ScriptedOAuth;
  readonly linuxdo: ScriptedOAuth;
  browser(): Browser;
  setOptions(values: Readonly<Record<string, string | boolean | number | null>>): Promise<void>;
  /** The whole way through a provider in one browser. */
  passThrough(
    provider: 'github' | 'linuxdo',
    browser: Browser,
    person: Person,
    aff?: string,
  ): Promise<ApiReply>;
  close(): Promise<void>;
}

export async function startIdentityFixture(wanted: TestAppOptions = {}): Promise<IdentityFixture> {
  const github = await new ScriptedOAuth(GITHUB_SCRIPT).start();
  const linuxdo = await new ScriptedOAuth(LINUX_DO_SCRIPT).start();
  const app = await startTestApp({
    ...wanted,
    env: {
      ALLOWED_PRIVATE_HOSTS: '127.0.0.1',
      TRUST_PROXY: 'loopback',
      SERVER_ADDRESS: CONSOLE,
      LOG_LEVEL: 'fatal',
      ...wanted.env,
    },
  });
  const root = await setUpRoot(app);
  const setOptions: IdentityFixture['setOptions'] = async (values) => {
    await root.expectSuccess(
      'PUT',
      '/api/option/',
      Object.entries(values).map(([key, value]) => ({ key, value })),
    );
  };
  // Providers that redirect need the address of the console.
  const isOn = wanted.env?.['SERVER_ADDRESS'] !== '';
  await setOptions({
    GitHubServerAddress: github.address,
    GitHubApiAddress: `${github.address}/api/v3`,
    GitHubClientId: CLIENT.id,
    GitHubClientSecret: CLIENT.secret,
    GitHubOAuthEnabled: isOn,
    LinuxDOServerAddress: linuxdo.address,
    LinuxDOClientId: CLIENT.id,
    LinuxDOClientSecret: CLIENT.secret,
    LinuxDOOAuthEnabled: isOn,
  });
  const providers = { github, linuxdo };
  return {
    app,
    root,
    github,
    linuxdo,
    browser: () => new Browser(app.url),
    setOptions,
    passThrough: async (provider, browser, person, aff = '') => {
      const intent = browser.userId === -1 ? 'login' : 'bind';
      const { url } = await browser.expectSuccess<{ url: string }>('POST', '/api/oauth/start', {
        provider,
        intent,
        aff,
      });
      const { code, state } = providers[provider].agree(url, person);
      return browser.get(callbackOf(provider, { code, state }));
    },
    close: async () => {
      await app.close();
      await Promise.all([github.stop(), linuxdo.stop()]);
    },
  };
}

export const callbackOf = (provider: string, query: Readonly<Record<string, string>>): string =>
  `/api/oauth/${provider}?${new URLSearchParams(query).toString()}`;

/** Same steps as the settings page: discovery, then one save. */
export async function configureOidc(fixture: IdentityFixture, wellKnown: string): Promise<void> {
  await fixture.setOptions({ 'oidc.enabled': false });
  const found = await fixture.root.expectSuccess<Record<string, string>>('POST', '/api/oauth/oidc/discover', {
    well_known: wellKnown,
  });
  await fixture.setOptions({
    'oidc.well_known': wellKnown,
    'oidc.client_id': CLIENT.id,
    'oidc.client_secret': CLIENT.secret,
    'oidc.authorization_endpoint': found['authorization_endpoint'] ?? '',
    'oidc.token_endpoint': found['token_endpoint'] ?? '',
    'oidc.user_info_endpoint': found['user_info_endpoint'] ?? '',
    'oidc.enabled': true,
  });
}
