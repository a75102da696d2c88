import type { FastifyRequest } from 'fastify';
import { fail, ok, type Result } from '../../common/result.js';
import type { RelayError } from '../../relay-core/model/relay-error.js';
import { type Document, parseDocument, textOf } from '../../relay-core/formats/shared/fields/json-fields.js';
import { requestRefusal } from '../../relay-core/model/refusals.js';
import { checkBodyHeaders } from '../http/request-checks.js';
import { MAX_TASK_ID_CHARACTERS } from './task.codes.js';

/** Tasks one question may name. */
export const MAX_IDS = 100;

/** The JSON object a request brings. Fails: unsupported-media, invalid-request. */
function readDocument(request: FastifyRequest): Result<Document, RelayError> {
  const refusal = checkBodyHeaders(request.headers);
  if (refusal !== null) return fail(refusal);
  const document = Buffer.isBuffer(request.body) ? parseDocument(request.body.toString('utf8')) : undefined;
  return document === undefined
    ? fail(requestRefusal('The request body must be a JSON object.'))
    : ok(document);
}

/** Which tasks are asked about. */
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

/** What is asked about does not exist, or belongs to somebody else: nobody is told which. */
export const NO_SUCH_TASK: RelayError = requestRefusal('task_not_exist');
