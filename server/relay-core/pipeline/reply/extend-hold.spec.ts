import { describe, expect, it } from '@jest/globals';
import { MemoryPrices, MemoryQuota } from '../../../../test/support/memory-money.js';
import { WordCounter, aCaller, aRoute } from '../../../../test/support/memory-ports.js';
import { aProviderCall } from '../../../../test/support/relay-calls.js';
import { toQuota } from '../../../common/quota.js';
import { ok } from '../../../common/result.js';
import { ReplyMeter } from '../../formats/contract/reply-meter.js';
import type { Usage } from '../../model/usage.js';
import type { Hold } from '../../ports/quota-holds.js';
import { HoldExtender } from './extend-hold.js';

class BareMeter extends ReplyMeter {
  readWhole(): 'empty' {
    return 'empty';
  }
}

/** A stream of ten prompt tokens at 1 quota each; output costs 2 each (`MemoryPrices`). */
function watching({
  covered = 100,
  isCapped = false,
  choices = 1,
  largest = undefined as number | undefined,
} = {}) {
  const quota = new MemoryQuota();
  const prices = new MemoryPrices();
  prices.models.add('gpt-test');
  prices.assumedOutput = covered;
  const shape = { ...aProviderCall().shape, promptTokens: 10, choices };
  const quoted = prices.quote(aCaller(), shape);
  if (!quoted.ok) throw new Error(quoted.error.message);
  const meter = new BareMeter();
  const holdRef: { hold: Hold } = { hold: { callId: 'call', amount: toQuota(10 + 2 * covered) } };
  quota.holds.set('call', holdRef.hold.amount);
  const counter = new WordCounter();
  let decided: () => void = () => undefined;
  const watch = new HoldExtender(
    { quota },
    {
      shape,
      quote: quoted.value,
      worstCase: {
        estimate: toQuota(0),
        outputTokens: covered,
        modelOutputCap: largest,
        choices,
        outputCap: isCapped ? covered : undefined,
      },
      route: aRoute(),
      requestBody: Buffer.from('{}'),
      readsMore: false,
      meter,
      estimate: (text) => counter.estimate(text),
      holdRef,
      onDecided: () => decided(),
    },
    0,
  );
  return {
    quota,
    watch,
    holdRef,
    meter,
    says: (words: number) => meter.produced.appendText('word '.repeat(words)),
    reports: (usage: Usage) => (meter.usage = usage),
    nextDecision: () => new Promise<void>((resolve) => (decided = resolve)),
  };
}

describe('HoldExtender', () => {
  it('stops a stream whose hold cannot grow once all that is covered is produced', async () => {
    const { quota, watch, says, nextDecision } = watching();
    quota.balance = 0;
    says(80);
    const decision = nextDecision();
    // Asked for at four fifths; until it is decided what is covered may go on.
    expect(watch.afterEvents(1, 0)).toBe('covered');
    await decision;
    expect(watch.refusal?.kind).toBe('quota-insufficient');
    expect(watch.compare()).toBe('covered');
    says(19);
    expect(watch.afterEvents(1, 0)).toBe('covered');
    says(1);
    expect(watch.afterEvents(1, 0)).toBe('stop');
  });

  it('refuses in its own words when extending fails, and the hold stays', async () => {
    const { quota, watch, holdRef, says, nextDecision } = watching();
    const cause = new Error('away');
    quota.extend = () => Promise.reject(cause);
    says(100);
    const decision = nextDecision();
    expect(watch.afterEvents(1, 0)).toBe('wait');
    await decision;
    expect(watch.compare()).toBe('stop');
    expect(watch.refusal).toMatchObject({
      kind: 'unavailable',
      blame: 'gateway',
      cause,
      retryAfterMs: 1_000,
    });
    expect(holdRef.hold.amount).toBe(210);
  });

  it('waits for the extension, then goes on under the larger hold', async () => {
    const { quota, watch, holdRef, says, nextDecision } = watching();
    says(150);
    const decision = nextDecision();
    expect(watch.afterEvents(1, 0)).toBe('wait');
    expect(watch.afterEvents(1, 0)).toBe('wait');
    await decision;
    expect(quota.extensions).toBe(1);
    // 150 produced and 2,000 more, at 2 each, and the prompt.
    expect(holdRef.hold.amount).toBe(10 + 2 * 2_150);
    expect(watch.compare()).toBe('covered');
    says(1_500);
    expect(watch.afterEvents(1, 0)).toBe('covered');
    expect(quota.extensions).toBe(1);
  });

  it('asks a limit of tokens for what costs nothing', async () => {
    const { quota, watch, holdRef, says, nextDecision } = watching();
    const asked: unknown[] = [];
    quota.extend = async (hold, by, tokens) => {
      asked.push([by, tokens]);
      return ok(hold);
    };
    holdRef.hold = { ...holdRef.hold, amount: toQuota(1_000_000), isTokenLimited: true };
    says(80);
    const decision = nextDecision();
    watch.afterEvents(1, 0);
    await decision;
    expect(asked).toEqual([[4_000, { input: 0, output: 2_000 }]]);
  });

  it('extends by as much for each of several answers', async () => {
    const { watch, holdRef, says, nextDecision } = watching({ choices: 3 });
    says(80);
    const decision = nextDecision();
    watch.afterEvents(1, 0);
    await decision;
    expect(holdRef.hold.amount).toBe(10 + 2 * (100 + 3 * 2_000));
  });

  it('lets an answer under a cap come to a quarter and sixteen tokens more than our count', () => {
    const { quota, watch, says } = watching({ isCapped: true });
    quota.extend = () => new Promise(() => undefined);
    says(99);
    expect(watch.afterEvents(1, 0)).toBe('covered');
    says(41);
    expect(watch.afterEvents(1, 0)).toBe('covered');
    says(1);
    expect(watch.afterEvents(1, 0)).toBe('wait');
  });

  it('compares what a checkpoint counted with the hold as well', () => {
    const { watch, says, quota } = watching({ isCapped: true });
    quota.extend = () => new Promise(() => undefined);
    for (let event = 0; event < 3; event += 1) {
      says(50);
      watch.afterEvents(50, 0);
    }
    expect(watch.compare()).toBe('wait');
  });

  it('stops an answer above what the model can give, though quota is left', async () => {
    const { watch, says, nextDecision } = watching({ largest: 500 });
    says(1_900);
    const decision = nextDecision();
    expect(watch.afterEvents(1, 0)).toBe('wait');
    await decision;
    says(101);
    expect(watch.afterEvents(1, 0)).toBe('stop');
    expect(watch.refusal?.message).toBe('The answer grew longer than the request allows.');
  });

  it('neither holds nor checkpoints what a vendor reports above the bound', () => {
    const { quota, watch, says, reports } = watching({ isCapped: true });
    says(5);
    reports({ input: { total: 900_000, cacheRead: 30 }, output: { total: 900_000, reasoning: 1 } });
    expect(watch.afterEvents(50, 0)).toBe('covered');
    expect(quota.checkpoints).toEqual([{ input: { total: 10 }, output: { total: 100 } }]);
    expect(quota.extensions).toBe(0);
  });

  it('writes a checkpoint after fifty events or a second, and none for silence', () => {
    const { quota, watch, says } = watching();
    says(5);
    watch.afterEvents(49, 999);
    expect(quota.checkpoints).toEqual([]);
    watch.afterEvents(1, 999);
    expect(quota.checkpoints).toEqual([{ input: { total: 10 }, output: { total: 5 } }]);
    watch.tick(5_000);
    expect(quota.checkpoints).toHaveLength(1);
    watch.afterEvents(1, 1_998);
    watch.tick(1_998);
    expect(quota.checkpoints).toHaveLength(1);
    watch.tick(1_999);
    expect(quota.checkpoints).toHaveLength(2);
  });

  it('checkpoints the larger of the vendor’s figures and our count', () => {
    const { quota, watch, says, reports, meter } = watching();
    says(5);
    reports({ input: { total: 40, cacheRead: 30 }, output: { total: 3, reasoning: 1 } });
    meter.serviceTier = 'flex';
    meter.units = 2;
    watch.afterEvents(50, 0);
    expect(quota.checkpoints).toEqual([
      {
        input: { total: 40, cacheRead: 30 },
        output: { total: 5, reasoning: 1 },
        units: 2,
        serviceTier: 'flex',
      },
    ]);
  });

  it('extends for what a vendor read beyond the prompt, though few words came', async () => {
    const { quota, watch, holdRef, says, reports, nextDecision } = watching();
    says(1);
    reports({ input: { total: 5_000 }, output: { total: 1 } });
    const decision = nextDecision();
    expect(watch.afterEvents(50, 0)).toBe('wait');
    await decision;
    // 5,000 read, and 100 covered and 2,000 more at 2 each.
    expect(holdRef.hold.amount).toBe(5_000 + 2 * 2_100);
    expect([quota.extensions, watch.compare()]).toEqual([1, 'covered']);
  });
});
