import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import { PendingVerifications } from '../../infra/pending-verifications/pending-verifications.js';
import { Clock } from '../../common/clock.js';
import { digestOf } from '../../base/auth/sessions.service.js';
import { OptionsService } from '../../base/options/options.service.js';
import type { TelegramLogin } from './dto/oauth.dto.js';
import type { VouchedProfile } from './external-profile.js';

const SECOND_MS = 1_000;
const MAX_AGE_MS = 300 * SECOND_MS;
const MAX_AHEAD_MS = 120 * SECOND_MS;

/** Longer than a confirmation is recent, so that its second use is always noticed. */
const MEMORY_MS = 600_000;

/** Telegram's login widget: fields signed with the bot's token. */
@Injectable()
export class TelegramIdentity {
  constructor(
    private readonly options: OptionsService,
    private readonly steps: PendingVerifications,
    private readonly clock: Clock,
  ) {}

  /** Uses a confirmation up. Fails: DomainError `telegram_forged`, `telegram_expired` for an old or used one. */
  async profileOf(fields: TelegramLogin): Promise<VouchedProfile> {
    if (!isGenuine(fields, this.options.values().TelegramBotToken)) throw new DomainError('telegram_forged');
    if (!/^[1-9]\d{0,18}$/.test(fields.id)) throw new DomainError('telegram_forged');
    if (!isRecent(fields.auth_date, this.clock.nowMs())) throw new DomainError('telegram_expired');
    const key = `identity:telegram:${digestOf(checkString(fields))}`;
    const isFirst = await this.steps.claim(key, MEMORY_MS);
    if (!isFirst) throw new DomainError('telegram_expired');
    return {
      provider: 'telegram',
      subject: fields.id,
      issuer: '',
      displayName: [fields.first_name, fields.last_name].filter(Boolean).join(' '),
    };
  }
}

type Fields = Readonly<Record<string, string | undefined>>;

/** All received fields but the hash, sorted by name, a line each (core.telegram.org/widgets/login, read 2026-11-21). */
export function checkString(fields: Fields): string {
  return Object.entries(fields)
    .filter(([name, value]) => name !== 'hash' && value !== undefined)
    .map(([name, value]) => `${name}=${value ?? ''}`)
    .toSorted((left, right) => (left < right ? -1 : 1))
    .join('\n');
}

/** True when the holder of the bot's token signed these fields. An empty token signs nothing. */
export function isGenuine(fields: Fields & { readonly hash: string }, botToken: string): boolean {
  if (botToken === '' || !/^[0-9a-f]{64}$/.test(fields.hash)) return false;
  const key = createHash('sha256').update(botToken).digest();
  const expected = createHmac('sha256', key).update(checkString(fields)).digest();
  return timingSafeEqual(expected, Buffer.from(fields.hash, 'hex'));
}

/** @param authDate  moment of the confirmation in seconds, as text */
export function isRecent(authDate: string, nowMs: number): boolean {
  if (!/^\d{1,12}$/.test(authDate)) return false;
  const ageMs = nowMs - Number(authDate) * SECOND_MS;
  return ageMs <= MAX_AGE_MS && ageMs >= -MAX_AHEAD_MS;
}
