import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { aLogLine, anExplanation, aStatus } from '../../testing/builders';
import { FakeApi, pageOf } from '../../testing/fake-api';
import { renderConsole } from '../../testing/render';

let api: FakeApi;
afterEach(() => api.stop());

const stat = { data: { quota: 1_513, rpm: 1, tpm: 610 } };

function logsApi(lines = [aLogLine()]): FakeApi {
  api = new FakeApi({
    'GET /api/status': { data: aStatus() },
    'GET /api/log': pageOf(lines),
    'GET /api/log/self': pageOf(lines),
    'GET /api/log/stat': stat,
    'GET /api/log/self/stat': stat,
    [`GET /api/log/${aLogLine().request_id}/explain`]: { data: anExplanation() },
  });
  return api;
}

describe('usage log', () => {
  it('asks ordinary users’ own lines only, and shows neither channel nor user', async () => {
    logsApi([aLogLine({ channel: 0, channel_name: '' })]);
    renderConsole('/log', api, { role: 1 });
    expect(await screen.findByText('gpt-4o')).toBeVisible();
    expect(screen.queryByRole('columnheader', { name: 'Channel' })).toBeNull();
    expect(screen.queryByRole('columnheader', { name: 'User' })).toBeNull();
    expect(api.made('GET /api/log')).toEqual([]);
  });

  it('filters by a value that is pressed, keeps it in the address, and clears it by its chip', async () => {
    logsApi();
    const { user, router } = renderConsole('/log?page=3', api);
    await user.click(await screen.findByRole('button', { name: 'Show only gpt-4o' }));
    await waitFor(() => expect(router.state.location.search).toBe('?model_name=gpt-4o'));
    await waitFor(() => expect(api.made('GET /api/log').at(-1)?.query.get('model_name')).toBe('gpt-4o'));
    await user.click(screen.getByRole('button', { name: 'Clear filter Model: gpt-4o' }));
    await waitFor(() => expect(router.state.location.search).toBe(''));
  });

  it('opens a line into what happened and why it cost this', async () => {
    logsApi();
    const { user } = renderConsole('/log', api);
    await user.click(await screen.findByText('OpenAI main', { exact: false }));
    await user.click(screen.getByRole('button', { name: /^\d{4}-\d\d-\d\d / }));
    const drawer = await screen.findByRole('dialog', { name: 'Call · gpt-4o' });
    expect(await within(drawer).findByText('(410 + 200 × 4) × 1.25 × 1 = 1512.5 → 1513')).toBeVisible();
    expect(within(drawer).getByText('Attempt 1: Backup')).toBeVisible();
    expect(within(drawer).getByText(/Failed: the provider is overloaded · HTTP 503 · 240 ms/)).toBeVisible();
    expect(within(drawer).getByText('Reported by the provider')).toBeVisible();
    expect(within(drawer).getByText('1,513 quota')).toBeVisible();
    expect(within(drawer).getByText(/the same figure/)).toBeVisible();
  });

  it('keeps moments on one line and cuts long details where the table ends', async () => {
    logsApi([aLogLine({ content: 'x'.repeat(400) })]);
    renderConsole('/log', api, { role: 1 });
    const details = (await screen.findByText('x'.repeat(400))).closest('td');
    expect(details).toHaveStyle({ maxWidth: '0', overflow: 'hidden' });
    expect(screen.getByText(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)).toHaveStyle({ whiteSpace: 'nowrap' });
  });

  it('leaves the details of administrators’ lines to the opened line until the column is chosen', async () => {
    logsApi();
    renderConsole('/log', api);
    expect(await screen.findByRole('columnheader', { name: 'Attempts' })).toBeVisible();
    expect(screen.queryByRole('columnheader', { name: 'Details' })).toBeNull();
  });

  it('says what happened in lines that are no calls, and what they moved with its sign', async () => {
    const taken = { code: 'user.add_quota', operator: 'root', operator_id: 1, quota: -500_000 };
    logsApi([
      aLogLine({
        id: 3,
        type: 1,
        model_name: '',
        token_name: '',
        quota: 2_500_000,
        request_id: null,
        other: '{"event":{"code":"redeemed","redemption_id":7}}',
      }),
      aLogLine({
        id: 2,
        type: 3,
        model_name: '',
        token_name: '',
        quota: 0,
        request_id: null,
        username: 'ada',
        other: JSON.stringify({ event: taken }),
      }),
    ]);
    const { user } = renderConsole('/log', api);
    const redeemed = (await screen.findByText('Redeemed code #7')).closest('tr') as HTMLElement;
    expect(within(redeemed).getByText('+$5.00')).toBeVisible();
    // Model, token, time taken, input and output are of calls.
    expect(screen.getByText('Redeemed code #7').closest('td')).toHaveAttribute('colspan', '5');
    const adjusted = screen.getByText('Balance adjusted · by root').closest('tr') as HTMLElement;
    expect(within(adjusted).getByText('−$1.00')).toBeVisible();
    await user.click(within(adjusted).getByRole('button', { name: /^\d{4}-/ }));
    const drawer = await screen.findByRole('dialog', { name: 'Administration' });
    expect(within(drawer).getByText('Amount')).toBeVisible();
    expect(within(drawer).getByText('Balance adjusted · by root')).toBeVisible();
  });

  it('explains a call whose line is not on the page', async () => {
    logsApi([]);
    renderConsole(`/log?open=${aLogLine().request_id}`, api);
    const drawer = await screen.findByRole('dialog', { name: 'Log line' });
    expect(await within(drawer).findByText('Why it cost this')).toBeVisible();
  });

  it('says when an explanation cannot be had', async () => {
    logsApi().answer({ [`GET /api/log/${aLogLine().request_id}/explain`]: { refused: 'Not found' } });
    renderConsole(`/log?open=${aLogLine().request_id}`, api);
    expect(await screen.findByText('The explanation could not be loaded')).toBeVisible();
  });

  it('writes the way to each part of a charge, tools and long calls included', async () => {
    const { charge } = anExplanation();
    logsApi().answer({
      [`GET /api/log/${aLogLine().request_id}/explain`]: {
        data: anExplanation({
          charge: {
            ...charge,
            steps: [
              ...charge.steps,
              { part: 'tool', tool: 'web_search', count: 2, ratio: '10', subtotal: '10000' },
            ],
            tier: { above: 200_000, input: '2', output: '1.5' },
            service_tier: { name: 'priority', ratio: '1.75' },
            factor: { name: 'hd 1024x1792', ratio: '3' },
          },
        }),
      },
    });
    renderConsole(`/log?open=${aLogLine().request_id}`, api);
    const drawer = await screen.findByRole('dialog', { name: 'Log line' });
    expect(await within(drawer).findByText('200 × 4 × 1.25 × 1 × 1.75')).toBeVisible();
    expect(within(drawer).getByText('2 ÷ 1000 × $10 × quota per dollar × 1')).toBeVisible();
    expect(within(drawer).getByText(/\(Web search\)/)).toBeVisible();
    expect(within(drawer).queryByText(/web_search/)).toBeNull();
    expect(within(drawer).getByText('priority × 1.75')).toBeVisible();
    expect(within(drawer).getByText('hd 1024x1792 × 3')).toBeVisible();
    expect(within(drawer).getByText('over 200000 input tokens: input ×2, output ×1.5')).toBeVisible();
    expect(within(drawer).getByText(/later changes do not touch it/)).toBeVisible();
  });

  it('looks an account up by its name', async () => {
    logsApi().answer({
      'GET /api/user/1': {
        data: {
          id: 1,
          username: 'root',
          quota: 500_000,
          used_quota: 125_000,
          request_count: 321,
          group: 'default',
          DeletedAt: '2026-11-20T12:00:00Z',
        },
      },
    });
    const { user } = renderConsole('/log', api);
    await user.click(await screen.findByRole('button', { name: 'Show account root' }));
    const dialog = await screen.findByRole('dialog', { name: 'Account root' });
    for (const text of ['$1.00', '$0.25', '321', 'Deregistered'])
      expect(await within(dialog).findByText(text)).toBeVisible();
  });
});
