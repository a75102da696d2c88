import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { PriceSnapshot } from '../../relay-core/model/price-snapshot.js';
import type { Usage } from '../../relay-core/model/usage.js';
import { calculateQuota } from './calculate-quota.js';
import { formatLogContent } from '../billing/records/format-log-row.js';

const SNAPSHOT: PriceSnapshot = {
  mode: 'ratio',
  model: 'm',
  group: 'vip',
  groupRatio: '0.8',
  modelRatio: '12.5',
  userGroup: 'partners',
  completionRatio: '4',
  cacheRatio: '0.1',
  cacheWriteRatio: '1.25',
  imageRatio: '2',
  reasoningRatio: '3',
  imageOutputRatio: '9',
  audioRatio: '20',
  audioCompletionRatio: '2',
  quotaPerUnit: 500_000,
  revision: 1,
  serviceTiers: { flex: '0.5', priority: '1.75' },
  tiers: [{ above: 5_000, input: '2', output: '1.5', cacheWrite: '2.5' }],
};

const contentOf = (usage: Usage, snapshot: PriceSnapshot = SNAPSHOT): string =>
  formatLogContent({
    callId: 'c',
    channelId: 2,
    upstreamModel: 'm',
    isModelMapped: false,
    attempts: [],
    note: '',
    evidence: 'reported',
    outcome: 'ok',
    startedAtMs: 0,
    firstByteMs: undefined,
    durationMs: 1,
    path: '/x',
    shape: { operation: 'chat', model: 'm', stream: false },
    priced: calculateQuota(usage, snapshot),
    usage,
    snapshot,
  });

const figure = (text: string, pattern: RegExp, otherwise = 1): number => {
  const [, found] = pattern.exec(text) ?? [];
  return found === undefined ? otherwise : Number(found);
};

/** The sum a reader makes of a line: its two totals and its sentence, nothing else. */
function redo(content: string, input: number, output: number): number {
  const longInput = figure(content, /: input × ([\d.]+)/);
  const longOutput = figure(content, /, output × ([\d.]+)/);
  const longOf = (name: string): number =>
    name.endsWith('cache write')
      ? figure(content, /, cache write × ([\d.]+)/, longInput)
      : /input|cache/.test(name)
        ? longInput
        : longOutput;
  let [plainInput, plainOutput, sum] = [input, output, 0];
  for (const [, name = '', tokens, ratio] of content.matchAll(
    /([a-z -]+?) (\d+) tokens at ratio ([\d.]+)/g,
  )) {
    sum += Number(tokens) * Number(ratio) * longOf(name);
    if (/input|cache/.test(name)) plainInput -= Number(tokens);
    else plainOutput -= Number(tokens);
  }
  sum += plainInput * longInput;
  sum += plainOutput * figure(content, /completion ratio ([\d.]+)/) * longOutput;
  const factors = figure(content, /model ratio ([\d.]+)/) * figure(content, /group ratio ([\d.]+)/);
  return sum * factors * figure(content, /service tier \S+ × ([\d.]+)/);
}

const part = fc.option(fc.integer({ min: 0, max: 900 }), { nil: undefined });

describe('the sentence of a charge', () => {
  it('lets a reader recompute the sum: cache, audio, images, thoughts, long calls and service tiers', () => {
    fc.assert(
      fc.property(
        fc.record({ cacheRead: part, cacheWrite: part, cacheWrite1h: part, audio: part, image: part }),
        fc.record({ reasoning: part, audio: part, image: part }),
        fc.integer({ min: 1, max: 9_000 }),
        fc.integer({ min: 1, max: 4_000 }),
        fc.constantFrom(undefined, 'flex', 'priority', 'unheard-of'),
        (inputParts, outputParts, total, made, serviceTier) => {
          const usage = {
            input: { ...inputParts, total },
            output: { ...outputParts, total: made },
            ...(serviceTier === undefined ? {} : { serviceTier }),
          } as Usage;
          const content = contentOf(usage);
          expect(Math.abs(redo(content, total, made) - calculateQuota(usage, SNAPSHOT))).toBeLessThan(0.51);
          expect(content.includes('service tier')).toBe(serviceTier !== undefined);
        },
      ),
    );
  });

  it('names the group of an agreed factor, and leaves out unused parts', () => {
    expect(contentOf({ input: { total: 10 }, output: { total: 5 } })).toBe(
      'model ratio 12.50, completion ratio 4.00, group ratio 0.80 agreed for accounts of partners',
    );
  });
});
