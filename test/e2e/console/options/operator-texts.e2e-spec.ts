import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiClient } from '../../../support/api-client.ts';
import { setUpRoot, startTestApp, type TestApp } from '../../../support/build-test-app.ts';

let app: TestApp;
let root: ApiClient;
let guest: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
  root = await setUpRoot(app);
  guest = new ApiClient(app.url);
});
afterAll(() => app.close());

const put = (key: string, value: unknown) =>
  root.put('/api/option/', { key, value: typeof value === 'object' ? JSON.stringify(value) : value });
const status = () => guest.expectSuccess<Record<string, unknown>>('GET', '/api/status');

describe('what operators put on the dashboard', () => {
  const news = (day: number) => ({
    content: `news of day ${day}`,
    publishDate: `2026-11-${String(day).padStart(2, '0')}T08:00:00Z`,
  });

  it('stands in the public status, announcements newest first and twenty at most', async () => {
    const days = [3, 1, 2, ...Array.from({ length: 20 }, (_, index) => index + 4)];
    expect((await put('console_setting.announcements', days.map(news))).body.success).toBe(true);
    await put('console_setting.api_info', [{ url: 'https://eu.gateway.example', route: 'Europe' }]);
    await put('console_setting.faq', [{ id: 7, question: 'Which?', answer: '**These**' }]);
    const told = await status();
    const announcements = told['announcements'] as { content: string }[];
    expect(announcements.map(({ content }) => content)).toEqual(
      Array.from({ length: 20 }, (_, index) => `news of day ${23 - index}`),
    );
    expect(announcements[0]).toEqual({ ...news(23), type: 'default', extra: '' });
    expect(told).toMatchObject({
      announcements_enabled: true,
      api_info_enabled: true,
      api_info: [{ url: 'https://eu.gateway.example', route: 'Europe', description: '', color: 'blue' }],
      faq_enabled: true,
      faq: [{ id: 7, question: 'Which?', answer: '**These**' }],
    });
  });

  it.each(['announcements', 'api_info', 'faq'])('hides %s of a panel that is off', async (panel) => {
    expect((await status())[panel]).not.toEqual([]);
    await put(`console_setting.${panel}_enabled`, false);
    expect(await status()).toMatchObject({ [`${panel}_enabled`]: false, [panel]: [] });
    await put(`console_setting.${panel}_enabled`, true);
  });

  it.each([
    ['console_setting.announcements', [{ content: 'x', publishDate: 'some day' }]],
    ['console_setting.announcements', [{ content: ' ', publishDate: '2026-11-25T08:00:00Z' }]],
    ['console_setting.announcements', [{ content: 'x', publishDate: '2026-11-25T08:00:00Z', type: 'loud' }]],
    ['console_setting.api_info', [{ url: 'javascript:alert(1)', route: 'x' }]],
    ['console_setting.api_info', [{ url: 'https://name:secret@gateway.example', route: 'x' }]],
    ['console_setting.api_info', [{ url: 'https://gateway.example', route: 'x', color: 'url(//x)' }]],
    ['console_setting.faq', [{ question: 'x' }]],
    ['console_setting.faq', Array.from({ length: 101 }, () => ({ question: 'x', answer: 'y' }))],
  ])('refuses for %s %j', async (key, value) => {
    expect((await put(key, value)).body).toMatchObject({ success: false, code: 'option_invalid' });
  });
});

describe('the user agreement and the privacy policy', () => {
  it.each([
    ['user-agreement', 'legal.user_agreement', 'user_agreement_enabled'],
    ['privacy-policy', 'legal.privacy_policy', 'privacy_policy_enabled'],
  ])(
    '/api/%s is empty until it is written, and the status says which there are',
    async (path, key, member) => {
      expect((await guest.get(`/api/${path}`)).body.data).toBe('');
      expect((await status())[member]).toBe(false);
      await put(key, '# Rules\n\nBe kind.');
      expect((await guest.get(`/api/${path}`)).body.data).toBe('# Rules\n\nBe kind.');
      expect((await status())[member]).toBe(true);
    },
  );
});
