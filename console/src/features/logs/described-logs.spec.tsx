import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { aLogLine, aStatus } from '../../testing/builders';
import { anExplanation } from '../../testing/explanation';
import { FakeApi, pageOf } from '../../testing/fake-api';
import { renderConsole } from '../../testing/render';

let api: FakeApi;
afterEach(() => api.stop());

const FIGURES = { data: { quota: 1_000_000, rpm: 3, tpm: 610 } };

function logsApi(): FakeApi {
  api = new FakeApi({
    'GET /api/status': { data: aStatus() },
    'GET /api/log': pageOf([aLogLine()]),
    'GET /api/log/self': pageOf([aLogLine()]),
    'GET /api/log/stat': FIGURES,
    'GET /api/log/self/stat': FIGURES,
    [`GET /api/log/${aLogLine().request_id}/explain`]: { data: anExplanation() },
  });
  return api;
}

const ASKED = '?type=2&model_name=gpt&token_name=laptop&group=vip&request_id=r-1&start=100&end=200';

describe('the usage log as the specification has it', () => {
  it('sends the filters of administrators to the log and to its figures', async () => {
    renderConsole(`/log${ASKED}&username=ada&channel=7`, logsApi());
    const wanted = {
      type: '2',
      model_name: 'gpt',
      token_name: 'laptop',
      username: 'ada',
      channel: '7',
      group: 'vip',
      request_id: 'r-1',
      start_timestamp: '100',
      end_timestamp: '200',
    };
    for (const route of ['GET /api/log', 'GET /api/log/stat'])
      await waitFor(() =>
        expect(Object.fromEntries(api.made(route).at(-1)?.query ?? [])).toMatchObject(wanted),
      );
    expect(api.made('GET /api/log').at(-1)?.query.get('page_size')).toBe('10');
  });

  it('sends those of users without name and channel, to their own log', async () => {
    renderConsole(`/log${ASKED}`, logsApi(), { role: 1 });
    await waitFor(() =>
      expect(Object.fromEntries(api.made('GET /api/log/self').at(-1)?.query ?? [])).toMatchObject({
        type: '2',
        model_name: 'gpt',
        token_name: 'laptop',
        start_timestamp: '100',
      }),
    );
    expect(screen.queryByLabelText('Username')).toBeNull();
    expect(screen.queryByLabelText('Channel id')).toBeNull();
    expect(api.made('GET /api/log/stat')).toEqual([]);
  });

  it('shows quota, calls and tokens a minute as figures', async () => {
    renderConsole('/log', logsApi());
    const figures = within(await screen.findByRole('group', { name: 'Usage log' }));
    expect(await figures.findByText('$2.00')).toBeVisible();
    expect(figures.getByText('3')).toBeVisible();
    expect(figures.getByText('610')).toBeVisible();
  });

  it('has columns that are chosen and kept, channel, user and attempts for administrators', async () => {
    const { user } = renderConsole('/log', logsApi());
    for (const name of ['Channel · attempts', 'Account · token'])
      expect(await screen.findByRole('columnheader', { name })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Columns' }));
    await user.click(await screen.findByRole('checkbox', { name: 'Group' }));
    await waitFor(() => expect(Object.values(localStorage).join()).toContain('"group":'));
  });
});
