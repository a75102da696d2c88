import { describe, expect, it } from '@jest/globals';
import { actionsOn } from './order-rules';

describe('what may be done about an order by hand', () => {
  it.each([
    // status, account, asked by root → actions
    ['pending', 'ada', false, ['complete']],
    ['pending', 'ada', true, ['complete']],
    ['expired', 'ada', false, ['complete']],
    ['failed', 'ada', false, ['complete']],
    ['mismatch', 'ada', false, ['complete']],
    ['mismatch', 'ada', true, ['complete', 'refund']],
    ['pending', '', false, []],
    ['pending', '', true, ['reassign']],
    ['mismatch', '', false, []],
    ['mismatch', '', true, ['reassign', 'refund']],
    ['success', 'ada', true, []],
    ['refunded', '', true, []],
    ['disputed', 'ada', true, []],
  ])('offers for %s of %j (root: %p) %j', (status, username, isRoot, actions) => {
    expect(actionsOn({ status, username } as Parameters<typeof actionsOn>[0], isRoot)).toEqual(actions);
  });
});
