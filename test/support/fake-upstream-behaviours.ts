import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Behaviour, FakeExchange } from './fake-upstream-exchange.js';

/** Prompt tokens every well-behaved answer reports. */
export const PROMPT_TOKENS = 10;

export const sendJson = (
  exchange: FakeExchange,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  exchange.response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...headers,
  });
  exchange.entry.bytesSent += text.length;
  exchange.response.end(text);
};

export const usageOf = (completionTokens: number, promptTokens = PROMPT_TOKENS): Record<string, number> => ({
  prompt_tokens: promptTokens,
  completion_tokens: completionTokens,
  total_tokens: promptTokens + completionTokens,
});

const completion = (
  exchange: FakeExchange,
  content: string,
  extra: Record<string, unknown>,
): Record<string, unknown> => ({
  id: 'chatcmpl-fake',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: exchange.entry.model,
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  ...extra,
});

export const chunkOf = (
  exchange: FakeExchange,
  delta: unknown,
  finishReason: string | null = null,
  extra = {},
): string =>
  `data: ${JSON.stringify({
    id: 'chatcmpl-fake',
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model: exchange.entry.model,
    choices: [{ index: 0, delta, finish_reason: finishReason }],
    ...extra,
  })}\n\n`;

export const beginStream = (exchange: FakeExchange): void => {
  exchange.response.writeHead(200, { 'content-type': 'text/event-stream' });
  exchange.response.flushHeaders();
};

interface AnswerScript {
  /** Tokens of the answer, one per chunk. */
  readonly tokens: number;
  readonly gapMs: number;
  /** Reported usage; undefined = the truth, null = nothing. */
  readonly usage?: unknown;
  /** Resets the connection after so many chunks. */
  readonly cutAfter?: number;
  /** Text of one token. */
  readonly token?: string;
  readonly withoutDone?: boolean;
}

/** A chat answer, streamed or whole as asked: `tokens` tokens, usage as scripted. */
export const answer =
  (script: AnswerScript): Behaviour =>
  async (exchange) => {
    if (exchange.entry.body.stream === true) await streamAnswer(exchange, script);
    else await wholeAnswer(exchange, script);
  };

async function wholeAnswer(exchange: FakeExchange, script: AnswerScript): Promise<void> {
  if (script.gapMs > 0) await pause(script.gapMs);
  if (exchange.isGone) return;
  if (script.cutAfter !== undefined) return exchange.cut();
  const usage = script.usage === undefined ? usageOf(script.tokens) : script.usage;
  exchange.claim(PROMPT_TOKENS, script.tokens);
  const content = (script.token ?? ' tok').repeat(script.tokens).trim();
  sendJson(exchange, 200, completion(exchange, content, usage === null ? {} : { usage }));
}

async function streamAnswer(exchange: FakeExchange, script: AnswerScript): Promise<void> {
  beginStream(exchange);
  for (let index = 0; index < script.tokens; index += 1) {
    if (index === script.cutAfter) return exchange.cut();
    const delta =
      index === 0
        ? { role: 'assistant', content: script.token ?? ' tok' }
        : { content: script.token ?? ' tok' };
    if (!(await exchange.write(chunkOf(exchange, delta)))) return;
    if (script.gapMs > 0) await pause(script.gapMs);
    if (exchange.isGone) return;
  }
  exchange.claim(PROMPT_TOKENS, script.tokens);
  let tail = chunkOf(exchange, {}, 'stop');
  const usage = script.usage === undefined ? usageOf(script.tokens) : script.usage;
  if (usage !== null)
    tail += `data: ${JSON.stringify({ ...completion(exchange, '', {}), object: 'chat.completion.chunk', choices: [], usage })}\n\n`;
  exchange.response.end(script.withoutDone === true ? tail : `${tail}data: [DONE]\n\n`);
}

const failure =
  (status: number, error: Record<string, unknown>, headers: Record<string, string> = {}): Behaviour =>
  (exchange) =>
    sendJson(
      exchange,
      status,
      { error: { message: 'upstream says no', type: 'server_error', ...error } },
      headers,
    );

const embeddings: Behaviour = (exchange) => {
  const { input, encoding_format: format } = exchange.entry.body;
  const inputs = Array.isArray(input) ? input : [input];
  exchange.claim(PROMPT_TOKENS, 0);
  const vector = [0.25, -0.5, 0.125];
  const embedding =
    format === 'base64' ? Buffer.from(new Float32Array(vector).buffer).toString('base64') : vector;
  sendJson(exchange, 200, {
    object: 'list',
    model: exchange.entry.model,
    data: inputs.map((_, index) => ({ object: 'embedding', index, embedding })),
    usage: { prompt_tokens: PROMPT_TOKENS, total_tokens: PROMPT_TOKENS },
  });
};

const tools: Behaviour = (exchange) => {
  const call = {
    id: 'call_1',
    type: 'function',
    function: { name: 'weather', arguments: '{"city":"Paris"}' },
  };
  exchange.claim(PROMPT_TOKENS, 8);
  if (exchange.entry.body.stream !== true) {
    const message = { role: 'assistant', content: null, tool_calls: [call] };
    return sendJson(exchange, 200, {
      ...completion(exchange, '', { usage: usageOf(8) }),
      choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
    });
  }
  beginStream(exchange);
  const part = (fields: unknown): string => chunkOf(exchange, { tool_calls: [fields] });
  exchange.response.end(
    part({ index: 0, id: 'call_1', type: 'function', function: { name: 'weather', arguments: '' } }) +
      part({ index: 0, function: { arguments: '{"city":' } }) +
      part({ index: 0, function: { arguments: '"Paris"}' } }) +
      chunkOf(exchange, {}, 'tool_calls', { usage: usageOf(8) }) +
      'data: [DONE]\n\n',
  );
};

/** Sends as fast as the gateway takes it, until it hangs up or 64 MiB are out. */
const firehose: Behaviour = async (exchange) => {
  beginStream(exchange);
  const line = chunkOf(exchange, { content: 'x'.repeat(4_000) });
  for (let sent = 0; sent < 64 * 1024 * 1024; sent += line.length) {
    if (!(await exchange.write(line))) return;
  }
  exchange.response.end('data: [DONE]\n\n');
};

const trickle: Behaviour = async (exchange) => {
  beginStream(exchange);
  await exchange.write(chunkOf(exchange, { role: 'assistant', content: ' tok' }));
  while (await exchange.write(': still here\n\n')) await pause(50);
};

const gzipBomb: Behaviour = (exchange) => {
  const block = gzipSync(Buffer.alloc(16 * 1024 * 1024, 0x20));
  exchange.response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
  // Members of a gzip stream may follow each other: 64 × 16 MiB of blanks from about a megabyte.
  exchange.response.end(Buffer.concat(Array.from({ length: 64 }, () => block)));
};

const gzipAnswer: Behaviour = (exchange) => {
  exchange.claim(PROMPT_TOKENS, 5);
  const body = gzipSync(JSON.stringify(completion(exchange, 'small', { usage: usageOf(5) })));
  exchange.response.writeHead(200, {
    'content-type': 'application/json',
    'content-encoding': 'gzip',
    'content-length': body.length,
  });
  exchange.response.end(body);
};

const hugeLine: Behaviour = async (exchange) => {
  beginStream(exchange);
  await exchange.write('data: {"choices":[{"delta":{"content":"');
  const block = 'y'.repeat(1024 * 1024);
  for (let megabytes = 0; megabytes < 50; megabytes += 1) if (!(await exchange.write(block))) return;
  exchange.response.end('"}}]}\n\n');
};

const hugeJson: Behaviour = async (exchange) => {
  exchange.response.writeHead(200, { 'content-type': 'application/json' });
  await exchange.write(
    '{"choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"',
  );
  const block = 'z'.repeat(1024 * 1024);
  for (let megabytes = 0; megabytes < 200; megabytes += 1) if (!(await exchange.write(block))) return;
  exchange.response.end('"}}]}');
};

const hostileHeaders: Behaviour = (exchange) =>
  sendJson(exchange, 200, completion(exchange, 'hi', { usage: usageOf(1) }), {
    'set-cookie': 'session=stolen',
    'access-control-allow-credentials': 'true',
    'content-security-policy': "default-src 'none'",
    location: 'http://127.0.0.1/',
    'clear-site-data': '"*"',
    'x-request-id': 'upstream-id',
    'x-internal-host': 'db-1.internal',
    'proxy-authenticate': 'Basic',
  });

const echoKey: Behaviour = (exchange) =>
  sendJson(exchange, 401, {
    error: {
      message: `bad key ${exchange.request.headers.authorization ?? ''} at http://10.0.0.7/`,
      type: 'invalid_request_error',
      code: 'invalid_api_key',
    },
  });

const mid =
  (lines: (exchange: FakeExchange) => string): Behaviour =>
  (exchange) => {
    beginStream(exchange);
    exchange.response.end(lines(exchange));
  };

export const listModels: Behaviour = (exchange) =>
  sendJson(exchange, 200, {
    object: 'list',
    data: exchange.upstream.models.map((id) => ({
      id,
      object: 'model',
      created: 1_700_000_000,
      owned_by: 'fake',
    })),
  });

export const unknownModel: Behaviour = (exchange) =>
  sendJson(exchange, 404, {
    error: {
      message: `The model ${exchange.entry.model} does not exist`,
      type: 'invalid_request_error',
      code: 'model_not_found',
    },
  });

/** The scripted models; prices and figures of `fx-std` … `fx-free` are those of the failure catalogue. */
export const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  'fx-std': answer({ tokens: 50, gapMs: 1 }),
  'fx-long': answer({ tokens: 200, gapMs: 10 }),
  'fx-nousage': answer({ tokens: 50, gapMs: 0, usage: null }),
  'fx-json': answer({ tokens: 50, gapMs: 5 }),
  'fx-quick': answer({ tokens: 50, gapMs: 0 }),
  'fx-price': answer({ tokens: 50, gapMs: 0 }),
  'fx-free': answer({ tokens: 50, gapMs: 0 }),
  'fx-nodone': answer({ tokens: 50, gapMs: 0, withoutDone: true }),
  'fx-cut': answer({ tokens: 50, gapMs: 1, cutAfter: 20 }),
  'fx-embed': embeddings,
  'fx-tools': tools,
  'fx-firehose': firehose,
  'fx-trickle': trickle,
  'fx-reset': (exchange) => exchange.cut(),
  'fx-silent': () => undefined,
  'fx-empty': (exchange) => sendJson(exchange, 200, ''),
  'fx-broken-json': (exchange) => sendJson(exchange, 200, '{"choices":[{"mess'),
  'fx-html': (exchange) =>
    sendJson(exchange, 200, '<html>bad gateway</html>', { 'content-type': 'text/html' }),
  'fx-error-200': (exchange) =>
    sendJson(exchange, 200, { error: { message: 'hidden failure', type: 'server_error', code: 'boom' } }),
  'fx-error-400': failure(400, { message: 'bad field', type: 'invalid_request_error', param: 'temperature' }),
  'fx-error-401': failure(401, {
    message: 'Incorrect API key provided',
    type: 'invalid_request_error',
    code: 'invalid_api_key',
  }),
  'fx-error-402': failure(402, { message: 'Insufficient Balance', type: 'insufficient_quota' }),
  'fx-error-429': failure(429, { type: 'rate_limit_error' }, { 'retry-after': '7' }),
  'fx-error-500': failure(500, {}),
  'fx-error-503': failure(503, { message: 'overloaded' }),
  'fx-keyword-400': failure(400, {
    message: 'You exceeded your current quota said the prompt',
    type: 'invalid_request_error',
  }),
  'fx-echo-key': echoKey,
  'fx-redirect': (exchange) => sendJson(exchange, 302, '', { location: `${exchange.upstream.url}/stolen` }),
  'fx-gzip': gzipAnswer,
  'fx-gzip-bomb': gzipBomb,
  'fx-huge-line': hugeLine,
  'fx-huge-json': hugeJson,
  'fx-huge-header': (exchange) => sendJson(exchange, 200, '{}', { 'x-huge': 'h'.repeat(1024 * 1024) }),
  'fx-hostile-headers': hostileHeaders,
  'fx-usage-negative': answer({ tokens: 50, gapMs: 0, usage: usageOf(-1_000_000) }),
  'fx-usage-huge': answer({ tokens: 50, gapMs: 0, usage: { prompt_tokens: 1e30, completion_tokens: 1e30 } }),
  'fx-usage-text': answer({ tokens: 50, gapMs: 0, usage: { prompt_tokens: '12', completion_tokens: '50' } }),
  'fx-usage-null': answer({ tokens: 50, gapMs: 0, usage: { prompt_tokens: null, completion_tokens: null } }),
  'fx-stream-error-first': mid(
    () => `data: ${JSON.stringify({ error: { message: 'early failure', type: 'server_error' } })}\n\n`,
  ),
  'fx-stream-error-middle': mid(
    (exchange) =>
      chunkOf(exchange, { role: 'assistant', content: ' tok' }) +
      chunkOf(exchange, { content: ' tok' }) +
      `data: ${JSON.stringify({ error: { message: 'late failure', type: 'server_error' } })}\n\n` +
      chunkOf(exchange, { content: ' never shown' }) +
      'data: [DONE]\n\n',
  ),
  'fx-after-done': mid(
    (exchange) =>
      chunkOf(exchange, { role: 'assistant', content: ' tok' }) +
      chunkOf(exchange, {}, 'stop', { usage: usageOf(1) }) +
      'data: [DONE]\n\n' +
      chunkOf(exchange, { content: ' smuggled' }, null, { usage: usageOf(1_000_000) }) +
      'data: [DONE]\n\n',
  ),
};
