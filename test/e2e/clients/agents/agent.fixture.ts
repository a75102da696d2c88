import { ChannelCircuitBreaker } from '../../../../server/gateway/channels/state/channel-circuit-breaker.js';
import { startTestApp } from '../../../support/build-test-app.js';
import { GatewayConsole } from '../../../support/gateway-console.js';
import { AWS_KEY } from '../../vendors/check-signature.js';
import { bedrockGrammar } from '../../../support/strict-vendors/bedrock.js';
import { chatGrammar } from '../../../support/strict-vendors/chat.js';
import { geminiGrammar } from '../../../support/strict-vendors/gemini.js';
import { messagesGrammar } from '../../../support/strict-vendors/messages.js';
import { responsesGrammar } from '../../../support/strict-vendors/responses.js';
import type { StrictGrammar } from '../../../support/strict-vendors/strict-grammar.js';
import { StrictVendor, type StoryOf } from '../../../support/strict-vendors/strict-vendor.js';

/** A vendor of the story, and the channel to it. */
interface Vendor {
  readonly type: number;
  readonly model: string;
  readonly grammar: StrictGrammar;
  readonly paths: readonly string[];
  readonly key?: string;
}

const BEDROCK_MODEL = 'anthropic.claude-sonnet-4-5-20250929-v1:0';
const GEMINI_MODEL = 'gemini-3-pro-preview';
const atBedrock = (way: string): string => `/model/${encodeURIComponent(BEDROCK_MODEL)}/${way}`;

const VENDORS = {
  chat: {
    type: 1,
    model: 'gpt-5.2',
    grammar: chatGrammar(false),
    paths: ['/v1/chat/completions'],
  },
  /** An OpenAI-compatible provider that reports its thoughts. */
  thinker: {
    type: 1,
    model: 'qwq-plus',
    grammar: chatGrammar(true),
    paths: ['/v1/chat/completions'],
  },
  responses: { type: 1, model: 'gpt-5.3-codex', grammar: responsesGrammar, paths: ['/v1/responses'] },
  messages: { type: 14, model: 'claude-sonnet-4-5', grammar: messagesGrammar, paths: ['/v1/messages'] },
  gemini: {
    type: 24,
    model: GEMINI_MODEL,
    grammar: geminiGrammar,
    paths: ['generateContent', 'streamGenerateContent'].map((way) => `/v1beta/models/${GEMINI_MODEL}:${way}`),
    key: 'AIzaUpstreamKey0000',
  },
  bedrock: {
    type: 33,
    model: BEDROCK_MODEL,
    grammar: bedrockGrammar,
    paths: ['converse', 'converse-stream', 'invoke', 'invoke-with-response-stream'].map(atBedrock),
    key: AWS_KEY,
  },
} as const satisfies Readonly<Record<string, Vendor>>;

export type FormatName = keyof typeof VENDORS;
export const API_FORMATS = Object.keys(VENDORS) as FormatName[];
export const pathsOf = (apiFormat: FormatName): readonly string[] => VENDORS[apiFormat].paths;
export const modelOf = (apiFormat: FormatName): string => VENDORS[apiFormat].model;

/** The gateway in this process, before a strict vendor of every format. */
export interface AgentFixture {
  readonly url: string;
  readonly key: string;
  readonly admin: GatewayConsole;
  /** Ends the rest a channel takes after failures. */
  wake(channelId: number): void;
  readonly vendors: Readonly<Record<FormatName, StrictVendor>>;
  close(): Promise<void>;
}

/** @param storyOf  story the vendors play; by default the agent's */
export async function openAgentFixture(storyOf?: StoryOf): Promise<AgentFixture> {
  const started = await Promise.all(
    API_FORMATS.map(async (apiFormat) => {
      const { grammar, paths } = VENDORS[apiFormat];
      return [apiFormat, await StrictVendor.start(grammar, paths, storyOf)] as const;
    }),
  );
  const vendors = Object.fromEntries(started) as Record<FormatName, StrictVendor>;
  const app = await startTestApp();
  const close = async (): Promise<void> => {
    await app.close();
    await Promise.all(started.map(([, vendor]) => vendor.vendor.close()));
  };
  const admin = new GatewayConsole(app.url);
  try {
    await admin.setUp();
    const models = API_FORMATS.map(modelOf);
    const each = (value: number) => Object.fromEntries(models.map((model) => [model, value]));
    await admin.setOptions({
      ModelRatio: each(1),
      CompletionRatio: each(2),
      CacheRatio: each(0.1),
      CreateCacheRatio: each(1.25),
      RetryTimes: 0,
    });
    for (const apiFormat of API_FORMATS) await addVendor(admin, apiFormat, vendors[apiFormat].url);
  } catch (fault) {
    await close();
    throw fault;
  }
  const { key } = await admin.addToken();
  return {
    url: app.url,
    key,
    admin,
    vendors,
    wake: (channelId) => app.app.get(ChannelCircuitBreaker, { strict: false }).forget(channelId),
    close,
  };
}

/** One more channel to a vendor of that format. */
export function addVendor(
  admin: GatewayConsole,
  apiFormat: FormatName,
  url: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<number> {
  const vendor: Vendor = VENDORS[apiFormat];
  return admin.addChannel({
    type: vendor.type,
    base_url: url,
    models: [vendor.model],
    ...(vendor.key === undefined ? {} : { key: vendor.key }),
    ...(apiFormat === 'bedrock' ? { other: 'none' } : {}),
    ...more,
  });
}
