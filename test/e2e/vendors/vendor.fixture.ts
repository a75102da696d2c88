import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { checkMoney } from '../../../server/base/billing/checks/check-money.js';
import { startTestApp, type TestApp } from '../../support/build-test-app.js';
import { GatewayConsole, missing } from '../../support/gateway-console.js';
import { VendorServer } from './vendor-server.js';

/** Charge as a log line shows it. */
export interface Charge {
  readonly quota: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly other: string;
}

/** A gateway in this process, one scripted vendor, and clients. Ratio 1, completions cost double, cache reads a tenth. */
export class VendorFixture {
  private constructor(
    private readonly app: TestApp,
    readonly admin: GatewayConsole,
    readonly vendor: VendorServer,
    readonly key: string,
  ) {}

  static async start(
    channels: readonly (Readonly<Record<string, unknown>> & { models: readonly string[] })[],
  ): Promise<VendorFixture> {
    const vendor = await VendorServer.start();
    const app = await startTestApp();
    const admin = new GatewayConsole(app.url);
    await admin.setUp();
    const models = channels.flatMap((channel) => channel.models);
    const each = (value: number) => Object.fromEntries(models.map((model) => [model, value]));
    await admin.setOptions({
      ModelRatio: each(1),
      CompletionRatio: each(2),
      CacheRatio: each(0.1),
      RetryTimes: 0,
      ModelPrice: { 'rerank-by-search': 0.002 },
    });
    for (const channel of channels) await admin.addChannel({ base_url: vendor.url, ...channel });
    const { key } = await admin.addToken();
    return new VendorFixture(app, admin, vendor, key);
  }

  get url(): string {
    return this.app.url;
  }

  get openai(): OpenAI {
    return new OpenAI({ apiKey: this.key, baseURL: `${this.app.url}/v1`, maxRetries: 0 });
  }

  get anthropic(): Anthropic {
    return new Anthropic({ apiKey: this.key, baseURL: this.app.url, maxRetries: 0 });
  }

  post(path: string, body: unknown): Promise<Response> {
    return fetch(`${this.app.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${this.key}` },
      body: JSON.stringify(body),
    });
  }

  /** The charges of a model as far as they are booked, newest first. */
  async charges(model: string): Promise<readonly Charge[]> {
    const { items } = await this.admin.send<{ items: readonly Charge[] }>(
      'GET',
      `/api/log/?p=1&page_size=100&type=2&model_name=${encodeURIComponent(model)}`,
    );
    return items;
  }

  /** The newest charge of a model, once there are `count` of them. */
  async chargeOf(model: string, count = 1): Promise<Charge> {
    const lines = await this.admin.waitFor(
      () => this.charges(model),
      ({ length }) => length >= count,
    );
    return lines.at(0) ?? missing();
  }

  /** Findings of `npm run money:check`. */
  wrongBooks(): Promise<readonly unknown[]> {
    return checkMoney(this.app.dataSource, { isQuiet: false });
  }

  async stop(): Promise<void> {
    await this.app.close();
    await this.vendor.close();
  }
}
