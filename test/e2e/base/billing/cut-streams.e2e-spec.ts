import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { checkMoney } from '../../../../server/base/billing/checks/check-money.js';
import { SettlementEntity } from '../../../../server/base/billing/ledger/settlement.entity.js';
import { RELAY_PORTS } from '../../../../server/gateway/relay/call-runner.js';
import type { RelayPorts } from '../../../../server/relay-core/pipeline/context/relay-ports.js';
import { RelayDrain } from '../../../../server/gateway/relay/relay-drain.js';
import { startTestApp, type TestApp } from '../../../support/build-test-app.ts';
import { GatewayConsole, missing } from '../../../support/gateway-console.js';
import { RelayClient, type RelayAsk } from '../../../support/relay-client.js';
import { until } from '../../../support/until.js';
import { CUT_ANSWERS, type CutAnswer, END_OF_TEXT, responses, responsesAnswer } from './cut-answers.js';
import { type GatedAnswer, GatedVendor, type OpenAnswer } from './gated-vendor.js';

/** The usage of a conversation of 200,007 tokens. */
const LONG = { input: 200_007, output: 10, reasoning: 0 };
const LONG_TEXT = 'word '.repeat(50_000);
const RESPONSES_CALL =
  CUT_ANSWERS.find(({ name }) => name === 'Responses with hidden reasoning') ?? missing();

interface OpenCall {
  leave(): void;
  readonly ended: Promise<unknown>;
}

describe('a stream whose client leaves', () => {
  let vendor: GatedVendor;
  let app: TestApp;
  let root: GatewayConsole;
  let client: RelayClient;
  let owner: GatewayConsole;
  let userId: number;

  beforeAll(async () => {
    vendor = await GatedVendor.start();
    app = await startTestApp();
    root = new GatewayConsole(app.url);
    await root.setUp();
    const models = CUT_ANSWERS.map(({ model }) => model);
    const all = (value: number) => Object.fromEntries(models.map((name) => [name, value]));
    await root.setOptions({ ModelRatio: all(1), CompletionRatio: all(5) });
    const types = new Map(CUT_ANSWERS.map(({ model, type }) => [model, type]));
    for (const [model, type] of types) await root.addChannel({ type, base_url: vendor.url, models: [model] });
    owner = await root.addUser('leaver', 1_000_000_000);
    userId = (await owner.send<{ id: number }>('GET', '/api/user/self')).id;
    client = new RelayClient(app.url, (await owner.addToken()).key);
  });
  afterAll(async () => {
    client?.close();
    await app?.close();
    vendor?.close();
  });

  const reads = () => app.app.get<RelayPorts>(RELAY_PORTS, { strict: false }).abandoned ?? missing();

  const settlements = () => app.dataSource.getRepository(SettlementEntity);

  /** @returns the rows that were booked during the work */
  const booked = async (work: () => Promise<unknown>): Promise<SettlementEntity[]> => {
    const before = new Set((await settlements().findBy({ userId })).map(({ requestId }) => requestId));
    await work();
    const fresh = async () =>
      (await settlements().findBy({ userId })).filter(({ requestId }) => !before.has(requestId));
    await until(async () => (await fresh()).length > 0);
    return fresh();
  };

  /** Sends the call and waits until the text has ended. */
  const readText = async (ask: RelayAsk, answer: GatedAnswer, by = client): Promise<OpenCall> => {
    vendor.answer = () => answer;
    const { request } = by.open(ask);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.on('error', () => undefined);
    const ended = new Promise((resolve) => response.once('close', resolve));
    let text = '';
    await new Promise<void>((resolve) => {
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString('utf8');
        if (text.includes(END_OF_TEXT)) resolve();
      });
    });
    return { leave: () => request.destroy(), ended };
  };

  /** The gateway has noticed that a client left: it cancels the call, or reads it on. */
  const noticed = (one: OpenAnswer) => until(() => one.isCancelled || reads().count > 0);

  const chargeOfWhole = async ({ ask, answer }: CutAnswer): Promise<number> => {
    const [row = missing()] = await booked(async () => {
      const { ended } = await readText(ask, answer);
      vendor.finish();
      await ended;
    });
    expect(row).toMatchObject({ outcome: 'ok', evidence: 'reported' });
    return row.charged;
  };

  it.each(CUT_ANSWERS)('charges the report that comes after the client left ($name)', async (cut) => {
    const whole = await chargeOfWhole(cut);
    expect(whole).toBe(cut.charge);
    const [row = missing()] = await booked(async () => {
      (await readText(cut.ask, cut.answer)).leave();
      await noticed(vendor.last);
      vendor.finish();
    });
    expect(row).toMatchObject({ outcome: 'client_abort', evidence: 'reported', charged: whole });
    expect(await checkMoney(app.dataSource, { isQuiet: false })).toEqual([]);
  });

  const begin = async (cut: CutAnswer, by?: RelayClient): Promise<OpenCall> => {
    const call = await readText(cut.ask, cut.answer, by);
    call.leave();
    return call;
  };

  it('charges the vendor’s last read of a kept conversation, reported or not', async () => {
    const first = {
      ...RESPONSES_CALL,
      ask: responses(RESPONSES_CALL.model, { input: LONG_TEXT }),
      answer: responsesAnswer('kept', LONG),
    };
    expect(await chargeOfWhole(first)).toBe(200_057);
    const goesOn = {
      ...RESPONSES_CALL,
      ask: responses(RESPONSES_CALL.model, { previous_response_id: 'resp_kept' }),
      answer: responsesAnswer('next', { ...LONG, input: 200_030 }),
    };
    const [told = missing()] = await booked(async () => {
      await begin(goesOn);
      await noticed(vendor.last);
      vendor.finish();
    });
    expect(told).toMatchObject({ evidence: 'reported', charged: 200_080 });
    await root.setOptions({ AbandonedReadSeconds: 0 });
    const [untold = missing()] = await booked(async () => {
      await begin(goesOn);
      await until(() => vendor.last.isCancelled);
    });
    await root.setOptions({ AbandonedReadSeconds: 15 });
    expect(untold.evidence).toBe('estimated');
    expect(untold.charged).toBeGreaterThanOrEqual(200_007);
    expect(untold.charged).toBeLessThanOrEqual(told.charged);
  });

  it('estimates omitted thinking by its signature where nothing is read on', async () => {
    const cut = CUT_ANSWERS.find(({ name }) => name === 'Messages with thinking omitted') ?? missing();
    await root.setOptions({ AbandonedReadSeconds: 0 });
    const [row = missing()] = await booked(async () => {
      await begin(cut);
      await until(() => vendor.last.isCancelled);
    });
    await root.setOptions({ AbandonedReadSeconds: 15 });
    expect(row).toMatchObject({ outcome: 'client_abort', evidence: 'estimated' });
    expect(row.charged).toBeGreaterThan(5 * 15_000);
    expect(row.charged).toBeLessThanOrEqual(cut.charge);
  });

  it.each(['key', 'account'])('cancels and charges it when its %s is closed meanwhile', async (what) => {
    const closed = await root.addUser(`closed-${what}`, 1_000_000);
    const { id } = await closed.send<{ id: number }>('GET', '/api/user/self');
    const token = await closed.addToken();
    const leaver = new RelayClient(app.url, token.key);
    const cut = CUT_ANSWERS[0] ?? missing();
    await begin(cut, leaver);
    const { last } = vendor;
    await noticed(last);
    expect(last.isCancelled).toBe(false);
    if (what === 'key') await closed.send('DELETE', `/api/token/${token.id}`);
    else await root.send('POST', '/api/user/manage', { id, action: 'disable' });
    await until(() => last.isCancelled);
    leaver.close();
    await until(async () => (await settlements().findBy({ userId: id })).length > 0);
    const [row = missing()] = await settlements().findBy({ userId: id });
    expect(row).toMatchObject({ outcome: 'client_abort', evidence: 'estimated' });
  });

  it('cancels it at once when Stop is pressed in the playground', async () => {
    const cut = CUT_ANSWERS[0] ?? missing();
    vendor.answer = () => cut.answer;
    const asked = vendor.open.length;
    const [row = missing()] = await booked(async () => {
      const body = { ...(cut.ask.body as object), group: '' };
      const response = await owner.fetch('POST', '/pg/chat/completions', body);
      const reader = response.body?.getReader() ?? missing();
      await reader.read();
      await reader.cancel();
      await until(() => vendor.open.length > asked && vendor.last.isCancelled);
    });
    expect(row).toMatchObject({ outcome: 'client_abort', evidence: 'estimated' });
  });

  it('cancels it at once when the process stops', async () => {
    await begin(CUT_ANSWERS[0] ?? missing());
    const { last } = vendor;
    await noticed(last);
    expect(last.isCancelled).toBe(false);
    const rows = await booked(async () => {
      app.app.get(RelayDrain, { strict: false }).endAbandoned();
      await until(() => last.isCancelled);
    });
    expect(rows).toMatchObject([{ outcome: 'client_abort', evidence: 'estimated' }]);
    expect(await checkMoney(app.dataSource, { isQuiet: true })).toEqual([]);
  });
});
