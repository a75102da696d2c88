import { describe, expect, it } from '@jest/globals';
import type { RelayError } from '../../relay-core/model/relay-error.js';
import { evidenceAgainstChannel } from './channel-evidence.js';

const KEYWORDS = ['exceeded your current quota', 'Permission denied'];

const upstream = (
  upstreamStatus: number | undefined,
  fields: Partial<{ message: string; vendorType: string; vendorCode: string }> = {},
): RelayError => ({
  kind: 'upstream-request-rejected',
  blame: 'upstream',
  message: 'no',
  upstreamStatus,
  ...fields,
});

describe('evidenceAgainstChannel', () => {
  it.each([
    [
      'a refusal of ours',
      {
        kind: 'quota-insufficient',
        blame: 'caller',
        scope: 'user',
        message: 'exceeded your current quota',
      } as RelayError,
    ],
    ['no answer', upstream(undefined)],
    ['UP-07 a 400 that quotes a keyword', upstream(400, { message: 'You exceeded your current quota' })],
    ['UP-07 a 400 that carries a telling type', upstream(400, { vendorType: 'insufficient_quota' })],
    ['a 500 with a keyword', upstream(500, { message: 'permission denied' })],
    ['a plain 403', upstream(403)],
    ['a plain 429', upstream(429)],
  ])('finds none in %s', (_, error) => {
    expect(evidenceAgainstChannel(error, KEYWORDS)).toBeNull();
  });

  it.each([
    ['401', upstream(401)],
    ['402', upstream(402)],
    ['403 with a keyword in another case', upstream(403, { message: 'PERMISSION DENIED for key' })],
    ['403 with a telling code', upstream(403, { vendorCode: 'account_deactivated' })],
    ['429 with a telling type', upstream(429, { vendorType: 'insufficient_quota' })],
  ])('finds some in %s', (_, error) => {
    expect(evidenceAgainstChannel(error, KEYWORDS)).toContain(error.message);
  });
});
