import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { changeLanguage } from '../../i18n';
import { toInputTime, writtenTime } from '../../shared/format/timestamp';
import { aDrawing, aStatus, NOON } from '../../testing/builders';
import { bareList, FakeApi, type MadeCall } from '../../testing/fake-api';
import { renderConsole } from '../../testing/render';
import { setViewport } from '../../testing/setup';
import type { Drawing } from './api';
import { ACTIONS } from './drawing.labels';

let api: FakeApi;
beforeEach(() => localStorage.setItem('page-size', '10'));
afterEach(async () => {
  api.stop();
  await changeLanguage('en');
});

const LIST = 'GET /api/mj';

function drawingsApi(drawings: readonly Drawing[] = [aDrawing()], status = aStatus()): FakeApi {
  api = new FakeApi({
    'GET /api/status': { data: status },
    [LIST]: bareList(drawings),
    'GET /api/mj/self': bareList(drawings.map((each) => ({ ...each, channel_id: 0 }))),
  });
  return api;
}

const manyDrawings = (count: number): Drawing[] =>
  Array.from({ length: count }, (_each, index) => aDrawing({ id: 1_000 - index, mj_id: `mj-${index}` }));

/** A server as in production: ten rows at most, whatever is requested. */
const serverOf =
  (rows: readonly Drawing[], counted = true) =>
  ({ query }: MadeCall) => {
    const from = Number(query.get('p')) * 10;
    const part = rows.slice(from, from + 10);
    return counted ? bareList(part, rows.length) : { data: part };
  };

const asked = () => api.made(LIST).map(({ query }) => query.get('p'));
const lastQuery = () => api.made(LIST).at(-1)?.query;
const rowOf = async (text: string) => (await screen.findByText(text)).closest('tr') as HTMLElement;

describe('drawing log', () => {
  it('asks for the last 30 days and the hour to come, in milliseconds', async () => {
    drawingsApi();
    renderConsole('/midjourney', api);
    expect(await screen.findByText('1712345678901234')).toBeVisible();
    const nowMs = Date.now();
    const start = Number(lastQuery()?.get('start_timestamp'));
    const end = Number(lastQuery()?.get('end_timestamp'));
    expect(end - start).toBe((30 * 86_400 + 3_600) * 1_000);
    expect(Math.abs(nowMs + 3_600_000 - end)).toBeLessThan(120_000);
    expect(lastQuery()?.get('p')).toBe('0');
    expect(screen.getByLabelText('Start time')).toHaveValue(writtenTime(start / 1_000));
    expect(screen.getByLabelText('End time')).toHaveValue(writtenTime(end / 1_000));
    expect(screen.queryByRole('button', { name: /^Clear filter/ })).toBeNull();
  });

  it('asks users’ own drawings only, without channel', async () => {
    drawingsApi();
    renderConsole('/midjourney?channel_id=3', api, { role: 1 });
    expect(await screen.findByText('1712345678901234')).toBeVisible();
    expect(api.made(LIST)).toEqual([]);
    expect(api.made('GET /api/mj/self').at(-1)?.query.has('channel_id')).toBe(false);
    expect(screen.queryByRole('columnheader', { name: 'Channel' })).toBeNull();
    expect(screen.queryByRole('searchbox', { name: 'Channel id' })).toBeNull();
    expect(screen.queryByRole('button', { name: /^Clear filter/ })).toBeNull();
  });

  it('shows every column of the specification to administrators', async () => {
    drawingsApi();
    renderConsole('/midjourney', api, { role: 10 });
    await screen.findByText('1712345678901234');
    expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
      'Submit time',
      'Duration',
      'Channel',
      'Type',
      'Task id',
      'Submit result',
      'Status',
      'Progress',
      'Result image',
      'Prompt',
      'English prompt',
      'Failure reason',
    ]);
  });

  it('keeps filters in the address, sends them, and clears them by their chips', async () => {
    drawingsApi();
    const { user, router } = renderConsole('/midjourney?page=3', api);
    await user.type(await screen.findByRole('searchbox', { name: 'Task id' }), 'abc{Enter}');
    await waitFor(() => expect(router.state.location.search).toBe('?task_id=abc'));
    await user.type(screen.getByRole('searchbox', { name: 'Channel id' }), '7{Enter}');
    fireEvent.change(screen.getByLabelText('Start time'), { target: { value: toInputTime(NOON) } });
    await waitFor(() => expect(router.state.location.search).toBe(`?task_id=abc&channel_id=7&start=${NOON}`));
    await waitFor(() => expect(lastQuery()?.get('start_timestamp')).toBe(String(NOON * 1_000)));
    expect(lastQuery()?.get('mj_id')).toBe('abc');
    expect(lastQuery()?.get('channel_id')).toBe('7');
    await user.click(screen.getByRole('button', { name: 'Clear filter Task id: abc' }));
    await user.click(screen.getByRole('button', { name: 'Clear filter Channel: 7' }));
    await user.click(screen.getByRole('button', { name: /^Clear filter From \d{4}-/ }));
    await waitFor(() => expect(router.state.location.search).toBe(''));
  });

  it('takes a year that is still being typed for no moment, and an emptied field for no bound', async () => {
    drawingsApi();
    const { router } = renderConsole('/midjourney', api);
    const start = await screen.findByLabelText('Start time');
    fireEvent.change(start, { target: { value: '0002-11-01T10:00' } });
    expect(start).toHaveValue('0002-11-01T10:00');
    expect(router.state.location.search).toBe('');
    fireEvent.change(start, { target: { value: '' } });
    await waitFor(() => expect(router.state.location.search).toBe('?start=any'));
    await waitFor(() => expect(lastQuery()?.has('start_timestamp')).toBe(false));
    expect(lastQuery()?.has('end_timestamp')).toBe(true);
    expect(screen.getByRole('button', { name: 'Clear filter From the beginning' })).toBeVisible();
  });

  it('turns to the next page of the server, counted from 0', async () => {
    drawingsApi().answer({ [LIST]: serverOf(manyDrawings(25)) });
    const { user, router } = renderConsole('/midjourney', api);
    expect(await screen.findByText('1–10 of 25')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    expect(await screen.findByText('mj-10')).toBeVisible();
    expect(router.state.location.search).toBe('?page=2');
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    expect(await screen.findByText('21–25 of 25')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Next page' })).toBeDisabled();
    expect(asked()).toEqual(['0', '1', '2']);
  });

  it('offers a further page where the last one is full and the server does not count', async () => {
    drawingsApi().answer({ [LIST]: serverOf(manyDrawings(10), false) });
    const { user, router } = renderConsole('/midjourney', api);
    expect(await screen.findByText('1–10 of 11')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    await waitFor(() => expect(asked()).toEqual(['0', '1']));
    // Nothing there: back to the last page there is.
    await waitFor(() => expect(router.state.location.search).toBe(''));
    expect(await screen.findByText('mj-9')).toBeVisible();
  });

  it('puts a long page together from pages of ten, and asks no further than they go', async () => {
    localStorage.setItem('page-size', '50');
    drawingsApi().answer({ [LIST]: serverOf(manyDrawings(23), false) });
    renderConsole('/midjourney', api);
    expect(await screen.findByText('mj-22')).toBeVisible();
    expect(screen.getAllByRole('row')).toHaveLength(24);
    expect(asked()).toEqual(['0', '1', '2']);
    expect(screen.getByText('1–23 of 23')).toBeVisible();
  });

  it('shows a row once that moved from one page of the server to the next', async () => {
    localStorage.setItem('page-size', '20');
    const rows = manyDrawings(15);
    const newest = aDrawing({ id: 2_000, mj_id: 'newest' });
    drawingsApi().answer({
      [LIST]: (call) => serverOf(call.query.get('p') === '0' ? rows : [newest, ...rows])(call),
    });
    renderConsole('/midjourney', api);
    expect(await screen.findByText('mj-14')).toBeVisible();
    expect(screen.getAllByText('mj-9')).toHaveLength(1);
  });

  it('shows how long it took: green up to a minute, red above, N/A without an end', async () => {
    const at = aDrawing().submit_time;
    drawingsApi([
      aDrawing({ id: 3, finish_time: at + 60_000 }),
      aDrawing({ id: 2, finish_time: at + 60_400 }),
      aDrawing({ id: 1, finish_time: 0 }),
    ]);
    renderConsole('/midjourney', api);
    const [green, red] = [await screen.findAllByText('1 min 0 s')].flat();
    expect(green).toBeVisible();
    expect(green?.className).not.toBe(red?.className);
    expect(screen.getByText('N/A')).toBeVisible();
  });

  it('draws progress as a bar, in the colour of a warning where the drawing failed', async () => {
    drawingsApi([
      aDrawing({ id: 2, progress: '30%', status: 'IN_PROGRESS', mj_id: 'running' }),
      aDrawing({ id: 1, progress: '100%', status: 'FAILURE', mj_id: 'broken' }),
    ]);
    renderConsole('/midjourney', api);
    const running = within(await rowOf('running')).getByRole('progressbar', { name: 'Progress' });
    expect(running).toHaveAttribute('aria-valuenow', '30');
    const broken = within(await rowOf('broken')).getByRole('progressbar', { name: 'Progress' });
    expect(broken).toHaveClass('MuiLinearProgress-colorWarning');
    expect(running).not.toHaveClass('MuiLinearProgress-colorWarning');
  });

  it.each([
    [1, 'Submitted'],
    [21, 'Waiting'],
    [22, 'Duplicate submission'],
    [0, 'Not submitted'],
    [77, 'Unknown'],
  ])('calls the submit result %d “%s”', async (code, word) => {
    drawingsApi([aDrawing({ code })]);
    renderConsole('/midjourney', api);
    expect(within(await rowOf('1712345678901234')).getByText(word)).toBeVisible();
  });

  it.each([
    ['NOT_START', 'Not started'],
    ['SUBMITTED', 'Queued'],
    ['IN_PROGRESS', 'In progress'],
    ['SUCCESS', 'Succeeded'],
    ['FAILURE', 'Failed'],
    ['MODAL', 'Waiting for window'],
    ['EXPLODED', 'Unknown'],
    ['', 'Unknown'],
  ])('calls the status %j “%s”', async (status, word) => {
    drawingsApi([aDrawing({ status })]);
    renderConsole('/midjourney', api);
    expect(within(await rowOf('1712345678901234')).getByText(word)).toBeVisible();
  });

  it('has a word for every action, and shows what it does not know as unknown', async () => {
    localStorage.setItem('page-size', '20');
    const actions = [...ACTIONS, 'VIDEO'];
    drawingsApi().answer({
      [LIST]: serverOf(actions.map((action, index) => aDrawing({ id: index + 1, action, mj_id: action }))),
    });
    renderConsole('/midjourney', api);
    await screen.findByText('VIDEO');
    for (const action of ACTIONS) expect(within(await rowOf(action)).queryByText('Unknown')).toBeNull();
    expect(within(await rowOf('VIDEO')).getByText('Unknown')).toBeVisible();
  });

  it('opens a picture only when asked to, describes it, and reports when it cannot be loaded', async () => {
    drawingsApi();
    const { user } = renderConsole('/midjourney', api);
    await user.click(await screen.findByRole('button', { name: 'View image' }));
    const viewer = await screen.findByRole('dialog', { name: /^Result image/ });
    const picture = within(viewer).getByRole('img', { name: 'Result of the drawing: 月光下的狐狸' });
    expect(picture).toHaveAttribute('src', 'https://pictures.example/fox.png');
    expect(picture).toHaveAttribute('loading', 'lazy');
    expect(within(viewer).getByRole('link', { name: 'Open in a new tab' })).toHaveAttribute(
      'rel',
      'noopener noreferrer',
    );
    fireEvent.error(picture);
    expect(within(viewer).getByText('Could not load the image')).toBeVisible();
    expect(within(viewer).queryByRole('img')).toBeNull();
  });

  it('neither shows nor links an address that is none of the web', async () => {
    drawingsApi([aDrawing({ image_url: 'javascript:alert(1)' })]);
    renderConsole('/midjourney', api);
    expect(await screen.findByText('Not a web address')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'View image' })).toBeNull();
  });

  it('opens long texts in a dialog, where they can be copied', async () => {
    const reason = 'the provider said no, '.repeat(40);
    drawingsApi([aDrawing({ fail_reason: reason })]);
    const { user, router } = renderConsole('/midjourney', api);
    const written = jest.spyOn(navigator.clipboard, 'writeText');
    await user.click(await screen.findByRole('button', { name: reason.trim() }));
    const dialog = await screen.findByRole('dialog', { name: 'Failure reason' });
    await user.click(within(dialog).getByRole('button', { name: 'Copy' }));
    expect(written).toHaveBeenCalledWith(reason);
    // The row did not open behind it.
    expect(router.state.location.search).toBe('');
  });

  it('copies the id of a channel', async () => {
    drawingsApi();
    const { user } = renderConsole('/midjourney', api);
    const written = jest.spyOn(navigator.clipboard, 'writeText');
    await user.click(await screen.findByRole('button', { name: 'Copy channel id 3' }));
    expect(written).toHaveBeenCalledWith('3');
    expect(await screen.findByText('Copied')).toBeVisible();
  });

  it('opens a row with its texts to their end', async () => {
    drawingsApi();
    const { user, router } = renderConsole('/midjourney', api);
    await user.click(await screen.findByRole('button', { name: /^\d{4}-\d\d-\d\d / }));
    const drawer = await screen.findByRole('dialog', { name: 'Drawing 1712345678901234' });
    expect(within(drawer).getByText('a fox in moonlight')).toBeVisible();
    expect(router.state.location.search).toBe('?open=1');
    await user.click(within(drawer).getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(router.state.location.search).toBe(''));
  });

  it('warns administrators that the callback is off, and leads root to the switch', async () => {
    drawingsApi();
    renderConsole('/midjourney', api);
    expect(await screen.findByText(/^The drawing callback is off/)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Open the settings' })).toHaveAttribute(
      'href',
      '/setting?tab=operation',
    );
  });

  it.each([
    ['administrators while it is on', 10, true],
    ['ordinary users', 1, false],
  ] as const)('says nothing about the callback to %s', async (_who, role, on) => {
    drawingsApi([aDrawing()], aStatus({ mj_notify_enabled: on }));
    renderConsole('/midjourney', api, { role });
    await screen.findByText('1712345678901234');
    expect(screen.queryByText(/^The drawing callback/)).toBeNull();
  });

  it('shows that there is nothing, and offers to clear filters that hide all', async () => {
    drawingsApi([]);
    const { user } = renderConsole('/midjourney', api);
    expect(await screen.findByText('No drawings in this period')).toBeVisible();
    await user.type(screen.getByRole('searchbox', { name: 'Task id' }), 'x{Enter}');
    expect(await screen.findByText('Nothing matches these filters')).toBeVisible();
  });

  it('reports when the log could not be loaded, and tries again', async () => {
    drawingsApi().answer({ [LIST]: { refused: 'the database is away' } });
    const { user } = renderConsole('/midjourney', api);
    expect(await screen.findByText('Could not load the drawings')).toBeVisible();
    expect(screen.getByText('the database is away')).toBeVisible();
    api.answer({ [LIST]: bareList([aDrawing()]) });
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('1712345678901234')).toBeVisible();
  });

  it('shows cards on a phone, the rest one tap away', async () => {
    setViewport(390);
    drawingsApi();
    const { user } = renderConsole('/midjourney', api);
    const list = await screen.findByRole('list', { name: 'Drawings' });
    expect(within(list).getByText('Succeeded')).toBeVisible();
    expect(within(list).getByRole('button', { name: 'View image' })).toBeVisible();
    await user.click(within(list).getByRole('button', { name: /^\d{4}-/ }));
    const drawer = await screen.findByRole('dialog', { name: 'Drawing 1712345678901234' });
    expect(within(drawer).getByText('Submit result')).toBeVisible();
  });

  it('shows its texts in Chinese', async () => {
    await changeLanguage('zh');
    drawingsApi([aDrawing({ status: 'MODAL', code: 22, action: 'SWAP_FACE', finish_time: 0 })]);
    renderConsole('/midjourney', api);
    expect(await screen.findByRole('heading', { name: '绘图日志' })).toBeVisible();
    const row = await rowOf('1712345678901234');
    for (const word of ['窗口等待', '重复提交', '换脸', '查看图片'])
      expect(within(row).getByText(word)).toBeVisible();
    expect(screen.getByRole('columnheader', { name: '提交结果' })).toBeVisible();
  });
});
