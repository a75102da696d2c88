import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { DomainError } from '../../../common/errors/domain-error.js';
import { SecretBox } from '../../../infra/crypto/secret-box.js';
import type { Actor } from '../../access/current-actor.js';
import { assertBySession, StepUpAuth } from '../step-up.service.js';
import { SessionsService } from '../sessions.service.js';
import { StepTickets } from '../step-tickets.js';
import { OptionsService } from '../../options/options.service.js';
import { SecurityEmails } from '../../accounts/security-emails.js';
import type {
  RecoveryCodesView,
  TwoFactorChange,
  TwoFactorSetupView,
  TwoFactorStatusView,
} from './dto/two-factor.dto.js';
import { makeSecret, otpauthAddress } from '../../two-factor/one-time-code.js';
import { TwoFactorService } from '../../two-factor/two-factor.service.js';

/** Time between the QR code and the first code of it. */
const SETUP_MS = 10 * 60_000;
const KIND = 'two-factor-setup';

/** What people do to the one-time codes of their own account. System access tokens may not. */
@Injectable()
export class OwnTwoFactor {
  constructor(
    private readonly twoFactor: TwoFactorService,
    private readonly proofs: StepUpAuth,
    private readonly tickets: StepTickets,
    private readonly sessions: SessionsService,
    private readonly secrets: SecretBox,
    private readonly options: OptionsService,
    private readonly letters: SecurityEmails,
  ) {}

  async status(actor: Actor): Promise<TwoFactorStatusView> {
    const { enabled, locked, recoveryCodes } = await this.twoFactor.statusOf(actor.id);
    const hasPassword = await this.proofs.hasPassword(actor.id);
    return { enabled, locked, backup_codes_remaining: recoveryCodes, has_password: hasPassword };
  }

  /** Fails: DomainError `session_required`, `two_factor_on`. */
  async setUp(actor: Actor): Promise<TwoFactorSetupView> {
    const place = setupPlace(actor);
    if (await this.twoFactor.isEnabled(actor.id)) throw new DomainError('two_factor_on');
    const secret = await makeSecret();
    await this.tickets.put(KIND, place, this.secrets.seal('totp', place, secret), SETUP_MS);
    const issuer = this.options.values().SystemName;
    return { secret, qr_code_data: await otpauthAddress(issuer, actor.username, secret) };
  }

  /**
   * Needs the password and a code of the secret this login was given. Other logins end: they were made with less.
   * Fails: DomainError `session_required`, `two_factor_setup_missing`, and as `Proofs.demand` and `TwoFactorService.enable`.
   */
  async enable(actor: Actor, input: TwoFactorChange, ip: string): Promise<RecoveryCodesView> {
    const place = setupPlace(actor);
    await this.proofs.demand(actor, input.password, ip);
    const sealed = z.string().safeParse(await this.tickets.look(KIND, place));
    if (!sealed.success) throw new DomainError('two_factor_setup_missing');
    const secret = this.secrets.open('totp', place, sealed.data);
    const codes = await this.twoFactor.enable(actor, secret, input.code);
    await this.tickets.take(KIND, place);
    await this.sessions.closeOthers(actor.id, actor.sessionDigest);
    this.letters.tell(actor.id, 'two-factor-on');
    return { backup_codes: codes };
  }

  /** Fails: as `Proofs.demand` and `TwoFactorService.spend`. */
  async disable(actor: Actor, input: TwoFactorChange, ip: string): Promise<void> {
    await this.proofs.demand(actor, input.password, ip);
    await this.twoFactor.spend(actor.id, input.code);
    await this.twoFactor.remove(actor, actor.id);
    this.letters.tell(actor.id, 'two-factor-off');
  }

  /** Fails: DomainError `session_required`, and as `TwoFactorService.spend`. */
  async renewRecoveryCodes(actor: Actor, code: string): Promise<RecoveryCodesView> {
    assertBySession(actor);
    await this.twoFactor.spend(actor.id, code);
    const codes = await this.twoFactor.renewRecoveryCodes(actor);
    this.letters.tell(actor.id, 'recovery-codes');
    return { backup_codes: codes };
  }
}

/** A secret belongs to the login it was shown in. */
function setupPlace(actor: Actor): string {
  assertBySession(actor);
  return `${actor.id}:${actor.sessionDigest}`;
}
