import { z } from 'zod';
import {
  MAX_COLUMN_INTEGER,
  filterNumber,
  filterSeconds,
  filterText,
  oneBasedPaging,
  pageSize,
} from '../../../common/query.js';

/** `top_up_code` of older consoles means nothing. */
export const amountSchema = z
  .object({
    amount: z
      .number()
      .default(0)
      .meta({ description: 'units, or quota while quota is not shown as dollars' }),
    payment_method: z.string().max(64).default('').meta({ description: 'zfb, wx, alipay, wxpay, stripe, …' }),
  })
  .meta({ id: 'TopUpAmount' });
export type AmountInput = z.infer<typeof amountSchema>;

/** One way to pay. */
const methodSchema = z.object({
  type: z.string().meta({ description: 'what payment_method names it by' }),
  name: z.string(),
  provider: z.string().meta({ description: 'epay, stripe' }),
  min_topup: z.int().meta({ description: 'units' }),
  price: z.number().meta({ description: 'money per unit, before group factor and discount' }),
  currency: z.string().meta({ description: "lower-case code; empty = the payment service's own" }),
});

export const topUpInfoSchema = z
  .object({
    enable_online_topup: z.boolean().meta({ description: 'some way to pay is on' }),
    enable_epay_topup: z.boolean(),
    enable_stripe_topup: z.boolean(),
    pay_methods: z.array(methodSchema),
    amount_counts: z.enum(['unit', 'quota']),
    min_topup: z.int().meta({ description: 'units' }),
    max_topup: z.int().meta({ description: 'units' }),
    amount_options: z.array(z.int()).meta({ description: 'preset amounts, units' }),
    discount: z.record(z.string(), z.number()).meta({ description: 'discount factor per amount' }),
    group_ratio: z.number().meta({ description: "price factor of the caller's group" }),
    top_up_link: z.string(),
    pending_orders: z.int(),
    max_pending_orders: z.int(),
  })
  .meta({ id: 'TopUpInfo' });
export type TopUpInfoView = z.infer<typeof topUpInfoSchema>;

const eventSchema = z.object({
  kind: z.string().meta({
    description:
      'created, paid, paid-again, mismatch, foreign, ownerless, account-full, unconfirmed, expired, failed, refunded, disputed, dispute-closed, completed-by-hand, refunded-by-hand',
  }),
  detail: z.string(),
  actor_id: z.int(),
  created_at: z.int().meta({ description: 'seconds' }),
});

const orderMembers = {
  id: z.int(),
  user_id: z.int(),
  trade_no: z.string(),
  amount: z.int().meta({ description: 'whole units' }),
  quota: z.int().meta({ description: 'what is credited' }),
  money: z.number().meta({ description: 'for consoles that count with it; `money_text` is exact' }),
  money_text: z.string().meta({ description: 'exact decimal' }),
  currency: z.string(),
  provider: z.string(),
  payment_method: z.string(),
  status: z.string().meta({
    description:
      'pending, success, expired, failed, mismatch; refunded, disputed: paid, and reversed at the payment service',
  }),
  create_time: z.int().meta({ description: 'seconds' }),
  complete_time: z.int().meta({ description: 'seconds; 0 = not paid' }),
};

/** An order as its owner sees it. */
export const orderSchema = z.object(orderMembers).meta({ id: 'TopUpOrder' });
export type OrderView = z.infer<typeof orderSchema>;

export const orderPageSchema = z
  .object({ items: z.array(orderSchema), total: z.int(), page: z.int(), page_size: z.int() })
  .meta({ id: 'TopUpOrderPage' });

/** An order as administrators see it. */
const adminOrderSchema = z
  .object({
    ...orderMembers,
    username: z.string().meta({ description: 'empty = the account is deregistered' }),
    provider_trade_no: z
      .string()
      .meta({ description: "the payment service's number; empty = not paid by it" }),
    completed_by: z.int().meta({ description: 'administrator who completed it by hand; 0 = nobody' }),
  })
  .meta({ id: 'TopUpAdminOrder' });
export type AdminOrderView = z.infer<typeof adminOrderSchema>;

export const adminOrderPageSchema = z
  .object({ items: z.array(adminOrderSchema), total: z.int(), page: z.int(), page_size: z.int() })
  .meta({ id: 'TopUpAdminOrderPage' });

export const adminOrderDetailSchema = z
  .object({ ...adminOrderSchema.shape, events: z.array(eventSchema) })
  .meta({ id: 'TopUpAdminOrderDetail' });
export type AdminOrderDetailView = z.infer<typeof adminOrderDetailSchema>;

const paging = { ...oneBasedPaging(), page_size: pageSize() };
const filters = {
  keyword: filterText(64).meta({ description: 'beginning of a trade number' }),
  status: filterText(16).meta({
    description:
      'a state; refunded, disputed, paid-again; `success` = paid and not reversed: refunded and disputed orders were paid, too',
  }),
  start_timestamp: filterSeconds(),
  end_timestamp: filterSeconds(),
};
export const ownOrderQuerySchema = z.object({ ...paging, ...filters });
export type OwnOrderQuery = z.infer<typeof ownOrderQuerySchema>;
export const orderQuerySchema = z.object({
  ...paging,
  ...filters,
  provider: filterText(16),
  user_id: filterNumber(),
});
export type OrderQuery = z.infer<typeof orderQuerySchema>;

export const tradeNoSchema = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);

export const completeOrderSchema = z
  .object({
    trade_no: tradeNoSchema,
    reason: z.string().max(1_000).default(''),
    user_id: z.int().min(0).max(MAX_COLUMN_INTEGER).default(0).meta({
      description:
        'root only: who gets it when the account that ordered is deregistered; 0 = the account that ordered',
    }),
  })
  .meta({ id: 'CompleteOrder' });
export type CompleteOrder = z.infer<typeof completeOrderSchema>;

export const refundOrderSchema = z
  .object({ trade_no: tradeNoSchema, reason: z.string().max(1_000).default('') })
  .meta({ id: 'RefundOrder' });
export type RefundOrder = z.infer<typeof refundOrderSchema>;

/** Form fields of the epay protocol, by name. */
export const payFieldsSchema = z.record(z.string(), z.string());
