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
  it('names the subject of a stored alert', () => {
    const { rule, subject, severity, sinceMs, overAtMs } = ROW;
    const news = { phase: 'begun', rule, subject, severity, facts: { worker: 1 }, sinceMs, overAtMs };
    expect(storedAlertMessages(ROW, 'begun')).toEqual([news]);
  });

  it('returns nothing for a rule this version has no text for', () => {
    expect(storedAlertMessages({ ...ROW, rule: 'rule-of-tomorrow' }, 'begun')).toEqual([]);
  });

  it.each(['', 'no JSON', 'null', '7'])('leaves out facts of another form: %j', (facts) => {
    expect(storedAlertMessages({ ...ROW, facts }, 'over')).toEqual([expect.objectContaining({ facts: {} })]);
  });
});
