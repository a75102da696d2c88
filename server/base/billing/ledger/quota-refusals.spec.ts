import { describe, expect, it } from '@jest/globals';
import { DIALECTS } from '../../../relay-core/dialects/registry.js';
import { QUOTA_CODES } from '../../../relay-core/model/relay-error.js';
import { quotaInsufficient } from './quota-refusals.js';

const SCOPES = ['user', 'token'] as const;

/** Every text of a document, however deep. */
const textsOf = (value: unknown): readonly string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsOf)
      : [];

describe.each(DIALECTS)('a call that $id refuses for want of quota', ({ writeError, writeErrorFrame }) => {
  /** The texts of the refusal, as a reply and as the event of a stream. */
  const written = (scope: 'user' | 'token'): readonly (readonly string[])[] => {
    const error = quotaInsufficient(scope);
    const documents = [
      writeError(error, 'call-1').body.toString(),
      writeErrorFrame(error, 'call-1').replace(/^(?:event: .*\n)?data: /, ''),
    ];
    return documents.map((document) => textsOf(JSON.parse(document)));
  };

  it.each(SCOPES)('names the owner by a code and a message: that of the %s', (scope) => {
    const other = scope === 'user' ? 'token' : 'user';
    const { message } = quotaInsufficient(scope);
    for (const texts of written(scope)) {
      const words = texts.map((text) => text.toLowerCase());
      expect(words).toContain(QUOTA_CODES[scope]);
      expect(words).not.toContain(QUOTA_CODES[other]);
      expect(texts.some((text) => text.includes(message))).toBe(true);
    }
  });

  it('does not send the owner of a small key to top up the account', () => {
    for (const texts of written('token')) {
      expect(texts.join('\n')).toContain('this API key');
      expect(texts.join('\n')).not.toMatch(/top up|balance/i);
    }
  });

  it('answers 403 either way', () => {
    for (const scope of SCOPES) expect(writeError(quotaInsufficient(scope), 'call-1').status).toBe(403);
  });
});
