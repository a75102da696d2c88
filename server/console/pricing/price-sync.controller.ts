import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { ApiEnvelope } from '../../common/api/api-envelope.decorator.js';
import { Access } from '../../base/access/access.js';
import { type Actor, CurrentActor } from '../../base/access/current-actor.js';
import {
  MAX_LIST_BYTES,
  type PriceSync,
  type PriceSyncApply,
  priceSyncApplySchema,
  type PriceSyncRequest,
  priceSyncResultSchema,
  priceSyncSchema,
} from './dto/price-sync.dto.js';
import { OptionsService } from '../../base/options/options.service.js';
import { SYNCED_KEYS } from './options-of-price.js';
import { PriceChangeLog } from './price-change-log.js';
import { PriceSyncService } from './price-sync.service.js';

/** Prices from published lists (models.dev, LiteLLM). */
@ApiTags('pricing')
@Controller('api/pricing/sync')
export class PriceSyncController {
  constructor(
    private readonly sync: PriceSyncService,
    private readonly changes: PriceChangeLog,
    private readonly options: OptionsService,
  ) {}

  /** Compares with an uploaded list or one at an address, for roles that may change prices. Stores nothing. */
  @Post('diff')
  @HttpCode(200)
  @Access('admin')
  @RouteConfig({ bodyLimitBytes: MAX_LIST_BYTES })
  @ApiEnvelope(priceSyncResultSchema)
  async diff(
    @CurrentActor() actor: Actor,
    @Body({ schema: priceSyncSchema }) request: PriceSyncRequest,
  ): Promise<PriceSync> {
    this.options.assertMayChange(actor.role, SYNCED_KEYS);
    return this.sync.compare(request);
  }

  /** Stores what was picked of a difference, as one version. */
  @Post('apply')
  @HttpCode(200)
  @Access('admin')
  @RouteConfig({ bodyLimitBytes: MAX_LIST_BYTES })
  @ApiEnvelope(z.array(z.string()))
  async apply(
    @CurrentActor() actor: Actor,
    @Body({ schema: priceSyncApplySchema }) picked: PriceSyncApply,
  ): Promise<string[]> {
    const changed = await this.sync.apply(actor, picked);
    const how = `took over listed prices of ${picked.items.length} models`;
    await this.changes.write(actor, { changed, how });
    return [...changed];
  }
}
