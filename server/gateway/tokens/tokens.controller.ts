import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { ApiEnvelope } from '../../common/api/api-envelope.decorator.js';
import { EnvelopeReply } from '../../common/envelope.js';
import { pathId } from '../../common/query.js';
import { Access } from '../../base/access/access.js';
import { type Actor, CurrentActor } from '../../base/access/current-actor.js';
import { type BinIds, binIdsSchema } from '../../base/bin/bin-view.js';
import {
  type TokenActivityView,
  type TokenEdit,
  type TokenInput,
  type TokenListQuery,
  type TokenSearchQuery,
  type TokenView,
  tokenActivitySchema,
  tokenEditQuerySchema,
  tokenEditSchema,
  tokenIdsSchema,
  tokenInputSchema,
  tokenKeySchema,
  tokenListQuerySchema,
  tokenSchema,
  tokenSearchQuerySchema,
} from './dto/token.dto.js';
import { TokenActivity } from './token-activity.service.js';
import { TokenBin } from './token-bin.js';
import { type TokenList, TokensService } from './tokens.service.js';

/** The caller's own API tokens. */
@ApiTags('tokens')
@Controller('api/token')
export class TokensController {
  constructor(
    private readonly tokens: TokensService,
    private readonly activity: TokenActivity,
    private readonly bin: TokenBin,
  ) {}

  @Get()
  @Access('user')
  @ApiEnvelope(z.array(tokenSchema))
  async list(
    @CurrentActor() actor: Actor,
    @Query({ schema: tokenListQuerySchema }) query: TokenListQuery,
  ): Promise<EnvelopeReply> {
    return listReply(await this.tokens.list(actor, query));
  }

  @Get('search')
  @Access('user')
  @ApiEnvelope(z.array(tokenSchema))
  async search(
    @CurrentActor() actor: Actor,
    @Query({ schema: tokenSearchQuerySchema }) query: TokenSearchQuery,
  ): Promise<EnvelopeReply> {
    return listReply(await this.tokens.search(actor, query));
  }

  @Get(':id')
  @Access('user')
  @ApiEnvelope(tokenSchema)
  async get(@CurrentActor() actor: Actor, @Param('id', { schema: pathId() }) id: number): Promise<TokenView> {
    return this.tokens.get(actor, id);
  }

  /** The last call and the last refusal with this token; a page may ask for it every few seconds. */
  @Get(':id/activity')
  @Access('user')
  @ApiEnvelope(tokenActivitySchema)
  async lastCalls(
    @CurrentActor() actor: Actor,
    @Param('id', { schema: pathId() }) id: number,
  ): Promise<TokenActivityView> {
    return this.activity.of(actor, id);
  }

  /** Creates a token; its key is made by the server. */
  @Post()
  @Access('user')
  @ApiEnvelope(tokenSchema)
  async create(
    @CurrentActor() actor: Actor,
    @Body({ schema: tokenInputSchema }) input: TokenInput,
  ): Promise<TokenView> {
    return this.tokens.create(actor, input);
  }

  /** Changes a token; with a non-empty `status_only` only its status. */
  @Put()
  @Access('user')
  @ApiEnvelope(tokenSchema)
  async update(
    @CurrentActor() actor: Actor,
    @Body({ schema: tokenEditSchema }) edit: TokenEdit,
    @Query({ schema: tokenEditQuerySchema }) query: { status_only: string },
  ): Promise<TokenView> {
    if (query.status_only !== '') return this.tokens.changeStatus(actor, edit.id, edit.status);
    return this.tokens.update(actor, edit);
  }

  /** Deletes several tokens; answers how many were the caller's own. */
  @Post('batch')
  @Access('user')
  @ApiEnvelope(z.int())
  async removeMany(
    @CurrentActor() actor: Actor,
    @Body({ schema: tokenIdsSchema }) body: { ids: number[] },
  ): Promise<number> {
    return this.tokens.removeMany(actor, body.ids);
  }

  /** Undoes deletions by the caller of the last minutes, all of them or none; answers how many. */
  @Post('restore')
  @Access('user')
  @ApiEnvelope(z.int())
  async restore(@CurrentActor() actor: Actor, @Body({ schema: binIdsSchema }) body: BinIds): Promise<number> {
    return this.bin.undo(actor, body.ids);
  }

  /** The key of one token. */
  @Post(':id/key')
  @Access('user')
  @ApiEnvelope(tokenKeySchema)
  async reveal(
    @CurrentActor() actor: Actor,
    @Param('id', { schema: pathId() }) id: number,
  ): Promise<{ key: string }> {
    return { key: (await this.tokens.get(actor, id)).key };
  }

  @Delete(':id')
  @Access('user')
  @ApiEnvelope()
  async remove(@CurrentActor() actor: Actor, @Param('id', { schema: pathId() }) id: number): Promise<void> {
    await this.tokens.remove(actor, id);
  }
}

/** A bare list with its total in a header (paging style B). */
const listReply = (list: TokenList): EnvelopeReply =>
  new EnvelopeReply(list.items, '', {}, { 'X-Total-Count': String(list.total) });
