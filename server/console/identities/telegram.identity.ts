import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import { PendingVerifications } from '../../infra/pending-verifications/pending-verifications.js';
import { Clock } from '../../common/clock.js';
import { digestOf } from '../../base/auth/sessions.service.js';
import { OptionsService } from '../../base/options/options.service.js';
import type { TelegramLogin } from './dto/oauth.dto.js';
import type { ExternalProfile } from './external-profile.js';
import { checkString, isGenuine, isRecent } from './telegram-signature.js';

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
  async profileOf(fields: TelegramLogin): Promise<ExternalProfile> {
    if (!isGenuine(fields, this.options.values().TelegramBotToken)) throw new DomainError('telegram_forged');
    if (!/^[1-9]\d{0,18}$/.test(fields.id)) throw new DomainError('telegram_forged');
    if (!isRecent(fields.auth_date, this.clock.nowMs())) throw new DomainError('telegram_expired');
    const key = `identity:telegram:${digestOf(checkString(fields))}`;
    const isFirst = await this.steps.claim(key, MEMORY_MS);
    if (!isFirst) throw new DomainError('telegram_expired');
    return {
      provider: 'telegram',
      subject: fields.id,
      displayName: [fields.first_name, fields.last_name].filter(Boolean).join(' '),
    };
  }
}
