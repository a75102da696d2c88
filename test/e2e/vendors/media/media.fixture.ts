import OpenAI, { APIError } from 'openai';
import { GatewayConsole } from '../../../support/gateway-console.js';
import { startTestApp, type TestApp } from '../../../support/build-test-app.js';
import { ScriptedVendor } from './scripted-vendor.js';

/** The gateway in this process, a scripted vendor behind it and the official client in front. */
export interface MediaFixture {
  readonly app: TestApp;
  readonly vendor: ScriptedVendor;
  readonly admin: GatewayConsole;
  readonly client: OpenAI;
  readonly key: string;
  /** Charge of a call to its owner, whatever it answers. */
  chargeOf(call: () => Promise<unknown>): Promise<number>;
  close(): Promise<void>;
}

/** Prices: ratio 1 everywhere, so that a token costs one unit of quota; images $0.04 = 20,000. */
export const MEDIA_PRICES = {
  ModelRatio: {
    'gpt-image-1': 1,
    'gpt-4o-transcribe': 1,
    'whisper-1': 1,
    'tts-1': 1,
    'gpt-4o-mini-tts': 1,
    'omni-moderation-latest': 1,
    'dall-e-2': 1,
    'gpt-realtime': 1,
  },
  CompletionRatio: { 'gpt-image-1': 8, 'gpt-4o-transcribe': 4, 'tts-1': 0, 'gpt-realtime': 4 },
  ImageRatio: { 'gpt-image-1': 2 },
  AudioRatio: { 'gpt-4o-transcribe': 3, 'gpt-4o-mini-tts': 1, 'gpt-realtime': 8 },
  AudioCompletionRatio: { 'gpt-4o-mini-tts': 20, 'gpt-realtime': 2 },
  CacheRatio: { 'gpt-realtime': 0.1 },
  ModelPrice: { 'dall-e-3': 0.04, 'qwen-image': 0.04, 'wan2.2-t2i': 0.04, kolors: 0.04 },
};

export async function openMediaFixture(
  channels: readonly (Record<string, unknown> & { readonly models: readonly string[] })[],
): Promise<MediaFixture> {
  const vendor = await ScriptedVendor.start();
  const app = await startTestApp();
  const admin = new GatewayConsole(app.url);
  await admin.setUp();
  await admin.setOptions(MEDIA_PRICES);
  for (const channel of channels) await admin.addChannel({ base_url: vendor.url, ...channel });
  const { key } = await admin.addToken();
  return {
    app,
    vendor,
    admin,
    key,
    client: new OpenAI({ apiKey: key, baseURL: `${app.url}/v1`, maxRetries: 0 }),
    chargeOf: async (call) => {
      const before = await admin.balance();
      await call();
      const after = await admin.waitFor(
        () => admin.balance(),
        (balance) => balance !== before,
      );
      return before - after;
    },
    close: async () => {
      await app.close();
      await vendor.close();
    },
  };
}

/** Why the official client was refused. Fails: when it was answered. */
export async function refusalOf(call: Promise<unknown>): Promise<APIError> {
  const error: unknown = await call.then(
    () => undefined,
    (fault: unknown) => fault,
  );
  if (!(error instanceof APIError)) throw new Error('the call was answered');
  return error;
}
