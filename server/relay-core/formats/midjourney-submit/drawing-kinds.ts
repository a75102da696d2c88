import { ok, type Result } from '../../../common/result.js';
import type { RelayError } from '../../model/relay-error.js';
import type { Submission, TaskOrigin } from '../../model/task.js';
import { type Document, textOf } from '../shared/fields/json-fields.js';
import { invalidRequest } from '../shared/fields/request-fields.js';

/** Action of a button, by the start of its name; the longest match decides. */
const VERBS: readonly (readonly [verb: string, action: string])[] = [
  ['low_variation', 'LOW_VARIATION'],
  ['high_variation', 'HIGH_VARIATION'],
  ['variation', 'VARIATION'],
  ['upsample', 'UPSCALE'],
  ['reroll', 'REROLL'],
  ['pan_', 'PAN'],
  ['outpaint', 'ZOOM'],
  ['customzoom', 'CUSTOM_ZOOM'],
  ['inpaint', 'INPAINT'],
];

/** The letter and number of a simple change: `1320098173412546 U2`. */
const SIMPLE_CHANGE = /^(\S{1,128})\s+(?:([UV])([1-4])|R)$/i;

/** Facts of a submission that depend on its body. */
type Asked = Pick<Submission, 'action' | 'origin'>;
type Reading = Result<Asked, RelayError>;

/** One address of the midjourney-proxy protocol. */
export interface DrawingKind {
  /** Path at the upstream, and at the gateway behind a mode. */
  readonly path: string;
  /** Fails: invalid-request, with the name of the member that is missing or wrong. */
  read(body: Document): Reading;
}

const MAX_ID_LENGTH = 128;

const origin = (taskId: string, needsSuccess = true): TaskOrigin => ({
  platform: 'midjourney',
  taskId,
  needsSuccess,
});

/** Begins a drawing of its own; `needed` are members without which no vendor draws. */
const fresh = (path: string, action: string, needed: readonly (readonly string[])[]): DrawingKind => ({
  path,
  read: (body) => {
    for (const names of needed) {
      if (names.some((name) => isGiven(body[name]))) continue;
      const [first] = names;
      return invalidRequest(`Missing required parameter: '${names.join("' or '")}'.`, first);
    }
    return ok({ action });
  },
});

const isGiven = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : textOf(value) !== undefined;

/** Name of an earlier task. Fails: invalid-request. */
function readTaskId(body: Document): Result<string, RelayError> {
  const { taskId } = body;
  if (taskId === undefined || taskId === null || taskId === '')
    return invalidRequest("Missing required parameter: 'taskId'.", 'taskId');
  const text = typeof taskId === 'number' && Number.isSafeInteger(taskId) ? String(taskId) : textOf(taskId);
  if (text === undefined || text.length > MAX_ID_LENGTH)
    return invalidRequest("Invalid 'taskId': expected the id of a task.", 'taskId');
  return ok(text);
}

const CHANGES: ReadonlySet<string> = new Set(['UPSCALE', 'VARIATION', 'REROLL']);
const GRID_POSITIONS: ReadonlySet<unknown> = new Set([1, 2, 3, 4]);

function readChange(body: Document): Reading {
  const taskId = readTaskId(body);
  if (!taskId.ok) return taskId;
  const action = textOf(body['action'])?.toUpperCase();
  if (action === undefined) return invalidRequest("Missing required parameter: 'action'.", 'action');
  if (!CHANGES.has(action))
    return invalidRequest("Invalid 'action': expected UPSCALE, VARIATION or REROLL.", 'action');
  if (action !== 'REROLL' && !GRID_POSITIONS.has(body['index']))
    return invalidRequest("Invalid 'index': expected a number from 1 to 4.", 'index');
  return ok({ action, origin: origin(taskId.value) });
}

function readSimple(body: Document): Reading {
  const change = readSimpleChange(textOf(body['content']) ?? '');
  if (change === undefined)
    return invalidRequest("Invalid 'content': expected a task id and U1 to U4, V1 to V4 or R.", 'content');
  return ok({ action: change.action, origin: origin(change.taskId) });
}

function readAction(body: Document): Reading {
  const taskId = readTaskId(body);
  if (!taskId.ok) return taskId;
  const action = actionOfButton(textOf(body['customId']) ?? '');
  if (action === undefined)
    return invalidRequest("Invalid 'customId': expected the customId of a button of the task.", 'customId');
  return ok({ action, origin: origin(taskId.value) });
}

/** A drawing that waits for a window to be filled in: it is not finished, and cannot be. */
function readModal(body: Document): Reading {
  const taskId = readTaskId(body);
  return taskId.ok ? ok({ action: 'MODAL', origin: origin(taskId.value, false) }) : taskId;
}

/** Kind of a request from a finished image, or from text and an image of the caller's own. */
function readVideo(body: Document): Reading {
  if (isGiven(body['taskId'])) {
    const taskId = readTaskId(body);
    return taskId.ok ? ok({ action: 'VIDEO', origin: origin(taskId.value) }) : taskId;
  }
  if (isGiven(body['prompt']) || isGiven(body['image'])) return ok({ action: 'VIDEO' });
  return invalidRequest("Missing required parameter: 'taskId' or 'prompt'.", 'taskId');
}

export const DRAWING_KINDS: readonly DrawingKind[] = [
  fresh('/mj/submit/imagine', 'IMAGINE', [['prompt']]),
  { path: '/mj/submit/change', read: readChange },
  { path: '/mj/submit/simple-change', read: readSimple },
  { path: '/mj/submit/action', read: readAction },
  { path: '/mj/submit/modal', read: readModal },
  fresh('/mj/submit/shorten', 'SHORTEN', [['prompt']]),
  fresh('/mj/submit/describe', 'DESCRIBE', [['base64', 'link']]),
  fresh('/mj/submit/blend', 'BLEND', [['base64Array']]),
  fresh('/mj/submit/edits', 'EDITS', [['prompt']]),
  { path: '/mj/submit/video', read: readVideo },
  fresh('/mj/submit/upload-discord-images', 'UPLOAD', [['base64Array']]),
  fresh('/mj/insight-face/swap', 'SWAP_FACE', [['sourceBase64'], ['targetBase64']]),
];

/** The model whose price and channels an action has. */
export const modelOfAction = (action: string): string =>
  action === 'SWAP_FACE' ? 'swap_face' : `mj_${action.toLowerCase()}`;

/**
 * The action behind a button (`MJ::JOB::upsample::2::…`, `MJ::CustomZoom::…`).
 * @returns undefined for an unknown button
 */
export function actionOfButton(customId: string): string | undefined {
  const parts = customId.split('::');
  const verb = (parts[1] === 'JOB' ? parts[2] : parts[1])?.toLowerCase();
  if (verb === undefined) return undefined;
  return VERBS.find(([beginning]) => verb.startsWith(beginning))?.[1];
}

/** @returns undefined when it does not read so */
export function readSimpleChange(
  content: string,
): { readonly taskId: string; readonly action: string } | undefined {
  const match = SIMPLE_CHANGE.exec(content.trim());
  if (match === null) return undefined;
  const letter = match[2]?.toUpperCase();
  const action = letter === 'U' ? 'UPSCALE' : letter === 'V' ? 'VARIATION' : 'REROLL';
  return { taskId: match[1] as string, action };
}
