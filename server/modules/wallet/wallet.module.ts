import { Module } from '@nestjs/common';
import { AuditLogModule } from '../audit/audit-log.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { BillingModule } from '../billing/billing.module.js';
import { LogsModule } from '../logs/logs.module.js';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { OptionsModule } from '../options/options.module.js';
import { AccountsModule } from '../users/accounts.module.js';
import { EpayProvider } from './epay.provider.js';
import { LedgerController } from './ledger.controller.js';
import { LedgerService } from './ledger.service.js';
import { OrderWatch } from './order-watch.js';
import { OrdersController } from './orders.controller.js';
import { OrdersService } from './orders.service.js';
import { PaymentCallbacksController } from './payment-callbacks.controller.js';
import { PaymentNotices } from './payment-notices.service.js';
import { PaymentProviders } from './payment-providers.js';
import { StripeProvider } from './stripe.provider.js';
import { TopUpController } from './top-up.controller.js';
import { TopUpEvents } from './top-up-events.js';
import { TopUpService } from './top-up.service.js';
import { TopUpsRepository } from './top-ups.repository.js';

@Module({
  imports: [
    AccountsModule,
    AuditLogModule,
    AuthModule,
    BillingModule,
    LogsModule,
    NotificationsModule,
    OptionsModule,
  ],
  controllers: [LedgerController, TopUpController, OrdersController, PaymentCallbacksController],
  providers: [
    LedgerService,
    TopUpsRepository,
    TopUpEvents,
    EpayProvider,
    StripeProvider,
    PaymentProviders,
    TopUpService,
    PaymentNotices,
    OrdersService,
    OrderWatch,
  ],
})
export class WalletModule {}
