import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { aChannel, aHealthLine, aStatus, NOON } from '../../testing/builders';
import { FakeApi, pageOf } from '../../testing/fake-api';
import { renderConsole } from '../../testing/render';
import type { Alert, Finding, OperationsStatus, Worker } from './api';
import { formatBytes } from './status.labels';

let api: FakeApi;
afterEach(() => api.stop());

function aWorker(parts: Partial<Worker> = {}): Worker {
  return {
    worker: 0,
    boot_id: 'boot-a-0',
    pid: 4711,
    state: 'up',
    ready: true,
    version: '0.1.0',
    revision: 12,
    address: '10.0.0.5:3000',
    started_at: NOON - 3_600,
    heard_at: NOON - 2,
    calls: 7,
    streams: 3,
    event_loop_delay_ms: 4,
    resident_bytes: 88_080_384,
    heap_bytes: 31_457_280,
    spool_records: 2,
    spool_oldest_seconds: 0.4,
    settlement_lag_ms: 120,
    holds: 7,
    database: {
      up: true,
      latency_ms: 1.2,
      clock_offset_ms: 3,
      connections_used: 2,
      connections_waiting: 0,
    },
    store: { kind: 'redis', up: true, latency_ms: 0.4 },
    degraded: [],
    ...parts,
  };
}

const DISABLED_CHANNEL = aChannel({
  id: 9,
  name: 'East',
  status: 3,
  other_info: JSON.stringify({ status_reason: 'Incorrect API key provided', status_time: NOON }),
});

const GONE: Finding = {
  rule: 'instance-gone',
  subject: 'bbbbbbbb',
  severity: 'fault',
  title: 'Instance web-2 (bbbbbbbb) is gone',
  sentence: 'Instance web-2 (bbbbbbbb) stopped reporting without having been shut down.',
  remedy: 'Start it again.',
  since: NOON - 90,
};

function operations(parts: Partial<OperationsStatus> = {}): OperationsStatus {
  return {
    checked_at: NOON,
    answered_by: 'boot-a-0',
    database_readable: true,
    level: 'ok',
    revision: 12,
    findings: [],
    instances: [{ id: 'aaaaaaaa', host: 'web-1', state: 'up', heard_at: NOON - 2, workers: [aWorker()] }],
    totals: {
      workers: 1,
      calls: 7,
      streams: 3,
      spool_records: 2,
      spool_oldest_seconds: 0.4,
      settlement_lag_ms: 120,
      holds: 7,
      reserved_quota: 5_000_000,
      reservation_oldest_seconds: 30,
    },
    modes: [],
    breakers: [],
    history: [
      { at: NOON - 120, calls: 600, errors: 0, first_token_p95_ms: 420, settlement_lag_ms: 110 },
      { at: NOON - 60, calls: 1_200, errors: 12, first_token_p95_ms: 480, settlement_lag_ms: 130 },
    ],
    jobs: [
      {
        name: 'books-check',
        outcome: 'done',
        message: '',
        host: 'web-1',
        started_at: NOON - 600,
        ended_at: NOON - 599,
        next_at: NOON + 85_800,
      },
    ],
    books: { at: NOON - 599, took_ms: 40, differences: 0, details: [] },
    private_hosts: [],
    administrator_daily_quota_limit: null,
    ...parts,
  };
}

function anAlert(parts: Partial<Alert> = {}): Alert {
  return {
    id: 5,
    rule: 'instance-gone',
    subject: 'bbbbbbbb',
    severity: 'fault',
    title: GONE.title,
    sentence: GONE.sentence,
    remedy: GONE.remedy,
    since: NOON - 90,
    opened_at: NOON - 70,
    over_at: null,
    repeats: 0,
    told_at: NOON - 69,
    tell_fault: '',
    acknowledged_at: 0,
    acknowledged_by: '',
    ...parts,
  } as Alert;
}

function statusApi(status: OperationsStatus = operations(), alerts: Alert[] = []): FakeApi {
  api = new FakeApi({
    'GET /api/status': { data: aStatus() },
    'GET /api/operations/status': { data: status },
    'GET /api/operations/alerts': pageOf(alerts),
    'GET /api/channel': { data: [aChannel({ id: 3, name: 'West' }), DISABLED_CHANNEL] },
    'GET /api/channel/health': {
      data: {
        since: NOON,
        bucket_seconds: 3_600,
        counted_since: NOON,
        channels: [
          aHealthLine({ channel_id: 3, billed_empty_tokens: [171, 1_000] }),
          aHealthLine({ channel_id: 4 }),
        ],
      },
    },
  });
  return api;
}

describe('the status page', () => {
  it('names channels that were disabled automatically, with the reason and a link', async () => {
    renderConsole('/status', statusApi());
    const section = await screen.findByRole('region', { name: 'Channels disabled automatically' });
    expect(within(section).getByRole('link', { name: 'East #9' })).toHaveAttribute('href', '/channel/9');
    expect(within(section).getByText('Incorrect API key provided')).toBeVisible();
    expect(within(section).queryByText(/West/)).not.toBeInTheDocument();
  });

  it('shows the tokens that providers bill without an answer, by channel', async () => {
    statusApi();
    renderConsole('/status', api);
    expect(await screen.findByRole('link', { name: 'Channel 3' })).toHaveAttribute('href', '/channel/3');
    expect(screen.getByText('1,171 tokens')).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Channel 4' })).toBeNull();
  });

  it('explains quota that is reserved without a call', async () => {
    const totals = { ...operations().totals, calls: 0, holds: 0, reserved_quota: 3_150 };
    renderConsole('/status', statusApi(operations({ totals })));
    expect(await screen.findByText(/^Includes quota reserved in advance/)).toBeVisible();
    expect(screen.getByText(/^0 calls/)).toHaveTextContent('$0.0063');
  });

  it('explains no advance while nothing is reserved', async () => {
    const totals = { ...operations().totals, holds: 0, reserved_quota: 0 };
    renderConsole('/status', statusApi(operations({ totals })));
    expect(await screen.findByText(/^0 calls/)).toBeVisible();
    expect(screen.queryByText(/^Includes quota reserved in advance/)).toBeNull();
  });

  it('refuses ordinary users', async () => {
    statusApi();
    renderConsole('/status', api, { role: 1 });
    expect(await screen.findByText('You don’t have access to this page')).toBeVisible();
  });

  it('shows in one sentence that all is well, and which instances serve', async () => {
    statusApi();
    renderConsole('/status', api, { role: 10 });
    const overview = within(await screen.findByRole('region', { name: 'Overview' }));
    expect(overview.getByText('All systems normal')).toBeVisible();
    expect(overview.getByText('1 instance, 1 worker, 7 calls in progress')).toBeVisible();
  });

  it('names what is wrong, since when and what to do', async () => {
    statusApi(operations({ level: 'fault', findings: [GONE] }));
    renderConsole('/status', api, { role: 10 });
    const overview = within(await screen.findByRole('region', { name: 'Overview' }));
    for (const text of ['Something is wrong', 'Fault', GONE.title, GONE.sentence, GONE.remedy])
      expect(overview.getByText(text)).toBeVisible();
  });

  it('lets only root accept a database that is older than it was, after a confirmation', async () => {
    const behind: Finding = {
      rule: 'degraded-mode',
      subject: 'database-behind',
      severity: 'fault',
      since: NOON - 9,
      title: 'Degraded: database-behind',
      sentence: 'Rows are gone.',
      remedy: 'Restore it.',
    };
    statusApi(operations({ level: 'fault', findings: [behind] }));
    api.answer({ 'POST /api/operations/history/accept': { data: null } });
    const { user } = renderConsole('/status', api, { role: 100 });
    await user.click(await screen.findByRole('button', { name: 'Accept this state' }));
    const question = within(
      await screen.findByRole('alertdialog', { name: 'Accept the database as it is?' }),
    );
    expect(api.made('POST /api/operations/history/accept')).toEqual([]);
    await user.click(question.getByRole('button', { name: 'Accept this state' }));
    await waitFor(() => expect(api.made('POST /api/operations/history/accept')).toHaveLength(1));
  });

  it('offers an administrator who is not root nothing to accept', async () => {
    const behind: Finding = { ...GONE, rule: 'degraded-mode', subject: 'database-behind' };
    statusApi(operations({ level: 'fault', findings: [behind] }));
    renderConsole('/status', api, { role: 10 });
    expect(await screen.findByText(behind.title)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Accept this state' })).toBeNull();
  });

  it('shows the last hour as figures with a line each', async () => {
    statusApi();
    renderConsole('/status', api, { role: 10 });
    expect(
      await screen.findByRole('img', { name: 'Calls of the last hour: now 20/s, at most 20/s' }),
    ).toBeVisible();
    expect(
      screen.getByRole('img', { name: 'Failed of the last hour: now 1.0%, at most 1.0%' }),
    ).toBeVisible();
  });

  it('opens a worker with all figures of its report', async () => {
    statusApi();
    const { user } = renderConsole('/status', api, { role: 100 });
    const card = within(await screen.findByRole('article', { name: 'Instance web-1 aaaaaaaa' }));
    await user.click(card.getByRole('button', { name: /^Worker 0/ }));
    for (const text of ['4711', '10.0.0.5:3000', '7 calls, 3 streaming', '84 MB, heap 30 MB'])
      expect(card.getByText(text)).toBeVisible();
  });

  it('shows root which private hosts are open to whom', async () => {
    const list = {
      variable: 'ALLOWED_PRIVATE_HOSTS',
      hosts: ['10.0.0.0/8'],
      every_port: true,
      reaches_all: true,
    };
    statusApi(
      operations({
        private_hosts: [
          { callers: 'channels', ...list },
          {
            callers: 'users',
            variable: 'ALLOWED_PRIVATE_HOSTS_USERS',
            hosts: [],
            every_port: false,
            reaches_all: false,
          },
        ],
      }),
    );
    renderConsole('/status', api, { role: 100 });
    const section = within(await screen.findByRole('region', { name: 'Private hosts' }));
    expect(section.getByText('10.0.0.0/8 (without a port: every port)')).toBeVisible();
    expect(section.getByText('ALLOWED_PRIVATE_HOSTS_USERS')).toBeVisible();
    expect(section.getAllByText(/^All private hosts are also open/)).toHaveLength(1);
    expect(section.getByText('None')).toBeVisible();
  });

  it.each([
    [0, 1],
    [5_000, 0],
    [null, 0],
  ])('shows for a daily quota limit of %s %i notices that there is none', async (limit, notices) => {
    statusApi(operations({ administrator_daily_quota_limit: limit }));
    renderConsole('/status', api, { role: 100 });
    await screen.findByRole('article', { name: 'Instance web-1 aaaaaaaa' });
    expect(screen.queryAllByText(/^Administrators may add any amount of quota/)).toHaveLength(notices);
  });

  it('marks workers that are gone, not ready, or behind the others', async () => {
    const workers = [
      aWorker({ worker: 0, boot_id: 'a', ready: false }),
      aWorker({ worker: 1, boot_id: 'b', revision: 11 }),
      aWorker({ worker: 2, boot_id: 'c', state: 'gone' }),
    ];
    statusApi(
      operations({
        instances: [{ id: 'aaaaaaaa', host: 'web-1', state: 'up', heard_at: NOON, workers }],
      }),
    );
    renderConsole('/status', api, { role: 10 });
    const card = within(await screen.findByRole('article', { name: 'Instance web-1 aaaaaaaa' }));
    for (const text of ['Not ready', 'Outdated settings', 'Gone']) expect(card.getByText(text)).toBeVisible();
  });

  it('shows degraded modes and the channels that calls avoid', async () => {
    statusApi(
      operations({
        modes: [
          {
            mode: 'shared-store-away',
            meaning: 'Redis is gone',
            cause: 'no answer',
            since: NOON - 60,
            workers: 2,
          },
        ],
        breakers: [
          {
            kind: 'channel',
            name: 'OpenAI main',
            channel_id: 4,
            model: 'gpt-4o',
            since: NOON - 60,
            retry_at: NOON + 30,
            failure: 'the provider refuses the key (401): Incorrect API key provided',
            workers: 1,
          },
        ],
      }),
    );
    renderConsole('/status', api, { role: 10 });
    const section = within(
      await screen.findByRole('region', { name: 'Degraded modes and circuit breakers' }),
    );
    expect(section.getByText('Redis unavailable')).toBeVisible();
    expect(section.getByText('Redis is gone · no answer')).toBeVisible();
    expect(section.getByRole('link', { name: 'OpenAI main #4' })).toHaveAttribute('href', '/channel/4');
  });

  it('shows root which accounts differ', async () => {
    const books = { at: NOON, took_ms: 3, differences: 1, details: ['I1 user 5: expected 3, found 4'] };
    statusApi(operations({ books }));
    renderConsole('/status', api, { role: 100 });
    const section = within(await screen.findByRole('region', { name: 'Money in transit' }));
    expect(section.getByText('1 difference')).toBeVisible();
    expect(section.getByText('I1 user 5: expected 3, found 4')).toBeVisible();
  });

  it('acknowledges an alert', async () => {
    statusApi(operations(), [anAlert()]).answer({
      'POST /api/operations/alerts/5/acknowledge': { data: undefined },
    });
    const { user } = renderConsole('/status', api, { role: 10 });
    await user.click(await screen.findByText(GONE.title));
    const drawer = within(await screen.findByRole('dialog', { name: GONE.title }));
    expect(drawer.getByText('Start it again.')).toBeVisible();
    await user.click(drawer.getByRole('button', { name: 'Acknowledge' }));
    expect(await screen.findByText('Acknowledged')).toBeVisible();
    expect(api.made('POST /api/operations/alerts/5/acknowledge')).toHaveLength(1);
  });

  it('filters alerts by whether they last', async () => {
    statusApi(operations(), [anAlert()]);
    renderConsole('/status?state=over', api, { role: 10 });
    await screen.findByText(GONE.title);
    await waitFor(() =>
      expect(api.made('GET /api/operations/alerts').at(-1)?.query.get('state')).toBe('over'),
    );
  });

  it('reports when it cannot be loaded, and tries again', async () => {
    statusApi().answer({ 'GET /api/operations/status': { refused: 'not now' } });
    const { user } = renderConsole('/status', api, { role: 10 });
    expect(await screen.findByText('Could not load the status')).toBeVisible();
    api.answer({ 'GET /api/operations/status': { data: operations() } });
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('All systems normal')).toBeVisible();
  });

  it('gives no verdict on an old report', async () => {
    statusApi();
    const { client } = renderConsole('/status', api, { role: 10 });
    expect(await screen.findByText('All systems normal')).toBeVisible();
    api.answer({ 'GET /api/operations/status': { refused: 'not now' } });
    await client.refetchQueries();
    expect(await screen.findByText('Could not refresh the status; this is older data')).toBeVisible();
    expect(screen.queryByText('All systems normal')).toBeNull();
  });

  it.each([
    [88_080_384, '84 MB'],
    [1_288_490_189, '1.2 GB'],
  ])('writes %d bytes as %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));
});
