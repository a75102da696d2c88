import { describe, expect, it } from '@jest/globals';
import { findOperation, type Provider } from '../../server/relay-core/providers/provider.js';
import { PROVIDERS } from '../../server/relay-core/providers/registry.js';
import type { Route } from '../../server/relay-core/ports/channel-picker.js';
import { callCore, apiNamed, type ChatApi } from '../support/core-calls.js';
import { MemoryPorts, someOptions } from '../support/memory-ports.js';
import { RULES } from '../support/refusing-vendors.js';
import { aProviderCall } from '../support/relay-calls.js';
import type { Json } from '../support/strict-vendors/story.js';
import { answerBytes } from './matrix-answers.js';
import { routesOf } from './matrix-cells.js';

const LONG_USER = JSON.stringify({ device_id: 'd'.repeat(64), account_uuid: '', session_id: 's'.repeat(36) });
const CAP = 321;
const TOOL = { type: 'object', properties: {} };
const CHAT_TOOLS = [{ type: 'function', function: { name: 'f', parameters: TOOL } }];
const CHAT_CALL = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } };
const user = { role: 'user', content: 'q' };

/** Requests of each client API, by what they ask beyond a question. */
const ASKED: Readonly<Record<string, Readonly<Record<string, Json>>>> = {
  chat: {
    instructions: {
      messages: [
        { role: 'system', content: 'A' },
        { role: 'developer', content: 'B' },
        user,
        { role: 'assistant', content: 'a' },
        { role: 'system', content: 'C' },
        user,
      ],
    },
    developer: { messages: [{ role: 'developer', content: 'B' }, user] },
    'a user of 142 letters': { messages: [user], user: LONG_USER },
    'a short user': { messages: [user], user: 'ab' },
    'a cap': { messages: [user], max_completion_tokens: CAP },
    effort: { messages: [user], reasoning_effort: 'high' },
    thinking: { messages: [user], thinking: { type: 'enabled' }, enable_thinking: true },
    'a round of tools': {
      messages: [
        user,
        { role: 'assistant', content: null, reasoning_content: 'Hm.', tool_calls: [CHAT_CALL] },
        { role: 'tool', tool_call_id: 'call_1', content: 'r' },
      ],
      tools: CHAT_TOOLS,
      tool_choice: 'required',
    },
  },
  responses: {
    instructions: {
      instructions: 'A',
      input: [
        { role: 'developer', content: 'B' },
        user,
        { role: 'assistant', content: 'a' },
        { role: 'system', content: 'C' },
        user,
      ],
    },
    developer: { input: [{ role: 'developer', content: [{ type: 'input_text', text: 'B' }] }, user] },
    'a user of 142 letters': { input: 'q', user: LONG_USER },
    'a cap': { input: 'q', max_output_tokens: CAP },
    effort: { input: 'q', reasoning: { effort: 'high' } },
    'a round of tools': {
      input: [
        user,
        { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm.' }] },
        { type: 'function_call', call_id: 'call_1', name: 'f', arguments: '{}' },
        { type: 'function_call_output', call_id: 'call_1', output: 'r' },
      ],
      tools: [{ type: 'function', name: 'f', parameters: TOOL }],
      tool_choice: 'required',
    },
  },
  messages: {
    instructions: {
      system: [{ type: 'text', text: 'A', cache_control: { type: 'ephemeral' } }],
      messages: [user, { role: 'assistant', content: 'a' }, { role: 'system', content: 'C' }, user],
    },
    'a user of 142 letters': { messages: [user], metadata: { user_id: LONG_USER }, system: 'A' },
    'a cap': { messages: [user], max_tokens: CAP, system: 'A' },
    effort: { messages: [user], output_config: { effort: 'high' }, system: 'A' },
    thinking: {
      messages: [user],
      thinking: { type: 'enabled', budget_tokens: 1024 },
      max_tokens: 4096,
      system: 'A',
    },
    'a round of tools': {
      system: 'A',
      messages: [
        user,
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm.', signature: 'sig' },
            { type: 'tool_use', id: 'call_1', name: 'f', input: {} },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'r' }] },
      ],
      tools: [{ name: 'f', input_schema: TOOL }],
      tool_choice: { type: 'any' },
    },
  },
  gemini: {
    instructions: { systemInstruction: { parts: [{ text: 'A' }] } },
    'a cap': { generationConfig: { maxOutputTokens: CAP } },
    thinking: { generationConfig: { thinkingConfig: { thinkingBudget: 1024 } } },
  },
};

const FRONTS: Readonly<Record<string, string>> = {
  chat: 'openai-chat',
  responses: 'openai-responses',
  messages: 'anthropic-messages',
  gemini: 'gemini-generate',
};

/** Bots, applications and models that continue a text take no tools. */
const NO_TOOLS = /^(?:dify-|coze-chat|library-chat)/;
const MODELS = ['some-model', 'qwen3-8b', 'MiniMax-M3', 'glm-4.7', 'deepseek-v4-pro'];

interface Channel {
  readonly type: number;
  readonly provider: Provider;
  readonly route: Route;
  readonly isOpenai: boolean;
}

const CHANNELS: readonly Channel[] = PROVIDERS.flatMap((provider) => {
  if (provider.operations.chat === undefined) return [];
  const routes = routesOf(provider).filter(({ upstreamModel }) => upstreamModel === 'gpt-test');
  const hosts = provider.id === 'openai' ? ['', 'https://vllm.example'] : [undefined];
  return provider.channelTypes.flatMap(({ code: type }) =>
    routes.flatMap((route) =>
      hosts.map((host) => ({
        type,
        provider,
        route: { ...route, channelType: type, ...(host === undefined ? {} : { baseUrl: host }) },
        isOpenai: provider.id === 'azure' || (provider.id === 'openai' && host === ''),
      })),
    ),
  );
});

/** The vendor's refusal, or the client's error; empty = the call was answered. */
async function ask(
  { type, provider, route, isOpenai }: Channel,
  api: ChatApi,
  asked: Json,
  stream: boolean,
  model: string,
): Promise<{ readonly refusal: string; readonly sent: Json | undefined }> {
  const clientFormat = FRONTS[api.name] ?? '';
  const body = { ...api.body(stream), ...asked };
  const channel = { ...route, upstreamModel: model, isModelMapped: true };
  const members = new Set(Object.keys(body));
  const served = findOperation(provider, 'chat', aProviderCall({ route: channel, clientFormat, members }));
  const format = served?.apiFormat.id ?? '';
  if (served === undefined || format === 'openai-completions') return { refusal: '', sent: undefined };
  if (NO_TOOLS.test(format) && 'tools' in asked) return { refusal: '', sent: undefined };
  const ports = new MemoryPorts();
  ports.options.value = someOptions({ retryTimes: 0 });
  let refusal = '';
  let sent: Json | undefined;
  const reply = await callCore(ports, {
    dialect: api.dialect,
    path: stream ? api.path.replace('::generate', '::streamGenerate') : api.path,
    pathModel: api.pathModel,
    query: stream ? api.query : '',
    body,
    route: channel,
    script: (exchange) => {
      sent = exchange.body;
      const call = { type, model, isOpenai, body: exchange.body };
      refusal = Object.values(RULES)
        .flatMap((rule) => rule(call) ?? [])
        .join('; ');
      if (refusal === '') {
        const isInvoked = stream && exchange.request.url.includes('/invoke');
        const { type: contentType, body: bytes } = answerBytes(format, stream, isInvoked);
        exchange.head(200, { 'content-type': contentType }).bytes(bytes).end();
      } else
        exchange
          .head(400, { 'content-type': 'application/json' })
          .bytes(JSON.stringify({ error: { message: refusal } }))
          .end();
    },
  });
  return { refusal: reply.status === 200 ? refusal : `${reply.status} ${refusal} ${reply.text}`, sent };
}

/** Every member with the cap of an answer, at any depth. */
const capsIn = (sent: Json): readonly unknown[] =>
  Object.entries(sent).flatMap(([name, value]) => {
    if (/^(?:max_?(?:completion_|output_)?_?tokens|num_predict|maxOutputTokens|maxTokens)$/i.test(name))
      return [value];
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? capsIn(value as Json) : [];
  });

describe('a vendor that refuses what it does not take', () => {
  it.each(CHANNELS.map((channel) => [`${channel.type} ${channel.route.baseUrl}`, channel] as const))(
    'answers every client of channel type %s',
    async (_name, channel) => {
      const refused: string[] = [];
      for (const [name, inputs] of Object.entries(ASKED))
        for (const [input, asked] of Object.entries(inputs))
          for (const stream of [false, true])
            for (const model of MODELS) {
              const { refusal, sent } = await ask(channel, apiNamed(name), asked, stream, model);
              const cell = `${name}, ${input}, ${model}${stream ? ', streamed' : ''}`;
              if (refusal !== '') refused.push(`${cell}: ${refusal}`);
              if (
                input === 'a cap' &&
                sent !== undefined &&
                !capsIn(sent).includes(CAP) &&
                !NO_CAP.has(channel.type)
              )
                refused.push(`${cell}: the cap is gone`);
            }
      expect(refused).toEqual([]);
    },
  );
});

/** Bots and applications have a cap of their own. */
const NO_CAP: ReadonlySet<number> = new Set([21, 23, 37, 49]);
