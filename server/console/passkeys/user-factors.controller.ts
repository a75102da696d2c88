import { Controller, Delete, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { DomainError } from '../../common/errors/domain-error.js';
import { ApiEnvelope } from '../../common/api/api-envelope.decorator.js';
import { pathId } from '../../common/query.js';
import { Access } from '../../base/access/access.js';
import { type Actor, CurrentActor } from '../../base/access/current-actor.js';
import { SessionsService } from '../../base/auth/sessions.service.js';
import { TwoFactorService } from '../../base/auth/two-factor/two-factor.service.js';
import { SecurityEmails } from '../../base/notifications/mail/security-emails.js';
import { AccountsService } from '../../base/users/accounts.service.js';
import { assertMayActOn } from '../../base/users/may-act-on.js';
import { userFactorsSchema, type UserFactorsView } from './dto/step-up.dto.js';
import { UserPasskeys } from './user-passkeys.js';

/** Helps users who lost a phone or a key: administrators who may edit an account may remove its second factors. */
@ApiTags('users')
@Controller('api/user')
export class UserFactorsController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly twoFactor: TwoFactorService,
    private readonly passkeys: UserPasskeys,
    private readonly sessions: SessionsService,
    private readonly letters: SecurityEmails,
  ) {}

  @Get(':id/2fa')
  @Access('admin')
  @ApiEnvelope(userFactorsSchema)
  async get(
    @CurrentActor() actor: Actor,
    @Param('id', { schema: pathId() }) id: number,
  ): Promise<UserFactorsView> {
    await this.assertReaches(actor, id);
    const [enabled, passkeys] = await Promise.all([this.twoFactor.isEnabled(id), this.passkeys.countOf(id)]);
    return { enabled, passkeys };
  }

  /** Takes the authenticator app off an account and ends its logins: the lost phone may be signed in. */
  @Delete(':id/2fa')
  @Access('admin')
  @ApiEnvelope()
  async resetTwoFactor(
    @CurrentActor() actor: Actor,
    @Param('id', { schema: pathId() }) id: number,
  ): Promise<void> {
    await this.assertMayReset(actor, id);
    await this.twoFactor.remove(actor, id);
    await this.sessions.closeOthers(id, null);
    this.letters.send(id, 'two-factor-off');
  }

  @Delete(':id/reset_passkey')
  @Access('admin')
  @ApiEnvelope()
  async resetPasskeys(
    @CurrentActor() actor: Actor,
    @Param('id', { schema: pathId() }) id: number,
  ): Promise<void> {
    await this.assertMayReset(actor, id);
    await this.passkeys.removeAll(actor, id);
    await this.sessions.closeOthers(id, null);
    this.letters.send(id, 'passkey-removed');
  }

  private async assertReaches(actor: Actor, id: number): Promise<void> {
    const target = await this.accounts.findIdentity(id);
    if (target === null) throw new DomainError('user_not_found');
    assertMayActOn('edit', actor, target);
  }

  /** The own factors go the way that asks for a proof. */
  private async assertMayReset(actor: Actor, id: number): Promise<void> {
    if (actor.id === id) throw new DomainError('factors_own');
    await this.assertReaches(actor, id);
  }
}
