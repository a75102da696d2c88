import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { ApiEnvelope } from '../../common/api/api-envelope.decorator.js';
import { CallerLanguage } from '../../common/api/caller-language.js';
import type { Language } from '../../common/language.js';
import { EnvelopeReply } from '../../common/envelope.js';
import { Access } from '../../base/access/access.js';
import { type Actor, CurrentActor } from '../../base/access/current-actor.js';
import {
  type OwnTasksQuery,
  ownTasksQuerySchema,
  taskSchema,
  type TasksQuery,
  tasksQuerySchema,
} from './dto/task.dto.js';
import { listReply, TaskLists } from './task-lists.service.js';

/** Tasks, newest first, ten at a time; how many there are is in X-Total-Count. Times are seconds. */
@ApiTags('tasks')
@Controller('api/task')
export class TasksController {
  constructor(private readonly lists: TaskLists) {}

  @Get()
  @Access('admin')
  @ApiEnvelope(z.array(taskSchema))
  async all(
    @Query({ schema: tasksQuerySchema }) query: TasksQuery,
    @CallerLanguage() language: Language,
  ): Promise<EnvelopeReply> {
    return listReply(await this.lists.allTasks(query, language));
  }

  @Get('self')
  @Access('user')
  @ApiEnvelope(z.array(taskSchema))
  async own(
    @CurrentActor() actor: Actor,
    @Query({ schema: ownTasksQuerySchema }) query: OwnTasksQuery,
    @CallerLanguage() language: Language,
  ): Promise<EnvelopeReply> {
    return listReply(await this.lists.ownTasks(actor, query, language));
  }
}
