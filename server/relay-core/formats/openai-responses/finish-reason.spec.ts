import { describe, expect, it } from '@jest/globals';
import { readFinishReason, writeStatus } from './finish-reason.js';

describe('readFinishReason', () => {
  it.each([
    [{ status: 'completed' }, false, { unified: 'stop', raw: 'completed' }],
    [{ status: 'completed' }, true, { unified: 'tool-calls', raw: 'completed' }],
    [{ status: 'failed' }, true, { unified: 'error', raw: 'failed' }],
    [{ status: 'cancelled' }, false, { unified: 'error', raw: 'cancelled' }],
    [
      { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
      true,
      { unified: 'length', raw: 'max_output_tokens' },
    ],
    [
      { status: 'incomplete', incomplete_details: { reason: 'content_filter' } },
      false,
      { unified: 'content-filter', raw: 'content_filter' },
    ],
    [{ status: 'incomplete' }, false, { unified: 'other', raw: 'incomplete' }],
    [{}, false, { unified: 'stop', raw: undefined }],
  ])('reads %j with calls %p as %j', (response, hasCalls, finish) => {
    expect(readFinishReason(response, hasCalls)).toEqual(finish);
  });
});

describe('writeStatus', () => {
  it.each([
    ['length', 'incomplete', 'max_output_tokens'],
    ['content-filter', 'incomplete', 'content_filter'],
    ['stop', 'completed', undefined],
    ['tool-calls', 'completed', undefined],
    ['other', 'completed', undefined],
  ] as const)('writes %s as %s', (unified, status, reason) => {
    expect(writeStatus({ unified, raw: undefined })).toEqual({ status, reason });
  });
});
