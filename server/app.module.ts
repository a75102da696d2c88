import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE, DiscoveryModule } from '@nestjs/core';
import { EnvelopeFilter } from './common/api/envelope.filter.js';
import { EnvelopeInterceptor } from './common/api/envelope.interceptor.js';
import { createSchemaPipe } from './common/api/schema.pipe.js';
import type { Env } from './config/env.js';
import { databaseRefusal } from './infra/database/open-named-database.js';
import { DatabaseModule } from './infra/database/database.module.js';
import { RollbackDetectionModule } from './infra/rollback-detection/rollback-detection.module.js';
import { HttpModule } from './infra/http-client/http.module.js';
import { ConsoleWatch } from './infra/observability/console-watch.js';
import { MetricsRegistry } from './infra/observability/metrics-registry.js';
import { ObservabilityModule } from './infra/health/observability.module.js';
import { PlatformModule } from './infra/platform.module.js';
import { SharedStoreModule } from './infra/shared-store/shared-store.module.js';
import { AuditModule } from './base/audit/audit.module.js';
import { AccessGuard } from './base/auth/access.guard.js';
import { CallerGuard } from './base/auth/caller.guard.js';
import { ConsoleThrottlerGuard } from './base/auth/console-throttler.guard.js';
import { AuthModule } from './base/auth/auth.module.js';
import { BillingModule } from './base/billing/billing.module.js';
import { ChannelsModule } from './gateway/channels/admin/channels.module.js';
import { IdentitiesModule } from './console/identities/identities.module.js';
import { DashboardModule } from './console/dashboard/dashboard.module.js';
import { ExplanationsModule } from './console/logs/explanations.module.js';
import { LogsModule } from './console/logs/logs.module.js';
import { LogReportsModule } from './console/logs/log-reports.module.js';
import { ConsoleImportModule } from './console/import/console-import.module.js';
import { ConsoleOptionsModule } from './console/options/console-options.module.js';
import { LimitAdministrationModule } from './console/limits/limit-administration.module.js';
import { OperationsModule } from './console/operations/operations.module.js';
import { OptionsModule } from './base/options/options.module.js';
import { RedemptionsModule } from './console/redemptions/redemptions.module.js';
import { PasskeysModule } from './console/passkeys/passkeys.module.js';
import { PricingModule } from './console/pricing/pricing.module.js';
import { PlaygroundModule } from './console/playground/playground.module.js';
import { RelayModule } from './gateway/relay/relay.module.js';
import { TasksModule } from './gateway/tasks/tasks.module.js';
import { TokensModule } from './gateway/tokens/tokens.module.js';
import { TwoFactorModule } from './base/auth/two-factor/two-factor.module.js';
import { WeeklyEmailModule } from './console/weekly-email/weekly-email.module.js';
import { UsersModule } from './console/users/users.module.js';
import { AccountMailModule } from './base/auth/password-reset/account-mail.module.js';
import { WalletModule } from './console/wallet/wallet.module.js';
import type { Clock } from './common/clock.js';

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
        RollbackDetectionModule,
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
        // Its fixed paths come before `/api/user/:id`.
        WeeklyEmailModule,
        UsersModule,
        IdentitiesModule,
        TokensModule,
        LimitAdministrationModule,
        ConsoleImportModule,
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
        // In this order: identity of the caller, rate limit, permission.
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
