import { describe, expect, it } from '@jest/globals';
import { isFinishWord, readFinishReason, writeFinishReason } from './finish-reason.js';

describe('readFinishReason', () => {
  it.each([
    ['STOP', false, 'stop'],
    ['STOP', true, 'tool-calls'],
    ['MAX_TOKENS', true, 'length'],
    ['SAFETY', false, 'content-filter'],
    ['OTHER', false, 'content-filter'],
    ['MALFORMED_FUNCTION_CALL', true, 'error'],
    ['SOMETHING_NEW', true, 'tool-calls'],
    ['TOO_MANY_TOOL_CALLS', false, 'other'],
  ])('reads %s with calls %p as %s', (raw, hasCalls, unified) => {
    expect(readFinishReason(raw, hasCalls)).toEqual({ unified, raw });
  });
});

describe('writeFinishReason', () => {
  it.each([
    [{ unified: 'stop', raw: 'stop' }, 'STOP'],
    [{ unified: 'tool-calls', raw: 'tool_calls' }, 'STOP'],
    [{ unified: 'length', raw: 'length' }, 'MAX_TOKENS'],
    [{ unified: 'content-filter', raw: 'content_filter' }, 'SAFETY'],
    [{ unified: 'content-filter', raw: 'RECITATION' }, 'RECITATION'],
    [{ unified: 'error', raw: undefined }, 'OTHER'],
    [{ unified: 'other', raw: 'SOMETHING_NEW' }, 'SOMETHING_NEW'],
    [{ unified: 'other', raw: 'strange' }, 'MAX_TOKENS'],
    [{ unified: 'other', raw: undefined }, 'STOP'],
    [{ unified: 'stop', raw: 'COMPLETE' }, 'STOP'],
  ] as const)('writes %j as %s', (finish, word) => {
    expect(writeFinishReason(finish)).toBe(word);
  });
});

describe('isFinishWord', () => {
  it('maps reasons to refuse a prompt, and no other ends', () => {
    expect(['SAFETY', 'BLOCKLIST', 'PROHIBITED_CONTENT'].every(isFinishWord)).toBe(true);
    expect(['STOP', 'MAX_TOKENS', 'BLOCK_REASON_UNSPECIFIED'].some(isFinishWord)).toBe(false);
  });
});
