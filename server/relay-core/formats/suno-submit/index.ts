import { ok, type Result } from '../../../common/result.js';
import type { RelayError } from '../../model/relay-error.js';
import type { AcceptedTask, Submission } from '../../model/task.js';
import {
  keptText,
  parseSubmission,
  readSubmitReply,
  writeSubmission,
} from '../shared/requests/submit-call.js';
import { MAX_TASK_ID_LENGTH, SubmitMeter } from '../shared/metering/submit-meter.js';
import { textOf, type Document } from '../shared/fields/json-fields.js';
import { invalidRequest } from '../shared/fields/request-fields.js';
import type { UpstreamFormat, ClientFormat } from '../contract/api-format.js';

/** Key of callers' submissions of songs. */
export const SUNO_FORMAT = 'suno-submit';
/** Key of the same at a vendor. */
const SUNO_BACK_FORMAT = 'suno-api';

/** Voice of the model for songs that name none. */
const DEFAULT_VOICE = 'chirp-v3-0';
/** Action names in addresses; clients use both cases. */
export const MUSIC_TASKS = ['MUSIC', 'LYRICS', 'music', 'lyrics'] as const;
type MusicTask = (typeof MUSIC_TASKS)[number];

/** Submissions of songs and lyrics, one format per address. */
export const sunoSubmit = (task: MusicTask): ClientFormat<'submit'> => ({
  id: SUNO_FORMAT,
  replyType: 'application/json',
  parseCall: (body) => parseSubmission(body, (document) => read(document, task)),
  writeReply: ({ document }) => Buffer.from(JSON.stringify(document)),
});

function read(
  body: Document,
  task: MusicTask,
): Result<Omit<Submission, 'prompt' | 'state'> & { readonly model: string }, RelayError> {
  const action = task.toUpperCase();
  const model = action === 'LYRICS' ? 'suno_lyrics' : 'suno_music';
  if (action === 'LYRICS' && textOf(body['prompt']) === undefined)
    return invalidRequest("Missing required parameter: 'prompt'.", 'prompt');
  // Keeps the caller's case: vendors differ in the case they accept.
  const asked = { path: `/suno/submit/${task}`, action, model };
  const taskId = textOf(body['task_id']);
  if (taskId === undefined) {
    return textOf(body['continue_clip_id']) === undefined
      ? ok(asked)
      : invalidRequest("'continue_clip_id' needs the 'task_id' of the song it belongs to.", 'task_id');
  }
  if (taskId.length > MAX_TASK_ID_LENGTH)
    return invalidRequest("Invalid 'task_id': expected the id of a task.", 'task_id');
  return ok({ ...asked, origin: { platform: 'suno', taskId, needsSuccess: false } });
}

/** The same at a vendor. */
export const sunoApi: UpstreamFormat<'submit'> = {
  id: SUNO_BACK_FORMAT,
  spliceRequest: (call) => call.document.bytes,
  writeRequest: (request, edits) => {
    const { body } = request;
    const needsVoice =
      edits.upstreamModel === 'suno_music' && (body['mv'] === undefined || body['mv'] === '');
    return writeSubmission(needsVoice ? { body: { ...body, mv: DEFAULT_VOICE } } : request, edits);
  },
  openMeter: (call) => new MusicTaskMeter(call),
  readReply: readSubmitReply,
};

class MusicTaskMeter extends SubmitMeter {
  protected override readTask(document: Document): AcceptedTask | undefined {
    const id = textOf(document['data']);
    if (document['code'] !== 'success' || id === undefined || id.length > MAX_TASK_ID_LENGTH)
      return undefined;
    const { action, prompt, state } = this.submission;
    const description = keptText(document['message']);
    return {
      ...({ platform: 'suno', id, action, code: 0, description, prompt, state } as const),
      isFinished: false,
      imageUrl: '',
      properties: '',
    };
  }
}
