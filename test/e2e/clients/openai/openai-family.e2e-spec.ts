import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { FX_PRICES, GatewayConsole } from '../../../support/gateway-console.js';
import { GatewayProcess } from '../../../support/gateway-process.js';
import { refusalOf, ScriptedOpenai } from './scripted-openai.js';

/** The official client through the gateway, over vendors with another of OpenAI's API formats. */
const CHAT_MODELS = ['gpt-4o', 'gpt-3.5-turbo-instruct'];
const RESPONSES_MODELS = ['o1-pro', 'gpt-5-codex'];
const GATEWAY_MODELS = ['both-ways'];
const PRICED_MODELS = ['priced-chat'];
const PRICED_GATEWAY_MODELS = ['priced-both', 'priced-text'];

let gateway: GatewayProcess;
let admin: GatewayConsole;
let upstream: ScriptedOpenai;
let client: OpenAI;

const TOOL = {
  name: 'weather',
  description: 'Tells the weather.',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  },
};
const FORM = {
  name: 'report',
  strict: true,
  schema: {
    type: 'object',
    properties: { city: { type: 'string' }, degrees: { type: 'number' } },
    required: ['city', 'degrees'],
    additionalProperties: false,
  },
};
const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

beforeAll(async () => {
  upstream = await ScriptedOpenai.start();
  gateway = await GatewayProcess.start();
  admin = new GatewayConsole(gateway.url);
  await admin.setUp();
  await admin.setOptions(
    FX_PRICES([
      ...CHAT_MODELS,
      ...RESPONSES_MODELS,
      ...GATEWAY_MODELS,
      'grok-9',
      ...PRICED_MODELS,
      ...PRICED_GATEWAY_MODELS,
      'priced-o1-pro',
    ]),
  );
  await admin.addChannel({
    name: 'openai',
    base_url: upstream.url,
    models: [...CHAT_MODELS, ...RESPONSES_MODELS, ...PRICED_MODELS, 'priced-o1-pro'],
    model_mapping: JSON.stringify({ 'priced-o1-pro': 'o1-pro' }),
  });
  await admin.addChannel({
    name: 'gateway',
    type: 59,
    base_url: upstream.url,
    models: [...GATEWAY_MODELS, ...PRICED_GATEWAY_MODELS],
  });
  await admin.addChannel({ name: 'xai', type: 48, base_url: upstream.url, models: ['grok-9'] });
  const { key } = await admin.addToken();
  client = new OpenAI({ apiKey: key, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
});

afterAll(async () => {
  await gateway?.stop();
  await upstream?.close();
});

interface LogLine {
  readonly quota: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}

/** Charges of a model's calls, as soon as so many are booked. */
async function chargesOf(model: string, calls: number): Promise<readonly number[]> {
  const lines = await admin.waitFor(
    () => admin.send<{ items: LogLine[] }>('GET', `/api/log/?p=1&page_size=10&type=2&model_name=${model}`),
    ({ items }) => items.length === calls,
  );
  return lines.items.map(({ quota }) => quota);
}

const answerTools = (ids: readonly string[]) =>
  ids.map((call_id) => ({ type: 'function_call_output' as const, call_id, output: 'sunny' }));

/** Members added to a call by the package's own parser are not accepted back by the vendor. */
function withoutParsed(item: OpenAI.Responses.ResponseOutputItem): object {
  const { parsed_arguments: _parsed, ...sent } = item as { readonly parsed_arguments?: unknown };
  return sent;
}

describe.each([
  ['a vendor of chats', 'gpt-4o', '/v1/chat/completions'],
  ['a vendor of responses', 'both-ways', '/v1/responses'],
])('Responses over %s', (_name, model, path) => {
  it('answers whole, with usage in its own words', async () => {
    const response = await client.responses.create({ model, instructions: 'Be short.', input: 'Hello' });
    expect(response.output_text).toBe('Saw 0 pictures.');
    expect(response.status).toBe('completed');
    expect(response.usage).toMatchObject({
      input_tokens: 40,
      output_tokens: 20,
      input_tokens_details: { cached_tokens: 8 },
      output_tokens_details: { reasoning_tokens: 5 },
    });
    expect(upstream.last.path).toBe(path);
  });

  it('streams the events the client’s own helper puts together', async () => {
    const stream = client.responses.stream({ model, input: 'Hello' });
    const types: string[] = [];
    const numbers: number[] = [];
    for await (const event of stream) {
      types.push(event.type);
      numbers.push(event.sequence_number);
    }
    expect(types.at(0)).toBe('response.created');
    expect(types.at(-1)).toBe('response.completed');
    expect(types).toEqual(
      expect.arrayContaining(['response.reasoning_summary_text.delta', 'response.output_text.delta']),
    );
    expect(numbers).toEqual(numbers.map((_, index) => index));
    const final = await stream.finalResponse();
    expect(final.output_text).toBe('Saw 0 pictures.');
    expect(final.usage?.total_tokens).toBe(60);
  });

  it('carries images and a response format', async () => {
    const image = { type: 'input_image' as const, image_url: PIXEL, detail: 'auto' as const };
    const seen = await client.responses.create({
      model,
      input: [{ role: 'user', content: [{ type: 'input_text', text: 'What is it?' }, image] }],
    });
    expect(seen.output_text).toBe('Saw 1 pictures.');
    const told = await client.responses.create({
      model,
      input: 'Report',
      text: { format: { type: 'json_schema', ...FORM } },
    });
    expect(JSON.parse(told.output_text)).toEqual({ city: 'Oslo', degrees: 7 });
  });

  it.each([false, true])('calls two tools and reads their answers (streamed: %s)', async (isStream) => {
    const tools = [{ type: 'function' as const, strict: true, ...TOOL }];
    const ask = async (input: OpenAI.Responses.ResponseInput) =>
      isStream
        ? client.responses.stream({ model, input, tools, store: false }).finalResponse()
        : client.responses.create({ model, input, tools, store: false });
    const first = await ask([{ role: 'user', content: 'Weather in Oslo and Rome?' }]);
    const calls = first.output.flatMap((item) => (item.type === 'function_call' ? [item] : []));
    expect(calls.map(({ name, arguments: json }) => [name, JSON.parse(json) as unknown])).toEqual([
      ['weather', { city: 'Oslo' }],
      ['weather', { city: 'Rome' }],
    ]);
    const second = await ask([
      { role: 'user', content: 'Weather in Oslo and Rome?' },
      ...(first.output.map(withoutParsed) as OpenAI.Responses.ResponseInput),
      ...answerTools(calls.map(({ call_id }) => call_id)),
    ]);
    expect(second.output_text).toBe('Read 2 results.');
  });
});

describe('Responses that lean on what the vendor stored', () => {
  it('passes them to vendors of the Responses API', async () => {
    const { id } = await client.responses.create({ model: 'both-ways', input: 'Begin' });
    await client.responses.create({ model: 'both-ways', input: 'Go on', previous_response_id: id });
    expect(upstream.last.body).toEqual({
      model: 'both-ways',
      input: 'Go on',
      previous_response_id: id,
    });
  });

  it.each([
    [{ previous_response_id: 'resp_0' }, 'previous_response_id'],
    [{ conversation: 'conv_0' }, 'conversation'],
    [{ tools: [{ type: 'code_interpreter' as const, container: { type: 'auto' as const } }] }, 'tools.0'],
  ])('refuses them elsewhere, before anything is sent: %j', async (members, param) => {
    const before = upstream.seen.length;
    const error = await refusalOf(client.responses.create({ model: 'gpt-4o', input: 'Go on', ...members }));
    expect(error).toMatchObject({ status: 400, param });
    expect(upstream.seen).toHaveLength(before);
  });

  it('refuses those in the background everywhere', async () => {
    const error = await refusalOf(
      client.responses.create({ model: 'both-ways', input: 'x', background: true }),
    );
    expect(error).toMatchObject({ status: 400, param: 'background' });
  });
});

describe('chats with models that live at the Responses endpoint', () => {
  const model = 'o1-pro';

  it('answers whole and streamed', async () => {
    const whole = await client.chat.completions.create({
      model,
      messages: [{ role: 'user', content: 'Hello' }],
    });
    expect(upstream.last.path).toBe('/v1/responses');
    expect(whole.choices[0]).toMatchObject({
      finish_reason: 'stop',
      message: { content: 'Saw 0 pictures.', reasoning_content: 'Hmm.' },
    });
    expect(whole.usage).toMatchObject({
      prompt_tokens: 40,
      completion_tokens: 20,
      completion_tokens_details: { reasoning_tokens: 5 },
    });
    const stream = client.chat.completions.stream({
      model,
      messages: [{ role: 'user', content: 'Hello' }],
      stream_options: { include_usage: true },
    });
    const final = await stream.finalChatCompletion();
    expect(final.choices[0]?.message.content).toBe('Saw 0 pictures.');
    expect(final.usage?.total_tokens).toBe(60);
  });

  it.each([false, true])(
    'keeps their signature of reasoning over the tools’ turn (streamed: %s)',
    async (isStream) => {
      const tools = [{ type: 'function' as const, function: TOOL }];
      const messages: OpenAI.Chat.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Weather?' }];
      const details: unknown[] = [];
      const turn = async () => {
        if (!isStream)
          return (await client.chat.completions.create({ model, messages, tools })).choices[0]?.message;
        const stream = client.chat.completions.stream({ model, messages, tools });
        stream.on('chunk', (chunk) => {
          const delta = chunk.choices[0]?.delta as { reasoning_details?: unknown[] } | undefined;
          details.push(...(delta?.reasoning_details ?? []));
        });
        return (await stream.finalChatCompletion()).choices[0]?.message;
      };
      const first = await turn();
      expect(first?.tool_calls).toHaveLength(2);
      const own = (first as { reasoning_details?: unknown[] } | undefined)?.reasoning_details ?? details;
      messages.push({
        role: 'assistant',
        content: first?.content ?? null,
        ...(first?.tool_calls === undefined ? {} : { tool_calls: first.tool_calls }),
        ...({ reasoning_details: isStream ? details : own } as object),
      });
      for (const { id } of first?.tool_calls ?? [])
        messages.push({ role: 'tool', tool_call_id: id, content: 'sunny' });
      const second = await turn();
      expect(second?.content).toBe('Read 2 results.');
      expect(upstream.last.body).toMatchObject({ store: false, include: ['reasoning.encrypted_content'] });
    },
  );

  it('carries a response format and images, and refuses several answers', async () => {
    const told = await client.chat.completions.create({
      model,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Look' },
            { type: 'image_url', image_url: { url: PIXEL } },
          ],
        },
      ],
      response_format: { type: 'json_schema', json_schema: FORM },
      verbosity: 'low',
    });
    expect(JSON.parse(told.choices[0]?.message.content ?? '')).toEqual({ city: 'Oslo', degrees: 7 });
    expect(upstream.last.body).toMatchObject({
      text: { verbosity: 'low', format: { name: 'report', strict: true } },
    });
    const error = await refusalOf(
      client.chat.completions.create({ model, n: 2, messages: [{ role: 'user', content: 'Hello' }] }),
    );
    expect(error).toMatchObject({ status: 400, param: 'n' });
  });
});

describe('text completions', () => {
  it('becomes a conversation where the vendor holds only these', async () => {
    const whole = await client.completions.create({
      model: 'grok-9',
      prompt: 'Once',
      echo: true,
      max_tokens: 9,
    });
    expect(upstream.last.path).toBe('/v1/chat/completions');
    expect(whole).toMatchObject({
      object: 'text_completion',
      choices: [{ text: 'OnceSaw 0 pictures.', finish_reason: 'stop' }],
      usage: { total_tokens: 60 },
    });
    let text = '';
    for await (const chunk of await client.completions.create({
      model: 'grok-9',
      prompt: 'Once',
      stream: true,
    }))
      text += chunk.choices[0]?.text ?? '';
    expect(text).toBe('Saw 0 pictures.');
  });

  it.each([
    [{ prompt: ['a', 'b'] }, 'prompt'],
    [{ prompt: [1, 2, 3] }, 'prompt'],
    [{ prompt: 'a', suffix: 'z' }, 'suffix'],
    [{ prompt: 'a', best_of: 3 }, 'best_of'],
  ])('reports content a conversation cannot hold: %j', async (members, param) => {
    const error = await refusalOf(client.completions.create({ model: 'grok-9', ...members }));
    expect(error).toMatchObject({ status: 400, param });
  });

  it('passes to models that continue text, several prompts at once', async () => {
    const model = 'gpt-3.5-turbo-instruct';
    const whole = await client.completions.create({ model, prompt: ['a', 'b'] });
    expect(upstream.last.path).toBe('/v1/completions');
    expect(whole.choices.map(({ text }) => text)).toEqual([' continued 0', ' continued 1']);
    const chat = await client.chat.completions.create({
      model,
      messages: [{ role: 'user', content: 'Once' }],
    });
    expect(upstream.last.body['prompt']).toBe('Once');
    expect(chat.choices[0]?.message.content).toBe(' continued 0');
  });
});

describe('charges', () => {
  // Ratio 1: 32 + 8 cached + 20 × 2 = 80, in whichever API format it is reported.
  it.each([
    ['chats for Responses', 'priced-chat'],
    ['Responses as they are', 'priced-both'],
  ])('equals what the vendor reported: %s', async (_name, model) => {
    await client.responses.create({ model, input: 'Hello' });
    await client.responses.stream({ model, input: 'Hello' }).finalResponse();
    expect(await chargesOf(model, 2)).toEqual([80, 80]);
  });

  it('equals what the vendor reported: Responses for chats', async () => {
    const question = { model: 'priced-o1-pro', messages: [{ role: 'user' as const, content: 'Hello' }] };
    await client.chat.completions.create(question);
    await client.chat.completions.stream(question).finalChatCompletion();
    expect(await chargesOf('priced-o1-pro', 2)).toEqual([80, 80]);
  });

  it('equals what the vendor reported: text completions', async () => {
    const question = { model: 'priced-text', prompt: 'a' };
    await client.completions.create(question);
    for await (const chunk of await client.completions.create({ ...question, stream: true }))
      expect(chunk.object).toBe('text_completion');
    // Ratio 1: 3 + 4 × 2.
    expect(await chargesOf('priced-text', 2)).toEqual([11, 11]);
  });
});
