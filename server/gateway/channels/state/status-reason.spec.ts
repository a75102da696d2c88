import { describe, expect, it } from '@jest/globals';
import { presentReason, readPlan, testOfAutoDisable } from './status-reason.js';

const info = (document: object): string => JSON.stringify(document);

describe('why a channel was switched off', () => {
  it.each([
    [
      'both',
      info({ status_reason: 'key refused', status_time: 5 }),
      { reason: 'key refused', timeSeconds: 5 },
    ],
    ['a reason alone', info({ status_reason: 'x' }), { reason: 'x', timeSeconds: 0 }],
    ['nothing', '', { reason: '', timeSeconds: 0 }],
    ['what no program wrote', 'off since Monday', { reason: '', timeSeconds: 0 }],
    ['a reason that is no text', info({ status_reason: 7, status_time: 5 }), { reason: '', timeSeconds: 0 }],
    [
      'a test that cannot be read beside it',
      info({ status_reason: 'x', status_time: 5, status_test: 'y' }),
      { reason: 'x', timeSeconds: 5 },
    ],
  ])('reads %s', (_name, text, reason) => {
    expect(presentReason(text)).toEqual(reason);
  });

  it('names the test that disabled it, if it exists', () => {
    const plan = { model: 'gpt-4o', endpoint: 'chat' } as const;
    expect(testOfAutoDisable(info({ status_test: plan }))).toEqual(plan);
    expect(testOfAutoDisable(info({ status_test: { ...plan, endpoint: 'fax' } }))).toBeUndefined();
    expect(testOfAutoDisable('')).toBeUndefined();
    expect(readPlan(plan)).toEqual(plan);
    expect(readPlan({ ...plan, model: '' })).toBeUndefined();
  });
});
