import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { ApiEnvelope } from '../../common/api/api-envelope.decorator.js';
import { EnvelopeReply } from '../../common/envelope.js';
import { Access } from '../../base/access/access.js';
import { type Actor, CurrentActor } from '../../base/access/current-actor.js';
import { LIST_PRICES } from '../../base/pricing/defaults/list-prices.js';
import { OptionPriceBook } from '../../base/pricing/option-price-book.js';
import { mayChangeOption } from '../../base/options/option-catalogue.js';
import { OptionsService } from '../../base/options/options.service.js';
import { modelPriceSchema, type PriceLookupRequest, priceLookupSchema } from './dto/price-lookup.dto.js';
import { lookUpPrice } from './price-lookup.js';

/** Prices of models before a channel serves them. */
@ApiTags('pricing')
@Controller('api/pricing')
export class PriceLookupController {
  constructor(
    private readonly book: OptionPriceBook,
    private readonly options: OptionsService,
  ) {}

  /** Prices of the named models, and whether the caller may set those that are missing. Stores nothing. */
  @Post('lookup')
  @HttpCode(200)
  @Access('admin')
  @ApiEnvelope(z.array(modelPriceSchema), { may_set: z.boolean() })
  lookUp(
    @CurrentActor() actor: Actor,
    @Body({ schema: priceLookupSchema }) { models }: PriceLookupRequest,
  ): EnvelopeReply {
    const table = this.book.current();
    const prices = models.map((model) => lookUpPrice(table, model, LIST_PRICES));
    return new EnvelopeReply(prices, '', {
      may_set: mayChangeOption(actor.role, 'ModelRatio', this.options.values()),
    });
  }
}
