import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { ApiEnvelope } from '../../common/api/api-envelope.decorator.js';
import { Access } from '../../base/access/access.js';
import { type Actor, CurrentActor } from '../../base/access/current-actor.js';
import { redeemSchema } from './dto/redemption.dto.js';
import { RedeemService } from './redeem.service.js';

/** Turning a code into quota. */
@ApiTags('wallet')
@Controller('api/user/topup')
export class RedeemController {
  constructor(private readonly service: RedeemService) {}

  /** Answers the quota added. */
  @Post()
  @Access('user')
  @ApiEnvelope(z.int())
  redeem(
    @CurrentActor() actor: Actor,
    @Body({ schema: redeemSchema }) input: { key: string },
  ): Promise<number> {
    return this.service.redeem(actor, input.key);
  }
}
