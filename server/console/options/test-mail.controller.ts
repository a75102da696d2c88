import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { DomainError } from '../../common/errors/domain-error.js';
import { ApiEnvelope } from '../../common/api/api-envelope.decorator.js';
import { languageOf } from '../../common/language.js';
import { Clock } from '../../common/clock.js';
import { AuditLog } from '../../base/audit/audit-log.js';
import { Access } from '../../base/access/access.js';
import { type Actor, CurrentActor } from '../../base/access/current-actor.js';
import { RateLimiter } from '../../infra/rate-limit/rate-limiter.js';
import { MailFault } from '../../base/notifications/mail/smtp-delivery.js';
import { Mailer } from '../../base/notifications/mail/mailer.js';
import { AccountsService } from '../../base/users/accounts.service.js';
import { parseMailAddress } from '../../common/mail-address.js';
import { type TestMail, testMailSchema } from './dto/test-mail.dto.js';

const TESTS = { limit: 30, windowMs: 600_000 };

/** Tries the mail settings out. */
@ApiTags('options')
@Controller('api/option')
export class TestMailController {
  constructor(
    private readonly mailer: Mailer,
    private readonly accounts: AccountsService,
    private readonly throttle: RateLimiter,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** Sends a test mail by the stored settings, to `to` or else to the own address; a failure has its reason. */
  @Post('test_mail')
  @HttpCode(200)
  @Access('root')
  @ApiEnvelope()
  async sendTestMail(
    @CurrentActor() actor: Actor,
    @Body({ schema: testMailSchema }) input: TestMail,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    const typed = input.to.trim() === '' ? await this.accounts.mailOf(actor.id) : input.to;
    if (typed === '') throw new DomainError('mail_required');
    const to = parseMailAddress(typed)?.address;
    if (to === undefined) throw new DomainError('mail_invalid');
    await this.throttle.admit(`test-mail:${actor.id}`, TESTS);
    const { id: actorId, role: actorRole } = actor;
    await this.audit.record(null, {
      actorId,
      actorRole,
      action: 'mail.test',
      targetType: 'mail',
      targetId: to,
    });
    const language = languageOf(request.headers['accept-language']);
    const at = new Date(this.clock.nowMs()).toISOString();
    await this.mailer.send({ to, template: 'test', language, values: { at } }).catch((error: unknown) => {
      if (!(error instanceof MailFault)) throw error;
      if (error.kind === 'not-set-up') throw new DomainError('mail_unavailable');
      throw new DomainError('mail_failed', { reason: error.reason });
    });
  }
}
