import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page, Request } from '@playwright/test';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const AXE = readFileSync(
  createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright')).resolve(
    'axe-core/axe.min.js',
  ),
  'utf8',
);

/** Two frames after its last change a page is drawn; skeletons and spinners are not what it wants to show. */
const DRAWN = `new Promise((done) => {
  const waits = () => document.querySelector('.MuiSkeleton-root, [role=progressbar]:not([aria-valuenow])') !== null;
  const look = () => requestAnimationFrame(() => requestAnimationFrame(() => (waits() ? setTimeout(look, 10) : done(undefined))));
  document.fonts.ready.then(look);
}).then(() => Promise.allSettled(document.getAnimations().map((each) => each.finished)))`;

/** What people cannot read: rules of contrast and names, in one run inside the page, without frames of other sites. */
const RULES_BROKEN = `axe
  .run(document, { runOnly: { type: 'tag', values: ${JSON.stringify(RULES)} }, resultTypes: ['violations'], iframes: false })
  .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ target }) => target.join(' ')).join(', ')))`;

/** A key of the texts instead of the text, such as `wallet.kind.redeem`. */
const TEXT_KEY =
  /\b(common|shell|signIn|setup|home|dashboard|channels|tokens|logs|settings|personal|users|audit|identity|reset|oauthCallback|wallet|redemptions|orders|pricing|operations|status|jobs|records|drawings|tasks)\.\w+\.\w+/;

/** Loading the whole console anew for each of its pages is most of what looking at them costs: goes there as the router's own links do. */
const followLink = (path: string): string => `{
  const idx = (history.state?.idx ?? 0) + 1;
  history.pushState({ usr: null, key: String(idx), idx }, '', ${JSON.stringify(path)});
  dispatchEvent(new PopStateEvent('popstate'));
}`;

/** Looks at one page after another and collects what somebody could not read, reach or understand. */
export class Inspection {
  /** Everything found so far, each with the place it was found at. */
  readonly faults: string[] = [];
  private readonly running = new Set<Request>();

  constructor(private readonly page: Page) {
    page.on('request', (request) => this.running.add(request));
    page.on('requestfinished', (request) => this.running.delete(request));
    page.on('requestfailed', (request) => this.running.delete(request));
  }

  /** Opens an address of the console and looks at it. */
  async visit(origin: string, path: string): Promise<void> {
    await this.open(origin, path);
    await this.look(path);
  }

  /** Opens an address of the console as its own links do. */
  async open(origin: string, path: string): Promise<void> {
    const { page } = this;
    if (page.url().startsWith(origin)) await page.evaluate<void>(followLink(path));
    else await page.goto(origin + path);
  }

  /** Looks at what the page shows once it has come to rest. */
  async look(name: string): Promise<void> {
    await this.settle();
    const { page, faults } = this;
    if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(AXE);
    for (const broken of await page.evaluate<string[]>(RULES_BROKEN)) faults.push(`${name} ${broken}`);
    const beyond = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
    if (beyond > 0) faults.push(`${name} is ${beyond} px wider than the window`);
    const key = TEXT_KEY.exec(await page.locator('body').innerText())?.[0];
    if (key !== undefined) faults.push(`${name} shows the text key ${key}`);
    const folder = process.env['SHOTS'];
    if (folder !== undefined) {
      const path = `${folder}/${name.replaceAll(/\W+/g, '_')}-${page.viewportSize()?.width ?? 0}.png`;
      await page.screenshot({ path, fullPage: true });
    }
  }

  /** Waits until nothing is being fetched, drawn or moved. */
  async settle(): Promise<void> {
    do {
      for (let request = this.next(); request !== undefined; request = this.next()) {
        const answer = await request.response().catch(() => null);
        await answer?.finished().catch(() => null);
        this.running.delete(request);
      }
      await this.page.evaluate(DRAWN);
    } while (this.running.size > 0);
  }

  private next(): Request | undefined {
    return this.running.values().next().value;
  }
}
