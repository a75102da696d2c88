import { Controller, Delete, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiEnvelope } from '../../common/api/api-envelope.decorator.js';
import { Access } from '../../base/access/access.js';
import { type Actor, CurrentActor } from '../../base/access/current-actor.js';
import { NeedsFreshLogin } from '../../base/access/needs-fresh-login.js';
import { Bindings } from './bindings.service.js';
import { type BoundThing, boundThingSchema } from './dto/oauth.dto.js';

/** Bindings of the own account. */
@ApiTags('outside identities')
@Controller('api/user/self/identities')
export class OwnIdentitiesController {
  constructor(private readonly bindings: Bindings) {}

  /** Takes an identity, or the mail address, off the own account; the last way to sign in stays. */
  @Delete(':provider')
  @Access('user')
  @NeedsFreshLogin()
  @ApiEnvelope()
  unbind(
    @CurrentActor() actor: Actor,
    @Param('provider', { schema: boundThingSchema }) provider: BoundThing,
  ): Promise<void> {
    return provider === 'email' ? this.bindings.unbindMail(actor) : this.bindings.unbind(actor, provider);
  }
}
