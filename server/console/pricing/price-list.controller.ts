import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { DomainError } from '../../common/errors/domain-error.js';
import { ApiEnvelope } from '../../common/api/api-envelope.decorator.js';
import { EnvelopeReply } from '../../common/envelope.js';
import { Access } from '../../base/access/access.js';
import { type Actor, OptionalActor } from '../../base/access/current-actor.js';
import { OptionsService } from '../../base/options/options.service.js';
import { priceEntrySchema, type RatioConfig, ratioConfigSchema } from './dto/price-list.dto.js';
import { PriceListService } from './price-list.service.js';

/** Public prices of models. Only the members listed in the schema leave the gateway. */
@ApiTags('pricing')
@Controller('api')
export class PriceListController {
  constructor(
    private readonly prices: PriceListService,
    private readonly options: OptionsService,
  ) {}

  /** Guests see what the default group sees; a login is used when there is one. Fails: not_signed_in, where guests see none. */
  @Get('pricing')
  @Access('guest')
  @ApiEnvelope(z.array(priceEntrySchema), {
    group_ratio: z.record(z.string(), z.number()),
    usable_group: z.record(z.string(), z.string()),
    revision: z.int(),
  })
  async list(@OptionalActor() actor: Actor | null): Promise<EnvelopeReply> {
    if (actor === null && this.options.values().HeaderNavModules.pricing.requireAuth)
      throw new DomainError('not_signed_in');
    const list = await this.prices.listFor(actor?.group);
    return new EnvelopeReply(list.entries, '', {
      group_ratio: list.groupRatio,
      usable_group: list.usableGroup,
      revision: list.revision,
    });
  }

  /** Served models without a price. */
  @Get('pricing/unset')
  @Access('admin')
  @ApiEnvelope(z.array(z.string()))
  async unset(): Promise<string[]> {
    return [...(await this.prices.unpriced())];
  }

  /** The price ratios for other gateways, where the operator opened them. Fails: ratio_config_closed. */
  @Get('ratio_config')
  @Access('public')
  @ApiEnvelope(ratioConfigSchema)
  ratioConfig(): RatioConfig {
    const values = this.options.values();
    if (!values.ExposeRatioEnabled) throw new DomainError('ratio_config_closed');
    return {
      model_ratio: { ...values.ModelRatio },
      completion_ratio: { ...values.CompletionRatio },
      cache_ratio: { ...values.CacheRatio },
      create_cache_ratio: { ...values.CreateCacheRatio },
      model_price: { ...values.ModelPrice },
    };
  }
}
