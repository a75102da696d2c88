import { fail, ok, type Result } from '../../../common/result.js';
import type { ChatReply } from '../../model/chat.js';
import type { FinishReason } from '../../model/finish-reason.js';
import { refusal } from '../../model/refusals.js';
import type { RelayError } from '../../model/relay-error.js';
import type { StreamEvent } from '../../model/stream-event.js';
import type { Usage } from '../../model/usage.js';
import { keepUnknown } from '../../model/vendor-options.js';
import {
  documentOf,
  given,
  isDocument,
  listOf,
  numberOf,
  parseDocument,
  textOf,
} from '../shared/fields/json-fields.js';
import { finishReasonIn, readFinishReason } from '../shared/openai/openai-finish-reason.js';
import { readUsage } from '../shared/openai/openai-usage.js';
import type { ReplyReader } from '../contract/api-format.js';
import { COMPLETIONS_FORMAT } from './id.js';
import { laterUsage } from '../shared/metering/reported-usage.js';
import { CHOICES_REPLY_FIELDS } from '../shared/openai/openai-members.js';

/** Whole reply → neutral reply. Fails: upstream-malformed. */
export function readCompletionReply(body: Buffer): Result<ChatReply, RelayError> {
  const document = parseDocument(body.toString('utf8'));
  if (document === undefined || !Array.isArray(document['choices'])) {
    return fail(refusal('other-kind', { wanted: 'a text completion' }));
  }
  const usage = readUsage(document['usage']);
  return ok({
    id: textOf(document['id']) ?? '',
    servedModel: textOf(document['model']) ?? '',
    createdAtSeconds: numberOf(document['created']),
    choices: listOf(document['choices']).map((item) => {
      const choice = documentOf(item);
      const reason = finishReasonIn(choice['finish_reason']);
      const text = textOf(choice['text']);
      return {
        content: text === undefined ? [] : [{ type: 'text' as const, text }],
        finish: reason === undefined ? undefined : readFinishReason(reason),
        ...(isDocument(choice['logprobs'])
          ? { vendorOptions: { [COMPLETIONS_FORMAT]: { logprobs: choice['logprobs'] } } }
          : {}),
      };
    }),
    usage: usage === 'invalid' ? undefined : usage,
    ...given('vendorOptions', keepUnknown(COMPLETIONS_FORMAT, document, CHOICES_REPLY_FIELDS)),
  });
}

/** Frames of a text completion's stream → neutral events: each answer is one block, numbered as the answer. */
export class CompletionReplyReader implements ReplyReader {
  private hasStarted = false;
  private isOver = false;
  private usage: Usage | undefined;
  private readonly open = new Set<number>();
  private finishReason: FinishReason | undefined;

  read(data: string): readonly StreamEvent[] {
    if (this.isOver) return NO_EVENTS;
    if (data.trim() === '[DONE]') return this.finish();
    const document = parseDocument(data);
    if (document === undefined) return NO_EVENTS;
    const events: StreamEvent[] = [];
    if (!this.hasStarted) {
      this.hasStarted = true;
      events.push({
        type: 'reply-start',
        id: textOf(document['id']) ?? '',
        servedModel: textOf(document['model']) ?? '',
        ...given('createdAtSeconds', numberOf(document['created'])),
      });
    }
    for (const item of listOf(document['choices'])) this.choice(documentOf(item), events);
    const usage = readUsage(document['usage']);
    if (usage !== undefined && usage !== 'invalid') {
      this.usage = laterUsage(this.usage, usage);
      events.push({ type: 'usage', usage: this.usage });
    }
    return events;
  }

  finish(): readonly StreamEvent[] {
    if (this.isOver) return NO_EVENTS;
    this.isOver = true;
    const events: StreamEvent[] = [...this.open].map((block) => ({
      type: 'block-end',
      block,
      choice: block,
    }));
    events.push({ type: 'reply-end', finish: this.finishReason ?? { unified: 'other', raw: undefined } });
    return events;
  }

  private choice(choice: Readonly<Record<string, unknown>>, events: StreamEvent[]): void {
    const index = numberOf(choice['index']) ?? 0;
    const text = textOf(choice['text']);
    if (text !== undefined) {
      this.open.add(index);
      const logprobs = isDocument(choice['logprobs']) ? { logprobs: choice['logprobs'] } : {};
      events.push({ type: 'text-delta', block: index, choice: index, text, ...logprobs });
    }
    const reason = finishReasonIn(choice['finish_reason']);
    if (reason === undefined) return;
    const finish = readFinishReason(reason);
    this.finishReason ??= finish;
    if (this.open.delete(index)) events.push({ type: 'block-end', block: index, choice: index });
    events.push({ type: 'choice-end', choice: index, finish });
  }
}

const NO_EVENTS: readonly StreamEvent[] = Object.freeze([]);
