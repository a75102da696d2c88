import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../common/errors/domain-error.js';
import type { Actor } from '../../access/current-actor.js';
import { assertBySession, StepUpAuth } from '../step-up.service.js';
import { SessionsService } from '../sessions.service.js';
import { SecurityEmails } from '../../notifications/mail/security-emails.js';
import type {
  RecoveryCodesView,
  TwoFactorChange,
  TwoFactorSetupView,
  TwoFactorStatusView,
} from './dto/two-factor.dto.js';
import { TwoFactorService } from './two-factor.service.js';
import { TwoFactorSetups } from './two-factor-setups.js';

/** Changes of the one-time codes of the own account. System access tokens may not make them. */
@Injectable()
export class OwnTwoFactor {
  constructor(
    private readonly twoFactor: TwoFactorService,
    private readonly proofs: StepUpAuth,
    private readonly setups: TwoFactorSetups,
    private readonly sessions: SessionsService,
    private readonly letters: SecurityEmails,
  ) {}

  async status(actor: Actor): Promise<TwoFactorStatusView> {
    const { enabled, locked, recoveryCodes } = await this.twoFactor.statusOf(actor.id);
    const hasPassword = await this.proofs.hasPassword(actor.id);
    return { enabled, locked, backup_codes_remaining: recoveryCodes, has_password: hasPassword };
  }

  /** Fails: DomainError `session_required`, `two_factor_on`. */
  async setUp(actor: Actor): Promise<TwoFactorSetupView> {
    assertBySession(actor);
    if (await this.twoFactor.isEnabled(actor.id)) throw new DomainError('two_factor_on');
    return this.setups.begin(actor);
  }

  /**
   * Needs the password and a code of the secret this login was given. Other logins end: they were made with less.
   * Fails: DomainError `session_required`, `two_factor_setup_missing`, and as `StepUpAuth.demand` and `TwoFactorService.enable`.
   */
  async enable(actor: Actor, input: TwoFactorChange, ip: string): Promise<RecoveryCodesView> {
    await this.proofs.require(actor, input.password, ip);
    const secret = await this.setups.look(actor);
    if (secret === null) throw new DomainError('two_factor_setup_missing');
    const codes = await this.twoFactor.enable(actor, secret, input.code);
    await this.setups.end(actor);
    await this.sessions.closeOthers(actor.id, actor.sessionDigest);
    this.letters.send(actor.id, 'two-factor-on');
    return { backup_codes: codes };
  }

  /** Fails: as `StepUpAuth.demand` and `TwoFactorService.spend`. */
  async disable(actor: Actor, input: TwoFactorChange, ip: string): Promise<void> {
    await this.proofs.require(actor, input.password, ip);
    await this.twoFactor.spend(actor.id, input.code);
    await this.twoFactor.remove(actor, actor.id);
    this.letters.send(actor.id, 'two-factor-off');
  }

  /** Fails: DomainError `session_required`, and as `TwoFactorService.spend`. */
  async renewRecoveryCodes(actor: Actor, code: string): Promise<RecoveryCodesView> {
    assertBySession(actor);
    await this.twoFactor.spend(actor.id, code);
    const codes = await this.twoFactor.renewRecoveryCodes(actor);
    this.letters.send(actor.id, 'recovery-codes');
    return { backup_codes: codes };
  }
}
