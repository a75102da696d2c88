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
import { AccountBin } from './account-bin.js';

/** Deregistered accounts; `POST /api/user/{id}/purge` clears one for good. */
@ApiTags('bin')
@Controller('api/bin/user')
export class AccountBinController {
  constructor(private readonly bin: AccountBin) {}

  /** A page of deregistered accounts, the last deleted one first. */
  @Get()
  @Access('root')
  @ApiEnvelope(binPageSchema)
  list(@Query({ schema: binQuerySchema }) query: BinQuery): Promise<Page<BinItem>> {
    return this.bin.list(query);
  }

  /** Restores accounts that an administrator deleted, all of them or none; answers how many. */
  @Post('restore')
  @Access('root')
  @ApiEnvelope(z.int())
  restore(@CurrentActor() actor: Actor, @Body({ schema: binIdsSchema }) { ids }: BinIds): Promise<number> {
    return this.bin.restore(actor, ids);
  }
}
