import { ok } from '../../../common/result.js';
import type { AcceptedTask } from '../../model/task.js';
import { documentOf, listOf, numberOf, textOf, type Document } from '../shared/fields/json-fields.js';
import {
  keptText,
  parseSubmission,
  readSubmitReply,
  writeSubmission,
} from '../shared/requests/submit-call.js';
import { MAX_TASK_ID_LENGTH, SubmitMeter } from '../shared/metering/submit-meter.js';
import type { UpstreamFormat, ClientFormat } from '../contract/api-format.js';
import { MIDJOURNEY_BACK_FORMAT, MIDJOURNEY_FORMAT } from './id.js';
import { modelOfAction, type DrawingKind } from './drawing-kinds.js';

/** Codes of a submission that was taken on: accepted, known already (or waiting for a window), queued. */
const ACCEPTED = 1;
const EXISTS = 21;
const QUEUED = 22;
const TAKEN_ON: ReadonlySet<unknown> = new Set([ACCEPTED, EXISTS, QUEUED]);
/** Actions whose task waits for a window: their callers must see 21 to open it. */
const OPENS_WINDOW: ReadonlySet<string> = new Set(['INPAINT', 'CUSTOM_ZOOM']);
const MAX_KEPT_PROPERTIES = 20_000;

/** Submissions of the midjourney-proxy protocol, one format per address. */
export const midjourneySubmit = (kind: DrawingKind): ClientFormat<'submit'> => ({
  id: MIDJOURNEY_FORMAT,
  replyType: 'application/json',
  parseCall: (body) =>
    parseSubmission(body, (document) => {
      const asked = kind.read(document);
      if (!asked.ok) return asked;
      return ok({ path: kind.path, model: modelOfAction(asked.value.action), ...asked.value });
    }),
  writeReply: ({ document }, _context, { shape }) => {
    const { code } = document;
    const isPlain = code === QUEUED || (code === EXISTS && !OPENS_WINDOW.has(shape.submission?.action ?? ''));
    return Buffer.from(JSON.stringify(isPlain ? { ...document, code: ACCEPTED } : document));
  },
});

/** The same at a vendor. */
export const midjourneyProxy: UpstreamFormat<'submit'> = {
  id: MIDJOURNEY_BACK_FORMAT,
  spliceRequest: (call) => call.document.bytes,
  writeRequest: writeSubmission,
  openMeter: (call) => new DrawingMeter(call),
  readReply: readSubmitReply,
};

class DrawingMeter extends SubmitMeter {
  protected override readTask(document: Document): AcceptedTask | undefined {
    const code = numberOf(document['code']);
    if (code === undefined || !TAKEN_ON.has(code)) return undefined;
    const { action, prompt, state } = this.submission;
    const told = { platform: 'midjourney', action, code, prompt, state } as const;
    const description = keptText(document['description']);
    const properties = documentOf(document['properties']);
    const { result } = document;
    // Images that were only handed on: there is nothing to wait for.
    if (Array.isArray(result)) {
      const imageUrl = keptText(listOf(result)[0]);
      return { ...told, id: '', description, isFinished: true, imageUrl, properties: '' };
    }
    const id = typeof result === 'number' ? String(result) : textOf(result);
    if (id === undefined || id.length > MAX_TASK_ID_LENGTH) return undefined;
    const isFinished = code === EXISTS && properties['status'] === 'SUCCESS';
    const text = Object.keys(properties).length === 0 ? '' : JSON.stringify(properties);
    return {
      ...told,
      id,
      description,
      isFinished,
      imageUrl: isFinished ? keptText(properties['imageUrl']) : '',
      properties: text.length > MAX_KEPT_PROPERTIES ? '' : text,
    };
  }
}
