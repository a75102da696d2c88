import { describe, expect, it } from '@jest/globals';
import { newsOf } from './alert-news.js';

const ROW = {
  rule: 'worker-gone',
  subject: 'a#1',
  severity: 'fault',
  facts: '{"worker":1}',
  sinceMs: 5_000,
  overAtMs: null,
};

describe('newsOf', () => {
  it('says what a stored alert is about', () => {
    const { rule, subject, severity, sinceMs, overAtMs } = ROW;
    const news = { phase: 'begun', rule, subject, severity, facts: { worker: 1 }, sinceMs, overAtMs };
    expect(newsOf(ROW, 'begun')).toEqual([news]);
  });

  it('says nothing of a rule that this version has no words for', () => {
    expect(newsOf({ ...ROW, rule: 'rule-of-tomorrow' }, 'begun')).toEqual([]);
  });

  it.each(['', 'no JSON', 'null', '7'])('goes without facts that were written otherwise: %j', (facts) => {
    expect(newsOf({ ...ROW, facts }, 'over')).toEqual([expect.objectContaining({ facts: {} })]);
  });
});
