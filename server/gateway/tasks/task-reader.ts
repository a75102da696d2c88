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
import { type TaskKind, TaskKinds } from './task-kinds.js';
import type { TaskRow } from './task-rows.js';
import {
  type Document,
  listOf,
  parseDocument,
  textOf,
} from '../../relay-core/formats/shared/fields/json-fields.js';
import type { DrawingEntity } from './drawing.entity.js';
import type { TaskEntity } from './task.entity.js';
import { parseJson } from '../../common/parse-json.js';
import { requestRefusal } from '../../relay-core/model/refusals.js';
import { checkBodyHeaders } from '../http/request-checks.js';
import { MAX_TASK_ID_CHARACTERS } from './task.codes.js';

/** Tasks one question may name. */
export const MAX_IDS = 100;

/** The task does not exist, or belongs to another account: callers cannot distinguish the two. */
export const NO_SUCH_TASK: RelayError = requestRefusal('task_not_exist');

/** A song as Suno-API's clients know it. */
export const presentRelayTask = (row: TaskEntity): Readonly<Record<string, unknown>> => ({
  task_id: row.taskId,
  platform: row.platform,
  action: row.action,
  status: row.status,
  fail_reason: row.failReason,
  submit_time: row.submitTime,
  start_time: row.startTime,
  finish_time: row.finishTime,
  progress: row.progress,
  data: parseJson(row.data) ?? null,
});

type Answer = Result<unknown, RelayError>;

/** Answers callers about their own tasks: from the database only, without a request to an upstream. */
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

  /** A single name may be that of a task whose booking is pending; of several, those present are returned. */
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

/** A drawing as midjourney-proxy's clients know it. Channel and account stay inside. */
export function presentRelayDrawing(row: DrawingEntity, imageUrl: string): Readonly<Record<string, unknown>> {
  const videos = listOf(parseJson(row.videoUrls)).filter((url) => typeof url === 'string');
  return {
    id: row.mjId,
    action: row.action,
    customId: '',
    botType: '',
    prompt: row.prompt,
    promptEn: row.promptEn,
    description: row.description,
    state: row.state,
    submitTime: row.submitTime,
    startTime: row.startTime,
    finishTime: row.finishTime,
    imageUrl,
    videoUrl: videos[0] ?? '',
    videoUrls: videos.map((url) => ({ url })),
    status: row.status,
    progress: row.progress,
    failReason: row.failReason,
    buttons: listOf(parseJson(row.buttons)),
    properties: parseJson(row.properties) ?? null,
  };
}

/** The JSON object a request brings. Fails: unsupported-media, invalid-request. */
function readDocument(request: FastifyRequest): Result<Document, RelayError> {
  const refusal = checkBodyHeaders(request.headers);
  if (refusal !== null) return fail(refusal);
  const document = Buffer.isBuffer(request.body) ? parseDocument(request.body.toString('utf8')) : undefined;
  return document === undefined
    ? fail(requestRefusal('The request body must be a JSON object.'))
    : ok(document);
}

/** Tasks of a request. */
export interface TaskQuery {
  /** Each once. */
  readonly ids: readonly string[];
  /** In capitals; empty = any. */
  readonly action: string;
}

/** Fails: unsupported-media, invalid-request. */
export function readTaskQuery(request: FastifyRequest): Result<TaskQuery, RelayError> {
  const document = readDocument(request);
  if (!document.ok) return document;
  const ids = readIds(document.value['ids']);
  const action = textOf(document.value['action'])?.toUpperCase() ?? '';
  return ids.ok ? ok({ ids: ids.value, action }) : ids;
}

function readIds(ids: unknown): Result<readonly string[], RelayError> {
  if (!Array.isArray(ids) || ids.length > MAX_IDS)
    return fail(requestRefusal(`'ids' must be a list of at most ${MAX_IDS} task ids.`, 'ids'));
  const names = (ids as readonly unknown[]).map((id) => (typeof id === 'number' ? String(id) : id));
  const isName = (name: unknown): name is string =>
    typeof name === 'string' && name !== '' && name.length <= MAX_TASK_ID_CHARACTERS;
  return names.every(isName)
    ? ok([...new Set(names)])
    : fail(requestRefusal("'ids' holds what is no task id.", 'ids'));
}
