import { Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PriceBook } from '../../relay-core/ports/price-book.js';
import { QuotaHolds } from '../../relay-core/ports/quota-holds.js';
import { OptionsModule } from '../options/options.module.js';
import { OptionsService } from '../options/options.service.js';
import { AccountMoney } from './ledger/account-money.service.js';
import { MONEY_DATA_SOURCE } from './ledger/billing.tokens.js';
import { ClosedReservations } from './holds/closed-reservations.js';
import { ExplainService } from './checks/explain.service.js';
import { LedgerReader } from './ledger/ledger-reader.js';
import { MoneyModes } from './engine/money-modes.js';
import { BillingMetrics } from './engine/billing-metrics.js';
import { MoneyStores, MoneyWorker } from './engine/money-parts.js';
import { MoneyService } from './engine/money.service.js';
import { OptionPriceBook } from '../pricing/option-price-book.js';
import { PoolReturns } from './ledger/pool-returns.js';
import { RefundTotals } from './ledger/refund-totals.js';
import { UsageTotals } from './ledger/usage-totals.js';
import { checkedPriceBook } from './engine/checked-price-book.js';

@Module({
  imports: [OptionsModule],
  providers: [
    { provide: MONEY_DATA_SOURCE, useExisting: DataSource },
    { provide: OptionPriceBook, useFactory: checkedPriceBook, inject: [OptionsService] },
    { provide: PriceBook, useExisting: OptionPriceBook },
    { provide: QuotaHolds, useFactory: (money: MoneyService) => money.holds, inject: [MoneyService] },
    PoolReturns,
    AccountMoney,
    ExplainService,
    LedgerReader,
    UsageTotals,
    MoneyStores,
    MoneyWorker,
    MoneyService,
    BillingMetrics,
    MoneyModes,
    ClosedReservations,
    RefundTotals,
  ],
  exports: [
    PriceBook,
    OptionPriceBook,
    QuotaHolds,
    AccountMoney,
    ExplainService,
    LedgerReader,
    MoneyService,
    UsageTotals,
  ],
})
export class BillingModule {}
