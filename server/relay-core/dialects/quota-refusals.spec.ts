import { describe, expect, it } from '@jest/globals';
import { quotaInsufficient } from '../../modules/billing/ledger/quota-refusals.js';
import { QUOTA_CODES } from '../model/relay-error.js';
import { DIALECTS } from './registry.js';

const SCOPES = ['user', 'token'] as const;

describe.each(DIALECTS)('a call that $id refuses for want of quota', ({ writeError, writeErrorFrame }) => {
  const written = (scope: 'user' | 'token'): readonly string[] => {
    const error = quotaInsufficient(scope);
    return [writeError(error, 'call-1').body.toString(), writeErrorFrame(error, 'call-1')];
  };

  it.each(SCOPES)('says by a code and a sentence whose it is: that of the %s', (scope) => {
    const other = scope === 'user' ? 'token' : 'user';
    for (const text of written(scope)) {
      expect(text.toLowerCase()).toContain(`"${QUOTA_CODES[scope]}"`);
      expect(text.toLowerCase()).not.toContain(QUOTA_CODES[other]);
      expect(text).toContain(quotaInsufficient(scope).message);
    }
  });

  it('does not send the owner of a small key to top up the account', () => {
    for (const text of written('token')) {
      expect(text).toContain('this API key');
      expect(text).not.toMatch(/top up|balance/i);
    }
  });

  it('answers 403 either way', () => {
    for (const scope of SCOPES) expect(writeError(quotaInsufficient(scope), 'call-1').status).toBe(403);
  });
});
