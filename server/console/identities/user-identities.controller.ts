import { Controller, Delete, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiEnvelope } from '../../common/api/api-envelope.decorator.js';
import { pathId } from '../../common/query.js';
import { Access } from '../../base/access/access.js';
import { type Actor, CurrentActor } from '../../base/access/current-actor.js';
import { identityProviderSchema } from './dto/oauth.dto.js';
import type { IdentityProvider } from '../../base/access/identity-providers.js';
import { IdentityRelease } from './identity-release.service.js';

/** Outside identities of other accounts. */
@ApiTags('outside identities')
@Controller('api/user')
export class UserIdentitiesController {
  constructor(private readonly identities: IdentityRelease) {}

  /** Takes an identity off a deregistered account; its person may then open a new one. */
  @Delete(':id/identity/:provider')
  @Access('root')
  @ApiEnvelope()
  free(
    @CurrentActor() actor: Actor,
    @Param('id', { schema: pathId() }) id: number,
    @Param('provider', { schema: identityProviderSchema }) provider: IdentityProvider,
  ): Promise<void> {
    return this.identities.release(actor, id, provider);
  }
}
