import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { Access } from '../../base/access/access.js';
import { type Actor, CurrentActor } from '../../base/access/current-actor.js';
import {
  type BinIds,
  binIdsSchema,
  type BinItem,
  binPageSchema,
  type BinQuery,
  binQuerySchema,
} from '../../base/bin/bin-view.js';
import { ApiEnvelope } from '../../common/api/api-envelope.decorator.js';
import type { Page } from '../../common/page.js';
import { TokenBin } from './token-bin.js';

/** Deleted API tokens of all accounts; no answer holds a key. */
@ApiTags('bin')
@Controller('api/bin/token')
export class TokenBinController {
  constructor(private readonly bin: TokenBin) {}

  /** A page of deleted tokens, the last deleted one first. */
  @Get()
  @Access('root')
  @ApiEnvelope(binPageSchema)
  list(@Query({ schema: binQuerySchema }) query: BinQuery): Promise<Page<BinItem>> {
    return this.bin.list(query);
  }

  /** Restores tokens, all of them or none; answers how many. */
  @Post('restore')
  @Access('root')
  @ApiEnvelope(z.int())
  restore(@CurrentActor() actor: Actor, @Body({ schema: binIdsSchema }) { ids }: BinIds): Promise<number> {
    return this.bin.restore(actor, ids);
  }

  /** Removes the sealed keys of deleted tokens for good, of all of them or none; answers how many. */
  @Post('wipe')
  @Access('root')
  @ApiEnvelope(z.int())
  wipe(@CurrentActor() actor: Actor, @Body({ schema: binIdsSchema }) { ids }: BinIds): Promise<number> {
    return this.bin.wipe(actor, ids);
  }
}
