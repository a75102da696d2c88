import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { DomainError } from '../../../common/errors/domain-error.js';
import { renderRefusal } from '../../../common/errors/render-refusal.js';
import { ApiEnvelope } from '../../../common/api/api-envelope.decorator.js';
import { CallerLanguage } from '../../../common/api/caller-language.js';
import { EnvelopeReply } from '../../../common/envelope.js';
import type { Language } from '../../../common/language.js';
import type { Page } from '../../../common/page.js';
import { Access } from '../../../base/access/access.js';
import { type Actor, CurrentActor } from '../../../base/access/current-actor.js';
import {
  type AmountInput,
  amountSchema,
  orderPageSchema,
  orderSchema,
  type OrderView,
  type OwnOrderQuery,
  ownOrderQuerySchema,
  payFieldsSchema,
  topUpInfoSchema,
  type TopUpInfoView,
  tradeNoSchema,
} from '../dto/top-up.dto.js';
import { OrderPlacement } from './order-placement.js';
import { OrdersService } from './orders.service.js';
import { TopUpService } from './top-up.service.js';

/** Online top-up, for payers. */
@ApiTags('wallet')
@Controller('api/user')
export class TopUpController {
  constructor(
    private readonly topUps: TopUpService,
    private readonly placement: OrderPlacement,
    private readonly orders: OrdersService,
  ) {}

  /** Price of a top-up. `message` is `success` and `data` the sum, or `message` is `error` and `data` the reason. */
  @Post('amount')
  @Access('user')
  @ApiEnvelope(z.string())
  amount(
    @CurrentActor() actor: Actor,
    @Body({ schema: amountSchema }) input: AmountInput,
    @CallerLanguage() language: Language,
  ): Promise<EnvelopeReply> {
    return answered(language, async () => new EnvelopeReply(this.topUps.amount(actor, input), 'success'));
  }

  /**
   * Makes an order. The browser posts the fields of `data` to `url`; without fields (`method` is `redirect`) it goes there.
   * `message` is `success`, or `error` with the reason in `data`.
   */
  @Post('pay')
  @Access('user')
  @ApiEnvelope(payFieldsSchema, {
    url: z.string(),
    method: z.enum(['form', 'redirect']),
    trade_no: z.string(),
  })
  pay(
    @CurrentActor() actor: Actor,
    @Body({ schema: amountSchema }) input: AmountInput,
    @CallerLanguage() language: Language,
  ): Promise<EnvelopeReply> {
    return answered(language, async () => {
      const { start, tradeNo } = await this.placement.pay(actor, input);
      const fields = start.kind === 'form' ? start.fields : {};
      return new EnvelopeReply(fields, 'success', { url: start.url, method: start.kind, trade_no: tradeNo });
    });
  }

  /** Like `amount`, for consoles with a separate form for Stripe. */
  @Post('stripe/amount')
  @Access('user')
  @ApiEnvelope(z.string())
  stripeAmount(
    @CurrentActor() actor: Actor,
    @Body({ schema: amountSchema }) input: AmountInput,
    @CallerLanguage() language: Language,
  ): Promise<EnvelopeReply> {
    return this.amount(actor, { ...input, payment_method: 'stripe' }, language);
  }

  /** Like `pay`, for consoles with a separate form for Stripe: `data.pay_link` is the address of the payment page. */
  @Post('stripe/pay')
  @Access('user')
  @ApiEnvelope(z.object({ pay_link: z.string() }), { trade_no: z.string() })
  stripePay(
    @CurrentActor() actor: Actor,
    @Body({ schema: amountSchema }) input: AmountInput,
    @CallerLanguage() language: Language,
  ): Promise<EnvelopeReply> {
    return answered(language, async () => {
      const { start, tradeNo } = await this.placement.pay(actor, { ...input, payment_method: 'stripe' });
      return new EnvelopeReply({ pay_link: start.url }, 'success', { trade_no: tradeNo });
    });
  }

  /** Available payment methods. */
  @Get('topup/info')
  @Access('user')
  @ApiEnvelope(topUpInfoSchema)
  info(@CurrentActor() actor: Actor): Promise<TopUpInfoView> {
    return this.topUps.info(actor);
  }

  /** The caller's own orders. */
  @Get('topup/self')
  @Access('user')
  @ApiEnvelope(orderPageSchema)
  list(
    @CurrentActor() actor: Actor,
    @Query({ schema: ownOrderQuerySchema }) query: OwnOrderQuery,
  ): Promise<Page<OrderView>> {
    return this.orders.listOwn(actor, query);
  }

  /** The state of one own order. */
  @Get('topup/self/:trade_no')
  @Access('user')
  @ApiEnvelope(orderSchema)
  get(
    @CurrentActor() actor: Actor,
    @Param('trade_no', { schema: tradeNoSchema }) tradeNo: string,
  ): Promise<OrderView> {
    return this.orders.getOwn(actor, tradeNo);
  }
}

/** Refusals of these two routes have their own form; everything else fails as everywhere. */
async function answered(language: Language, work: () => Promise<EnvelopeReply>): Promise<EnvelopeReply> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { status, body } = renderRefusal(error.code, error.values, language);
    if (status !== 200) throw error;
    return new EnvelopeReply(body.message, 'error', { code: error.code }, {}, false);
  }
}
