import { GoogleGenAI } from '@google/genai';
import OpenAI from 'openai';
import { startTestApp, type TestApp } from '../../../support/build-test-app.js';
import { GatewayConsole } from '../../../support/gateway-console.js';
import { ScriptedGoogle } from './scripted-google.js';

/** The gateway in this process, a scripted vendor behind it and the official clients in front. */
export interface GeminiFixture {
  readonly app: TestApp;
  readonly vendor: ScriptedGoogle;
  readonly admin: GatewayConsole;
  readonly clients: Clients;
  /** Charge of calls to an owner of their own, whatever they answer: the last one's charge has to be the last to come. */
  chargeOf(call: (clients: Clients) => Promise<unknown>): Promise<number>;
  close(): Promise<void>;
}

/** The official clients of one account. */
export interface Clients {
  readonly google: GoogleGenAI;
  readonly openai: OpenAI;
  readonly key: string;
}

const QUOTA = 1_000_000;

/** Ratio 1 everywhere, so that a token costs one unit; output twice, cached a tenth, audio threefold, images fivefold. */
export const pricesOf = (models: readonly string[]): Readonly<Record<string, unknown>> => {
  const all = (value: number): Readonly<Record<string, number>> =>
    Object.fromEntries(models.map((model) => [model, value]));
  return {
    ModelRatio: all(1),
    CompletionRatio: all(2),
    CacheRatio: all(0.1),
    AudioRatio: all(3),
    ImageRatio: all(5),
  };
};

export async function openGeminiFixture(
  channels: readonly (Record<string, unknown> & { readonly models: readonly string[] })[],
  options: Readonly<Record<string, unknown>> = {},
): Promise<GeminiFixture> {
  const vendor = await ScriptedGoogle.start();
  const app = await startTestApp();
  const close = async (): Promise<void> => {
    await app.close();
    await vendor.close();
  };
  const admin = new GatewayConsole(app.url);
  try {
    await admin.setUp();
    await admin.setOptions({ ...pricesOf(channels.flatMap(({ models }) => models)), ...options });
    for (const channel of channels) await admin.addChannel({ base_url: vendor.url, ...channel });
  } catch (fault) {
    await close();
    throw fault;
  }
  const clientsOf = async (owner: GatewayConsole): Promise<Clients> => {
    const { key } = await owner.addToken();
    const httpOptions = { baseUrl: app.url, retryOptions: { attempts: 1 } };
    return {
      key,
      google: new GoogleGenAI({ apiKey: key, httpOptions }),
      openai: new OpenAI({ apiKey: key, baseURL: `${app.url}/v1`, maxRetries: 0 }),
    };
  };
  let users = 0;
  return {
    app,
    vendor,
    admin,
    clients: await clientsOf(admin),
    chargeOf: async (call) => {
      const owner = await admin.addUser(`owner${(users += 1)}`, QUOTA);
      await call(await clientsOf(owner));
      const after = await admin.waitFor(
        () => owner.balance(),
        (balance) => balance !== QUOTA,
      );
      return QUOTA - after;
    },
    close,
  };
}
