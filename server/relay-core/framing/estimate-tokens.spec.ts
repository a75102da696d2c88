import { describe, expect, it } from '@jest/globals';
import { leastCpuMs } from '../../../test/support/least-cpu.js';
import { estimateTokens, tokensOfWeight, weighBytes } from './estimate-tokens.js';

describe('estimateTokens', () => {
  it('counts nothing in nothing and a token per short word', () => {
    expect(estimateTokens('')).toBe(0);
    expect(estimateTokens(' tok'.repeat(50))).toBe(50);
  });

  it('estimates a megabyte without a break quickly', () => {
    const megabyte = 'a'.repeat(1_000_000);
    expect(estimateTokens(megabyte)).toBeGreaterThan(100_000);
    expect(leastCpuMs(() => estimateTokens(megabyte))).toBeLessThan(500);
  });

  it.each([
    // Counts of o200k_base.
    [
      'prose',
      'Every settlement is on the spool before the client gets its end marker, and is booked once. ',
      18,
    ],
    ['code', 'for (const row of rows) total += row.charged * 2; // sum of all charges\n', 23],
    [
      'German',
      'Die Abrechnung eines Aufrufs wird in das Journal geschrieben, bevor der Kunde das Ende sieht. ',
      20,
    ],
    ['Chinese', '机器学习是人工智能的一个分支，它使计算机能够从数据中学习并做出预测。', 23],
  ])('stays within a quarter of a tokenizer on %s', (_, text, tokens) => {
    const estimate = estimateTokens(text.repeat(10)) / 10;
    expect(Math.abs(estimate - tokens) / tokens).toBeLessThan(0.25);
  });

  it('weighs a range of bytes as the text it is, characters of several bytes once', () => {
    const bytes = Buffer.from('xx的的yy');
    expect(tokensOfWeight(weighBytes(bytes, 2, 8))).toBe(2);
    expect(weighBytes(bytes, 2, 8)).toBe(2 * weighBytes(Buffer.from('的'), 0, 3));
  });
});
