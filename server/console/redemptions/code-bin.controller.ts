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
import { CodeBin } from './code-bin.js';

/** Deleted redemption codes that were not used; no answer holds a code. */
@ApiTags('bin')
@Controller('api/bin/redemption')
export class CodeBinController {
  constructor(private readonly bin: CodeBin) {}

  /** A page of deleted codes, the last deleted one first. */
  @Get()
  @Access('root')
  @ApiEnvelope(binPageSchema)
  list(@Query({ schema: binQuerySchema }) query: BinQuery): Promise<Page<BinItem>> {
    return this.bin.list(query);
  }

  /** Restores codes, all of them or none; answers how many. */
  @Post('restore')
  @Access('root')
  @ApiEnvelope(z.int())
  restore(@CurrentActor() actor: Actor, @Body({ schema: binIdsSchema }) { ids }: BinIds): Promise<number> {
    return this.bin.restore(actor, ids);
  }

  /** Removes the sealed keys of deleted codes for good, of all of them or none; answers how many. */
  @Post('wipe')
  @Access('root')
  @ApiEnvelope(z.int())
  wipe(@CurrentActor() actor: Actor, @Body({ schema: binIdsSchema }) { ids }: BinIds): Promise<number> {
    return this.bin.wipe(actor, ids);
  }
}
