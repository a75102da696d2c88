import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeApi } from '../testing/fake-api';
import type { ApiError } from './api-error';
import { api, dataOf, envelopeOf, fileOf } from './client';
import { storedUser } from './current-user';

const server = new FakeApi();
beforeEach(() => server.start());
afterEach(() => server.stop());

const failureOf = async (call: Promise<unknown>): Promise<ApiError> =>
  call.then(
    () => Promise.reject(new Error('it went well')),
    (error: unknown) => error as ApiError,
  );

describe('a call of the console API', () => {
  it('sends client name and language, and forbids caches', async () => {
    storedUser.write({ id: 7, username: 'ada', display_name: '', role: 1, status: 1, group: 'default' });
    server.answer({ 'GET /api/notice': { data: 'hello' } });
    expect(await dataOf(api.GET('/api/notice'))).toBe('hello');
    const [call] = server.made('GET /api/notice').slice(-1);
    const sent = ['New-Api-User', 'Accept-Language', 'Cache-Control'].map((name) => call?.headers.get(name));
    expect(sent).toEqual(['7', 'en', 'no-store']);
  });

  it('fills the path, leaves empty filters out and sends the body as JSON', async () => {
    server.answer({
      'GET /api/token/search': { data: [] },
      'GET /api/token/12': { data: {} },
      'POST /api/token/batch': { data: 2 },
    });
    const query = { keyword: 'a b&c', token: '', p: 0, size: undefined };
    await api.GET('/api/token/search', { params: { query } });
    await api.GET('/api/token/{id}', { params: { path: { id: 12 } } });
    expect(await dataOf(api.POST('/api/token/batch', { body: { ids: [1, 2] } }))).toBe(2);
    const [search, , batch] = server.calls.slice(-3);
    expect(Object.fromEntries(search?.query ?? [])).toEqual({ keyword: 'a b&c', p: '0' });
    expect(batch?.body).toEqual({ ids: [1, 2] });
  });

  it('keeps members beside the data', async () => {
    server.answer({ 'GET /api/pricing': { data: [], members: { group_ratio: { vip: 0.5 } } } });
    expect((await envelopeOf(api.GET('/api/pricing'))).group_ratio).toEqual({ vip: 0.5 });
  });

  it('fails with the sentence and the code of a refusal, whatever its status', async () => {
    const members = { code: 'too_many_requests' };
    server.answer({
      'GET /api/notice': { refused: 'later', members },
      'GET /api/about': { refused: 'later', status: 429, members },
    });
    for (const path of ['/api/notice', '/api/about'] as const)
      expect(await failureOf(api.GET(path))).toMatchObject({
        name: 'ApiError',
        message: 'later',
        code: 'too_many_requests',
      });
  });

  it('fails with the status alone when a proxy answers instead, and with 0 without an answer', async () => {
    const page = (status: number) => ({ response: new Response('<h1>Sorry</h1>', { status }) });
    server.answer({
      'GET /api/notice': page(502),
      'GET /api/about': page(200),
      'GET /api/status': { unreachable: true },
    });
    expect(await failureOf(api.GET('/api/notice'))).toMatchObject({ status: 502, message: '' });
    expect(await failureOf(api.GET('/api/about'))).toMatchObject({ status: 200, message: '' });
    expect(await failureOf(api.GET('/api/status'))).toMatchObject({ name: 'ApiError', status: 0 });
  });

  it('ends with its signal, which is no failure of the server', async () => {
    const ended = AbortSignal.abort();
    expect(await failureOf(api.GET('/api/notice', { signal: ended }))).toHaveProperty('name', 'AbortError');
  });

  it('gives a file with its name, and a refusal in its place as a refusal', async () => {
    const headers = { 'Content-Type': 'text/csv', 'Content-Disposition': 'attachment; filename="log.csv"' };
    server.answer({ 'GET /api/log/export': { response: new Response('a,b', { headers }) } });
    const fetchFile = () => fileOf(api.GET('/api/log/export', { parseAs: 'blob' }));
    const { name, content } = await fetchFile();
    expect([name, await content.text()]).toEqual(['log.csv', 'a,b']);
    server.answer({ 'GET /api/log/export': { refused: 'too many lines' } });
    expect(await failureOf(fetchFile())).toMatchObject({ message: 'too many lines' });
  });
});
