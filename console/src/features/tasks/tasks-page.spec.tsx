import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { changeLanguage } from '../../i18n';
import { startOfDay, toInputTime, writtenTime } from '../../shared/format/timestamp';
import { aStatus, aTask, NOON } from '../../testing/builders';
import { bareList, FakeApi } from '../../testing/fake-api';
import { renderConsole } from '../../testing/render';
import { setViewport } from '../../testing/setup';
import type { Task } from './api';

let api: FakeApi;
beforeEach(() => localStorage.setItem('page-size', '10'));
afterEach(async () => {
  api.stop();
  await changeLanguage('en');
});

const LIST = 'GET /api/task';

function tasksApi(tasks: readonly Task[] = [aTask()]): FakeApi {
  api = new FakeApi({
    'GET /api/status': { data: aStatus() },
    [LIST]: bareList(tasks),
    'GET /api/task/self': bareList(tasks.map((each) => ({ ...each, channel_id: 0 }))),
  });
  return api;
}

const lastQuery = () => api.made(LIST).at(-1)?.query;
const rowOf = async (text: string) => (await screen.findByText(text)).closest('tr') as HTMLElement;

describe('task log', () => {
  it('asks for the tasks since midnight, in seconds, with no end', async () => {
    tasksApi();
    renderConsole('/task', api);
    expect(await screen.findByText('b7c6d5e4-song')).toBeVisible();
    const midnight = startOfDay(Math.floor(Date.now() / 1_000));
    expect(Object.fromEntries(lastQuery() ?? [])).toEqual({ p: '0', start_timestamp: String(midnight) });
    expect(screen.getByLabelText('Start time')).toHaveValue(writtenTime(midnight));
    expect(screen.getByLabelText('End time')).toHaveValue('');
  });

  it('asks users’ own tasks only, without channel', async () => {
    tasksApi();
    renderConsole('/task', api, { role: 1 });
    expect(await screen.findByText('b7c6d5e4-song')).toBeVisible();
    expect(api.made(LIST)).toEqual([]);
    expect(api.made('GET /api/task/self')).toHaveLength(1);
    expect(screen.queryByRole('columnheader', { name: 'Channel' })).toBeNull();
    expect(screen.queryByRole('searchbox', { name: 'Channel id' })).toBeNull();
  });

  it('shows every column of the specification to administrators', async () => {
    tasksApi();
    renderConsole('/task', api, { role: 10 });
    await screen.findByText('b7c6d5e4-song');
    expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
      'Submit time',
      'End time',
      'Progress',
      'Duration',
      'Channel',
      'Platform',
      'Type',
      'Task id',
      'Status',
      'Failure reason',
    ]);
  });

  it('keeps filters in the address and sends them', async () => {
    tasksApi();
    const { user, router } = renderConsole('/task', api);
    await user.type(await screen.findByRole('searchbox', { name: 'Task id' }), 'b7{Enter}');
    await user.type(screen.getByRole('searchbox', { name: 'Channel id' }), '4{Enter}');
    fireEvent.change(screen.getByLabelText('End time'), { target: { value: toInputTime(NOON) } });
    await waitFor(() => expect(router.state.location.search).toBe(`?task_id=b7&channel_id=4&end=${NOON}`));
    await waitFor(() => expect(lastQuery()?.get('end_timestamp')).toBe(String(NOON)));
    expect(lastQuery()?.get('task_id')).toBe('b7');
    expect(lastQuery()?.get('channel_id')).toBe('4');
    await user.click(screen.getByRole('button', { name: 'Clear all' }));
    await waitFor(() => expect(router.state.location.search).toBe(''));
  });

  it('turns to the next page of the server, counted from 0', async () => {
    const rows = Array.from({ length: 12 }, (_each, index) =>
      aTask({ id: 50 - index, task_id: `t-${index}` }),
    );
    tasksApi().answer({
      [LIST]: ({ query }) => {
        const from = Number(query.get('p')) * 10;
        return { data: rows.slice(from, from + 10) };
      },
    });
    const { user } = renderConsole('/task', api);
    expect(await screen.findByText('t-9')).toBeVisible();
    expect(screen.queryByText('t-10')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    expect(await screen.findByText('t-11')).toBeVisible();
    expect(api.made(LIST).map(({ query }) => query.get('p'))).toEqual(['0', '1']);
    expect(screen.getByRole('button', { name: 'Next page' })).toBeDisabled();
  });

  it('draws progress as a circle, and lets words stand that are no percentage', async () => {
    tasksApi([
      aTask({ id: 3 }),
      aTask({ id: 2, task_id: 'odd', progress: 'almost' }),
      aTask({ id: 1, task_id: 'broken', progress: '100%', status: 'FAILURE', fail_reason: 'no credits' }),
    ]);
    renderConsole('/task', api);
    const circle = within(await rowOf('b7c6d5e4-song')).getByRole('progressbar', { name: 'Progress' });
    expect(circle).toHaveAttribute('aria-valuenow', '30');
    expect(circle).toHaveClass('MuiCircularProgress-root');
    expect(within(await rowOf('odd')).getByText('almost')).toBeVisible();
    const broken = within(await rowOf('broken'));
    expect(broken.getByRole('progressbar')).toHaveClass('MuiCircularProgress-colorWarning');
    expect(broken.getByText('no credits')).toBeVisible();
  });

  it('shows how long a task took, and N/A while it runs', async () => {
    tasksApi([aTask({ id: 2, finish_time: NOON + 5 }), aTask({ id: 1, task_id: 'running' })]);
    renderConsole('/task', api);
    // 120 s before noon to 5 s after it.
    expect(within(await rowOf('b7c6d5e4-song')).getByText('2 min 5 s')).toBeVisible();
    expect(within(await rowOf('running')).getByText('N/A')).toBeVisible();
  });

  it.each([
    ['NOT_START', 'Not started'],
    ['SUBMITTED', 'Submitted'],
    ['QUEUED', 'Queued'],
    ['IN_PROGRESS', 'In progress'],
    ['SUCCESS', 'Succeeded'],
    ['FAILURE', 'Failed'],
    ['UNKNOWN', 'Unknown'],
    ['', 'Being submitted'],
    ['sending', 'Unknown'],
    ['EXPLODED', 'Unknown'],
  ])('calls the status %j “%s”', async (status, word) => {
    tasksApi([aTask({ status })]);
    renderConsole('/task', api);
    expect(within(await rowOf('b7c6d5e4-song')).getByText(word)).toBeVisible();
  });

  it('shows actions and platforms it has no word for as unknown', async () => {
    tasksApi([
      aTask({ id: 3 }),
      aTask({ id: 2, task_id: 'words', action: 'LYRICS' }),
      aTask({ id: 1, task_id: 'new', action: 'VIDEO', platform: 'constructor' }),
    ]);
    renderConsole('/task', api);
    const song = within(await rowOf('b7c6d5e4-song'));
    expect(song.getByText('Make music')).toBeVisible();
    expect(song.getByText('Suno')).toBeVisible();
    expect(within(await rowOf('words')).getByText('Write lyrics')).toBeVisible();
    expect(within(await rowOf('new')).getAllByText('Unknown')).toHaveLength(2);
  });

  it('shows the whole record of a task when its id is pressed, to be copied', async () => {
    tasksApi();
    const { user, router } = renderConsole('/task', api);
    const written = jest.spyOn(navigator.clipboard, 'writeText');
    await user.click(await screen.findByRole('button', { name: 'b7c6d5e4-song' }));
    const dialog = await screen.findByRole('dialog', { name: 'Task b7c6d5e4-song' });
    const record = JSON.stringify(aTask(), null, 2);
    expect(dialog.querySelector('pre')?.textContent).toBe(record);
    expect(router.state.location.search).toBe('?open=1');
    await user.click(within(dialog).getByRole('button', { name: 'Copy' }));
    expect(written).toHaveBeenCalledWith(record);
    const [, close] = within(dialog).getAllByRole('button', { name: 'Close' });
    if (close === undefined) throw new Error('no button to close with');
    await user.click(close);
    await waitFor(() => expect(router.state.location.search).toBe(''));
  });

  it('opens a record before the provider has named the task', async () => {
    tasksApi([aTask({ task_id: '', status: '' })]);
    const { user } = renderConsole('/task', api);
    await user.click(await screen.findByRole('button', { name: 'No id yet' }));
    expect(await screen.findByRole('dialog', { name: 'Task 1' })).toBeVisible();
  });

  it('copies the id of a channel', async () => {
    tasksApi();
    const { user, router } = renderConsole('/task', api);
    const written = jest.spyOn(navigator.clipboard, 'writeText');
    await user.click(await screen.findByRole('button', { name: 'Copy channel id 4' }));
    expect(written).toHaveBeenCalledWith('4');
    expect(router.state.location.search).toBe('');
  });

  it('shows that there is nothing, and reports when the log could not be loaded', async () => {
    tasksApi([]);
    const { user } = renderConsole('/task', api);
    expect(await screen.findByText('No tasks in this period')).toBeVisible();
    api.answer({ [LIST]: { refused: 'the database is away' } });
    await user.click(screen.getByRole('button', { name: 'Refresh' }));
    expect(await screen.findByText('Could not load the tasks')).toBeVisible();
  });

  it('shows cards on a phone', async () => {
    setViewport(390);
    tasksApi();
    const { user } = renderConsole('/task', api);
    const list = await screen.findByRole('list', { name: 'Tasks' });
    expect(within(list).getByText('In progress')).toBeVisible();
    await user.click(within(list).getByRole('button', { name: 'b7c6d5e4-song' }));
    expect(await screen.findByRole('dialog', { name: 'Task b7c6d5e4-song' })).toBeVisible();
  });

  it('shows Chinese texts', async () => {
    await changeLanguage('zh');
    tasksApi([aTask({ status: '' })]);
    renderConsole('/task', api);
    expect(await screen.findByRole('heading', { name: '任务日志' })).toBeVisible();
    const row = await rowOf('b7c6d5e4-song');
    expect(within(row).getByText('正在提交')).toBeVisible();
    expect(within(row).getByText('生成音乐')).toBeVisible();
  });
});
