import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CASES, thought, tool } from './stored-id-fields.ts';
import { type Api, idsOf, StoredIdsFixture } from './stored-ids.fixture.ts';

let fixture: StoredIdsFixture;
beforeAll(async () => {
  fixture = await StoredIdsFixture.open();
});
afterAll(() => fixture.close());

/** An answer to Alice. @returns the ids in it */
async function answerTo(api: Api, stream: boolean): Promise<ReturnType<typeof idsOf>> {
  const { status, text } = await fixture.call(fixture.alice, api, {}, stream);
  expect([status, text]).toEqual([200, expect.stringContaining('hello')]);
  return idsOf(fixture.vendor.answers);
}

describe.each(CASES)('$api: $name, $form', ({ api, from, members, stream }) => {
  it('refuses an id that was never issued as not found, in the words of the API, without a request to the vendor', async () => {
    const before = fixture.vendor.answers;
    const { status, error } = await fixture.call(fixture.alice, api, members('unknown_1'), stream);
    expect(fixture.vendor.answers).toBe(before);
    expect(String(error['message'])).toMatch(/not found/);
    if (api === 'messages') expect([status, error['type']]).toEqual([404, 'not_found_error']);
    else if (api === 'gemini') expect([status, error['status']]).toEqual([404, 'NOT_FOUND']);
    else if (error['param'] === 'previous_response_id')
      expect([status, error['code']]).toEqual([400, 'previous_response_not_found']);
    else
      expect([status, error['type'], typeof error['param']]).toEqual([
        404,
        'invalid_request_error',
        'string',
      ]);
  });

  it('passes it on where the operator allows it for the channel', async () => {
    await fixture.allowForeignIds(true);
    try {
      const { status, text } = await fixture.call(fixture.bob, api, members('unknown_1'), stream);
      expect([status, text]).toEqual([200, expect.stringContaining('hello')]);
    } finally {
      await fixture.allowForeignIds(false);
    }
  });

  if (from !== undefined)
    it('passes it on for the account it was handed out to, and for no other, whichever way the answer came', async () => {
      for (const wasStreamed of [false, true]) {
        const ids = await answerTo(api, wasStreamed);
        expect((await fixture.call(fixture.alice, api, members(ids[from]), stream)).status).toBe(200);
        const before = fixture.vendor.answers;
        const { status, error } = await fixture.call(fixture.bob, api, members(ids[from]), stream);
        expect([status >= 400, String(error['message'])]).toEqual([true, expect.stringMatching(/not found/)]);
        expect(fixture.vendor.answers).toBe(before);
      }
    });
});

describe('messages that Anthropic keeps', () => {
  const keepers = [
    [
      'a thread',
      { thread: { type: 'create' } },
      (id: string) => ({ thread: { type: 'continue', previous_message_id: id } }),
    ],
    ['diagnostics', { diagnostics: {} }, (id: string) => ({ diagnostics: { previous_message_id: id } })],
  ] as const;
  it.each(keepers)(
    'continues by %s for the account that was given them, and for no other',
    async (_, asks, on) => {
      for (const stream of [false, true]) {
        await fixture.call(fixture.alice, 'messages', asks, stream);
        const { message } = idsOf(fixture.vendor.answers);
        expect((await fixture.call(fixture.alice, 'messages', on(message), stream)).status).toBe(200);
        const { status, error } = await fixture.call(fixture.bob, 'messages', on(message), stream);
        expect([status, error['details']]).toEqual([404, { error_code: 'thread_not_found' }]);
      }
    },
  );
});

describe('repeated events', () => {
  it('passes on answers, calls and thoughts with all they need', async () => {
    const history = [
      { type: 'reasoning', id: 'rs_old', summary: [], encrypted_content: 'gAAA' },
      {
        type: 'message',
        id: 'msg_old',
        role: 'assistant',
        content: [
          {
            type: 'output_text',
            text: 'x',
            annotations: [{ type: 'container_file_citation', container_id: 'c', file_id: 'f' }],
          },
        ],
      },
      { type: 'function_call', id: 'fc_old', call_id: 'c', name: 'f', arguments: '{"file_id":"f"}' },
      { type: 'function_call_output', call_id: 'c', output: 'x' },
    ];
    expect((await fixture.call(fixture.bob, 'responses', { input: history }, false)).status).toBe(200);
  });

  it('passes it on to a vendor of another API, where no id leaves', async () => {
    const input = [
      { type: 'reasoning', id: 'rs_other', summary: [{ type: 'summary_text', text: 'x' }] },
      { role: 'user', content: 'x' },
    ];
    expect(
      (await fixture.call(fixture.bob, 'responses', { model: 'claude-test', input }, false)).status,
    ).toBe(200);
  });
});

describe('an answer that is not stored', () => {
  it('hands out containers and thoughts that need their id, and no name of its own', async () => {
    expect((await fixture.call(fixture.alice, 'responses', { store: false }, true)).status).toBe(200);
    const ids = idsOf(fixture.vendor.answers);
    const go = async (members: Record<string, unknown>): Promise<number> =>
      (await fixture.call(fixture.alice, 'responses', members, false)).status;
    expect(await go({ previous_response_id: ids.response })).toBe(400);
    expect(await go(thought({ id: ids.thought }))).toBe(200);
    expect(await go(tool({ type: 'code_interpreter', container: ids.container }))).toBe(200);
  });
});

describe('a call that names none', () => {
  it('sends the database no query without ids, and one for many ids', async () => {
    const seen: string[] = [];
    const { driver } = fixture.app.dataSource;
    const runner = driver.createQueryRunner('master');
    const prototype = Object.getPrototypeOf(runner) as {
      query: (sql: string, ...rest: unknown[]) => Promise<unknown>;
    };
    const { query } = prototype;
    prototype.query = function (sql, ...rest) {
      if (sql.includes('stored_ids')) seen.push(sql);
      return query.call(this, sql, ...rest);
    };
    try {
      await fixture.call(
        fixture.alice,
        'chat',
        { messages: [{ role: 'user', content: '"file_id": "file-1"' }] },
        false,
      );
      expect(seen.filter((sql) => sql.startsWith('SELECT'))).toEqual([]);
      const many = Array.from({ length: 20 }, (_, index) => ({
        type: 'item_reference',
        id: `msg_x${index}`,
      }));
      await fixture.call(fixture.alice, 'responses', { input: many }, false);
      expect(seen.filter((sql) => sql.startsWith('SELECT'))).toHaveLength(1);
    } finally {
      prototype.query = query;
      await runner.release();
    }
  });
});
