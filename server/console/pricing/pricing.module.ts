import { Module } from '@nestjs/common';
import { AuthModule } from '../../base/auth/auth.module.js';
import { BillingModule } from '../../base/billing/billing.module.js';
import { ChannelStorageModule } from '../../gateway/channels/state/channel-storage.module.js';
import { UsageLogModule } from '../../base/logs/usage-log.module.js';
import { OptionsModule } from '../../base/options/options.module.js';
import { GroupUseCheck } from './group-use-check.js';
import { PriceChangeLog } from './price-change-log.js';
import { PriceListController } from './price-list.controller.js';
import { PriceListService } from './price-list.service.js';
import { PriceLookupController } from './price-lookup.controller.js';
import { PricePreviewController } from './price-preview.controller.js';
import { PricePreviewService } from './price-preview.service.js';
import { PriceSyncController } from './price-sync.controller.js';
import { PriceSyncService } from './price-sync.service.js';
import { PriceVersionsController } from './price-versions.controller.js';

/** Prices of models: shown, versioned, previewed, taken over from published lists. */
@Module({
  imports: [AuthModule, BillingModule, ChannelStorageModule, UsageLogModule, OptionsModule],
  controllers: [
    PriceListController,
    PriceLookupController,
    PriceVersionsController,
    PricePreviewController,
    PriceSyncController,
  ],
  providers: [GroupUseCheck, PriceChangeLog, PriceListService, PricePreviewService, PriceSyncService],
})
export class PricingModule {}
