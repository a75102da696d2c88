import { expect } from '@playwright/test';
import { GatewayConsole } from '../support/gateway-console.js';
import { Inspection } from './support/inspection.js';
import { dress, signIn, test } from './support/stage.js';
import { type Language, textsOf } from './support/texts.js';

const MODEL = `fx-std-${'with-a-very-long-name-of-a-model-'.repeat(3)}`;
const CHANNEL = 'The account of the research department in Frankfurt, second contract';
/** Pixels by which tables and the page are wider than their place. */
const BEYOND = `[document.documentElement, ...document.querySelectorAll('.MuiTableContainer-root')]
  .map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)`;

/** Headings of columns that are wider than their column. */
const CUT = `[...document.querySelectorAll('thead th, thead th *')]
  .filter(({ scrollWidth, clientWidth }) => clientWidth > 1 && scrollWidth > clientWidth)
  .map(({ textContent }) => textContent)`;

test('shows time, amount, model and channel without scrolling, beside long names and errors', async ({
  page,
  freshGateway,
  upstream,
}) => {
  test.setTimeout(120_000);
  const console = new GatewayConsole(freshGateway.url);
  await console.setUp();
  await console.setOptions({ ModelRatio: { [MODEL]: 1 } });
  await console.addChannel({ base_url: upstream.url, models: [MODEL], name: CHANNEL });
  const { key } = await console.addToken({ name: 'a token with a long name' });
  for (const model of [MODEL, `${MODEL}unknown`])
    await fetch(`${freshGateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }),
    }).then((response) => response.text());
  await console.waitFor(
    () => console.send<{ total: number }>('GET', '/api/log/?kind=calls'),
    ({ total }) => total >= 2,
  );
  await signIn(page, freshGateway.url);
  const inspection = new Inspection(page);
  for (const language of ['en', 'zh'] satisfies Language[]) {
    const say = textsOf(language);
    await dress(page, { language });
    await page.goto(`${freshGateway.url}/token`);
    for (const width of [820, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await inspection.open(freshGateway.url, '/log');
      await page.locator('tbody tr').nth(1).waitFor();
      await inspection.settle();
      const beyond = await page.evaluate<number[]>(BEYOND);
      expect({ language, width, beyond }).toEqual({ language, width, beyond: beyond.map(() => 0) });
      expect({ language, width, cut: await page.evaluate<string[]>(CUT) }).toEqual({
        language,
        width,
        cut: [],
      });
      for (const column of ['time', 'quota', 'model', 'channel'])
        await expect(
          page.getByRole('columnheader', { name: say(`logs.column.${column}`), exact: true }),
        ).toBeInViewport({ ratio: 1 });
      if (process.env['SHOTS'] !== undefined)
        await page.screenshot({ path: `${process.env['SHOTS']}/log-${language}-${width}.png` });
    }
  }
});
