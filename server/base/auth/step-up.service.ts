import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import { Env } from '../../config/env.js';
import { TwoFactorService } from './two-factor/two-factor.service.js';
import { AccountsService } from '../users/accounts.service.js';
import type { Actor } from '../access/current-actor.js';
import { LoginService } from './login.service.js';
import { SessionsService } from './sessions.service.js';

/** Checks that the user at the keyboard is the one who signed in. */
@Injectable()
export class StepUpAuth {
  constructor(
    private readonly sessions: SessionsService,
    private readonly accounts: AccountsService,
    private readonly login: LoginService,
    private readonly twoFactor: TwoFactorService,
    private readonly env: Env,
  ) {}

  /** The server asks for a recent proof before sensitive changes. */
  get isRequired(): boolean {
    return this.env.isFreshLoginRequired;
  }

  /** Until when the login counts as recent, milliseconds; 0 = it does not. */
  async freshUntilMs(actor: Actor): Promise<number> {
    return actor.sessionDigest === null ? 0 : this.sessions.freshUntilMs(actor.sessionDigest);
  }

  /** Fails: DomainError `session_required` for access tokens, `login_not_fresh`. */
  async assertFresh(actor: Actor): Promise<void> {
    assertBySession(actor);
    if ((await this.freshUntilMs(actor)) === 0) throw new DomainError('login_not_fresh');
  }

  hasPassword(userId: number): Promise<boolean> {
    return this.accounts.passwordOf(userId).then((hash) => hash !== '');
  }

  /**
   * The own password, or for accounts without one a recent login.
   * Fails: DomainError `session_required`, `proof_required`, `proof_wrong`, `login_not_fresh`, `login_too_often`.
   */
  async require(actor: Actor, password: string, ip: string): Promise<void> {
    assertBySession(actor);
    if (!(await this.hasPassword(actor.id))) return this.assertFresh(actor);
    if (password === '') throw new DomainError('proof_required');
    if (!(await this.login.confirmPassword(actor, password, ip))) throw new DomainError('proof_wrong');
  }

  /**
   * A login or proof of the last minutes; else the password and, for accounts with an authenticator app, a code of it: an act that
   * opens a further way in needs all that the ways before it need.
   * Fails: as `demand`, and as `TwoFactorService.spend`.
   */
  async requireUnlessFresh(
    actor: Actor,
    proof: { readonly password: string; readonly code: string },
    ip: string,
  ): Promise<void> {
    assertBySession(actor);
    if (proof.password === '' && (await this.freshUntilMs(actor)) > 0) return;
    await this.require(actor, proof.password, ip);
    if (await this.twoFactor.isEnabled(actor.id)) await this.twoFactor.spend(actor.id, proof.code);
    await this.renew(actor);
  }

  /** The person has just proved who they are. */
  async renew(actor: Actor): Promise<void> {
    if (actor.sessionDigest !== null) await this.sessions.verify(actor.sessionDigest);
  }
}

/** Fails: DomainError `session_required`. */
export function assertBySession(actor: Actor): asserts actor is Actor & { readonly sessionDigest: string } {
  if (actor.sessionDigest === null) throw new DomainError('session_required');
}
