import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NewLogLine } from '../../../../server/base/logs/insert-lines.js';
import { LogsRepository } from '../../../../server/base/logs/logs.repository.js';
import { type ApiClient } from '../../../support/api-client.ts';
import { setUpRoot, signUp, startTestApp, type TestApp } from '../../../support/build-test-app.ts';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../../../support/database.ts';

const NOON = 1_790_000_000;
const LINES = 250;

interface Page {
  readonly success: boolean;
  readonly code?: string;
  readonly data: readonly { readonly id: number; readonly content: string; readonly model_name: string }[];
  readonly total: number;
  readonly next_cursor: string | null;
}

describe.each(DATABASE_KINDS)('the log of a token on %s', (kind) => {
  let database: TestDatabase;
  let app: TestApp;
  let ann: ApiClient;
  let logs: LogsRepository;
  const keys = new Map<number, string>();
  let own: number;
  let other: number;

  const line = (tokenId: number, index: number, part: Partial<NewLogLine> = {}): NewLogLine => ({
    userId: ann.userId,
    createdAt: NOON + index,
    type: 2,
    content: `call ${index}`,
    username: 'ann',
    tokenName: 't',
    modelName: index % 2 === 0 ? 'even' : 'odd',
    quota: 1,
    promptTokens: 1,
    completionTokens: 1,
    useTime: 1,
    isStream: false,
    channelId: 7,
    tokenId,
    hadFailedAttempt: 0,
    group: 'default',
    other: '{"admin_info":{"use_channel":["7"]}}',
    requestId: null,
    ...part,
  });

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    app = await startTestApp({ env: { DATABASE_URL: database.url } });
    const root = await setUpRoot(app);
    ann = await signUp(root, { username: 'ann' });
    logs = app.app.get(LogsRepository, { strict: false });
    for (const name of ['own', 'other']) {
      const { id } = await ann.expectSuccess<{ id: number }>('POST', '/api/token/', {
        name,
        unlimited_quota: true,
      });
      keys.set(id, (await ann.expectSuccess<{ key: string }>('POST', `/api/token/${id}/key`)).key);
    }
    [own = 0, other = 0] = [...keys.keys()];
    for (let index = 0; index < LINES; index += 1)
      await logs.insertMany([line(own, index), line(other, index, { content: 'not yours' })]);
  });
  afterAll(async () => {
    await app.close();
    await database.drop();
  });

  const ask = async (query: Readonly<Record<string, string | number>>, token = own): Promise<Page> => {
    const parameters = new URLSearchParams(
      Object.entries(query).map(([name, value]) => [name, String(value)]),
    );
    const response = await fetch(`${app.url}/api/log/token?${parameters.toString()}`, {
      headers: { authorization: `Bearer sk-${keys.get(token) ?? ''}` },
    });
    return (await response.json()) as Page;
  };
  const contents = ({ data }: Page) => data.map(({ content }) => content);
  const expected = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => `call ${LINES - 1 - from - index}`);

  it('begins with its newest hundred lines, and gives their number and the next page', async () => {
    const page = await ask({});
    expect([contents(page), page.total]).toEqual([expected(0, 100), LINES]);
    expect(page.next_cursor).toMatch(/./);
    expect(page.data[0]).toMatchObject({ id: 1, channel: 0 });
    expect(JSON.stringify(page)).not.toContain('use_channel');
  });

  it('reads by numbers of pages', async () => {
    const page = await ask({ p: 3, page_size: 20 });
    expect([contents(page), page.data[0]?.id]).toEqual([expected(40, 20), 41]);
    expect(contents(await ask({ p: 13, page_size: 20 }))).toEqual(expected(240, 10));
    expect(contents(await ask({ p: 14, page_size: 20 }))).toEqual([]);
    expect((await ask({ page_size: 1_000 })).data).toHaveLength(100);
    expect(await ask({ p: 100_001, page_size: 1 })).toMatchObject({
      success: false,
      code: 'page_out_of_reach',
    });
  });

  it('reads by cursors to its end, each line once, while new ones come', async () => {
    const seen: string[] = [];
    const positions: number[] = [];
    let cursor = '';
    for (let round = 0; round < 20; round += 1) {
      const page = await ask({ page_size: 30, ...(cursor === '' ? {} : { cursor }) });
      seen.push(...contents(page));
      positions.push(...page.data.map(({ id }) => id));
      await logs.insertMany([line(own, LINES + round, { content: 'later' })]);
      if (page.next_cursor === null) break;
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(expected(0, LINES));
    expect(positions).toEqual(Array.from({ length: LINES }, (_, index) => index + 1));
  });

  it('keeps its filters over all pages', async () => {
    const filter = {
      model_name: 'even',
      start_timestamp: NOON + 10,
      end_timestamp: NOON + 60,
      page_size: 10,
    };
    const first = await ask(filter);
    const second = await ask({ ...filter, cursor: first.next_cursor ?? '' });
    const third = await ask({ ...filter, cursor: second.next_cursor ?? '' });
    expect([...contents(first), ...contents(second), ...contents(third)]).toEqual(
      Array.from({ length: 26 }, (_, index) => `call ${60 - 2 * index}`),
    );
    expect([first.total, third.next_cursor]).toEqual([26, null]);
    expect((await ask({ type: 5 })).data).toEqual([]);
  });

  it('shows nothing of another token, and takes no cursor but its own', async () => {
    const { next_cursor: cursor } = await ask({ page_size: 5 });
    for (const wrong of [cursor ?? '', 'x', '1', `${cursor ?? ''}x`, 'v1.a.b.c'])
      expect(await ask({ cursor: wrong }, other)).toMatchObject({ success: false, code: 'malformed_input' });
    const all = await ask({ token_id: own, user_id: 1 }, other);
    expect(new Set(contents(all))).toEqual(new Set(['not yours']));
  });
});
