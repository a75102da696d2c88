import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { startTestApp, type TestApp } from '../../../support/build-test-app.js';
import { GatewayConsole } from '../../../support/gateway-console.js';
import { ScriptedVendor } from '../../vendors/media/scripted-vendor.js';
import { ClaudeVendor } from './claude-vendor.js';

export interface Clients {
  readonly anthropic: Anthropic;
  readonly openai: OpenAI;
}

/** The gateway in this process between the official clients and scripted vendors of both families. */
export interface AnthropicFixture extends Clients {
  readonly app: TestApp;
  readonly admin: GatewayConsole;
  readonly claude: ClaudeVendor;
  readonly gpt: ScriptedVendor;
  readonly key: string;
  /** Charge of a call made with the given clients: their key is used for nothing else. */
  chargeOf(call: (clients: Clients) => Promise<unknown>): Promise<number>;
  close(): Promise<void>;
}

export const CLAUDE_MODELS = ['sonnet', 'sonnet-thinking', 'claude-opus-4-8', 'claude-opus-4-8-low'] as const;

/** Ratio 1: a token is one unit of quota. Output costs 5, cache reads 0.1, writes 1.25 (2 for an hour). */
const PRICES = {
  ModelRatio: Object.fromEntries([...CLAUDE_MODELS, 'gpt-x'].map((model) => [model, 1])),
  CompletionRatio: Object.fromEntries([...CLAUDE_MODELS, 'gpt-x'].map((model) => [model, 5])),
  CacheRatio: Object.fromEntries([...CLAUDE_MODELS, 'gpt-x'].map((model) => [model, 0.1])),
  CreateCacheRatio: Object.fromEntries([...CLAUDE_MODELS, 'gpt-x'].map((model) => [model, 1.25])),
};

export async function openAnthropicFixture(): Promise<AnthropicFixture> {
  const claude = new ClaudeVendor(await ScriptedVendor.start());
  const gpt = await ScriptedVendor.start();
  const app = await startTestApp();
  const admin = new GatewayConsole(app.url);
  await admin.setUp();
  await admin.setOptions(PRICES);
  await admin.addChannel({
    type: 14,
    base_url: claude.vendor.url,
    key: 'sk-ant-upstream-key',
    models: CLAUDE_MODELS,
    model_mapping: JSON.stringify({
      sonnet: 'claude-sonnet-4-5',
      'sonnet-thinking': 'claude-sonnet-4-5-thinking',
    }),
  });
  await admin.addChannel({ base_url: gpt.url, models: ['gpt-x'] });
  const { key } = await admin.addToken();
  const clientsOf = (apiKey: string): Clients => ({
    anthropic: new Anthropic({ apiKey, baseURL: app.url, maxRetries: 0 }),
    openai: new OpenAI({ apiKey, baseURL: `${app.url}/v1`, maxRetries: 0 }),
  });
  return {
    ...clientsOf(key),
    app,
    admin,
    claude,
    gpt,
    key,
    chargeOf: async (call) => {
      const token = await admin.addToken();
      await call(clientsOf(token.key));
      const used = async (): Promise<number> =>
        (await admin.send<{ used_quota: number }>('GET', `/api/token/${token.id}`)).used_quota;
      return admin.waitFor(used, (quota) => quota > 0);
    },
    close: async () => {
      await app.close();
      await Promise.all([claude.vendor.close(), gpt.close()]);
    },
  };
}
