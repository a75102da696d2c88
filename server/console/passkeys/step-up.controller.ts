import { Body, Controller, Get, HttpCode, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { DomainError } from '../../common/errors/domain-error.js';
import { ApiEnvelope } from '../../common/api/api-envelope.decorator.js';
import { Access } from '../../base/access/access.js';
import { type Actor, CurrentActor } from '../../base/access/current-actor.js';
import { OpenInDemo } from '../../base/access/open-in-demo.js';
import { assertBySession, StepUpAuth } from '../../base/auth/step-up.service.js';
import { TwoFactorService } from '../../base/auth/two-factor/two-factor.service.js';
import {
  type FreshProof,
  freshProofSchema,
  freshStatusSchema,
  type FreshStatusView,
} from './dto/step-up.dto.js';
import { UserPasskeys } from './user-passkeys.js';

/** Proving once more who is signed in, before something that cannot be taken back. */
@ApiTags('proof')
@Controller('api/verify')
export class StepUpController {
  constructor(
    private readonly proofs: StepUpAuth,
    private readonly twoFactor: TwoFactorService,
    private readonly passkeys: UserPasskeys,
  ) {}

  /** By password, or for accounts with an authenticator app by a code of it. By passkey: `/api/user/passkey/verify`. */
  @Post()
  @HttpCode(200)
  @Access('user')
  @OpenInDemo()
  @ApiEnvelope()
  async prove(
    @CurrentActor() actor: Actor,
    @Body({ schema: freshProofSchema }) input: FreshProof,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    assertBySession(actor);
    const hasApp = await this.twoFactor.isEnabled(actor.id);
    if (input.method === '2fa') await this.twoFactor.spend(actor.id, input.code);
    // The password alone is less than the login needed.
    else if (hasApp) throw new DomainError('proof_by_code');
    else await this.proofs.require(actor, input.password, request.ip);
    await this.proofs.renew(actor);
  }

  @Get('status')
  @Access('user')
  @ApiEnvelope(freshStatusSchema)
  async status(@CurrentActor() actor: Actor): Promise<FreshStatusView> {
    const [untilMs, hasApp, hasPassword, passkeys] = await Promise.all([
      this.proofs.freshUntilMs(actor),
      this.twoFactor.isEnabled(actor.id),
      this.proofs.hasPassword(actor.id),
      this.passkeys.countOf(actor.id),
    ]);
    const methods: FreshStatusView['methods'] = [];
    if (hasApp) methods.push('2fa');
    else if (hasPassword) methods.push('password');
    if (passkeys > 0) methods.push('passkey');
    return {
      required: this.proofs.isRequired,
      fresh: untilMs > 0,
      expires_at: Math.floor(untilMs / 1000),
      methods,
    };
  }
}
