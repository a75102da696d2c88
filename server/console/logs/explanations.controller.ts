import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiEnvelope } from '../../common/api/api-envelope.decorator.js';
import { Access } from '../../base/access/access.js';
import { type Actor, CurrentActor } from '../../base/access/current-actor.js';
import { type ChargeExplanationView, chargeExplanationSchema, logReferenceSchema } from './dto/log.dto.js';
import { ExplanationsService } from './explanations.service.js';

@ApiTags('logs')
@Controller('api/log')
export class ExplanationsController {
  constructor(private readonly explanations: ExplanationsService) {}

  /** Why a call cost what it cost. Own calls by request id; administrators any call, also by the id of its log line. */
  @Get(':reference/explain')
  @Access('user')
  @ApiEnvelope(chargeExplanationSchema)
  async explain(
    @CurrentActor() actor: Actor,
    @Param('reference', { schema: logReferenceSchema }) reference: string,
  ): Promise<ChargeExplanationView> {
    return this.explanations.of(actor, reference);
  }
}
