import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from '@playwright/test';
import { GatewayConsole } from '../support/gateway-console.js';
import type { GatewayProcess } from '../support/gateway-process.js';
import { Inspection } from './support/inspection.js';
import { complaintsOf, signIn, test } from './support/stage.js';
import { startsWith, textsOf } from './support/texts.js';

const ROOT_ID = 1;
const DRAWINGS = 12;
const SECOND_MS = 1_000;

/** One transparent pixel. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

type Row = Readonly<Record<string, string | number>>;

/** Finished work, newest first, which no poller asks about any more. */
function fillLogs({ dataDir }: GatewayProcess): void {
  const nowMs = Date.now();
  const nowSeconds = Math.floor(nowMs / SECOND_MS);
  const owner = { user_id: ROOT_ID, token_id: 0, token_limited: 0, channel_id: 3, quota: 0, log_pending: 0 };
  const database = new Database(join(dataDir, 'tollgate.db'));
  const insert = (table: 'midjourneys' | 'tasks', row: Row) => {
    const names = Object.keys(row);
    const places = names.map((name) => `@${name}`);
    database
      .prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${places.join(', ')})`)
      .run({ ...row });
  };
  for (let index = 0; index < DRAWINGS; index += 1) {
    const hasFailed = index === 1;
    insert('midjourneys', {
      ...owner,
      request_id: randomUUID(),
      code: 1,
      action: 'IMAGINE',
      mj_id: `drawing-${index}`,
      prompt: `月光下的狐狸 ${index}`,
      prompt_en: `a fox in moonlight ${index}`,
      description: '',
      state: '',
      video_urls: '',
      buttons: '',
      properties: '',
      submit_time: nowMs - (index + 2) * 60 * SECOND_MS,
      start_time: nowMs - (index + 2) * 60 * SECOND_MS,
      finish_time: nowMs - (index + 2) * 60 * SECOND_MS + 42 * SECOND_MS,
      image_url: hasFailed ? '' : 'https://pictures.invalid/fox.png',
      status: hasFailed ? 'FAILURE' : 'SUCCESS',
      progress: '100%',
      fail_reason: hasFailed ? 'the prompt holds words the provider does not accept' : '',
    });
  }
  insert('tasks', {
    ...owner,
    request_id: randomUUID(),
    task_id: 'song-1',
    platform: 'suno',
    action: 'MUSIC',
    status: 'SUCCESS',
    created_at: nowSeconds,
    updated_at: nowSeconds,
    fail_reason: '',
    progress: '100%',
    submit_time: nowSeconds,
    start_time: nowSeconds,
    finish_time: nowSeconds + 95,
    properties: JSON.stringify({ input: 'a song about the sea' }),
    data: JSON.stringify({ title: 'Sea' }),
  });
  database.close();
}

for (const look of [
  { language: 'en', theme: 'light', width: 1440 },
  { language: 'zh', theme: 'dark', width: 390 },
] as const) {
  test(`finds and opens drawings and tasks, in ${look.language} at ${look.width} px`, async ({
    page,
    freshGateway,
  }) => {
    const say = textsOf(look.language);
    const { url } = freshGateway;
    await new GatewayConsole(url).setUp();
    fillLogs(freshGateway);
    await page.setViewportSize({ width: look.width, height: 900 });
    await page.route('**/mj/image/**', (route) => route.fulfill({ body: PICTURE, contentType: 'image/png' }));
    await signIn(page, url, look);
    const complaints = complaintsOf(page);
    const inspection = new Inspection(page);

    await test.step('the drawing log pages through what the server hands out ten by ten', async () => {
      await inspection.open(url, '/midjourney');
      await expect(page.getByText(say('drawings.callbackOff'))).toBeVisible();
      await expect(
        page.getByText(say('common.table.range', { from: '1', to: '10', total: String(DRAWINGS) })),
      ).toBeVisible();
      await expect(page.getByText('月光下的狐狸 0')).toBeVisible();
      await inspection.look('/midjourney with drawings');
      await page.getByRole('button', { name: say('common.table.next') }).click();
      await expect(page.getByText('月光下的狐狸 11')).toBeVisible();
      await expect(page).toHaveURL(/\?page=2$/);
      await page.getByRole('button', { name: say('common.table.previous') }).click();
    });

    await test.step('opens an image in a viewer, and a row in a drawer', async () => {
      await expect(page.getByText('月光下的狐狸 0')).toBeVisible();
      await page
        .getByRole('button', { name: say('drawings.image.view') })
        .first()
        .click();
      const viewer = page.getByRole('dialog', { name: startsWith(say('drawings.image.title')) });
      const picture = viewer.getByRole('img', {
        name: say('drawings.image.alt', { prompt: '月光下的狐狸 0' }),
      });
      await expect(picture).toHaveJSProperty('naturalWidth', 1);
      await inspection.look('/midjourney with a picture');
      await page.keyboard.press('Escape');
      await expect(viewer).toBeHidden();
      await page
        .getByRole('button', { name: /^\d{4}-\d\d-\d\d / })
        .nth(1)
        .click();
      const drawer = page.getByRole('dialog', { name: say('drawings.drawer', { id: 'drawing-1' }) });
      await expect(drawer.getByText('the prompt holds words the provider does not accept')).toBeVisible();
      await inspection.look('/midjourney with a row open');
      await page.keyboard.press('Escape');
      await expect(drawer).toBeHidden();
    });

    await test.step('a filter in the address narrows the list', async () => {
      await inspection.open(url, '/midjourney?task_id=drawing-7');
      await expect(page.getByText('月光下的狐狸 7')).toBeVisible();
      await expect(page.getByText('月光下的狐狸 0')).toBeHidden();
    });

    await test.step('a task shows its whole record', async () => {
      await inspection.open(url, '/task');
      await page.getByRole('button', { name: 'song-1' }).click();
      const record = page.getByRole('dialog', { name: say('tasks.record', { id: 'song-1' }) });
      await expect(record.locator('pre')).toContainText('"title": "Sea"');
      await inspection.look('/task with a record');
      await page.keyboard.press('Escape');
      await expect(record).toBeHidden();
      await inspection.look('/task');
    });

    expect(inspection.faults).toEqual([]);
    expect(complaints).toEqual([]);
  });
}
