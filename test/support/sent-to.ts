import { expect } from '@jest/globals';
import type { Route } from '../../server/relay-core/ports/channel-picker.js';
import { apiNamed, callCore } from './core-calls.js';
import { MemoryPorts, someOptions } from './memory-ports.js';
import type { Json } from './strict-vendors/story.js';

/** The body that reaches a channel of a type, and the names in the header of the answer. */
export async function sentTo(
  type: number,
  api: string,
  asked: Json,
  more: Partial<Route> & {
    readonly answer?: Json;
    readonly headers?: Readonly<Record<string, string>>;
    /** Base64 of the files that can be fetched, by address. */
    readonly files?: Readonly<Record<string, string>>;
    readonly status?: number;
  } = {},
): Promise<{
  readonly body: Json;
  readonly text: string;
  readonly warnings: string;
  readonly reply: string;
  readonly headers: Readonly<Record<string, string>>;
}> {
  const { dialect, path, pathModel, body } = apiNamed(api);
  const { answer = ANSWER, headers = {}, files = {}, status = 200, ...route } = more;
  const ports = new MemoryPorts();
  ports.options.value = someOptions({ retryTimes: 0 });
  for (const [url, base64] of Object.entries(files))
    ports.media.files.set(url, { base64, mediaType: 'image/png' });
  let sent = '{}';
  let sentHeaders: Readonly<Record<string, string>> = {};
  const reply = await callCore(ports, {
    dialect,
    path,
    pathModel,
    headers,
    body: { ...body(false), ...asked },
    route: {
      channelType: type,
      baseUrl: 'https://vendor.example',
      upstreamModel: 'some-model',
      isModelMapped: true,
      ...route,
    },
    script: (exchange) => {
      sent = exchange.request.body?.toString() ?? '';
      sentHeaders = exchange.request.headers;
      exchange.head(200, { 'content-type': 'application/json' }).bytes(JSON.stringify(answer)).end();
    },
  });
  expect(reply.status).toBe(status);
  const warnings = String(reply.headers['x-tollgate-warnings'] ?? '');
  return { body: JSON.parse(sent) as Json, text: sent, warnings, reply: reply.text, headers: sentHeaders };
}

export const ANSWER: Json = {
  id: 'x',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
};
export const RESPONSE: Json = {
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  model: 'm',
  status: 'completed',
  output: [
    {
      type: 'message',
      id: 'm',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'Hi', annotations: [] }],
    },
  ],
  usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
};
export const MESSAGE: Json = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [{ type: 'text', text: 'Hi' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 1, output_tokens: 1 },
};
