import { describe, expect, it } from '@jest/globals';
import { createHash, createHmac } from 'node:crypto';
import { codeOf } from '../../../test/support/code-of.js';
import { FakeClock } from '../../../test/support/fake-clock.js';
import type { PendingVerifications } from '../../infra/pending-verifications/pending-verifications.js';
import type { OptionsService } from '../../base/options/options.service.js';
import type { TelegramLogin } from './dto/oauth.dto.js';
import { TelegramIdentity } from './telegram.identity.js';

const NOW = 1_700_000_000;
const TOKEN = '123:bot';

/** Signs like Telegram: https://core.telegram.org/widgets/login#checking-authorization (read 2026-11-21). */
function signed(fields: Record<string, string>): TelegramLogin {
  const text = Object.entries(fields)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('\n');
  const secret = createHash('sha256').update(TOKEN).digest();
  return {
    ...fields,
    hash: createHmac('sha256', secret).update(text).digest('hex'),
  } as unknown as TelegramLogin;
}

function telegram() {
  const claimed = new Set<string>();
  return new TelegramIdentity(
    { values: () => ({ TelegramBotToken: TOKEN }) } as unknown as OptionsService,
    {
      claim: async (key: string) => {
        const isFirst = !claimed.has(key);
        claimed.add(key);
        return isFirst;
      },
    } as unknown as PendingVerifications,
    new FakeClock(NOW * 1_000),
  );
}
const fields = { id: '42', first_name: 'Ann', auth_date: String(NOW - 10) };

describe('TelegramIdentity', () => {
  it('believes what the bot signed, once', async () => {
    const identity = telegram();
    const login = signed({ ...fields, last_name: 'B' });
    expect(await identity.profileOf(login)).toEqual({
      provider: 'telegram',
      subject: '42',
      issuer: '',
      displayName: 'Ann B',
    });
    expect(await codeOf(identity.profileOf(login))).toBe('telegram_expired');
  });

  it.each<[string, TelegramLogin, string]>([
    ['another signature', { ...signed(fields), hash: 'a'.repeat(64) } as TelegramLogin, 'telegram_forged'],
    ['a field that was changed', { ...signed(fields), id: '43' } as TelegramLogin, 'telegram_forged'],
    ['an id that is no number', signed({ ...fields, id: '0' }), 'telegram_forged'],
    ['an old confirmation', signed({ ...fields, auth_date: String(NOW - 86_400) }), 'telegram_expired'],
  ])('rejects a login by %s', async (_, login, code) => {
    expect(await codeOf(telegram().profileOf(login))).toBe(code);
  });
});
