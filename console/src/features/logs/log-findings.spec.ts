import { describe, expect, it } from '@jest/globals';
import { isRequestId } from '../../shared/format/request-id';
import { findingsOf } from './log-findings';

const ID = '0197A3b2-7c1d-7e55-9d0e-3f6a1b2c3d4e';

describe('what the search of the log offers', () => {
  it('offers exact names, channels by their id, and models that contain the text', () => {
    const suggestions = {
      models: ['gpt-4o'],
      tokens: ['gpt laptop'],
      accounts: ['gptfan'],
      channels: [{ id: 3, name: 'gpt main' }],
    };
    expect(findingsOf(' gpt ', suggestions)).toEqual([
      { kind: 'model', value: 'gpt-4o', label: 'gpt-4o' },
      { kind: 'token', value: 'gpt laptop', label: 'gpt laptop' },
      { kind: 'account', value: 'gptfan', label: 'gptfan' },
      { kind: 'channel', value: '3', label: '3 · gpt main' },
      { kind: 'like', value: '*gpt*', label: 'gpt' },
      { kind: 'tag', value: 'gpt', label: 'gpt' },
      { kind: 'endUser', value: 'gpt', label: 'gpt' },
    ]);
  });

  it('keeps the wildcards that were typed', () => {
    expect(findingsOf('gpt-*', undefined)[0]).toEqual({ kind: 'like', value: 'gpt-*', label: 'gpt-*' });
    expect(findingsOf('%', undefined)[0]).toEqual({ kind: 'like', value: '%', label: '%' });
  });

  it('offers the call alone for a request id, and nothing for no text', () => {
    expect(findingsOf(` ${ID} `, undefined)).toEqual([
      { kind: 'request', value: ID.toLowerCase(), label: ID },
    ]);
    expect(findingsOf('  ', undefined)).toEqual([]);
    expect([isRequestId(ID), isRequestId(`${ID}0`), isRequestId('0197a3b2')]).toEqual([true, false, false]);
  });
});
