import type { AcceptedTask, Submission } from '../../../model/task.js';
import type { Usage } from '../../../model/usage.js';
import { parseDocument, type Document } from '../fields/json-fields.js';
import { ReplyMeter, type WholeVerdict } from '../../contract/reply-meter.js';
import type { ParsedCall } from '../../contract/api-format.js';

/** Longest name of a task that can be kept. */
export const MAX_TASK_ID_LENGTH = 128;

/** Reads whether a vendor took a task on: a call price is charged for that, whatever becomes of the task later. */
export abstract class SubmitMeter extends ReplyMeter {
  private readonly promptTokens: number;
  protected readonly submission: Submission;

  constructor(call: ParsedCall<'submit'>) {
    super();
    const { submission, promptTokens } = call.shape;
    if (submission === undefined) throw new Error('a submission without what it asks for');
    this.submission = submission;
    this.promptTokens = promptTokens;
  }

  override ownCount(): Usage {
    return { input: { total: this.promptTokens }, output: { total: 0 } };
  }

  override readWhole(body: Buffer): WholeVerdict {
    const document = parseDocument(body, JSON.parse);
    if (document === undefined) return 'malformed';
    const task = this.readTask(document);
    if (task === undefined) return this.failedWith(document);
    this.task = task;
    this.hasFinish = true;
    return 'answer';
  }

  /** @returns undefined when it was not taken on */
  protected abstract readTask(document: Document): AcceptedTask | undefined;
}
