import { Injectable } from '@nestjs/common';
import { fail, ok, type Result } from '../../common/result.js';
import type { Caller } from '../../relay-core/model/call.js';
import { refusal, requestRefusal } from '../../relay-core/model/refusals.js';
import type { RelayError } from '../../relay-core/model/relay-error.js';
import type { TaskOrigin } from '../../relay-core/model/task.js';
import { TaskOrigins } from '../../relay-core/ports/task-origins.js';
import { CHANNEL_STATUS } from '../channels/state/channel.codes.js';
import { ChannelStore } from '../channels/state/channel-store.js';
import { OptionsService } from '../../base/options/options.service.js';
import { BookedTasks } from './booked-tasks.js';
import { TaskKinds } from './task-kinds.js';
import type { TaskRow } from './task-rows.js';
import { TASK_STATUS } from './task.codes.js';

/** Earlier tasks by their records. */
@Injectable()
export class StoredTaskOrigins extends TaskOrigins {
  constructor(
    private readonly kinds: TaskKinds,
    private readonly booked: BookedTasks,
    private readonly channels: ChannelStore,
    private readonly options: OptionsService,
  ) {
    super();
  }

  override async findChannel(caller: Caller, origin: TaskOrigin): Promise<Result<number, RelayError>> {
    const task = await this.findTask(caller.userId, origin);
    if (task === null) return fail(invalidTask('task_not_exist'));
    const mustBeFinished = origin.needsSuccess && this.options.values().MjActionCheckSuccessEnabled;
    if (mustBeFinished && task.status !== TASK_STATUS.success)
      return fail(invalidTask('The task this one goes on from is not finished successfully.'));
    const opened = await this.channels.open(task.channelId);
    if (opened?.channel.status !== CHANNEL_STATUS.enabled) return fail(CLOSED);
    return ok(task.channelId);
  }

  private findTask(userId: number, { platform, taskId }: TaskOrigin): Promise<TaskRow | null> {
    const { drawings, tasks } = this.kinds;
    return platform === 'midjourney'
      ? this.booked.find(drawings, userId, taskId)
      : this.booked.find(tasks, userId, taskId);
  }
}

const invalidTask = (message: string): RelayError => requestRefusal(message);

const CLOSED: RelayError = refusal('task-channel-gone');
