import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ExplainService } from '../../../../server/base/billing/checks/explain.service.js';
import type { ApiClient } from '../../../support/api-client.ts';
import { setUpRoot, signUp, startTestApp, type TestApp } from '../../../support/build-test-app.ts';
import { evaluate, fraction, isEqual, plus } from './exact.ts';
import { Dice, expectedCharge, randomSnapshot, randomUsage } from './random-calls.ts';
import { storeCalls, type StoredCall } from './stored-calls.ts';

const CALLS = 10_000;

describe(`${CALLS} stored calls of every way to price`, () => {
  let app: TestApp;
  let root: ApiClient;
  let payer: ApiClient;
  let calls: StoredCall[];
  let ids: string[];

  beforeAll(async () => {
    app = await startTestApp();
    root = await setUpRoot(app);
    payer = await signUp(root, { username: 'payer' });
    const dice = new Dice(20_261_121);
    const snapshots = Array.from({ length: 500 }, () => randomSnapshot(dice));
    const nowMs = Date.now();
    calls = Array.from({ length: CALLS }, (_, index) => ({
      userId: payer.userId,
      snapshot: dice.pick(snapshots),
      usage: randomUsage(dice),
      atMs: nowMs - index,
      isInline: dice.chance(10),
    }));
    ids = await storeCalls(app.dataSource, calls);
    // Everything that can be priced is priced otherwise from here on.
    const options = await root.expectSuccess<{ key: string }[]>('GET', '/api/option/');
    const tables = options.map(({ key }) => key).filter((key) => /(Ratio|ModelPrice)$/.test(key));
    const forms: Record<string, string> = {
      GroupRatio: '{"default":77}',
      GroupGroupRatio: '{"default":{"default":9}}',
      GroupModelRatio: '{"default":{"*":8}}',
      TopupGroupRatio: '{"default":99}',
      LongContextRatio: '{"model-1":[{"above":1,"input":50,"output":50}]}',
    };
    await root.expectSuccess('PUT', '/api/option/', [
      ...tables.map((key) => ({ key, value: forms[key] ?? '{"model-1":99,"model-2":0}' })),
      { key: 'tool_price_setting.prices', value: '{"web_search":9999}' },
      { key: 'QuotaPerUnit', value: '7' },
    ]);
  });
  afterAll(() => app.close());

  it('recompute exactly after every price was changed, by their formula [I12]', async () => {
    const explain = app.app.get(ExplainService);
    const wrong: unknown[] = [];
    for (const [index, id] of ids.entries()) {
      const { usage, snapshot } = calls[index] as StoredCall;
      const charge = await explain.explain(id, payer.userId);
      const expected = expectedCharge(usage, snapshot);
      const [left = '', result] = (charge?.formula ?? '').split(' = ');
      const exact = fraction(charge?.exact ?? '');
      const isRight =
        charge?.charged === expected &&
        charge.priced === expected &&
        charge.isConsistent &&
        result === `${charge.exact} → ${expected}` &&
        isEqual(plus(...charge.steps.map(({ subtotal }) => fraction(subtotal))), exact) &&
        isEqual(evaluate(left), exact);
      if (!isRight && wrong.length < 3) wrong.push({ usage, snapshot, charge, expected });
    }
    expect(wrong).toEqual([]);
  });

  it('covers every mode: prices per call, tiers, tools, pictures, sound, writes of an hour', () => {
    const count = (is: (call: StoredCall) => boolean): number => calls.filter(is).length;
    const counts = [
      count(({ snapshot }) => snapshot.mode === 'call'),
      count(({ snapshot, usage }) => snapshot.mode === 'call' && (usage.units ?? 1) > 1),
      count(
        ({ snapshot, usage }) =>
          snapshot.mode === 'ratio' && snapshot.tiers !== undefined && (usage.input.total ?? 0) > 50_000,
      ),
      count(({ snapshot, usage }) => snapshot.tools !== undefined && usage.tools !== undefined),
      count(({ snapshot, usage }) => snapshot.toolsEachCall !== undefined && usage.tools === undefined),
      count(({ snapshot }) => snapshot.mode === 'ratio' && snapshot.imageOutputRatio !== undefined),
      count(({ usage }) => (usage.output.audio ?? 0) > 0),
      count(({ usage }) => (usage.input.cacheWrite1h ?? 0) > 0),
      count(({ snapshot }) => snapshot.groupRatio === '0'),
      count(({ isInline }) => isInline === true),
    ];
    for (const one of counts) expect(one).toBeGreaterThan(100);
  });

  it('shows them to their owner and administrators only', async () => {
    const index = calls.findIndex(
      ({ snapshot, usage }) => snapshot.tools !== undefined && (usage.tools?.['web-search'] ?? 0) > 0,
    );
    const path = `/api/log/${ids[index]}/explain`;
    const own = await payer.expectSuccess<{ charge: Record<string, unknown> }>('GET', path);
    expect(own.charge).toMatchObject({
      is_consistent: true,
      formula: expect.stringContaining('÷ 1000'),
      steps: expect.arrayContaining([expect.objectContaining({ part: 'tool', tool: 'web_search' })]),
    });
    expect(await root.expectSuccess('GET', path)).toMatchObject({ charge: own.charge });
    const other = await signUp(root, { username: 'somebody' });
    expect((await other.get(path)).body).toMatchObject({ success: false, code: 'not_found' });
  });
});
