import { describe, expect, it } from '@jest/globals';
import { apiNamed, chatCore, CHAT_APIS, eventsIn, FORMAT_ROUTES } from '../../../test/support/core-calls.js';
import { MemoryPorts, someOptions } from '../../../test/support/memory-ports.js';
import type { MemoryExchange } from '../../../test/support/memory-sides.js';

/** Refusals as vendors give them, with the status they come with. */
const openaiError = (code: string | null, message: string, type = 'invalid_request_error') => ({
  error: { message, type, param: null, code },
});
const anthropicError = (type: string, message: string) => ({ type: 'error', error: { type, message } });
const googleError = (code: number, status: string, message: string) => ({ error: { code, message, status } });

const REFUSALS: Readonly<Record<string, readonly (readonly [status: number, body: object])[]>> = {
  chat: [
    [401, openaiError('invalid_api_key', 'Incorrect API key provided: sk-inval*****-key.')],
    [404, openaiError('model_not_found', 'The model `m` does not exist or you do not have access to it.')],
    [400, openaiError('decimal_above_max_value', "Invalid 'temperature': decimal above maximum value.")],
    [
      400,
      openaiError(
        'context_length_exceeded',
        "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.",
      ),
    ],
    [400, openaiError('invalid_value', "The model 'x' does not exist.", 'image_generation_user_error')],
    [429, openaiError('rate_limit_exceeded', 'Rate limit reached.', 'requests')],
    [429, openaiError('insufficient_quota', 'You exceeded your current quota.', 'insufficient_quota')],
    [500, openaiError(null, 'The server had an error.', 'server_error')],
    [503, openaiError('server_is_overloaded', 'The server is overloaded.', 'service_unavailable_error')],
    [403, openaiError('forbidden', 'Forbidden')],
    [
      400,
      { code: 400, message: 'Validation: Temperature must be between 0 and 2, got 100', type: 'Bad Request' },
    ],
    [
      400,
      {
        error: {
          code: 400,
          message: 'request (2009 tokens) exceeds the available context size (512 tokens), try increasing it',
          type: 'exceed_context_size_error',
          n_ctx: 512,
        },
      },
    ],
    [
      501,
      {
        error: {
          code: 501,
          message: 'This server does not support embeddings.',
          type: 'not_supported_error',
        },
      },
    ],
    [
      400,
      {
        code: '1500',
        message: 'Invalid model: none',
        object: 'error',
        param: null,
        raw_status_code: 400,
        type: 'invalid_model',
      },
    ],
    [
      400,
      {
        code: '3051',
        message: 'Logprobs are not enabled for this model',
        object: 'error',
        param: null,
        type: 'invalid_request_invalid_args',
      },
    ],
    [401, { detail: 'Invalid API Key' }],
    [400, { error: { code: 400, message: 'Model no-such/model does not exist' } }],
    [404, { error: 'Specified model not found: none. Did you mean: one?' }],
    [400, { code: 'invalid-argument', error: 'Model not found: grok-none' }],
    [
      400,
      {
        code: 'invalid-argument',
        error: 'Incorrect API key provided. You can obtain an API key from the console.',
      },
    ],
    [
      429,
      { error: { code: 429, message: 'Provider returned error', metadata: { provider_name: 'Google' } } },
    ],
    [429, { error: { code: '429', message: 'Slow down a little' } }],
  ],
  responses: [
    [400, openaiError('context_length_exceeded', 'Your input exceeds the context window of this model.')],
    [400, openaiError('invalid_prompt', 'Invalid prompt.')],
    [429, openaiError('rate_limit_exceeded', 'Rate limit reached.', 'tokens')],
    [401, openaiError('invalid_api_key', 'Incorrect API key provided: sk-inval*****-key.')],
    [400, { code: 'invalid-argument', error: 'Model not found: grok-none' }],
    [500, openaiError('server_error', 'An error occurred.', 'server_error')],
  ],
  messages: [
    [400, anthropicError('invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum')],
    [400, anthropicError('invalid_request_error', 'temperature: range: 0..1')],
    [401, anthropicError('authentication_error', 'API key is invalid.')],
    [403, anthropicError('permission_error', 'No.')],
    [404, anthropicError('not_found_error', 'model: claude-none')],
    [413, anthropicError('request_too_large', 'Request exceeds the maximum size')],
    [429, anthropicError('rate_limit_error', 'Too fast.')],
    [500, anthropicError('api_error', 'Internal server error')],
    [504, anthropicError('timeout_error', 'Timed out.')],
    [529, anthropicError('overloaded_error', 'Overloaded')],
  ],
  gemini: [
    [
      400,
      googleError(
        400,
        'INVALID_ARGUMENT',
        'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
      ),
    ],
    [404, googleError(404, 'NOT_FOUND', 'models/none is not found for API version v1beta.')],
    [403, googleError(403, 'PERMISSION_DENIED', 'No.')],
    [429, googleError(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded.')],
    [500, googleError(500, 'INTERNAL', 'An internal error has occurred.')],
    [503, googleError(503, 'UNAVAILABLE', 'The model is overloaded.')],
  ],
};

/** An event that opens an answer and proves nothing. */
const OPENINGS: Readonly<Record<string, object>> = {
  chat: { id: 'c1', choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] },
  responses: { type: 'response.created', response: { id: 'resp_1', status: 'in_progress', output: [] } },
  messages: { type: 'message_start', message: { id: 'msg_1', role: 'assistant', content: [] } },
  gemini: { candidates: [], responseId: 'r1' },
};
type Place = 'a body of 200' | 'a first event' | 'a later event' | 'response.failed';

function placed(place: Place, format: string, body: object): (upstream: MemoryExchange) => void {
  const text = JSON.stringify(body);
  const opening = JSON.stringify(OPENINGS[format]);
  switch (place) {
    case 'a body of 200':
      return (upstream) => upstream.json(200, body);
    case 'a first event':
      return (upstream) => upstream.head().events(text).end();
    case 'a later event':
      return (upstream) => upstream.head().events(opening, text).end();
    case 'response.failed': {
      const { code, message } = (body as { error: { code: string; message: string } }).error;
      const failed = { type: 'response.failed', response: { status: 'failed', error: { code, message } } };
      return (upstream) => upstream.head().events(opening, JSON.stringify(failed)).end();
    }
  }
}

async function outcomeOf(
  api: string,
  stream: boolean,
  format: string,
  script: (upstream: MemoryExchange) => void,
) {
  const ports = new MemoryPorts();
  ports.options.value = someOptions({ retryTimes: 3 });
  const reply = await chatCore(ports, apiNamed(api), stream, format, script);
  return {
    status: reply.status,
    body: reply.text,
    calls: ports.sender.exchanges.length,
    settled: ports.quota.settled.length,
    balance: ports.quota.balance,
  };
}

const CASES = Object.entries(REFUSALS).flatMap(([format, refusals]) =>
  refusals.flatMap(([status, body]) =>
    CHAT_APIS.map(({ name }) => [name, format, status, JSON.stringify(body).slice(0, 90), body] as const),
  ),
);

describe('a failure is answered, repeated and charged by its words wherever it has no status', () => {
  it.each(CASES)('%s over %s: %i %s', async (api, format, status, _text, body) => {
    for (const stream of [false, true]) {
      const told = await outcomeOf(api, stream, format, (upstream) => upstream.json(status, body));
      const places: readonly Place[] = stream ? ['a first event', 'a later event'] : ['a body of 200'];
      for (const place of places)
        expect([place, await outcomeOf(api, stream, format, placed(place, format, body))]).toEqual([
          place,
          told,
        ]);
    }
  });

  it.each(
    REFUSALS['responses']?.filter(([, body]) => 'error' in body && typeof body.error === 'object') ?? [],
  )('%i of a Responses vendor is the same as response.failed: %j', async (status, body) => {
    for (const { name } of CHAT_APIS) {
      const told = await outcomeOf(name, true, 'responses', (upstream) => upstream.json(status, body));
      const inside = await outcomeOf(name, true, 'responses', placed('response.failed', 'responses', body));
      expect([inside.status, inside.calls, inside.balance]).toEqual([told.status, told.calls, told.balance]);
      expect(JSON.parse(inside.body)).toMatchObject({ error: { message: messageIn(told.body) } });
    }
  });

  it('has the status an operator wants shown for it, too', async () => {
    const statusMapping = new Map([[429, 503]]);
    const body = openaiError('rate_limit_exceeded', 'Rate limit reached.', 'requests');
    const ask = (script: (upstream: MemoryExchange) => void) => {
      const ports = new MemoryPorts();
      const api = apiNamed('messages');
      FORMAT_ROUTES['mapped'] = { channelType: 1, statusMapping };
      return chatCore(ports, api, false, 'mapped', script);
    };
    const told = await ask((upstream) => upstream.json(429, body));
    const inside = await ask((upstream) => upstream.json(200, body));
    expect([inside.status, inside.text]).toEqual([told.status, told.text]);
    expect(told.status).toBe(503);
  });
});

const messageIn = (text: string): string =>
  (JSON.parse(text) as { error: { message: string } }).error.message;

/** A kind of failure in each client API: status, type or word, code or reason, sentence. */
const KINDS: readonly (readonly [string, number, object, Readonly<Record<string, readonly unknown[]>>])[] = [
  [
    'a prompt that is too long',
    400,
    anthropicError('invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum'),
    {
      chat: [
        400,
        'invalid_request_error',
        'context_length_exceeded',
        /maximum context length is 200000 tokens/,
      ],
      messages: [
        400,
        'invalid_request_error',
        undefined,
        /^prompt is too long: 210000 tokens > 200000 maximum/,
      ],
      gemini: [
        400,
        'INVALID_ARGUMENT',
        undefined,
        /^The input token count \(210000\) exceeds the maximum number of tokens allowed \(200000\)\./,
      ],
    },
  ],
  [
    'an upstream that is overloaded',
    529,
    anthropicError('overloaded_error', 'Overloaded'),
    {
      chat: [503, 'service_unavailable_error', 'server_is_overloaded', /^Overloaded/],
      messages: [529, 'overloaded_error', undefined, /^Overloaded/],
      gemini: [503, 'UNAVAILABLE', undefined, /^Overloaded/],
    },
  ],
  [
    'a model that the upstream does not know',
    404,
    anthropicError('not_found_error', 'model: claude-none'),
    {
      chat: [404, 'invalid_request_error', 'model_not_found', /claude-none/],
      messages: [404, 'not_found_error', undefined, /claude-none/],
      gemini: [404, 'NOT_FOUND', undefined, /claude-none/],
    },
  ],
];

describe('a kind of failure has a status, a word and a sentence in each client API', () => {
  const rows = KINDS.flatMap(([kind, status, body, wanted]) =>
    Object.entries(wanted).map(([api, row]) => [kind, api, status, body, row] as const),
  );
  it.each(rows)('%s on %s', async (_kind, api, status, body, [shown, type, code, sentence]) => {
    const told = await outcomeOf(api, false, 'messages', (upstream) => upstream.json(status, body));
    const { error } = JSON.parse(told.body) as {
      error: { type?: string; status?: string; code: unknown; message: string };
    };
    expect(told.status).toBe(shown);
    expect(error.type ?? error.status).toBe(type);
    if (code !== undefined) expect(error.code).toBe(code);
    expect(error.message).toMatch(sentence as RegExp);
  });

  it.each([
    ['chat', 400, googleError(400, 'INVALID_ARGUMENT', 'No.'), 'gemini', 'invalid_request_error'],
    ['chat', 500, anthropicError('api_error', 'No.'), 'messages', 'server_error'],
    ['chat', 403, anthropicError('permission_error', 'Not for you.'), 'messages', 'upstream_error'],
    ['messages', 400, googleError(400, 'INVALID_ARGUMENT', 'No.'), 'gemini', 'invalid_request_error'],
    ['messages', 422, openaiError('unprocessable', 'No.', 'weird'), 'chat', 'invalid_request_error'],
    ['gemini', 400, openaiError('invalid_value', 'No.'), 'chat', 'INVALID_ARGUMENT'],
    ['gemini', 500, anthropicError('api_error', 'No.'), 'messages', 'INTERNAL'],
  ] as const)('%s says %i in its own words: %j of %s is %s', async (api, status, body, format, type) => {
    const told = await outcomeOf(api, false, format, (upstream) => upstream.json(status, body));
    const { error } = JSON.parse(told.body) as { error: { type?: string; status?: string } };
    expect(error.type ?? error.status).toBe(type);
    expect(told.body).not.toMatch(
      api === 'gemini' ? /invalid_value|api_error/ : /INVALID_ARGUMENT|api_error/,
    );
  });

  it.each([
    ['chat', 502, 'x-should-retry'],
    ['messages', 502, 'x-should-retry'],
    ['gemini', 400, undefined],
  ] as const)(
    '%s tells clients that a refused key of the only channel is final',
    async (api, status, header) => {
      const ports = new MemoryPorts();
      const reply = await chatCore(ports, apiNamed(api), false, 'chat', (upstream) =>
        upstream.json(401, openaiError('invalid_api_key', 'No.')),
      );
      expect(reply.status).toBe(status);
      if (header === undefined)
        expect(reply.json).toMatchObject({ error: { status: 'FAILED_PRECONDITION' } });
      else expect(reply.headers[header]).toBe('false');
    },
  );
});

describe('a failure behind text', () => {
  it.each(['chat', 'responses', 'messages', 'gemini'])(
    'ends a Responses stream with response.failed, over %s',
    async (format) => {
      const text: Readonly<Record<string, object>> = {
        chat: { id: 'c1', choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: null }] },
        responses: { type: 'response.output_text.delta', output_index: 0, sequence_number: 1, delta: 'Hi' },
        messages: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } },
        gemini: { candidates: [{ content: { parts: [{ text: 'Hi' }] } }] },
      };
      const failure =
        format === 'gemini'
          ? googleError(500, 'INTERNAL', 'No.')
          : openaiError('server_error', 'No.', 'server_error');
      const ports = new MemoryPorts();
      const reply = await chatCore(ports, apiNamed('responses'), true, format, (upstream) =>
        upstream
          .head()
          .events(JSON.stringify(OPENINGS[format]), JSON.stringify(text[format]), JSON.stringify(failure))
          .end(),
      );
      const events = eventsIn(reply.text);
      expect(events.at(-1)).toMatchObject({
        type: 'response.failed',
        response: { object: 'response', status: 'failed', error: { code: 'server_error' } },
      });
      const numbers = events
        .map((event) => event['sequence_number'])
        .filter((number) => number !== undefined);
      expect(numbers).toEqual([...numbers].sort((left, right) => Number(left) - Number(right)));
      expect(ports.quota.settled).toMatchObject([{ outcome: 'partial' }]);
    },
  );
});

describe('a prompt that Gemini refuses is an answer', () => {
  const refusal = {
    promptFeedback: { blockReason: 'SAFETY' },
    usageMetadata: { promptTokenCount: 12, totalTokenCount: 12 },
    modelVersion: 'g',
    responseId: 'r',
  };
  const ENDS: Readonly<Record<string, RegExp>> = {
    chat: /"finish_reason":"content_filter"/,
    responses: /"status":"incomplete".*"reason":"content_filter"/s,
    messages: /"stop_reason":"refusal"/,
    gemini: /"blockReason":"SAFETY"/,
  };
  const cases = Object.entries(ENDS).flatMap(([api, end]) =>
    [false, true].map((stream) => [api, stream, end] as const),
  );

  it.each(cases)('reports it on %s, streamed: %s', async (api, stream, end) => {
    const ports = new MemoryPorts();
    const reply = await chatCore(ports, apiNamed(api), stream, 'gemini', (upstream) =>
      stream ? upstream.head().events(JSON.stringify(refusal)).end() : upstream.json(200, refusal),
    );
    expect(reply.status).toBe(200);
    expect(reply.text).toMatch(end);
    expect(reply.text).toMatch(/"(?:prompt_tokens|input_tokens|promptTokenCount)":12/);
    if (api === 'gemini') expect(reply.text).toContain(JSON.stringify(refusal));
    expect(ports.sender.exchanges).toHaveLength(1);
    expect(ports.quota.settled).toMatchObject([{ outcome: 'ok', usage: { input: { total: 12 } } }]);
  });

  it('costs nothing when the vendor counts nothing', async () => {
    const ports = new MemoryPorts();
    const blocked = { promptFeedback: { blockReason: 'OTHER' } };
    const reply = await chatCore(ports, apiNamed('chat'), false, 'gemini', (upstream) =>
      upstream.json(200, blocked),
    );
    expect(reply.status).toBe(200);
    expect(ports.quota.settled).toMatchObject([{ priced: 0 }]);
  });
});
