import { Body, Controller, Get, HttpCode, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { ApiEnvelope } from '../../../common/api/api-envelope.decorator.js';
import { Access } from '../../access/access.js';
import { type Actor, CurrentActor } from '../../access/current-actor.js';
import {
  recoveryCodesInputSchema,
  recoveryCodesSchema,
  type RecoveryCodesView,
  type TwoFactorChange,
  twoFactorChangeSchema,
  twoFactorSetupSchema,
  type TwoFactorSetupView,
  twoFactorStatusSchema,
  type TwoFactorStatusView,
} from './dto/two-factor.dto.js';
import { OwnTwoFactor } from './own-two-factor.service.js';

/** One-time codes of the own account. */
@ApiTags('two-factor')
@Controller('api/user/2fa')
export class TwoFactorController {
  constructor(private readonly own: OwnTwoFactor) {}

  @Get('status')
  @Access('user')
  @ApiEnvelope(twoFactorStatusSchema)
  status(@CurrentActor() actor: Actor): Promise<TwoFactorStatusView> {
    return this.own.status(actor);
  }

  /** A new secret. Nothing is on before a code of it was shown. */
  @Post('setup')
  @HttpCode(200)
  @Access('user')
  @ApiEnvelope(twoFactorSetupSchema)
  setUp(@CurrentActor() actor: Actor): Promise<TwoFactorSetupView> {
    return this.own.setUp(actor);
  }

  @Post('enable')
  @HttpCode(200)
  @Access('user')
  @ApiEnvelope(recoveryCodesSchema)
  enable(
    @CurrentActor() actor: Actor,
    @Body({ schema: twoFactorChangeSchema }) input: TwoFactorChange,
    @Req() request: FastifyRequest,
  ): Promise<RecoveryCodesView> {
    return this.own.enable(actor, input, request.ip);
  }

  @Post('disable')
  @HttpCode(200)
  @Access('user')
  @ApiEnvelope()
  disable(
    @CurrentActor() actor: Actor,
    @Body({ schema: twoFactorChangeSchema }) input: TwoFactorChange,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    return this.own.disable(actor, input, request.ip);
  }

  /** New recovery codes; the old ones stop working. */
  @Post('backup_codes')
  @HttpCode(200)
  @Access('user')
  @ApiEnvelope(recoveryCodesSchema)
  renewRecoveryCodes(
    @CurrentActor() actor: Actor,
    @Body({ schema: recoveryCodesInputSchema }) input: { code: string },
  ): Promise<RecoveryCodesView> {
    return this.own.renewRecoveryCodes(actor, input.code);
  }
}
