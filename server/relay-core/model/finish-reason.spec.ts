import { describe, expect, it } from '@jest/globals';
import { type FinishReason, refusedFinish, shownFinish } from './finish-reason.js';

const STOP: FinishReason = { unified: 'stop', raw: 'stop' };
const LENGTH: FinishReason = { unified: 'length', raw: 'length' };
const FILTERED: FinishReason = { unified: 'content-filter', raw: undefined };

describe('refusedFinish', () => {
  it.each([
    [undefined, FILTERED],
    [STOP, FILTERED],
    [LENGTH, LENGTH],
  ])('shows %j as %j', (finish, shown) => {
    expect(refusedFinish(finish)).toEqual(shown);
  });
});

describe('shownFinish', () => {
  it('detects a refusal by its end, and leaves every other answer its own', () => {
    expect(shownFinish({ content: [{ type: 'text' }, { type: 'refusal' }], finish: STOP })).toEqual(FILTERED);
    expect(shownFinish({ content: [{ type: 'text' }], finish: STOP })).toBe(STOP);
    expect(shownFinish({ content: [], finish: undefined })).toBeUndefined();
  });
});
