import { Controller, Delete, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiEnvelope } from '../../common/api/api-envelope.decorator.js';
import { pathId } from '../../common/query.js';
import { Access } from '../access/access.js';
import { type Actor, CurrentActor } from '../access/current-actor.js';
import { Bindings } from './bindings.service.js';
import { identityProviderSchema } from './dto/oauth.dto.js';
import type { IdentityProvider } from './identity-provider.js';

/** Outside identities of other accounts. */
@ApiTags('outside identities')
@Controller('api/user')
export class UserIdentitiesController {
  constructor(private readonly bindings: Bindings) {}

  /** Takes an identity off a deregistered account; its person may then open a new one. */
  @Delete(':id/identity/:provider')
  @Access('root')
  @ApiEnvelope()
  free(
    @CurrentActor() actor: Actor,
    @Param('id', { schema: pathId() }) id: number,
    @Param('provider', { schema: identityProviderSchema }) provider: IdentityProvider,
  ): Promise<void> {
    return this.bindings.free(actor, id, provider);
  }
}
