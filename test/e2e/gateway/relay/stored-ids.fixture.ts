import type { ServerResponse } from 'node:http';
import { StrictServer } from '../../../support/strict-server.ts';
import type { ApiClient } from '../../../support/api-client.ts';
import { setUpRoot, signUp, startTestApp, type TestApp } from '../../../support/build-test-app.ts';

export const MODELS = { openai: 'gpt-test', anthropic: 'claude-test', gemini: 'gemini-test' } as const;
/** Model and type of each channel; the first is a gateway with the dialect of its callers. */
export const CHANNEL_TYPES: readonly (readonly [model: string, type: number])[] = [
  [MODELS.openai, 59],
  [MODELS.anthropic, 14],
  [MODELS.gemini, 24],
];
export type Api = 'responses' | 'chat' | 'messages' | 'gemini';

/** Ids in the nth answer. */
export const idsOf = (n: number) => ({
  response: `resp_${n}`,
  item: `msg_${n}`,
  thought: `rs_${n}`,
  container: `cntr_${n}`,
  audio: `audio_${n}`,
  claudeContainer: `container_${n}`,
  claudeFile: `file_${n}`,
  message: `claudemsg_${n}`,
});
type Ids = ReturnType<typeof idsOf>;

const events = (list: readonly object[], ends = ''): string =>
  list
    .map((one) => `${'type' in one ? `event: ${String(one.type)}\n` : ''}data: ${JSON.stringify(one)}\n\n`)
    .join('') + ends;

function responses(ids: Ids, stream: boolean): string {
  const output = [
    { type: 'reasoning', id: ids.thought, summary: [] },
    {
      type: 'code_interpreter_call',
      id: `ci_${ids.response}`,
      status: 'completed',
      code: 'x',
      container_id: ids.container,
      outputs: null,
    },
    {
      type: 'message',
      id: ids.item,
      status: 'completed',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'hello', annotations: [] }],
    },
  ];
  const whole = {
    id: ids.response,
    object: 'response',
    created_at: 1,
    status: 'completed',
    model: MODELS.openai,
    output,
    usage: { input_tokens: 5, output_tokens: 2, total_tokens: 7 },
  };
  if (!stream) return JSON.stringify(whole);
  return events([
    { type: 'response.created', response: { ...whole, status: 'in_progress', output: [], usage: null } },
    ...output.flatMap((item, index) => [
      { type: 'response.output_item.added', output_index: index, item: { ...item, content: [] } },
      ...(item.type === 'message'
        ? [
            {
              type: 'response.output_text.delta',
              output_index: index,
              content_index: 0,
              item_id: item.id,
              delta: 'hello',
            },
          ]
        : []),
      { type: 'response.output_item.done', output_index: index, item },
    ]),
    { type: 'response.completed', response: whole },
  ]);
}

function chat(ids: Ids, stream: boolean): string {
  const frame = {
    id: 'chatcmpl',
    object: stream ? 'chat.completion.chunk' : 'chat.completion',
    created: 1,
    model: MODELS.openai,
  };
  const said = {
    role: 'assistant',
    content: 'hello',
    audio: { id: ids.audio, data: 'AAAA', transcript: 'hello', expires_at: 9 },
  };
  const usage = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 };
  if (!stream)
    return JSON.stringify({ ...frame, choices: [{ index: 0, message: said, finish_reason: 'stop' }], usage });
  return events(
    [
      { ...frame, choices: [{ index: 0, delta: said, finish_reason: null }] },
      { ...frame, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
      { ...frame, choices: [], usage },
    ],
    'data: [DONE]\n\n',
  );
}

function messages(ids: Ids, stream: boolean): string {
  const result = {
    type: 'bash_code_execution_tool_result',
    tool_use_id: 'srvtoolu_1',
    content: {
      type: 'bash_code_execution_result',
      content: [{ type: 'bash_code_execution_output', file_id: ids.claudeFile }],
    },
  };
  const container = { id: ids.claudeContainer, expires_at: '2027-01-01T00:00:00Z' };
  const frame = { id: ids.message, type: 'message', role: 'assistant', model: MODELS.anthropic };
  const usage = { input_tokens: 5, output_tokens: 2 };
  if (!stream)
    return JSON.stringify({
      ...frame,
      content: [result, { type: 'text', text: 'hello' }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      container,
      usage,
    });
  return events([
    { type: 'message_start', message: { ...frame, content: [], stop_reason: null, usage } } as {
      type: string;
    },
    { type: 'content_block_start', index: 0, content_block: result },
    { type: 'content_block_stop', index: 0 },
    { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'hello' } } as {
      type: string;
    },
    { type: 'content_block_stop', index: 1 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', container }, usage },
    { type: 'message_stop' },
  ]);
}

function gemini(stream: boolean): string {
  const answer = {
    candidates: [{ content: { role: 'model', parts: [{ text: 'hello' }] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 2, totalTokenCount: 7 },
  };
  return stream ? events([answer]) : JSON.stringify(answer);
}

/** A vendor of all four APIs, whose nth answer names things of number n. */
export class Vendor {
  answers = 0;
  /** Number of calls, answered or not. */
  asked = 0;
  /** Refuses every call with this status. */
  refusesWith: number | undefined;
  private server: StrictServer | undefined;
  private constructor(private readonly firstNumber: number) {}

  /** @param firstNumber  its answers are numbered from here on */
  static async start(firstNumber = 0): Promise<Vendor> {
    const vendor = new Vendor(firstNumber);
    vendor.server = await StrictServer.start((request, body, response) =>
      vendor.answer(request.url ?? '', body.toString(), response),
    );
    return vendor;
  }

  get url(): string {
    return this.server?.url ?? '';
  }

  /** Fails: when a request came that the vendor would have refused. */
  async close(): Promise<void> {
    await this.server?.close();
  }

  private answer(url: string, body: string, response: ServerResponse): void {
    this.asked += 1;
    if (this.refusesWith !== undefined) {
      response.writeHead(this.refusesWith, { 'content-type': 'application/json' });
      response.end('{"error":{"message":"not now","type":"server_error"}}');
      return;
    }
    this.answers += 1;
    const ids = idsOf(this.firstNumber + this.answers);
    const stream = url.includes('stream') || body.includes('"stream":true');
    response.writeHead(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' });
    if (url.includes('/responses')) response.end(responses(ids, stream));
    else if (url.includes('/chat/')) response.end(chat(ids, stream));
    else if (url.includes('/messages')) response.end(messages(ids, stream));
    else response.end(gemini(stream));
  }
}

export interface Person {
  readonly client: ApiClient;
  readonly key: string;
}

export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly error: Readonly<Record<string, unknown>>;
}

/** A gateway, its vendor, and two people who share the operator's account there. */
export class StoredIdsFixture {
  private constructor(
    readonly app: TestApp,
    readonly root: ApiClient,
    readonly vendor: Vendor,
    readonly alice: Person,
    readonly bob: Person,
    private readonly channels: readonly number[],
  ) {}

  static async open(): Promise<StoredIdsFixture> {
    const [app, vendor] = await Promise.all([startTestApp(), Vendor.start()]);
    const root = await setUpRoot(app);
    for (const [models, type] of CHANNEL_TYPES)
      await root.expectSuccess('POST', '/api/channel/', {
        name: models,
        type,
        key: 'k',
        base_url: vendor.url,
        models,
        group: 'default',
      });
    const prices = JSON.stringify(Object.fromEntries(Object.values(MODELS).map((model) => [model, 1])));
    await root.expectSuccess('PUT', '/api/option/', { key: 'ModelRatio', value: prices });
    const [alice, bob] = [await person(root, 'alice'), await person(root, 'bob')];
    const listed = await root.expectSuccess<{ items?: { id: number }[] } | { id: number }[]>(
      'GET',
      '/api/channel/?p=0&page_size=10',
    );
    const items = Array.isArray(listed) ? listed : (listed.items ?? []);
    return new StoredIdsFixture(
      app,
      root,
      vendor,
      alice,
      bob,
      items.map(({ id }) => id),
    );
  }

  async allowForeignIds(isAllowed: boolean): Promise<void> {
    for (const id of this.channels)
      await this.root.expectSuccess('PUT', '/api/channel/', {
        id,
        settings: JSON.stringify({ allow_foreign_ids: isAllowed }),
      });
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.vendor.close();
  }

  async call(
    { key }: Person,
    api: Api,
    members: Readonly<Record<string, unknown>>,
    stream: boolean,
  ): Promise<Reply> {
    const { path, body } = requestOf(api, stream);
    const reply = await fetch(`${this.app.url}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'anthropic-version': '2023-06-01',
        ...(api === 'messages' ? { 'anthropic-beta': 'files-api-2025-04-14,skills-2025-10-02' } : {}),
      },
      body: JSON.stringify({ ...body, ...members }),
    });
    const text = await reply.text();
    const error = reply.status < 400 ? {} : (JSON.parse(text) as { error: Reply['error'] }).error;
    return { status: reply.status, text, error };
  }
}

function requestOf(
  api: Api,
  stream: boolean,
): { readonly path: string; readonly body: Readonly<Record<string, unknown>> } {
  const flag = stream ? { stream } : {};
  switch (api) {
    case 'responses':
      return { path: '/v1/responses', body: { model: MODELS.openai, input: 'x', ...flag } };
    case 'chat':
      return {
        path: '/v1/chat/completions',
        body: { model: MODELS.openai, messages: [{ role: 'user', content: 'x' }], ...flag },
      };
    case 'messages':
      return {
        path: '/v1/messages',
        body: { model: MODELS.anthropic, max_tokens: 9, messages: [{ role: 'user', content: 'x' }], ...flag },
      };
    case 'gemini':
      return {
        path: `/v1beta/models/${MODELS.gemini}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
        body: { contents: [{ role: 'user', parts: [{ text: 'x' }] }] },
      };
  }
}

async function person(root: ApiClient, username: string): Promise<Person> {
  const client = await signUp(root, { username });
  await root.expectSuccess('POST', '/api/user/manage', {
    id: client.userId,
    action: 'add_quota',
    mode: 'add',
    value: 50_000_000,
  });
  await client.expectSuccess('POST', '/api/token/', {
    name: 'key',
    unlimited_quota: true,
    expired_time: -1,
    remain_quota: 0,
  });
  const [token] = await client.expectSuccess<{ id: number }[]>('GET', '/api/token/?p=0&size=10');
  const { key } = await client.expectSuccess<{ key: string }>('POST', `/api/token/${token?.id}/key`);
  return { client, key: `sk-${key.replace(/^sk-/, '')}` };
}
