import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditLogModule } from '../../base/audit/audit-log.module.js';
import { AuthModule } from '../../base/auth/auth.module.js';
import { BillingModule } from '../../base/billing/billing.module.js';
import { UsageLogModule } from '../../base/logs/usage-log.module.js';
import { NotificationsModule } from '../../base/notifications/notifications.module.js';
import { OptionsModule } from '../../base/options/options.module.js';
import { AccountsModule } from '../../base/users/accounts.module.js';
import { EpayProvider } from './payments/epay.provider.js';
import { LedgerController } from './ledger/ledger.controller.js';
import { LedgerService } from './ledger/ledger.service.js';
import { OrderWatch } from './orders/order-watch.js';
import { OrdersController } from './orders/orders.controller.js';
import { OrdersService } from './orders/orders.service.js';
import { PaymentCallbacksController } from './orders/payment-callbacks.controller.js';
import { PaymentNotices } from './orders/payment-notices.service.js';
import { PaymentProviders } from './payments/payment-providers.js';
import { StripeProvider } from './payments/stripe.provider.js';
import { TopUpController } from './orders/top-up.controller.js';
import { OrderCorrections } from './orders/order-corrections.js';
import { OrderActs } from './orders/order-acts.js';
import { OrderLog } from './orders/order-log.js';
import { OrderPlacement } from './orders/order-placement.js';
import { OrderFulfilment } from './orders/order-fulfilment.js';
import { PaymentEvents } from './orders/payment-events.js';
import { TopUpOffers } from './payments/top-up-offers.js';
import { PendingOrders } from './orders/pending-orders.js';
import { TopUpService } from './orders/top-up.service.js';
import { TopUpsRepository } from './orders/top-ups.repository.js';
import { TopUpEntity } from './orders/top-up.entity.js';
import { PaymentEventEntity } from './payments/payment-event.entity.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([TopUpEntity, PaymentEventEntity]),
    AccountsModule,
    AuditLogModule,
    AuthModule,
    BillingModule,
    UsageLogModule,
    NotificationsModule,
    OptionsModule,
  ],
  controllers: [LedgerController, TopUpController, OrdersController, PaymentCallbacksController],
  providers: [
    LedgerService,
    TopUpsRepository,
    OrderActs,
    OrderLog,
    PaymentEvents,
    OrderFulfilment,
    EpayProvider,
    StripeProvider,
    PaymentProviders,
    TopUpOffers,
    TopUpService,
    OrderPlacement,
    PaymentNotices,
    OrdersService,
    OrderCorrections,
    PendingOrders,
    OrderWatch,
  ],
})
export class WalletModule {}
