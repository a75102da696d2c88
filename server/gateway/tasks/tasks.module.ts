import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { TaskOrigins } from '../../relay-core/ports/task-origins.js';
import { BillingModule } from '../../base/billing/billing.module.js';
import { ChannelStorageModule } from '../channels/state/channel-storage.module.js';
import { UsageLogModule } from '../../base/logs/usage-log.module.js';
import { OptionsModule } from '../../base/options/options.module.js';
import { CallerDirectoryModule } from '../tokens/caller-directory.module.js';
import { AccountsModule } from '../../base/users/accounts.module.js';
import { BookedTasks } from './booked-tasks.js';
import { DrawingsController } from './drawings.controller.js';
import { DrawingsRepository } from './drawings.repository.js';
import { ImageSeeds } from './image-seeds.js';
import { TaskImageLinks } from './task-image-links.js';
import { TaskImages } from './task-images.js';
import { StoredTaskOrigins } from './stored-task-origins.js';
import { TaskAccounts } from './task-account.js';
import { TaskKinds } from './task-kinds.js';
import { TaskLists } from './task-lists.service.js';
import { TaskLog } from './task-log.js';
import { TaskPoller } from './task-poller.js';
import { TaskImageSignatures } from './task-image-signatures.js';
import { TaskReader } from './task-reader.js';
import { TaskStates } from './task-states.js';
import { TaskRoutes } from './task.routes.js';
import { TasksController } from './tasks.controller.js';
import { TasksRepository } from './tasks.repository.js';
import { TaskEntity } from './task.entity.js';
import { DrawingEntity } from './drawing.entity.js';

/** Work that upstreams take on and finish later: its records, what becomes of it, who may see it. */
@Module({
  imports: [
    TypeOrmModule.forFeature([DrawingEntity, TaskEntity]),
    AccountsModule,
    BillingModule,
    CallerDirectoryModule,
    ChannelStorageModule,
    UsageLogModule,
    OptionsModule,
  ],
  controllers: [DrawingsController, TasksController],
  providers: [
    DrawingsRepository,
    TasksRepository,
    TaskKinds,
    TaskImageSignatures,
    BookedTasks,
    TaskAccounts,
    TaskLog,
    TaskStates,
    TaskPoller,
    TaskLists,
    TaskImageLinks,
    TaskImages,
    ImageSeeds,
    TaskReader,
    TaskRoutes,
    StoredTaskOrigins,
    { provide: TaskOrigins, useExisting: StoredTaskOrigins },
  ],
  exports: [TaskOrigins, TaskRoutes],
})
export class TasksModule {}
