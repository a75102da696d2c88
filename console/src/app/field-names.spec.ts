import { describe, expect, it } from '@jest/globals';
import { NEW_CHANNEL } from '../features/channels/channel.schema';
import { NEW_REDEMPTION } from '../features/redemptions/redemption.schema';
import { NEW_LIMIT } from '../shared/limits/limit.schema';
import { NEW_TOKEN } from '../features/tokens/token.schema';
import { NEW_USER } from '../features/users/user.schema';
import { en } from '../i18n/en';
import { zh } from '../i18n/zh';

const FORMS = [
  ['channels', NEW_CHANNEL],
  ['limits', NEW_LIMIT],
  ['redemptions', NEW_REDEMPTION],
  ['tokens', NEW_TOKEN],
  ['users', NEW_USER],
] as const;

describe('the summary of what is wrong in a drawer', () => {
  it.each(FORMS)('has a name for every field, in both languages: %s', (texts, values) => {
    // Every vendor's own fields are one; what they hold is never refused.
    const fields = Object.keys(values).filter((field) => field !== 'vendor');
    for (const language of [en, zh])
      expect(Object.keys(language[texts].form)).toEqual(expect.arrayContaining(fields));
  });
});
