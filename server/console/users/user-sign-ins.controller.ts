import { Controller, Delete, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { ApiEnvelope } from '../../common/api/api-envelope.decorator.js';
import { pathId } from '../../common/query.js';
import { Access } from '../../base/access/access.js';
import { type Actor, CurrentActor } from '../../base/access/current-actor.js';
import { sessionsEndedSchema, userSignInsSchema, type UserSignInsView } from './dto/user.dto.js';
import { UserSignIns } from './user-sign-ins.js';

/** Logins of other accounts. */
@ApiTags('users')
@Controller('api/user')
export class UserSignInsController {
  constructor(private readonly signIns: UserSignIns) {}

  /** Returns the ways to sign in, the sessions and the newest attempts. */
  @Get(':id/sign_ins')
  @Access('admin')
  @ApiEnvelope(userSignInsSchema)
  get(@CurrentActor() actor: Actor, @Param('id', { schema: pathId() }) id: number): Promise<UserSignInsView> {
    return this.signIns.get(actor, id);
  }

  /** Signs the account out everywhere; of the caller's own account the login of this request stays. */
  @Delete(':id/sessions')
  @Access('admin')
  @ApiEnvelope(sessionsEndedSchema)
  async endAll(
    @CurrentActor() actor: Actor,
    @Param('id', { schema: pathId() }) id: number,
  ): Promise<z.infer<typeof sessionsEndedSchema>> {
    return { ended: await this.signIns.endAll(actor, id) };
  }
}
