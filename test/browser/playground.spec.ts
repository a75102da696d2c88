import { expect, type Page } from '@playwright/test';
import type { FakeUpstream } from '../support/fake-upstream.js';
import { answer, beginStream, chunkOf } from '../support/fake-upstream-behaviours.js';
import { GatewayConsole } from '../support/gateway-console.js';
import { Inspection } from './support/inspection.js';
import { LOOKS } from './support/looks.js';
import { complaintsOf, ROOT_ACCOUNT, signIn, test as base } from './support/stage.js';

const MARKDOWN = [
  '## Result\n\nThe sum is **two**, by $a + b = 2$.\n\n',
  '```python\ndef add(a, b):\n    return a + b  # sum\n```\n\n',
  '| a | b |\n|---|---|\n| 1 | 1 |\n\n- one\n- two\n\n<b>not bold</b> ![cat](https://elsewhere.example/cat.png)\n\n',
].join('');

/** Events of one long answer, sent without a pause. */
const MANY_CHUNKS = 2_000;

/** A channel with models that answer as the tests need. */
const test = base.extend<object, { models: undefined }>({
  models: [
    async ({ gateway, upstream, furnished: _furnished }, provide) => {
      const console = new GatewayConsole(gateway.url);
      await console.signIn(ROOT_ACCOUNT.username, ROOT_ACCOUNT.password);
      script(upstream);
      const names = ['pg-markdown', 'pg-slow', 'pg-many'];
      await console.addChannel({ base_url: upstream.url, models: names, name: 'Playground' });
      await console.setOptions({
        ModelRatio: Object.fromEntries([...names, 'fx-std', 'fx-json'].map((name) => [name, 1])),
      });
      await provide(undefined);
    },
    { scope: 'worker', timeout: 60_000 },
  ],
});

function script(upstream: FakeUpstream): void {
  upstream.on('pg-slow', answer({ tokens: 3_000, gapMs: 40, token: ' word' }));
  upstream.on('pg-markdown', async (exchange) => {
    beginStream(exchange);
    for (const piece of MARKDOWN.match(/[\s\S]{1,12}/g) ?? [])
      await exchange.write(chunkOf(exchange, { content: piece }));
    exchange.response.end(`${chunkOf(exchange, {}, 'stop')}data: [DONE]\n\n`);
  });
  upstream.on('pg-many', async (exchange) => {
    beginStream(exchange);
    const pieces = MARKDOWN.match(/[\s\S]{1,6}/g) ?? [];
    for (let index = 0; index < MANY_CHUNKS; index += 1)
      if (!(await exchange.write(chunkOf(exchange, { content: pieces[index % pieces.length] })))) return;
    exchange.response.end(`${chunkOf(exchange, {}, 'stop')}data: [DONE]\n\n`);
  });
}

const answers = (page: Page) => page.getByRole('article', { name: 'Model' });
const message = (page: Page) => page.getByRole('textbox', { name: 'Message' });

async function ask(page: Page, text: string): Promise<void> {
  await message(page).fill(text);
  await message(page).press('Enter');
}
const isDone = (page: Page) =>
  expect(answers(page).last()).toHaveAttribute('aria-busy', 'false', { timeout: 60_000 });

test('shows an answer with code, a formula and its receipt, on a phone with the composer in view', async ({
  page,
  gateway,
  models: _models,
}) => {
  const complaints = complaintsOf(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, gateway.url);
  await page.goto(`${gateway.url}/playground?model=pg-markdown&q=One%20and%20one%3F`);
  await expect(message(page)).toHaveValue('One and one?');
  await expect(message(page)).toBeInViewport();
  await message(page).press('Enter');
  await isDone(page);
  const shown = answers(page).last();
  await expect(shown.locator('.katex').first()).toBeVisible();
  await expect(shown.locator('.hljs-keyword').first()).toHaveText('def');
  await expect(shown).toContainText('<b>not bold</b>');
  await expect(shown.locator('img')).toHaveCount(0);
  await expect(shown.getByRole('link', { name: 'cat' })).toHaveAttribute(
    'href',
    'https://elsewhere.example/cat.png',
  );
  await expect(shown.getByRole('group', { name: 'Receipt' })).toContainText(
    /\d+ → \d+ tokens · \$0\.\d+ · Why\?/,
  );
  await expect(message(page)).toBeInViewport();
  const inspection = new Inspection(page);
  await inspection.look('playground-answer');
  await shown.getByRole('button', { name: 'Why?' }).click();
  await expect(page.locator('#charge-why')).toBeVisible();
  await expect(page.getByRole('dialog').getByText(/Attempt 1: Playground/)).toBeVisible();
  await inspection.look('playground-receipt');
  await page.getByRole('tab', { name: 'Response' }).click();
  await expect(page.getByRole('dialog').getByText('[DONE]')).toBeVisible();
  await inspection.look('playground-events');
  expect(inspection.faults).toEqual([]);
  expect(complaints).toEqual([]);
});

test('keeps what came of an answer when the page is reloaded in the middle, and goes on from there', async ({
  page,
  gateway,
  models: _models,
}) => {
  await signIn(page, gateway.url);
  await page.goto(`${gateway.url}/playground?model=pg-slow`);
  await ask(page, 'Count slowly');
  await expect(answers(page).last()).toContainText('word word word word word word');
  await expect
    .poll(() => page.evaluate<string>(STORED_TEXT), { message: 'the answer so far is kept' })
    .toContain('word word word');
  await page.goto(`${gateway.url}/playground`);
  await expect(page.getByText('Count slowly')).toBeVisible();
  await expect(answers(page).last()).toContainText('word word word');
  await expect(answers(page).last()).toContainText('Interrupted when the page was left');
  await answers(page).last().getByRole('button', { name: 'Regenerate the answer' }).click();
  await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible();
  await expect(answers(page).last()).toContainText('word word');
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(answers(page).last()).toContainText('Stopped');
  await expect(answers(page).last().getByRole('img', { name: 'Version 2 of 2' })).toBeVisible();
});

/** Everything the browser keeps of conversations, as JSON; empty before there is anything. */
const STORED_TEXT = `new Promise(async (resolve) => {
  const known = (await indexedDB.databases()).find(({ name }) => name.startsWith('playground-'));
  if (known === undefined) return resolve('');
  const opening = indexedDB.open(known.name);
  opening.onerror = () => resolve('');
  opening.onsuccess = () => {
    const reading = opening.result.transaction('conversations').objectStore('conversations').getAll();
    reading.onsuccess = () => {
      opening.result.close();
      resolve(JSON.stringify(reading.result));
    };
  };
})`;
const DATABASES = `indexedDB.databases().then((all) => all.map(({ name }) => name).join(' '))`;

test('keeps the draft when the session has expired, and asks about the conversations at sign-out', async ({
  page,
  gateway,
  context,
  models: _models,
}) => {
  await signIn(page, gateway.url);
  await page.goto(`${gateway.url}/playground?model=pg-markdown`);
  await ask(page, 'Kept question');
  await isDone(page);
  await context.clearCookies();
  await ask(page, 'A long and careful question');
  await page.waitForURL(/\/login/);
  await page.locator('input[name=username]').fill(ROOT_ACCOUNT.username);
  await page.locator('input[name=password]').fill(ROOT_ACCOUNT.password);
  await page.locator('button[type=submit]').click();
  await page.waitForURL(/\/playground/);
  await expect(message(page)).toHaveValue('A long and careful question');
  await expect(page.getByText('Kept question')).toBeVisible();
  await expect(page.getByRole('article', { name: 'You' }).last()).toContainText('Kept question');
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.getByRole('button', { name: 'Delete and log out' }).click();
  await page.waitForURL(/\/login/);
  await expect.poll(() => page.evaluate<string>(DATABASES)).not.toContain('playground-');
});

test('compares two models with cost, time and a vote, by keyboard alone', async ({
  page,
  gateway,
  models: _models,
}) => {
  const complaints = complaintsOf(page);
  await signIn(page, gateway.url);
  await page.goto(`${gateway.url}/playground?model=pg-markdown`);
  await page.getByRole('button', { name: 'Compare' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('combobox', { name: 'Compared model' })).toHaveCount(2);
  await message(page).focus();
  await page.keyboard.type('Both of you?');
  await page.keyboard.press('Enter');
  const lanes = page.getByRole('region', { name: /^Answers of/ });
  await expect(lanes.getByRole('group', { name: 'Receipt' })).toHaveCount(2);
  for (const lane of [lanes.first(), lanes.last()])
    await expect(lane.getByRole('group', { name: 'Receipt' })).toContainText(/tokens · \$/);
  await lanes.last().getByRole('button', { name: 'Best answer' }).focus();
  await page.keyboard.press('Enter');
  await expect(lanes.last()).toContainText('1 vote');
  await lanes.first().getByRole('button', { name: 'Best answer' }).focus();
  await page.keyboard.press('Enter');
  await expect(lanes.first()).toContainText('1 vote');
  await expect(lanes.last()).toContainText('0 votes');
  await page.getByRole('button', { name: 'Copy comparison' }).focus();
  await page.keyboard.press('Enter');
  await expect
    .poll(() => page.evaluate<string>('navigator.clipboard.readText()'))
    .toMatch(
      /^> Both of you\?\n\n\*\*pg-markdown\*\* · .*tokens · \$0\.\d+ · Best answer\n[\s\S]*\*\*[\w-]+\*\* · .*\$/,
    );
  const inspection = new Inspection(page);
  await inspection.look('playground-compare');
  expect(inspection.faults).toEqual([]);
  expect(complaints).toEqual([]);
});

test('sends an image with the question', async ({ page, gateway, upstream, models: _models }) => {
  await signIn(page, gateway.url);
  await page.goto(`${gateway.url}/playground?model=pg-markdown`);
  await expect(message(page)).toBeVisible();
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  await page.getByTestId('attachments').setInputFiles([
    { name: 'dot.png', mimeType: 'image/png', buffer: png },
    { name: 'notes.md', mimeType: 'text/markdown', buffer: Buffer.from('# Notes') },
  ]);
  await expect(page.getByText('dot.png')).toBeVisible();
  await ask(page, 'Which colour?');
  await isDone(page);
  const body = upstream.entriesOf('pg-markdown').at(-1)?.body as {
    messages: { content: { type: string; text?: string }[] }[];
  };
  const content = body.messages.at(-1)?.content ?? [];
  expect(content.map(({ type }) => type)).toEqual(['text', 'image_url', 'text']);
  expect(content.at(-1)?.text).toContain('# Notes');
  await expect(page.getByRole('img', { name: 'Image dot.png' })).toBeVisible();
});

interface DrawingWork {
  readonly frames: number;
  /** Drawings of the conversation. */
  readonly changes: number;
  /** Elements all drawings added, those the largest one added, and those on screen. */
  readonly added: number;
  readonly largest: number;
  readonly shown: number;
  readonly longestMs: number;
  /** Time of scripts in frames over 50 ms, and in it of layout that they asked for. */
  readonly scriptMs: number;
  readonly forcedMs: number;
  /** Parts of the answer, and those out of view that the browser skips. */
  readonly parts: number;
  readonly skipped: number;
}

/** Counts frames and the work of drawing a conversation, from `start` on. */
const WORK = `{
  let frames = 0, changes = 0, added = 0, largest = 0, last = 0, longestMs = 0, scriptMs = 0, forcedMs = 0;
  const tick = (now) => {
    frames += 1;
    if (last > 0) longestMs = Math.max(longestMs, now - last);
    last = now;
    requestAnimationFrame(tick);
  };
  const sizeOf = (node) => 1 + (node.querySelectorAll?.('*').length ?? 0);
  globalThis.work = {
    start: () => {
      requestAnimationFrame(tick);
      new PerformanceObserver((list) => {
        for (const { scripts } of list.getEntries())
          for (const script of scripts) {
            scriptMs += script.duration;
            forcedMs += script.forcedStyleAndLayoutDuration;
          }
      }).observe({ type: 'long-animation-frame' });
      new MutationObserver((records) => {
        changes += 1;
        const size = records.flatMap(({ addedNodes }) => [...addedNodes]).reduce((sum, node) => sum + sizeOf(node), 0);
        added += size;
        largest = Math.max(largest, size);
      }).observe(document.querySelector('[role=log]'), { childList: true, characterData: true, subtree: true });
    },
    read: () => ({
      frames, changes, added, largest, longestMs, scriptMs, forcedMs,
      parts: document.querySelectorAll('[role=log] .segment').length,
      skipped: [...document.querySelectorAll('[role=log] .segment > :first-child')]
        .filter((each) => !each.checkVisibility({ contentVisibilityAuto: true })).length,
      shown: document.querySelectorAll('[role=log] *').length,
    }),
  };
}`;

const UNTIL_ANSWERED = `new Promise((done) => {
  const look = () => {
    const last = [...document.querySelectorAll('[role=log] article')].at(-1);
    if (last.getAttribute('aria-busy') === 'false' && last.querySelector('table') !== null) done();
    else setTimeout(look, 200);
  };
  look();
})`;

test('draws a burst of 2,000 chunks in small pieces, each of them once', async ({
  page,
  gateway,
  models: _models,
}) => {
  await page.addInitScript({ content: WORK });
  await signIn(page, gateway.url);
  await page.goto(`${gateway.url}/playground?model=pg-many`);
  await expect(message(page)).toBeVisible();
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await page.evaluate<void>('work.start()');
  await ask(page, 'Many');
  // Asked in the page: an assertion that waits reads the whole page each time, which takes longer than drawing it.
  await page.evaluate<void>(UNTIL_ANSWERED);
  const work = await page.evaluate<DrawingWork>('work.read()');
  test.info().annotations.push({ type: 'drawing', description: JSON.stringify(work) });
  if (process.env['FRAMES'] !== undefined) console.log(work);
  // A drawing waits for a frame; what is loaded meanwhile draws besides.
  expect(work.changes).toBeLessThanOrEqual(work.frames + 20);
  expect(work.changes).toBeGreaterThan(8);
  expect(work.largest).toBeLessThan(work.added * 0.4);
  expect(work.added).toBeLessThan(work.shown * 2.5);
  // Neither bound depends on the machine: what held up frames was layout of everything, asked for in the middle of a drawing.
  expect(work.skipped).toBeGreaterThan(work.parts / 2);
  expect(work.forcedMs).toBeLessThan(Math.max(work.scriptMs * 0.3, 500));
});

const WORDS = {
  en: {
    message: 'Message',
    model: 'Model',
    receipt: 'Receipt',
    history: 'History',
    settings: 'Conversation settings',
    close: 'Close',
    compare: 'Compare',
  },
  zh: {
    message: '消息',
    model: '模型',
    receipt: '账单',
    history: '历史',
    settings: '对话设置',
    close: '关闭',
    compare: '对比',
  },
} as const;

for (const look of LOOKS) {
  test(`an answer, its settings and the other modes are readable in ${look.language}, ${look.theme}, at ${look.width} px`, async ({
    page,
    gateway,
    models: _models,
  }) => {
    const words = WORDS[look.language];
    const name = (part: string): string => `playground-${part}-${look.language}-${look.theme}`;
    await page.setViewportSize({ width: look.width, height: 900 });
    await signIn(page, gateway.url, look);
    await page.goto(`${gateway.url}/playground?model=pg-markdown`);
    const inspection = new Inspection(page);
    const box = page.getByRole('textbox', { name: words.message, exact: true });
    await box.fill('1 + 1 = ?');
    await box.press('Enter');
    const answered = page.getByRole('article', { name: words.model }).last();
    await expect(answered.getByRole('group', { name: words.receipt })).toContainText('$');
    await inspection.look(name('chat'));
    if (look.width < 900) {
      await page.getByRole('button', { name: words.settings }).click();
      await expect(page.getByRole('dialog', { name: words.settings })).toBeVisible();
      await inspection.look(name('settings'));
      await page.keyboard.press('Escape');
    }
    await page.getByRole('button', { name: words.history }).click();
    await expect(page.getByRole('dialog').getByText('1 + 1 = ?').first()).toBeVisible();
    await inspection.look(name('history'));
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: words.compare }).click();
    await inspection.look(name('two'));
    for (const mode of ['image', 'speech']) {
      await inspection.open(gateway.url, `/playground?mode=${mode}`);
      await page.locator('form').first().waitFor();
      await inspection.look(name(mode));
    }
    expect(inspection.faults).toEqual([]);
  });
}
