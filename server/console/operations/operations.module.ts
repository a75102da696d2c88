import { Module } from '@nestjs/common';
import { AuditLogModule } from '../../base/audit/audit-log.module.js';
import { AuditModule } from '../../base/audit/audit.module.js';
import { AuthModule } from '../../base/auth/auth.module.js';
import { BillingModule } from '../../base/billing/billing.module.js';
import { ChannelStatisticsModule } from '../../base/channel-statistics/channel-statistics.module.js';
import { ChannelNamesModule } from '../../gateway/channels/state/channel-names.module.js';
import { ChannelRoutingModule } from '../../gateway/channels/routing/channel-routing.module.js';
import { ChannelWatchModule } from '../../gateway/channels/routing/channel-watch.module.js';
import { MailModule } from '../../base/notifications/mail/mail.module.js';
import { NotificationsModule } from '../../base/notifications/notifications.module.js';
import { VerificationModule } from '../../base/auth/verification/verification.module.js';
import { OrderIncidentsModule } from '../wallet/orders/order-incidents.module.js';
import { AlertStore } from './alerts/alert-store.js';
import { AlarmLeases } from './alerts/alarm-leases.js';
import { AlertAnnouncer } from './alerts/alert-announcer.js';
import { AlertEvaluator } from './alerts/alert-evaluator.js';
import { AlertNotifier } from './alerts/alert-notifier.js';
import { AlertRecorder } from './alerts/alert-recorder.js';
import { AlertWebhook } from './alerts/alert-notifier.js';
import { AlertsService } from './alerts/alerts.service.js';
import { AuditRetentionJob } from './audit-retention-job.js';
import { BooksCheck } from './money-check/books-check.js';
import { AlertJobAlarm } from './alerts/alert-job-alarm.js';
import { DatabaseAlarm } from './alerts/database-alarm.js';
import { DatabaseFaults } from './alerts/database-faults.js';
import { DirectNotifier } from './alerts/direct-notifier.js';
import { ChannelCircuits } from './channel-health/channel-circuits.js';
import { ChannelHealthController } from './channel-health/channel-health.controller.js';
import { ChannelLatencyController } from './channel-health/channel-latency.controller.js';
import { ChannelLatencyService } from './channel-health/channel-latency.service.js';
import { ChannelHealthReporter } from './channel-health/channel-health-report.js';
import { ChannelStatisticsService } from './channel-health/channel-statistics.service.js';
import { ChannelFacts } from './fleet/facts-reader.js';
import { FactsReader } from './fleet/facts-reader.js';
import { FleetObserver } from './fleet/fleet-observer.js';
import { FleetSources } from './fleet/fleet-observer.js';
import { HistoryAcceptance } from './history-acceptance.js';
import { JobsService } from './jobs/jobs.service.js';
import { FleetHistory } from './fleet/fleet-history.js';
import { ChannelMetrics } from './metrics/channel-metrics.js';
import { MoneyMetrics } from './metrics/money-metrics.js';
import { OperationsMetrics } from './metrics/operations-metrics.js';
import { OperationsController } from './operations.controller.js';
import { OperationsService } from './operations.service.js';
import { WorkerReports } from './fleet/worker-reports.js';
import { ReportStore } from './fleet/report-store.js';
import { StoreProbe } from './fleet/store-probe.js';
import { WorkerMetrics } from './fleet/worker-metrics.js';
import { WorkerHealth } from './fleet/worker-health.js';
import { WorkerIdentity } from './fleet/worker-identity.js';
import { WorkerReporter } from './fleet/worker-reporter.js';

/** Status of every worker, rules of alerts, notifications. */
@Module({
  imports: [
    AuditLogModule,
    AuditModule,
    AuthModule,
    BillingModule,
    ChannelNamesModule,
    ChannelStatisticsModule,
    ChannelRoutingModule,
    ChannelWatchModule,
    MailModule,
    NotificationsModule,
    OrderIncidentsModule,
    VerificationModule,
  ],
  controllers: [OperationsController, ChannelHealthController, ChannelLatencyController],
  providers: [
    StoreProbe,
    WorkerMetrics,
    WorkerIdentity,
    WorkerHealth,
    ReportStore,
    WorkerReports,
    WorkerReporter,
    BooksCheck,
    FleetHistory,
    JobsService,
    ChannelFacts,
    ChannelCircuits,
    ChannelHealthReporter,
    ChannelLatencyService,
    ChannelStatisticsService,
    FactsReader,
    FleetSources,
    FleetObserver,
    AlertStore,
    AlertWebhook,
    AlertNotifier,
    AlertRecorder,
    AlertAnnouncer,
    AlertsService,
    AlertEvaluator,
    OperationsService,
    AlarmLeases,
    DirectNotifier,
    DatabaseFaults,
    DatabaseAlarm,
    AlertJobAlarm,
    HistoryAcceptance,
    ChannelMetrics,
    MoneyMetrics,
    OperationsMetrics,
    AuditRetentionJob,
  ],
})
export class OperationsModule {}
