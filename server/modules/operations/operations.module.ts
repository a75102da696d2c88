import { Module } from '@nestjs/common';
import { AuditLogModule } from '../audit/audit-log.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { BillingModule } from '../billing/billing.module.js';
import { ChannelNamesModule } from '../channels/channel-names.module.js';
import { ChannelRoutingModule } from '../channels/channel-routing.module.js';
import { ChannelWatchModule } from '../channels/channel-watch.module.js';
import { MailModule } from '../mail/mail.module.js';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { VerificationModule } from '../verification/verification.module.js';
import { OrderTroublesModule } from '../wallet/order-troubles.module.js';
import { AlertBook } from './alert-book.js';
import { AlertEvaluator } from './alert-evaluator.js';
import { AlertTeller } from './alert-teller.js';
import { AlertsService } from './alerts.service.js';
import { BooksCheck } from './books-check.js';
import { AlertJobAlarm } from './alert-job-alarm.js';
import { DatabaseAlarm } from './database-alarm.js';
import { DirectTelling } from './direct-telling.js';
import { FactsReader } from './facts-reader.js';
import { FleetObserver } from './fleet-observer.js';
import { FleetSources } from './fleet-sources.js';
import { HistoryAcceptance } from './history-acceptance.js';
import { JobStates } from './job-states.js';
import { MinuteKeeper } from './minute-keeper.js';
import { OperationFigures } from './operation-figures.js';
import { OperationsController } from './operations.controller.js';
import { OperationsService } from './operations.service.js';
import { ReportBoard } from './report-board.js';
import { ReportStore } from './report-store.js';
import { StoreProbe } from './store-probe.js';
import { WorkerFigures } from './worker-figures.js';
import { WorkerHealth } from './worker-health.js';
import { WorkerIdentity } from './worker-identity.js';
import { WorkerReporter } from './worker-reporter.js';

/** Watching: how every worker is, what is wrong, who is told. */
@Module({
  imports: [
    AuditLogModule,
    AuthModule,
    BillingModule,
    ChannelNamesModule,
    ChannelRoutingModule,
    ChannelWatchModule,
    MailModule,
    NotificationsModule,
    OrderTroublesModule,
    VerificationModule,
  ],
  controllers: [OperationsController],
  providers: [
    ...[StoreProbe, WorkerFigures, WorkerIdentity, WorkerHealth, ReportStore, ReportBoard, WorkerReporter],
    ...[BooksCheck, MinuteKeeper, JobStates, FactsReader, FleetSources, FleetObserver],
    ...[AlertBook, AlertTeller, AlertsService, AlertEvaluator, OperationsService],
    ...[DirectTelling, DatabaseAlarm, AlertJobAlarm],
    ...[HistoryAcceptance, OperationFigures],
  ],
})
export class OperationsModule {}
