import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiEnvelope } from '../../common/api/api-envelope.decorator.js';
import { Access } from '../../base/access/access.js';
import { type Actor, CurrentActor } from '../../base/access/current-actor.js';
import {
  type WeeklyEmailChange,
  weeklyEmailChangeSchema,
  weeklyEmailSchema,
  type WeeklyEmailView,
} from './dto/weekly-email.dto.js';
import { WeeklyEmails } from './weekly-emails.service.js';

/** The caller's own weekly summary by e-mail. */
@ApiTags('self')
@Controller('api/user/self/weekly_email')
export class WeeklyEmailController {
  constructor(private readonly emails: WeeklyEmails) {}

  @Get()
  @Access('user')
  @ApiEnvelope(weeklyEmailSchema)
  get(@CurrentActor() actor: Actor): Promise<WeeklyEmailView> {
    return this.emails.get(actor);
  }

  @Put()
  @Access('user')
  @ApiEnvelope(weeklyEmailSchema)
  change(
    @CurrentActor() actor: Actor,
    @Body({ schema: weeklyEmailChangeSchema }) { enabled }: WeeklyEmailChange,
  ): Promise<WeeklyEmailView> {
    return this.emails.change(actor, enabled);
  }
}
