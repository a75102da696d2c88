import { APIError } from 'openai';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RequestChecker } from '../../../support/strict-vendors/request-check.js';

export type Json = Record<string, unknown>;

/** One request as it reached the vendor. */
export interface Seen {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Json;
}

const USAGE = { input: 40, cached: 8, output: 20, reasoning: 5 };
const ENCRYPTED = 'gAAAA-thought';

/**
 * A vendor with chat, Responses and text completions. It calls two tools in parallel when it is given tools and no answers of
 * tools, writes JSON when a format is requested, and otherwise reports the number of images it saw.
 */
export class ScriptedOpenai {
  readonly seen: Seen[] = [];
  private readonly checker = new RequestChecker();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<ScriptedOpenai> {
    const server = createServer();
    const upstream = new ScriptedOpenai(server);
    server.on('request', (request, response) => void upstream.serve(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return upstream;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get last(): Seen {
    const last = this.seen.at(-1);
    if (last === undefined) throw new Error('nothing came');
    return last;
  }

  /** Fails: when a request came that the vendor would have refused. */
  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
    this.checker.expectNone();
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString() || '{}') as Json;
    const path = request.url ?? '';
    this.seen.push({ path, headers: request.headers, body });
    const refusal = this.checker.refusalOf(path, body, request.headers);
    if (refusal !== undefined) send(response, 400, refusal.body);
    else if (path.includes('/chat/completions')) answerChat(body, response);
    else if (path.includes('/responses')) answerResponses(body, response);
    else if (path.includes('/completions')) answerCompletion(body, response);
    else send(response, 404, { error: { message: 'no such path', type: 'invalid_request_error' } });
  }
}

interface Answer {
  readonly text?: string;
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly json: string }[];
}

function decide(tools: unknown, results: number, wantsForm: boolean, pictures: number): Answer {
  if (Array.isArray(tools) && tools.length > 0 && results === 0) {
    return {
      calls: [
        { id: 'call_a', name: 'weather', json: '{"city":"Oslo"}' },
        { id: 'call_b', name: 'weather', json: '{"city":"Rome"}' },
      ],
    };
  }
  if (wantsForm) return { text: '{"city":"Oslo","degrees":7}' };
  if (results > 0) return { text: `Read ${results} results.` };
  return { text: `Saw ${pictures} pictures.` };
}

const list = (value: unknown): Json[] => (Array.isArray(value) ? (value as Json[]) : []);
const count = (value: unknown, word: string): number =>
  JSON.stringify(value).split(`"type":"${word}"`).length - 1;

// ── chat ──

function answerChat(body: Json, response: ServerResponse): void {
  if (JSON.stringify(body['messages']).includes('forbidden words')) {
    return send(response, 400, {
      error: {
        message: 'The response was filtered.',
        type: null,
        param: 'prompt',
        code: 'content_filter',
        innererror: { code: 'ResponsibleAIPolicyViolation' },
      },
    });
  }
  const results = list(body['messages']).filter(({ role }) => role === 'tool').length;
  const form = (body['response_format'] as Json | undefined)?.['type'] === 'json_schema';
  const { text, calls } = decide(body['tools'], results, form, count(body['messages'], 'image_url'));
  const usage = {
    prompt_tokens: USAGE.input,
    completion_tokens: USAGE.output,
    total_tokens: USAGE.input + USAGE.output,
    prompt_tokens_details: { cached_tokens: USAGE.cached },
    completion_tokens_details: { reasoning_tokens: USAGE.reasoning },
  };
  const toolCalls = calls?.map(({ id, name, json }, index) => ({
    index,
    id,
    type: 'function',
    function: { name, arguments: json },
  }));
  const head = { id: 'chatcmpl-1', created: 1_800_000_000, model: body['model'] };
  const finish = calls === undefined ? 'stop' : 'tool_calls';
  if (body['stream'] !== true) {
    const message = {
      role: 'assistant',
      content: text ?? null,
      reasoning_content: 'Hmm.',
      ...(toolCalls === undefined ? {} : { tool_calls: toolCalls }),
    };
    return send(response, 200, {
      ...head,
      object: 'chat.completion',
      choices: [{ index: 0, message, finish_reason: finish }],
      usage,
    });
  }
  const chunk = (choices: unknown[], more: Json = {}) =>
    `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices, ...more })}\n\n`;
  const delta = (value: Json, reason: string | null = null) =>
    chunk([{ index: 0, delta: value, finish_reason: reason }]);
  let frames = delta({ role: 'assistant', content: '' }) + delta({ reasoning_content: 'Hmm.' });
  for (const piece of text?.match(/.{1,4}/gs) ?? []) frames += delta({ content: piece });
  for (const call of toolCalls ?? []) {
    frames += delta({ tool_calls: [{ ...call, function: { name: call.function.name, arguments: '' } }] });
    for (const piece of call.function.arguments.match(/.{1,5}/gs) ?? [])
      frames += delta({ tool_calls: [{ index: call.index, function: { arguments: piece } }] });
  }
  frames += delta({}, finish) + chunk([], { usage });
  return sendStream(response, `${frames}data: [DONE]\n\n`);
}

// ── Responses ──

function answerResponses(body: Json, response: ServerResponse): void {
  const input = list(body['input']);
  const results = input.filter(({ type }) => type === 'function_call_output').length;
  const thoughts = input.filter(({ type }) => type === 'reasoning');
  if (results > 0 && body['previous_response_id'] == null) {
    const isProven = thoughts.some(
      (item) => item['encrypted_content'] === ENCRYPTED && item['id'] === 'rs_1',
    );
    if (!isProven)
      return send(response, 400, {
        error: { message: 'a function_call came without its reasoning item', type: 'invalid_request_error' },
      });
  }
  const format = ((body['text'] as Json | undefined)?.['format'] as Json | undefined)?.['type'];
  const { text, calls } = decide(
    body['tools'],
    results,
    format === 'json_schema',
    count(input, 'input_image'),
  );
  const output: Json[] = [
    {
      id: 'rs_1',
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: 'Hmm.' }],
      encrypted_content: ENCRYPTED,
    },
    ...(calls ?? []).map(({ id, name, json }, index) => ({
      id: `fc_${index}`,
      type: 'function_call',
      status: 'completed',
      call_id: id,
      name,
      arguments: json,
    })),
    ...(text === undefined
      ? []
      : [
          {
            id: 'msg_1',
            type: 'message',
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
          },
        ]),
  ];
  const whole = (status: string, items: Json[], usage: Json | null): Json => ({
    id: 'resp_1',
    object: 'response',
    created_at: 1_800_000_000,
    status,
    error: null,
    incomplete_details: null,
    model: body['model'],
    output: items,
    parallel_tool_calls: true,
    tools: [],
    tool_choice: 'auto',
    usage,
  });
  const usage = {
    input_tokens: USAGE.input,
    input_tokens_details: { cached_tokens: USAGE.cached },
    output_tokens: USAGE.output,
    output_tokens_details: { reasoning_tokens: USAGE.reasoning },
    total_tokens: USAGE.input + USAGE.output,
  };
  if (body['stream'] !== true) return send(response, 200, whole('completed', output, usage));
  let sequence = 0;
  let frames = '';
  const emit = (type: string, members: Json): void => {
    frames += `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence++, ...members })}\n\n`;
  };
  emit('response.created', { response: whole('in_progress', [], null) });
  emit('response.in_progress', { response: whole('in_progress', [], null) });
  for (const [index, item] of output.entries()) emitItem(item, index, emit);
  emit('response.completed', { response: whole('completed', output, usage) });
  return sendStream(response, frames);
}

function emitItem(item: Json, index: number, emit: (type: string, members: Json) => void): void {
  const place = { item_id: item['id'], output_index: index };
  if (item['type'] === 'reasoning') {
    emit('response.output_item.added', { output_index: index, item: { ...item, summary: [] } });
    emit('response.reasoning_summary_part.added', {
      ...place,
      summary_index: 0,
      part: { type: 'summary_text', text: '' },
    });
    emit('response.reasoning_summary_text.delta', { ...place, summary_index: 0, delta: 'Hmm.' });
    emit('response.reasoning_summary_text.done', { ...place, summary_index: 0, text: 'Hmm.' });
  } else if (item['type'] === 'function_call') {
    emit('response.output_item.added', { output_index: index, item: { ...item, arguments: '' } });
    for (const piece of String(item['arguments']).match(/.{1,5}/gs) ?? [])
      emit('response.function_call_arguments.delta', { ...place, delta: piece });
    emit('response.function_call_arguments.done', { ...place, arguments: item['arguments'] });
  } else {
    const [part] = list(item['content']);
    emit('response.output_item.added', { output_index: index, item: { ...item, content: [] } });
    const empty = { type: 'output_text', text: '', annotations: [], logprobs: [] };
    emit('response.content_part.added', { ...place, content_index: 0, part: empty });
    for (const piece of String(part?.['text']).match(/.{1,4}/gs) ?? [])
      emit('response.output_text.delta', { ...place, content_index: 0, delta: piece, logprobs: [] });
    emit('response.output_text.done', { ...place, content_index: 0, text: part?.['text'], logprobs: [] });
    emit('response.content_part.done', { ...place, content_index: 0, part });
  }
  emit('response.output_item.done', { output_index: index, item });
}

// ── text completions ──

function answerCompletion(body: Json, response: ServerResponse): void {
  const prompts = Array.isArray(body['prompt']) ? body['prompt'].length : 1;
  const head = { id: 'cmpl-1', object: 'text_completion', created: 1_800_000_000, model: body['model'] };
  const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 };
  if (body['stream'] !== true) {
    const choices = Array.from({ length: prompts }, (_, index) => ({
      text: ` continued ${index}`,
      index,
      logprobs: null,
      finish_reason: 'stop',
    }));
    return send(response, 200, { ...head, choices, usage });
  }
  const chunk = (choices: unknown[], more: Json = {}) =>
    `data: ${JSON.stringify({ ...head, choices, ...more })}\n\n`;
  const piece = (text: string, finish: string | null) =>
    chunk([{ text, index: 0, logprobs: null, finish_reason: finish }]);
  return sendStream(
    response,
    `${piece(' con', null)}${piece('tinued', null)}${piece('', 'stop')}${chunk([], { usage })}data: [DONE]\n\n`,
  );
}

function send(response: ServerResponse, status: number, body: Json): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function sendStream(response: ServerResponse, frames: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(frames);
}

/** The refusal of a call that must not succeed. */
export const refusalOf = async (call: Promise<unknown>): Promise<APIError> => {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof APIError)) throw new Error('it was not refused');
  return error;
};
