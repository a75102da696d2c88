import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkMoney } from '../../../../server/base/billing/checks/check-money.js';
import { startTestApp, type TestApp } from '../../../support/build-test-app.js';
import { FX_PRICES, GatewayConsole } from '../../../support/gateway-console.js';
import { RealtimeClient } from './realtime-client.js';
import { say, ScriptedRealtime } from './scripted-realtime.js';

const MODEL = 'gpt-realtime';
const AMOUNT = 100_000;
/** Each response costs so much, and has nearly as many tokens. */
const INPUT_TOKENS = 9_000;
const CREATE = { type: 'response.create' };

let app: TestApp;
let vendor: ScriptedRealtime;
let admin: GatewayConsole;

beforeAll(async () => {
  vendor = await ScriptedRealtime.start();
  app = await startTestApp();
  admin = new GatewayConsole(app.url);
  await admin.setUp();
  await admin.setOptions(FX_PRICES([MODEL]));
  await admin.addChannel({ base_url: vendor.url, models: [MODEL] });
  vendor.script = (session, { type }) => {
    if (type !== 'response.create') return;
    const id = `r${session.frames.length}`;
    say(session, { type: 'response.created', response: { id } });
    const usage = { input_tokens: INPUT_TOKENS, output_tokens: 10, total_tokens: INPUT_TOKENS + 10 };
    say(session, { type: 'response.done', response: { id, status: 'completed', output: [], usage } });
  };
});
afterAll(async () => {
  expect(await checkMoney(app.dataSource)).toEqual([]);
  await app?.close();
  await vendor?.close();
});

describe.each(['quota', 'tokens'])('a session at a limit of %s a day', (measure) => {
  it('stays open when a response is refused, and goes on after a raise', async () => {
    const { id, key } = await admin.addToken();
    const limitId = await admin.send<number>('POST', '/api/limits', {
      name: `${measure} of a session`,
      scope: 'token',
      subject: String(id),
      measure,
      amount: AMOUNT,
      period: 'day',
      rolling: true,
    });
    const client = await RealtimeClient.open(app.url, MODEL, key);
    const done = () => client.of('response.done').length;
    for (let asked = 1; asked <= 20 && client.errors.length === 0; asked += 1) {
      client.send({
        type: 'conversation.item.create',
        item: {
          type: 'message',
          role: 'user',
          content: [{ type: 'input_text', text: 'word '.repeat(8_000) }],
        },
      });
      client.send(CREATE);
      await client.until(() => done() + client.errors.length === asked);
    }
    expect(client.of('error')).toMatchObject([{ error: { code: 'limit_reached' } }]);
    expect(client.closed).toBeUndefined();
    expect(done() * INPUT_TOKENS).toBeLessThanOrEqual(AMOUNT);
    await admin.send('PUT', `/api/limits/${limitId}/override`, { amount: 10 * AMOUNT, reason: 'launch' });
    const before = done();
    client.send(CREATE);
    await client.until(() => done() > before || client.errors.length > 1);
    expect([done(), client.errors]).toEqual([before + 1, [expect.any(String)]]);
    client.socket.close();
    await admin.waitFor(
      () => admin.send<{ use: { used: number } }>('GET', `/api/limits/${limitId}`),
      ({ use }) => use.used >= (before + 1) * INPUT_TOKENS,
    );
  });
});
