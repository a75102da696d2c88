import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { PRESETS } from '../../server/relay-core/providers/presets/presets.js';
import { findOperation } from '../../server/relay-core/providers/provider.js';
import { PROVIDERS } from '../../server/relay-core/providers/registry.js';
import type { Route } from '../../server/relay-core/ports/channel-picker.js';
import { carry, CHAT_APIS, CHAT_FORMATS } from '../support/chat-formats.js';
import { apiNamed, callCore } from '../support/core-calls.js';
import { aRoute, MemoryPorts, someOptions } from '../support/memory-ports.js';
import { AGENT_REFUSALS } from '../support/refusing-agents.js';
import { RULES } from '../support/refusing-vendors.js';
import { aProviderCall } from '../support/relay-calls.js';
import type { Json } from '../support/strict-vendors/story.js';
import { answerBytes } from './matrix-answers.js';
import { routesOf } from './matrix-cells.js';

/** A request that an agent sent, its long texts shortened, with the result of a tool in it. */
interface Recorded {
  readonly client: string;
  readonly api: string;
  readonly stream: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json;
}

const FOLDER = join(import.meta.dirname, 'recorded-agents');
const RECORDED = readdirSync(FOLDER).map(
  (file) => JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Recorded,
);
const FORMATS: Readonly<Record<string, string>> = {
  chat: 'openai-chat',
  responses: 'openai-responses',
  messages: 'anthropic-messages',
  gemini: 'gemini-generate',
};

/** A recorded request as its agent would send it to another client API; undefined = that API has no place for it. */
function inApi(recorded: Recorded, name: string, format: string): Recorded | undefined {
  const from = CHAT_APIS.find(({ id }) => id === FORMATS[recorded.api]);
  const to = CHAT_FORMATS.find(({ id }) => id === format);
  if (from === undefined || to === undefined) throw new Error(`no format is called ${format}`);
  const carried = carry(from, to, { ...recorded.body, model: 'gpt-test' });
  if ('refusal' in carried) return undefined;
  // A cloud that sells Claude has both in its address.
  const { anthropic_version: _version, ...rest } = carried.body;
  const body = name === 'gemini' ? rest : { ...rest, model: 'gpt-test', stream: recorded.stream };
  return { ...recorded, api: name, headers: {}, body };
}
const REWRITTEN = RECORDED.flatMap((recorded) =>
  Object.entries(FORMATS).flatMap(([name, format]) =>
    name === recorded.api ? [] : (inApi(recorded, name, format) ?? []),
  ),
);

const MODELS = ['some-model', 'claude-haiku-4-5', 'mistral-small-4', 'deepseek-v4-pro'];
/** Models that rewritten requests are tried with: a plain one, and one with rules of its own. */
const MODELS_REWRITTEN = ['some-model', 'deepseek-v4-pro'];
/** Bots and applications, and models that continue a text, take no tools. */
const NO_TOOLS = /^(?:dify-|coze-chat|library-chat|openai-completions)/;

interface Channel {
  readonly name: number | string;
  readonly route: Route;
  readonly isOpenai: boolean;
}

const OF_TYPES: readonly Channel[] = PROVIDERS.flatMap((provider) =>
  provider.operations.chat === undefined
    ? []
    : provider.channelTypes.flatMap(({ code }) =>
        routesOf(provider)
          .filter(({ upstreamModel }) => upstreamModel === 'gpt-test')
          .map((route) => ({
            name: code,
            route: { ...route, channelType: code },
            isOpenai: provider.id === 'openai' || provider.id === 'azure',
          })),
      ),
);
const OF_PRESETS: readonly Channel[] = PRESETS.map(({ id, type, baseUrl, paths }) => ({
  name: id,
  isOpenai: false,
  route: aRoute({
    channelType: type,
    baseUrl: baseUrl === '' ? 'https://own.example/v1/chat/completions' : baseUrl,
    settings: { vendor: { preset: id, ...paths } },
  }),
}));

/** Vendors ask for the thoughts that a client got from them; these histories come from other vendors, and most hold none. */
const { 'thoughts of the round': _thoughts, ...VENDOR_RULES } = RULES;

/** Models of Baidu's older interface see no images, which the gateway says before anything is sent. */
const takesImages = ({ name }: Channel): boolean => name !== 15;
const HOLDS_IMAGE = /"(?:input_image|image_url|inlineData)"|"type":"image"/;

let cells = 0;

/** Refusals of a vendor, or the error that a client got; empty = the call was answered. */
async function refusalOf(channel: Channel, recorded: Recorded, model: string): Promise<string> {
  const { api: name, stream, headers, body } = recorded;
  const api = apiNamed(name);
  const route = { ...channel.route, upstreamModel: model, isModelMapped: true };
  const provider = PROVIDERS.find(({ channelTypes }) =>
    channelTypes.some(({ code }) => code === route.channelType),
  );
  const asked = aProviderCall({
    route,
    clientFormat: FORMATS[name] ?? '',
    members: new Set(Object.keys(body)),
  });
  const format = provider === undefined ? '' : (findOperation(provider, 'chat', asked)?.apiFormat.id ?? '');
  if (format === '' || NO_TOOLS.test(format)) return '';
  if (!takesImages(channel) && HOLDS_IMAGE.test(JSON.stringify(body))) return '';
  cells += 1;
  const ports = new MemoryPorts();
  ports.options.value = someOptions({ retryTimes: 0 });
  let refusal = '';
  const reply = await callCore(ports, {
    dialect: api.dialect,
    path: stream ? api.path.replace('::generate', '::streamGenerate') : api.path,
    pathModel: api.pathModel,
    query: stream ? api.query : '',
    headers,
    body: { ...body, ...(body['model'] === undefined ? {} : { model: 'gpt-test' }) },
    route,
    script: (exchange) => {
      const type = route.channelType;
      const call = { type, model, isOpenai: channel.isOpenai, body: exchange.body };
      const sent = {
        channel: channel.name,
        format,
        model,
        headers: exchange.request.headers,
        body: exchange.body,
      };
      refusal = [
        ...Object.values(VENDOR_RULES).map((rule) => rule(call)),
        ...Object.values(AGENT_REFUSALS).map((rule) => rule(sent)),
      ]
        .filter((one) => one !== undefined)
        .join('; ');
      if (refusal !== '')
        return void exchange
          .head(400, { 'content-type': 'application/json' })
          .bytes(JSON.stringify({ error: { message: refusal } }))
          .end();
      const { type: contentType, body: bytes } = answerBytes(
        format,
        stream,
        exchange.request.url.includes('/invoke'),
      );
      exchange.head(200, { 'content-type': contentType }).bytes(bytes).end();
    },
  });
  return reply.status === 200 ? '' : `${reply.status} ${refusal === '' ? reply.text.slice(0, 300) : refusal}`;
}

describe('requests of agents as they were recorded', () => {
  it('come from nine clients, over all client APIs', () => {
    expect(RECORDED.map(({ client }) => client).toSorted()).toEqual([
      'claude-code',
      'cline-cli',
      'codex',
      'gemini-cli',
      'langchain',
      'openai-agents',
      'opencode',
      'pydantic-ai',
      'qwen-code',
    ]);
    expect(new Set(RECORDED.map(({ api }) => api)).size).toBe(Object.keys(FORMATS).length);
    // Each of them in each API.
    for (const name of Object.keys(FORMATS)) {
      const clients = [...RECORDED, ...REWRITTEN].filter(({ api }) => api === name);
      expect(clients.map(({ client }) => client).toSorted()).toEqual(
        RECORDED.map(({ client }) => client).toSorted(),
      );
    }
  });

  it.each([...OF_TYPES, ...OF_PRESETS].map((channel, at) => [channel.name, at, channel] as const))(
    'pass at every vendor: channel %s (%i)',
    async (_name, _at, channel) => {
      const refused: string[] = [];
      for (const recorded of RECORDED)
        for (const model of MODELS) {
          const refusal = await refusalOf(channel, recorded, model);
          if (refusal !== '') refused.push(`${recorded.client}, ${model}: ${refusal}`);
        }
      for (const recorded of REWRITTEN)
        for (const model of MODELS_REWRITTEN) {
          const refusal = await refusalOf(channel, recorded, model);
          if (refusal !== '') refused.push(`${recorded.client} by ${recorded.api}, ${model}: ${refusal}`);
        }
      expect(refused).toEqual([]);
    },
  );

  afterAll(() => {
    process.stdout.write(`recorded requests of agents: ${cells} cells\n`);
  });
});
