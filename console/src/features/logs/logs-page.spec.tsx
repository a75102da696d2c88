import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { aLogLine, aStatus, aUser } from '../../testing/builders';
import { anExplanation } from '../../testing/explanation';
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

  it('filters by a tag that is typed or pressed in a line, and by its end user', async () => {
    logsApi([aLogLine({ tags: 'batch,night', end_user: 'ann b' })]);
    const { user, router } = renderConsole('/log', api);
    await user.type(await screen.findByRole('combobox', { name: /^Search models/ }), 'urgent');
    await user.click(await screen.findByRole('option', { name: 'urgent Tag' }));
    await waitFor(() => expect(api.made('GET /api/log').at(-1)?.query.get('tag')).toBe('urgent'));
    await user.click(screen.getByRole('button', { name: 'Clear filter Tag: urgent' }));
    await user.click(await screen.findByText('OpenAI main', { exact: false }));
    await user.click(screen.getByRole('button', { name: /^\d{4}-\d\d-\d\d / }));
    const drawer = await screen.findByRole('dialog', { name: 'Call · gpt-4o' });
    expect(within(drawer).getByRole('link', { name: 'batch' })).toHaveAttribute('href', '/log?tag=batch');
    await user.click(within(drawer).getByRole('link', { name: 'ann b' }));
    await waitFor(() => expect(router.state.location.search).toBe('?end_user=ann+b'));
    expect(await screen.findByRole('button', { name: 'Clear filter End user: ann b' })).toBeVisible();
    await waitFor(() => expect(api.made('GET /api/log').at(-1)?.query.get('end_user')).toBe('ann b'));
  });

  it('opens a line into what happened and why it cost this', async () => {
    logsApi();
    const { user } = renderConsole('/log', api);
    await user.click(await screen.findByText('OpenAI main', { exact: false }));
    await user.click(screen.getByRole('button', { name: /^\d{4}-\d\d-\d\d / }));
    const drawer = await screen.findByRole('dialog', { name: 'Call · gpt-4o' });
    expect(
      await within(drawer).findByText('410 × $2.50/1M + 200 × $10.00/1M = $0.003025 → $0.003026'),
    ).toBeVisible();
    expect(within(drawer).getByText('$10.00 per 1M')).toBeVisible();
    expect(within(drawer).queryByText('Model ratio')).toBeNull();
    expect(within(drawer).getByText('Attempt 1: Backup')).toBeVisible();
    expect(
      within(drawer).getByText(/Failed: the provider failed or is overloaded · HTTP 503 · 240 ms/),
    ).toBeVisible();
    expect(within(drawer).getByText('Reported by the provider')).toBeVisible();
    await user.click(within(drawer).getByRole('switch', { name: 'Show ratios and quota' }));
    expect(within(drawer).getByText('(410 + 200 × 4) × 1.25 × 1 = 1512.5 → 1513')).toBeVisible();
    expect(within(drawer).getByText('1,513 quota')).toBeVisible();
    expect(Object.keys(localStorage).filter((key) => key.startsWith('show-ratios-'))).toHaveLength(1);
    expect(within(drawer).getByText(/same amount/)).toBeVisible();
  });

  it('has amount and attempts before everything that may be left out', async () => {
    logsApi();
    renderConsole('/log', api);
    await screen.findByText('gpt-4o');
    const heads = screen.getAllByRole('columnheader').map((head) => head.textContent);
    expect(heads).toEqual([
      'Time',
      'Amount',
      'Model',
      'Channel · attempts',
      'Tokens',
      'Duration',
      'Account · token',
      'Type',
    ]);
  });

  it('asks for answered and failed calls until a type is chosen', async () => {
    logsApi();
    renderConsole('/log', api);
    await screen.findByText('gpt-4o');
    expect(api.made('GET /api/log').at(-1)?.query.get('kind')).toBe('calls');
    expect(api.made('GET /api/log').at(-1)?.query.get('type')).toBeNull();
  });

  it('sorts by a heading, keeps it in the address and gives it up when pressed again', async () => {
    logsApi();
    const { user, router } = renderConsole('/log', api);
    await user.click(await screen.findByRole('button', { name: 'Amount' }));
    await waitFor(() => expect(api.made('GET /api/log').at(-1)?.query.get('sort')).toBe('quota'));
    expect(router.state.location.search).toBe('?sort=quota');
    expect(screen.getByRole('columnheader', { name: 'Amount' })).toHaveAttribute('aria-sort', 'descending');
    await user.click(screen.getByRole('button', { name: 'Amount' }));
    await waitFor(() => expect(router.state.location.search).toBe(''));
  });

  it('turns what the search finds into an exact filter', async () => {
    logsApi().answer({
      'GET /api/log/suggestions': {
        data: {
          models: ['gpt-4o'],
          tokens: [],
          accounts: ['gptfan'],
          channels: [{ id: 3, name: 'gpt main' }],
        },
      },
    });
    const { user, router } = renderConsole('/log', api);
    const field = await screen.findByRole('combobox', { name: /^Search models/ });
    await user.type(field, 'gpt');
    await user.click(await screen.findByRole('option', { name: /3 · gpt main/ }));
    await waitFor(() => expect(router.state.location.search).toBe('?channel=3'));
    await user.type(field, 'gpt');
    await screen.findByRole('option', { name: /gptfan/ });
    await user.keyboard('{ArrowDown}{Enter}');
    await waitFor(() => expect(router.state.location.search).toContain('username=gptfan'));
    expect(api.made('GET /api/log/suggestions').at(-1)?.query.get('keyword')).toBe('gpt');
  });

  it('asks for the own names of users alone', async () => {
    logsApi().answer({
      'GET /api/log/self/suggestions': {
        data: { models: [], tokens: ['laptop'], accounts: [], channels: [] },
      },
    });
    const { user, router } = renderConsole('/log', api, { role: 1 });
    await user.type(await screen.findByRole('combobox', { name: /^Search models/ }), 'lap');
    await user.click(await screen.findByRole('option', { name: /^laptop/ }));
    await waitFor(() => expect(router.state.location.search).toBe('?token_name=laptop'));
    expect(api.made('GET /api/log/suggestions')).toEqual([]);
  });

  it('opens the line of a pasted request id', async () => {
    logsApi();
    const { user, router } = renderConsole('/log?model_name=other&sort=quota', api);
    await user.click(await screen.findByRole('combobox', { name: /^Search models/ }));
    await user.paste(` ${aLogLine().request_id?.toUpperCase()} `);
    expect(await screen.findByRole('dialog', { name: 'Call · gpt-4o' })).toBeVisible();
    expect(new URLSearchParams(router.state.location.search).get('request_id')).toBe(aLogLine().request_id);
    expect(router.state.location.search).not.toContain('other');
  });

  it('explains a refused call: the rule, that it cost nothing, its attempts, and where it is mended', async () => {
    const other = {
      error_type: 'gateway',
      error_code: 'price-missing',
      status_code: 400,
      duration_ms: 340,
      refusal: { code: 'price-missing', values: { model: 'house' } },
      admin_info: {
        use_channel: ['1', '3'],
        attempts: [
          {
            channel_id: 1,
            started_at_ms: 0,
            ended_at_ms: 100,
            failure: 'upstream-key-refused',
            upstream_status: 401,
          },
          { channel_id: 3, started_at_ms: 110, ended_at_ms: 340, failure: 'upstream-timeout' },
        ],
      },
    };
    logsApi([
      aLogLine({
        type: 5,
        quota: 0,
        model_name: 'house',
        content: 'It has no price.',
        other: JSON.stringify(other),
      }),
    ]);
    const { user } = renderConsole('/log', api);
    expect(await screen.findByText('2 attempts: 1 → 3')).toBeVisible();
    await user.click(screen.getByRole('button', { name: /^\d{4}-\d\d-\d\d / }));
    const drawer = within(await screen.findByRole('dialog', { name: 'Error · house' }));
    expect(drawer.getByText('Model price')).toBeVisible();
    expect(drawer.getByText('You were not charged for this call.')).toBeVisible();
    expect(drawer.getByRole('link', { name: 'Set the price' })).toHaveAttribute(
      'href',
      '/prices?prices=unset_models',
    );
    expect(drawer.getByText(/Failed: the provider refused the key · HTTP 401 · 100 ms/)).toBeVisible();
    expect(drawer.getByText(/340 ms in total/)).toBeVisible();
  });

  it('leaves the details of administrators’ lines to the opened line until the column is chosen', async () => {
    logsApi();
    renderConsole('/log', api);
    expect(await screen.findByRole('columnheader', { name: 'Channel · attempts' })).toBeVisible();
    expect(screen.queryByRole('columnheader', { name: 'Details' })).toBeNull();
  });

  it('shows the event of lines that are no calls, and the moved quota with its sign', async () => {
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
    expect(within(redeemed).getByText('+$5.0000')).toBeVisible();
    // Model, channel, tokens and time taken are of calls.
    expect(screen.getByText('Redeemed code #7').closest('td')).toHaveAttribute('colspan', '4');
    const adjusted = screen.getByText('Balance adjusted · by root').closest('tr') as HTMLElement;
    expect(within(adjusted).getByText('−$1.0000')).toBeVisible();
    await user.click(within(adjusted).getByRole('button', { name: /^\d{4}-/ }));
    const drawer = await screen.findByRole('dialog', { name: 'Administration' });
    expect(within(drawer).getByText('Amount')).toBeVisible();
    expect(within(drawer).getByText('Balance adjusted · by root')).toBeVisible();
  });

  it('explains a call whose line is not on the page', async () => {
    logsApi([]);
    renderConsole(`/log?open=${aLogLine().request_id}`, api);
    const drawer = await screen.findByRole('dialog', { name: 'Log line' });
    expect(await within(drawer).findByText('How the cost was calculated')).toBeVisible();
  });

  it('reports when an explanation cannot be loaded', async () => {
    logsApi().answer({ [`GET /api/log/${aLogLine().request_id}/explain`]: { refused: 'Not found' } });
    renderConsole(`/log?open=${aLogLine().request_id}`, api);
    expect(await screen.findByText('Could not load the cost calculation')).toBeVisible();
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
    const { user } = renderConsole(`/log?open=${aLogLine().request_id}`, api);
    const drawer = await screen.findByRole('dialog', { name: 'Log line' });
    await user.click(await within(drawer).findByRole('switch', { name: 'Show ratios and quota' }));
    expect(await within(drawer).findByText('200 × 4 × 1.25 × 1 × 1.75')).toBeVisible();
    expect(within(drawer).getByText('2 ÷ 1000 × $10 × quota per dollar × 1')).toBeVisible();
    expect(within(drawer).getByText(/\(Web search\)/)).toBeVisible();
    expect(within(drawer).queryByText(/web_search/)).toBeNull();
    expect(within(drawer).getByText('priority × 1.75')).toBeVisible();
    expect(within(drawer).getByText('hd 1024x1792 × 3')).toBeVisible();
    expect(within(drawer).getByText('over 200000 input tokens: input ×2, output ×1.5')).toBeVisible();
    expect(within(drawer).getByText(/later changes do not affect it/)).toBeVisible();
  });

  it('looks an account up by its name', async () => {
    logsApi().answer({
      'GET /api/user/1': { data: aUser({ id: 1, username: 'root', role: 100, request_count: 321 }) },
      'GET /api/data': { data: [] },
    });
    const { user, router } = renderConsole('/log', api);
    const [link] = await screen.findAllByRole('link', { name: 'root' });
    await user.click(link as HTMLElement);
    expect(await screen.findByRole('tab', { name: 'Overview', selected: true })).toBeVisible();
    expect(router.state.location.pathname).toBe('/user/1');
    for (const text of ['$5.00', '321']) expect(await screen.findByText(text)).toBeVisible();
  });
});
