import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiEnvelope } from '../../../common/api/api-envelope.decorator.js';
import type { Page } from '../../../common/page.js';
import { Access } from '../../../base/access/access.js';
import { type Actor, CurrentActor } from '../../../base/access/current-actor.js';
import {
  adminOrderDetailSchema,
  type AdminOrderDetailView,
  adminOrderPageSchema,
  type AdminOrderView,
  type CompleteOrder,
  completeOrderSchema,
  type OrderQuery,
  orderQuerySchema,
  tradeNoSchema,
  type RefundOrder,
  refundOrderSchema,
} from '../dto/top-up.dto.js';
import { OrderCorrections } from './order-corrections.js';
import { OrdersService } from './orders.service.js';

/** Payment orders of all accounts. */
@ApiTags('wallet')
@Controller('api/user/topup')
export class OrdersController {
  constructor(
    private readonly orders: OrdersService,
    private readonly corrections: OrderCorrections,
  ) {}

  @Get()
  @Access('admin')
  @ApiEnvelope(adminOrderPageSchema)
  list(@Query({ schema: orderQuerySchema }) query: OrderQuery): Promise<Page<AdminOrderView>> {
    return this.orders.list(query);
  }

  /** One order and what happened to it. */
  @Get('order/:trade_no')
  @Access('admin')
  @ApiEnvelope(adminOrderDetailSchema)
  get(@Param('trade_no', { schema: tradeNoSchema }) tradeNo: string): Promise<AdminOrderDetailView> {
    return this.orders.get(tradeNo);
  }

  /** Credits an order by hand. */
  @Post('complete')
  @Access('admin')
  @ApiEnvelope(adminOrderDetailSchema)
  async complete(
    @CurrentActor() actor: Actor,
    @Body({ schema: completeOrderSchema }) input: CompleteOrder,
  ): Promise<AdminOrderDetailView> {
    await this.corrections.complete(actor, input);
    return this.orders.get(input.trade_no);
  }

  /** Closes an order whose payment was given back at the payment service. */
  @Post('refund')
  @Access('root')
  @ApiEnvelope(adminOrderDetailSchema)
  async refund(
    @CurrentActor() actor: Actor,
    @Body({ schema: refundOrderSchema }) input: RefundOrder,
  ): Promise<AdminOrderDetailView> {
    await this.corrections.refund(actor, input);
    return this.orders.get(input.trade_no);
  }
}
