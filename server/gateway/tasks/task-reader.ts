import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { fail, ok, type Result } from '../../common/result.js';
import type { Caller } from '../../relay-core/model/call.js';
import type { RelayError } from '../../relay-core/model/relay-error.js';
import { CallerDirectory } from '../../relay-core/ports/caller-directory.js';
import { identifyCaller } from '../http/identify-caller.js';
import { answer, refuse } from '../http/relay-replies.js';
import { BookedTasks } from './booked-tasks.js';
import { ImageSeeds } from './image-seeds.js';
import { TaskImageLinks } from './task-image-links.js';
import { presentRelayDrawing, presentRelayTask } from './present-relay-task.js';
import { type TaskKind, TaskKinds } from './task-kinds.js';
import { NO_SUCH_TASK, readTaskQuery } from './task-query.js';
import type { TaskRow } from './task-rows.js';

type Answer = Result<unknown, RelayError>;

/** What callers are told about their own tasks: from the database only, no upstream is asked. */
@Injectable()
export class TaskReader {
  constructor(
    private readonly callers: CallerDirectory,
    private readonly kinds: TaskKinds,
    private readonly booked: BookedTasks,
    private readonly links: TaskImageLinks,
    private readonly seeds: ImageSeeds,
  ) {}

  drawing(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    return this.answerCaller(request, reply, async (caller) => {
      const row = await this.booked.find(this.kinds.drawings, caller.userId, idOf(request));
      return row === null ? fail(NO_SUCH_TASK) : ok(presentRelayDrawing(row, this.links.linkOf(row)));
    });
  }

  drawings(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    return this.answerCaller(request, reply, async (caller) => {
      const query = readTaskQuery(request);
      if (!query.ok) return query;
      const rows = await this.findMany(this.kinds.drawings, caller, query.value.ids);
      return ok(rows.map((row) => presentRelayDrawing(row, this.links.linkOf(row))));
    });
  }

  imageSeed(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    return this.answerCaller(request, reply, async (caller) => {
      const row = await this.booked.find(this.kinds.drawings, caller.userId, idOf(request));
      if (row === null) return fail(NO_SUCH_TASK);
      return this.seeds.ask(row, { callId: request.id, caller, path: request.url });
    });
  }

  song(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    return this.answerCaller(request, reply, async (caller) => {
      const row = await this.booked.find(this.kinds.tasks, caller.userId, idOf(request));
      return row === null ? fail(NO_SUCH_TASK) : ok(succeeded(presentRelayTask(row)));
    });
  }

  /** `action` narrows the list when it is given. */
  songs(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    return this.answerCaller(request, reply, async (caller) => {
      const query = readTaskQuery(request);
      if (!query.ok) return query;
      const { ids, action } = query.value;
      const rows = await this.findMany(this.kinds.tasks, caller, ids);
      const wanted = rows.filter((row) => action === '' || row.action.toUpperCase() === action);
      return ok(succeeded(wanted.map(presentRelayTask)));
    });
  }

  /** A single name may be that of a task on its way into the books; of several, those that are there are told. */
  private async findMany<Row extends TaskRow>(
    kind: TaskKind<Row>,
    { userId }: Caller,
    ids: readonly string[],
  ): Promise<readonly Row[]> {
    const [only, ...others] = ids;
    if (only === undefined || others.length > 0) return kind.rows.ownOf(userId, ids);
    const row = await this.booked.find(kind, userId, only);
    return row === null ? [] : [row];
  }

  private async answerCaller(
    request: FastifyRequest,
    reply: FastifyReply,
    respond: (caller: Caller) => Promise<Answer>,
  ): Promise<FastifyReply> {
    const caller = await identifyCaller(this.callers, request);
    const answered = caller.ok ? await respond(caller.value) : caller;
    if (!answered.ok) return refuse(request, reply, answered.error);
    return answer(request, reply, 200, answered.value);
  }
}

const idOf = (request: FastifyRequest): string => (request.params as { readonly id: string }).id;

const succeeded = (data: unknown) => ({ code: 'success', message: '', data });
