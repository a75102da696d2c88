import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiEnvelope } from '../../common/api/api-envelope.decorator.js';
import { pathId } from '../../common/query.js';
import { Access } from '../../base/access/access.js';
import { type Actor, CurrentActor } from '../../base/access/current-actor.js';
import { AdministeredTokens } from './administered-tokens.service.js';
import {
  type AdministeredTokenPage,
  administeredTokenPageSchema,
  type AdministeredTokenQuery,
  administeredTokenQuerySchema,
  administeredTokenSchema,
  type AdministeredTokenView,
  pastedKeySchema,
  tokenLockSchema,
} from './dto/administered-token.dto.js';
import { TokenLocks } from './token-locks.service.js';

/** Tokens of all accounts, for administrators. */
@ApiTags('tokens')
@Controller('api/token')
export class AdministeredTokensController {
  constructor(
    private readonly tokens: AdministeredTokens,
    private readonly locks: TokenLocks,
  ) {}

  /** Tokens of the accounts that the administrator may read, newest first. */
  @Get('all')
  @Access('admin')
  @ApiEnvelope(administeredTokenPageSchema)
  list(
    @CurrentActor() actor: Actor,
    @Query({ schema: administeredTokenQuerySchema }) query: AdministeredTokenQuery,
  ): Promise<AdministeredTokenPage> {
    return this.tokens.list(actor, query);
  }

  /** The token of a whole key. The key stands in the body alone, which is not logged. */
  @Post('find')
  @HttpCode(200)
  @Access('admin')
  @ApiEnvelope(administeredTokenSchema)
  find(
    @CurrentActor() actor: Actor,
    @Body({ schema: pastedKeySchema }) body: { key: string },
  ): Promise<AdministeredTokenView> {
    return this.tokens.findByKey(actor, body.key);
  }

  /** Disables a token; its owner can only delete it until an administrator unlocks it. */
  @Post(':id/lock')
  @HttpCode(200)
  @Access('admin')
  @ApiEnvelope(administeredTokenSchema)
  async lock(
    @CurrentActor() actor: Actor,
    @Param('id', { schema: pathId() }) id: number,
    @Body({ schema: tokenLockSchema }) body: { reason: string },
  ): Promise<AdministeredTokenView> {
    await this.locks.lock(actor, id, body.reason);
    return this.tokens.get(actor, id);
  }

  /** Takes the lock off; the token has the status it had before. */
  @Post(':id/unlock')
  @HttpCode(200)
  @Access('admin')
  @ApiEnvelope(administeredTokenSchema)
  async unlock(
    @CurrentActor() actor: Actor,
    @Param('id', { schema: pathId() }) id: number,
  ): Promise<AdministeredTokenView> {
    await this.locks.unlock(actor, id);
    return this.tokens.get(actor, id);
  }
}
