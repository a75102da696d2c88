import { describe, expect, it } from '@jest/globals';
import type { TFunction } from 'i18next';
import { ApiError } from '../../api/api-error';
import { describeError } from './describe-error';

const t = ((key: string, values?: { status: number }) =>
  values === undefined ? key : `${key} ${values.status}`) as unknown as TFunction;

describe('what a person reads of a failure', () => {
  it.each([
    [0, 'common.error.unreachable'],
    [401, 'common.error.signedOut'],
    [403, 'common.error.forbidden'],
    [405, 'common.error.demoOnly'],
    [429, 'common.error.tooMany'],
    [500, 'common.error.internal'],
    [418, 'common.error.status 418'],
  ])('status %d without a sentence has one of its own', (status, text) => {
    expect(describeError(new ApiError(status, ''), t)).toBe(text);
  });

  it('takes the sentence of the server where there is one', () => {
    expect(describeError(new ApiError(500, 'the books are shut'), t)).toBe('the books are shut');
  });

  it('takes the message of any other fault', () => {
    expect(describeError(new Error('no room'), t)).toBe('no room');
  });
});
