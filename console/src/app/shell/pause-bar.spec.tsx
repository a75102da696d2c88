import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import { endPause } from '../../shared/feedback/pause';
import { aStatus } from '../../testing/builders';
import { FakeApi, type RouteAnswer } from '../../testing/fake-api';
import { renderConsole } from '../../testing/render';

const tooMany = (seconds: number): (() => RouteAnswer) => {
  return () => ({
    response: Response.json(
      { success: false, code: 'too_many_requests', message: 'Too many requests' },
      { status: 429, headers: { 'Retry-After': String(seconds) } },
    ),
  });
};

const PAGE_READS = ['status', 'notice', 'home_page_content', 'about'].map((name) => `GET /api/${name}`);
const refusing = (seconds: number): FakeApi =>
  new FakeApi(Object.fromEntries(PAGE_READS.map((route) => [route, tooMany(seconds)])));

describe('a pause the server asks for', () => {
  let api: FakeApi;
  beforeEach(() => localStorage.clear());
  afterEach(() => {
    api.stop();
    act(endPause);
  });

  it.each(['/', '/about', '/login'])('%s stays, with what the last visit knew and a bar', async (path) => {
    localStorage.setItem('status', JSON.stringify(aStatus({ system_name: 'Known Gate' })));
    api = refusing(42);
    renderConsole(path, api, null);
    expect(await screen.findByText(/refreshes in (?:3\d|4[0-2]) seconds/)).toBeVisible();
    expect(screen.getAllByText('Known Gate')[0]).toBeVisible();
    expect(screen.queryByText('Unable to connect to server')).toBeNull();
    expect(screen.queryByText('Failed to load status')).toBeNull();
  });

  it('a first visit gets its page, too', async () => {
    api = refusing(42);
    renderConsole('/', api, null);
    expect(await screen.findByText(/refreshes in (?:3\d|4[0-2]) seconds/)).toBeVisible();
    expect(await screen.findByRole('link', { name: 'About' })).toBeVisible();
    expect(screen.queryByText('Unable to connect to server')).toBeNull();
  });

  it('asks again when it is over, and the bar goes', async () => {
    api = refusing(1);
    renderConsole('/', api, null);
    expect(await screen.findByText(/refreshes in 1 second\./)).toBeVisible();
    api.answer({
      'GET /api/status': { data: aStatus({ system_name: 'New Gate' }) },
      'GET /api/notice': { data: '' },
      'GET /api/home_page_content': { data: '' },
    });
    await waitFor(() => expect(screen.getAllByText('New Gate')[0]).toBeVisible(), { timeout: 4_000 });
    expect(screen.queryByText(/refreshes in/)).toBeNull();
  });

  it('a server that is away is another matter', async () => {
    localStorage.setItem('status', JSON.stringify(aStatus()));
    api = new FakeApi(Object.fromEntries(PAGE_READS.map((route) => [route, { unreachable: true }])));
    renderConsole('/', api, null);
    expect((await screen.findAllByText('Unable to connect to server'))[0]).toBeVisible();
    expect(screen.queryByText(/refreshes in/)).toBeNull();
  });
});
