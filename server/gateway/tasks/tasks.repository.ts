import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { PersonalDataTables } from '../../base/users/personal-data-tables.js';
import { TaskEntity } from './task.entity.js';
import { TaskRows } from './task-rows.js';

/** `tasks`; times are seconds. */
@Injectable()
export class TasksRepository extends TaskRows<TaskEntity> {
  constructor(@InjectRepository(TaskEntity) rows: Repository<TaskEntity>, personal: PersonalDataTables) {
    super(rows, 'taskId');
    // Drawings and songs of a user are personal; their cost stays in the books.
    personal.register(TaskEntity);
  }
}
