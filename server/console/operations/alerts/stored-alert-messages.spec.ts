import { describe, expect, it } from '@jest/globals';
import { storedAlertMessages } from './stored-alert-messages.js';

const ROW = {
  rule: 'worker-gone',
  subject: 'a#1',
  severity: 'fault',
  facts: '{"worker":1}',
  sinceMs: 5_000,
  overAtMs: null,
};

describe('storedAlertMessages', () => {
  it('says what a stored alert is about', () => {
    const { rule, subject, severity, sinceMs, overAtMs } = ROW;
    const news = { phase: 'begun', rule, subject, severity, facts: { worker: 1 }, sinceMs, overAtMs };
    expect(storedAlertMessages(ROW, 'begun')).toEqual([news]);
  });

  it('says nothing of a rule that this version has no words for', () => {
    expect(storedAlertMessages({ ...ROW, rule: 'rule-of-tomorrow' }, 'begun')).toEqual([]);
  });

  it.each(['', 'no JSON', 'null', '7'])('goes without facts that were written otherwise: %j', (facts) => {
    expect(storedAlertMessages({ ...ROW, facts }, 'over')).toEqual([expect.objectContaining({ facts: {} })]);
  });
});
