import { Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PriceBook } from '../../relay-core/ports/price-book.js';
import { ChannelLimits } from '../../relay-core/ports/channel-limits.js';
import { QuotaHolds } from '../../relay-core/ports/quota-holds.js';
import { LimitsModule } from '../limits/limits.module.js';
import { OptionsModule } from '../options/options.module.js';
import { OptionsService } from '../options/options.service.js';
import { AccountMoney } from './ledger/account-money.service.js';
import { MONEY_DATA_SOURCE } from './ledger/billing.tokens.js';
import { ChannelLimitUpkeep } from './channel-limits/channel-limit-upkeep.js';
import { StoredChannelLimits } from './channel-limits/channel-limits.service.js';
import { ClosedReservations } from './holds/closed-reservations.js';
import { ExplainService } from './checks/explain.service.js';
import { LedgerReader } from './ledger/ledger-reader.js';
import { MoneyModes } from './engine/money-modes.js';
import { BillingMetrics } from './engine/billing-metrics.js';
import { MoneyStores, MoneyWorker } from './engine/money-parts.js';
import { MoneyService } from './engine/money.service.js';
import { OptionPriceBook } from '../pricing/option-price-book.js';
import { PoolReturns } from './ledger/pool-returns.js';
import { ReferenceTotals } from './ledger/reference-totals.js';
import { TagTotals } from './ledger/tag-totals.js';
import { RefundTotals } from './ledger/refund-totals.js';
import { UsageTotals } from './ledger/usage-totals.js';
import { checkedPriceBook } from './engine/checked-price-book.js';

@Module({
  imports: [LimitsModule, OptionsModule],
  providers: [
    { provide: MONEY_DATA_SOURCE, useExisting: DataSource },
    { provide: OptionPriceBook, useFactory: checkedPriceBook, inject: [OptionsService] },
    { provide: PriceBook, useExisting: OptionPriceBook },
    { provide: QuotaHolds, useFactory: (money: MoneyService) => money.holds, inject: [MoneyService] },
    StoredChannelLimits,
    ChannelLimitUpkeep,
    { provide: ChannelLimits, useExisting: StoredChannelLimits },
    PoolReturns,
    AccountMoney,
    ExplainService,
    LedgerReader,
    ReferenceTotals,
    TagTotals,
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
    ChannelLimits,
    AccountMoney,
    ExplainService,
    LedgerReader,
    MoneyService,
    ReferenceTotals,
    TagTotals,
    UsageTotals,
  ],
})
export class BillingModule {}
