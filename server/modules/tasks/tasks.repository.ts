import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { PersonalRecords } from '../accounts/personal-records.js';
import { TaskEntity } from './task.entity.js';
import { TaskRows } from './task-rows.js';

/** `tasks`; times are seconds. */
@Injectable()
export class TasksRepository extends TaskRows<TaskEntity> {
  constructor(@InjectDataSource() dataSource: DataSource, personal: PersonalRecords) {
    super(dataSource, TaskEntity, 'taskId');
    // What somebody had drawn or sung is personal; what it cost stays in the books.
    personal.register(TaskEntity);
  }
}
