import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE, DiscoveryModule } from '@nestjs/core';
import { EnvelopeFilter } from './common/api/envelope.filter.js';
import { EnvelopeInterceptor } from './common/api/envelope.interceptor.js';
import { createSchemaPipe } from './common/api/schema.pipe.js';
import type { Env } from './config/env.js';
import { databaseRefusal } from './infra/database/database-refusal.js';
import { DatabaseModule } from './infra/database/database.module.js';
import { HistoryModule } from './infra/history/history.module.js';
import { HttpModule } from './infra/http-client/http.module.js';
import { ConsoleWatch } from './infra/observability/console-watch.js';
import { MetricsRegistry } from './infra/observability/metrics-registry.js';
import { ObservabilityModule } from './infra/health/observability.module.js';
import { PlatformModule } from './infra/platform.module.js';
import { SharedStoreModule } from './infra/shared-store/shared-store.module.js';
import { AuditModule } from './modules/audit/audit.module.js';
import { AccessGuard } from './modules/auth/access.guard.js';
import { CallerGuard } from './modules/auth/caller.guard.js';
import { ConsoleThrottlerGuard } from './modules/auth/console-throttler.guard.js';
import { AuthModule } from './modules/auth/auth.module.js';
import { BillingModule } from './modules/billing/billing.module.js';
import { ChannelsModule } from './modules/channels/admin/channels.module.js';
import { IdentitiesModule } from './modules/identities/identities.module.js';
import { DashboardModule } from './modules/dashboard/dashboard.module.js';
import { ExplanationsModule } from './modules/logs/explanations.module.js';
import { LogsModule } from './modules/logs/logs.module.js';
import { LogReportsModule } from './modules/logs/log-reports.module.js';
import { ConsoleOptionsModule } from './modules/settings/console-options.module.js';
import { OperationsModule } from './modules/operations/operations.module.js';
import { OptionsModule } from './modules/options/options.module.js';
import { RedemptionsModule } from './modules/redemptions/redemptions.module.js';
import { PasskeysModule } from './modules/passkeys/passkeys.module.js';
import { PricingModule } from './modules/pricing/pricing.module.js';
import { PlaygroundModule } from './modules/playground/playground.module.js';
import { RelayModule } from './modules/relay/relay.module.js';
import { TasksModule } from './modules/tasks/tasks.module.js';
import { TokensModule } from './modules/tokens/tokens.module.js';
import { TwoFactorModule } from './modules/auth/two-factor/two-factor.module.js';
import { UsersModule } from './modules/users/users.module.js';
import { AccountMailModule } from './modules/auth/password-reset/account-mail.module.js';
import { WalletModule } from './modules/wallet/wallet.module.js';
import type { Clock } from './relay-core/ports/clock.js';

/** Renders refusals of the console, and counts them. */
function countingFilter(figures: MetricsRegistry): EnvelopeFilter {
  const refusals = figures.counter(
    'tollgate_console_refusals_total',
    'Requests of the console that were refused, by the code of docs/errors.md.',
    ['code'],
  );
  return new EnvelopeFilter(databaseRefusal, (code) => refusals.add(1, code));
}

/** Contents page of the server. */
@Module({})
export class AppModule {
  /** @param clock  another clock in tests */
  static forEnv(env: Env, clock?: Clock): DynamicModule {
    return {
      module: AppModule,
      imports: [
        DiscoveryModule,
        PlatformModule.forEnv(env, clock),
        DatabaseModule,
        SharedStoreModule,
        HttpModule,
        ObservabilityModule,
        HistoryModule,
        OptionsModule,
        AuditModule,
        BillingModule,
        PricingModule,
        LogsModule,
        ExplanationsModule,
        ChannelsModule,
        AuthModule,
        ConsoleOptionsModule,
        AccountMailModule,
        TwoFactorModule,
        PasskeysModule,
        UsersModule,
        IdentitiesModule,
        TokensModule,
        RedemptionsModule,
        WalletModule,
        DashboardModule,
        TasksModule,
        RelayModule,
        PlaygroundModule,
        LogReportsModule,
        OperationsModule,
      ],
      providers: [
        // In this order: who asks, how often, whether he may.
        { provide: APP_GUARD, useExisting: CallerGuard },
        { provide: APP_GUARD, useExisting: ConsoleThrottlerGuard },
        { provide: APP_GUARD, useExisting: AccessGuard },
        { provide: APP_PIPE, useFactory: createSchemaPipe },
        { provide: APP_INTERCEPTOR, useClass: ConsoleWatch },
        { provide: APP_INTERCEPTOR, useClass: EnvelopeInterceptor },
        { provide: APP_FILTER, inject: [MetricsRegistry], useFactory: countingFilter },
      ],
    };
  }
}
