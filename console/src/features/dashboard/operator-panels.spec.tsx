import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { aStatus } from '../../testing/builders';
import { FakeApi } from '../../testing/fake-api';
import { OPTION_FIELD_ROWS } from '../../testing/option-fields';
import { renderConsole } from '../../testing/render';

let api: FakeApi;
afterEach(() => api.stop());

const CONTENT = {
  announcements: [
    {
      content: 'Back again <img src=x onerror="document.title=1"> **soon**',
      publishDate: '2026-11-25T08:00:00Z',
      type: 'warning' as const,
      extra: 'at night',
    },
  ],
  api_info: [{ url: 'https://eu.gateway.example', route: 'Europe', description: '', color: 'green' }],
  faq: [{ question: 'Which models?', answer: 'See the [prices](/pricing).' }],
};

describe('panels of the operator on the dashboard', () => {
  it('shows announcements, addresses and questions, cleaned as notices are', async () => {
    api = new FakeApi({ 'GET /api/status': { data: aStatus(CONTENT) } });
    renderConsole('/detail', api);
    const news = await screen.findByRole('region', { name: 'Announcements' });
    expect(await within(news).findByText('soon')).toBeVisible();
    expect(within(news).getByText('Warning')).toBeVisible();
    expect(news.querySelector('[onerror]')).toBeNull();
    const addresses = within(screen.getByRole('region', { name: 'API addresses' }));
    expect(addresses.getByText('https://eu.gateway.example')).toBeVisible();
    const questions = within(screen.getByRole('region', { name: 'Questions and answers' }));
    expect(await questions.findByRole('link', { name: 'prices', hidden: true })).toBeInTheDocument();
  });

  it('shows status pages with the state of each monitor, and those that cannot be read', async () => {
    api = new FakeApi({
      'GET /api/status': { data: aStatus({ uptime_kuma_enabled: true }) },
      'GET /api/uptime/status': {
        data: [
          {
            categoryName: 'Models',
            description: 'hourly',
            reachable: true,
            monitors: [
              { name: 'gpt', group: 'Chat', status: 1, uptime: 0.99999 },
              { name: 'dall-e', group: 'Pictures', status: 0, uptime: 0.5 },
            ],
          },
          { categoryName: 'Away', description: '', reachable: false, monitors: [] },
        ],
      },
    });
    renderConsole('/detail', api);
    const section = within(await screen.findByRole('region', { name: 'Availability' }));
    const [models, gpt, picture, away] = (await section.findAllByRole('listitem')).map((item) =>
      within(item),
    );
    expect(models?.getByText('hourly')).toBeVisible();
    expect(gpt?.getByText('Up')).toBeVisible();
    expect(gpt?.getByText('99.99% in 24 h')).toBeVisible();
    expect(picture?.getByText('Down')).toBeVisible();
    expect(away?.getByText('Not available right now')).toBeVisible();
  });

  it('asks for no status page where there is none', async () => {
    api = new FakeApi({ 'GET /api/status': { data: aStatus({ faq: CONTENT.faq }) } });
    renderConsole('/detail', api);
    expect(await screen.findByRole('region', { name: 'Questions and answers' })).toBeVisible();
    expect(api.made('GET /api/uptime/status')).toEqual([]);
  });

  it('leaves no frame where there is nothing', async () => {
    api = new FakeApi({ 'GET /api/status': { data: aStatus({ faq: CONTENT.faq }) } });
    renderConsole('/detail', api);
    expect(await screen.findByRole('region', { name: 'Questions and answers' })).toBeVisible();
    expect(screen.queryByRole('region', { name: 'Announcements' })).toBeNull();
    expect(screen.queryByRole('region', { name: 'API addresses' })).toBeNull();
  });
});

describe('their editor in the settings', () => {
  it('edits entries member by member and shows what they will look like', async () => {
    api = new FakeApi({
      'GET /api/status': { data: aStatus() },
      'GET /api/option/fields': { data: OPTION_FIELD_ROWS },
      'GET /api/option': {
        data: [
          { key: 'console_setting.faq_enabled', value: 'true' },
          { key: 'console_setting.announcements', value: '[]' },
          { key: 'console_setting.api_info', value: '[]' },
          { key: 'console_setting.uptime_kuma_groups', value: '[]' },
          { key: 'console_setting.faq', value: JSON.stringify([{ id: 3, question: 'Old?', answer: 'Yes' }]) },
        ],
      },
      'PUT /api/option': { data: null },
    });
    const { user } = renderConsole('/setting?tab=other', api);
    const section = within(await screen.findByRole('region', { name: 'Dashboard' }));
    const list = within(section.getByRole('group', { name: /^Questions and answers/ }));
    await user.click(list.getByRole('button', { name: 'Add an entry' }));
    const second = within(list.getByRole('group', { name: 'Entry 2' }));
    await user.type(second.getByLabelText('Question'), 'New?');
    await user.type(second.getByLabelText('Answer'), 'No');
    expect(list.getByText('New?', { selector: 'summary' })).toBeVisible();
    await user.clear(second.getByLabelText('Answer'));
    await user.click(section.getByRole('button', { name: 'Save' }));
    expect(await section.findByText('Entry 2: please check “Answer”.')).toBeVisible();
    expect(second.getByLabelText('Answer')).toBeInvalid();
    expect(api.made('PUT /api/option/')).toEqual([]);
    await user.type(second.getByLabelText('Answer'), 'No');
    await user.click(list.getByRole('button', { name: 'Remove entry 1' }));
    await user.click(section.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(api.made('PUT /api/option')).toHaveLength(1));
    const body = api.made('PUT /api/option')[0]?.body as { key: string; value: string };
    expect(body.key).toBe('console_setting.faq');
    expect(JSON.parse(body.value)).toEqual([{ question: 'New?', answer: 'No' }]);
  });
});

describe('registering where documents are filled in', () => {
  it('asks for consent first, and offers no way in before it', async () => {
    api = new FakeApi({
      'GET /api/status': {
        data: aStatus({
          user_agreement_enabled: true,
          privacy_policy_enabled: true,
          github_oauth: true,
          github_client_id: 'x',
        }),
      },
      'POST /api/user/register': { data: null },
    });
    const { user } = renderConsole('/register', api, null);
    const submit = await screen.findByRole('button', { name: 'Register' });
    expect(submit).toBeDisabled();
    expect(screen.queryByRole('button', { name: /GitHub/ })).toBeNull();
    expect(screen.getByRole('link', { name: 'user agreement' })).toHaveAttribute('href', '/user-agreement');
    expect(screen.getByRole('link', { name: 'privacy policy' })).toHaveAttribute('href', '/privacy-policy');
    await user.type(screen.getByLabelText(/^Username/), 'newcomer{Enter}');
    expect(api.made('POST /api/user/register')).toEqual([]);
    await user.click(screen.getByRole('checkbox'));
    expect(submit).toBeEnabled();
    expect(screen.getByRole('button', { name: /GitHub/ })).toBeVisible();
  });

  it('asks for nothing where they are empty', async () => {
    api = new FakeApi({ 'GET /api/status': { data: aStatus() } });
    renderConsole('/register', api, null);
    expect(await screen.findByRole('button', { name: 'Register' })).toBeEnabled();
    expect(screen.queryByRole('checkbox')).toBeNull();
  });
});

describe('the documents', () => {
  it.each([
    ['/user-agreement', 'GET /api/user-agreement'],
    ['/privacy-policy', 'GET /api/privacy-policy'],
  ] as const)('%s is for guests, and cleaned', async (path, call) => {
    api = new FakeApi({
      'GET /api/status': { data: aStatus() },
      [call]: { data: '<h1>Rules</h1><p onclick="x()">Be kind.</p>' },
    });
    renderConsole(path, api, null);
    const sentence = await screen.findByText('Be kind.');
    expect(sentence).toBeVisible();
    expect(sentence).not.toHaveAttribute('onclick');
  });
});
