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

/** Longest time until a page is drawn; a page that loads for longer names the elements that keep it waiting. */
const MOST_DRAWN_MS = 60_000;

/**
 * Two frames after its last change a page is drawn; what is idle has nothing left to render, such as the page a link leads to.
 * Skeletons, spinners, half-open dialogs and moving elements are not what it wants to show; animations without an end are.
 * Animations are read again and again: `finished` of an animation whose element leaves the page may never settle.
 */
const DRAWN = `new Promise((done, fail) => {
  const since = performance.now();
  const isShown = (each) => each.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const opens = () =>
    document.querySelector('#root[aria-hidden=true]') !== null &&
    ![...document.querySelectorAll('[role=dialog], [role=alertdialog], [role=menu], [role=listbox]')].some(isShown);
  const loading = () => [...document.querySelectorAll('.MuiSkeleton-root, [aria-busy=true], [role=progressbar]:not([aria-valuenow])')];
  const isMoving = ({ playState, effect }) => playState === 'running' && effect?.getComputedTiming().endTime !== Infinity;
  const moving = () => document.getAnimations().filter(isMoving).flatMap(({ effect }) => effect?.target ?? []);
  const unfinished = () => [...loading(), ...moving()].map(({ outerHTML }) => outerHTML.slice(0, 200));
  const decide = () => {
    const left = unfinished();
    if (!opens() && left.length === 0) done(undefined);
    else if (performance.now() - since > ${MOST_DRAWN_MS}) fail(new Error(location.href + ' is not drawn: ' + left.join(' ')));
    else setTimeout(look, 10);
  };
  const look = () => requestIdleCallback(() => requestAnimationFrame(() => requestAnimationFrame(decide)));
  document.fonts.ready.then(look);
})`;

/** Accessibility rules of contrast and names, in one run inside the page, without frames of other sites. */
const RULES_BROKEN = `axe
  .run(document, { runOnly: { type: 'tag', values: ${JSON.stringify(RULES)} }, resultTypes: ['violations'], iframes: false })
  .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ target }) => target.join(' ')).join(', ')))`;

/** For the next answer to whatever a page asks: longer than the slowest machine takes, shorter than a test may. */
const MOST_WAITED_MS = 60_000;

/** A key of the texts instead of the text, such as `wallet.kind.redeem`. */
const TEXT_KEY =
  /\b(common|shell|signIn|setup|home|dashboard|channels|tokens|logs|settings|personal|users|audit|identity|reset|oauthCallback|wallet|limits|redemptions|orders|pricing|operations|status|jobs|records|drawings|tasks|docs|firstAnswer|manyChannels)\.\w+\.\w+/;

/** Loading the whole console anew for each of its pages is most of what looking at them costs: goes there as the router's own links do. */
const followLink = (path: string): string => `{
  const idx = (history.state?.idx ?? 0) + 1;
  history.pushState({ usr: null, key: String(idx), idx }, '', ${JSON.stringify(path)});
  dispatchEvent(new PopStateEvent('popstate'));
}`;

/** Inspects one page after another and collects everything that is unreadable, unreachable or unclear. */
export class Inspection {
  /** Everything found so far, each with the place it was found at. */
  readonly faults: string[] = [];
  private readonly running = new Set<Request>();
  private whenOneEnds: () => void = () => undefined;

  constructor(private readonly page: Page) {
    const end = (request: Request) => {
      this.running.delete(request);
      this.whenOneEnds();
    };
    page.on('request', (request) => this.running.add(request));
    page.on('requestfinished', end);
    page.on('requestfailed', end);
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
      await this.untilAnswered();
      await this.page.evaluate(DRAWN);
    } while (this.running.size > 0);
  }

  /** Waits by events: `finished()` of an answer never comes when its request is aborted after the head. */
  private async untilAnswered(): Promise<void> {
    while (this.running.size > 0) {
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(this.describeRunning())), MOST_WAITED_MS);
        this.whenOneEnds = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  private describeRunning(): string {
    const addresses = [...this.running].map((request) => request.url());
    return `${this.page.url()} still waits for ${addresses.join(', ')}`;
  }
}
