import { createHash, createHmac } from 'node:crypto';
import { type BrowserContext, expect, type Page } from '@playwright/test';
import { GatewayConsole } from '../../support/gateway-console.js';
import { GatewayProcess } from '../../support/gateway-process.js';
import { mailOptions, type MailServer, startMailServer } from '../../support/mail-server.js';
import {
  startTurnstileServer,
  TURNSTILE_SECRET,
  type TurnstileServer,
} from '../../support/turnstile-server.js';
import {
  CLIENT,
  GITHUB_SCRIPT,
  type Person,
  ScriptedOAuth,
} from '../../e2e/console/identities/scripted-oauth.js';
import { type Look, test as base } from './stage.js';

export const PASSWORD = 'correct horse battery';
const BOT_TOKEN = '110201543:token-of-a-test';

/** A gateway with mail, GitHub and Telegram, under a host name that browsers make passkeys for. */
export interface SignInSite {
  /** http://localhost:port */
  readonly url: string;
  readonly root: GatewayConsole;
  readonly mail: MailServer;
  readonly github: ScriptedOAuth;
  readonly turnstile: TurnstileServer;
  /** A fresh ordinary account; its password is PASSWORD. */
  addUser(username: string): Promise<void>;
}

export const test = base.extend<object, { site: SignInSite }>({
  site: [
    async ({ playwright: _playwright }, provide) => {
      const [mail, turnstile, github] = await Promise.all([
        startMailServer(),
        startTurnstileServer(),
        new ScriptedOAuth(GITHUB_SCRIPT).start(),
      ]);
      const gateway = await GatewayProcess.start({
        env: { ALLOWED_PRIVATE_HOSTS: '127.0.0.1', TURNSTILE_VERIFY_URL: turnstile.url },
      });
      const root = new GatewayConsole(gateway.url);
      await root.setUp();
      const url = gateway.url.replace('127.0.0.1', 'localhost');
      await root.send('PUT', '/api/option/', [
        ...mailOptions(mail),
        { key: 'ServerAddress', value: url },
        { key: 'GitHubServerAddress', value: github.address },
        { key: 'GitHubApiAddress', value: `${github.address}/api/v3` },
        { key: 'GitHubClientId', value: CLIENT.id },
        { key: 'GitHubClientSecret', value: CLIENT.secret },
        { key: 'GitHubOAuthEnabled', value: true },
        { key: 'TelegramBotName', value: 'gate_bot' },
        { key: 'TelegramBotToken', value: BOT_TOKEN },
        { key: 'TurnstileSiteKey', value: 'site' },
        { key: 'TurnstileSecretKey', value: TURNSTILE_SECRET },
      ]);
      const addUser = async (username: string) => {
        await root.send('POST', '/api/user/', { username, password: PASSWORD, display_name: username });
      };
      await provide({ url, root, mail, github, turnstile, addUser });
      await gateway.stop();
      await Promise.all([mail.close(), turnstile.close(), github.stop()]);
    },
    { scope: 'worker', timeout: 90_000 },
  ],
});

/** Language and theme as a returning visitor has them; frames of other sites have no storage to keep them in. */
export async function dress(page: Page, { language = 'en', theme = 'light' }: Look): Promise<void> {
  await page.addInitScript(`if (window === window.top) {
    localStorage.setItem('i18nextLng', '${language}');
    localStorage.setItem('theme-mode', '${theme}');
  }`);
}

/** Forgets who was signed in, on both sides, once the page has asked for all it wants: nothing of it may be refused later. */
export async function forget(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.context().clearCookies();
  await page.evaluate('localStorage.removeItem("user")');
}

/** Signs in by the form; ends on the page of tokens. */
export async function enter(page: Page, site: SignInSite, username: string, look: Look = {}): Promise<void> {
  await dress(page, look);
  await page.goto(`${site.url}/login`);
  await fillPassword(page, username);
  await page.waitForURL(`${site.url}/token`);
}

/** Name and password, submitted. */
export async function fillPassword(page: Page, username: string): Promise<void> {
  // The address changes a moment before the form of the page that was left goes; that one asks for the password twice.
  await expect(page.locator('input[type=password]')).toHaveCount(1);
  await page.locator('input[name=username]').fill(username);
  await page.locator('input[name=password]').fill(PASSWORD);
  await page.locator('button[type=submit]').click();
}

/** On GitHub's page the person agrees at once. */
export async function agreeOnGitHub(page: Page, site: SignInSite, person: Person): Promise<void> {
  await page.route(`${site.github.address}/login/oauth/authorize**`, async (route) => {
    const { code, state } = site.github.agree(route.request().url(), person);
    const back = new URLSearchParams({ code, state }).toString();
    await route.fulfill({ status: 302, headers: { location: `${site.url}/oauth/github?${back}` } });
  });
}

/**
 * Telegram's script and frame, as far as a page sees them: a button in a frame of theirs; when it is pressed, the script sends
 * the page to `data-auth-url` with the signed members.
 * @returns switches Telegram off again
 */
export async function playTelegram(
  context: BrowserContext,
  site: SignInSite,
  person: Readonly<Record<string, string>>,
): Promise<() => Promise<void>> {
  await site.root.setOptions({ TelegramOAuthEnabled: true });
  const script = `(() => {
    const own = document.currentScript;
    const frame = document.createElement('iframe');
    frame.src = 'https://oauth.telegram.org/embed/' + own.dataset.telegramLogin;
    frame.title = 'Telegram';
    frame.width = '238';
    frame.height = '40';
    own.after(frame);
    addEventListener('message', (event) => {
      if (event.origin !== 'https://oauth.telegram.org') return;
      location.href = own.dataset.authUrl + '?' + new URLSearchParams(event.data).toString();
    });
  })();`;
  await context.route('https://telegram.org/js/telegram-widget.js**', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: script }),
  );
  await context.route('https://oauth.telegram.org/**', (route) => {
    const fields = signed({ ...person, auth_date: String(Math.floor(Date.now() / 1000)) });
    const body = `<button onclick='parent.postMessage(${JSON.stringify(fields)}, "*")'>Log in with Telegram</button>`;
    return route.fulfill({ contentType: 'text/html', body });
  });
  return () => site.root.setOptions({ TelegramOAuthEnabled: false });
}

function signed(fields: Readonly<Record<string, string>>): Record<string, string> {
  const text = Object.keys(fields)
    .toSorted()
    .map((name) => `${name}=${fields[name] ?? ''}`)
    .join('\n');
  const key = createHash('sha256').update(BOT_TOKEN).digest();
  return { ...fields, hash: createHmac('sha256', key).update(text).digest('hex') };
}

/** The human check's script: a button that turns its presser out to be human, with a proof the test's service knows. */
export async function playTurnstile(context: BrowserContext, site: SignInSite): Promise<void> {
  await context.exposeFunction('issueProof', (action: string) =>
    site.turnstile.issue({ hostname: 'localhost', action }),
  );
  const script = `window.turnstile = {
    render(element, options) {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = 'I am human';
      button.onclick = async () => {
        const proof = await window.issueProof(options.action);
        button.textContent = 'Human';
        options.callback(proof);
      };
      element.append(button);
      return element;
    },
    remove(element) { element.replaceChildren(); },
  };`;
  await context.route('https://challenges.cloudflare.com/**', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: script }),
  );
}
