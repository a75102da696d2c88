import { readField } from '../../framing/json-splice.js';
import type { ChatReply } from '../../model/chat.js';
import { refusedFinish, shownFinish, type FinishReason } from '../../model/finish-reason.js';
import type { StreamEvent } from '../../model/stream-event.js';
import type { Usage } from '../../model/usage.js';
import { eventJson } from '../shared/metering/event-data.js';
import { writeFinishReason } from '../shared/openai/openai-finish-reason.js';
import { writeUsage } from '../shared/openai/openai-usage.js';
import type { ParsedCall, ReplyContext, ReplyWriter } from '../contract/api-format.js';
import { COMPLETIONS_FORMAT } from './id.js';
import { textOfPrompt } from './prompts.js';

/** The prompt, when the caller wants it before the answer. */
function echoOf(call: ParsedCall<'chat'>): string {
  if (!call.document.members.has('echo') || readField(call.document, 'echo') !== true) return '';
  return textOfPrompt(readField(call.document, 'prompt')) ?? '';
}

/** Neutral reply → `text_completion`. Only text has a place here: thoughts, calls and images are left out. */
export function writeCompletionReply(
  reply: ChatReply,
  context: ReplyContext,
  call: ParsedCall<'chat'>,
): Buffer {
  const echo = echoOf(call);
  return Buffer.from(
    JSON.stringify({
      ...reply.vendorOptions?.[COMPLETIONS_FORMAT],
      id: replyId(reply.id, context),
      object: 'text_completion',
      created: reply.createdAtSeconds ?? context.createdAtSeconds,
      model: reply.servedModel === '' ? context.model : reply.servedModel,
      choices: reply.choices.map((choice, index) => ({
        text:
          echo +
          choice.content
            .map((part) => (part.type === 'text' || part.type === 'refusal' ? part.text : ''))
            .join(''),
        index,
        logprobs: choice.vendorOptions?.[COMPLETIONS_FORMAT]?.['logprobs'] ?? null,
        finish_reason: finishReasonOf(shownFinish(choice)),
      })),
      ...(reply.usage === undefined ? {} : { usage: writeUsage(reply.usage) }),
    }),
  );
}

const replyId = (id: string, context: ReplyContext): string => (id === '' ? `cmpl-${context.callId}` : id);

/** There are no calls here: what ended with one simply stopped. */
function finishReasonOf(finish: FinishReason | undefined): string {
  const word = finish === undefined ? 'stop' : writeFinishReason(finish);
  return word === 'length' || word === 'content_filter' ? word : 'stop';
}

/** Neutral events → frames of a text completion's stream. */
export class CompletionReplyWriter implements ReplyWriter {
  private id = '';
  private model: string;
  private createdAtSeconds: number;
  private usage: Usage | undefined;
  private echo: string;
  private readonly refused = new Set<number>();

  constructor(
    private readonly context: ReplyContext,
    call: ParsedCall<'chat'>,
  ) {
    this.model = context.model;
    this.createdAtSeconds = context.createdAtSeconds;
    this.echo = echoOf(call);
  }

  write(event: StreamEvent): string {
    switch (event.type) {
      case 'reply-start':
        this.id = event.id;
        if (event.servedModel !== '') this.model = event.servedModel;
        this.createdAtSeconds = event.createdAtSeconds ?? this.createdAtSeconds;
        return '';
      case 'text-delta':
      case 'refusal-delta': {
        if (event.type === 'refusal-delta') this.refused.add(event.choice ?? 0);
        const text = this.echo + event.text;
        this.echo = '';
        return this.choice(event.choice ?? 0, text, null);
      }
      case 'choice-end': {
        const isRefused = this.refused.has(event.choice);
        const word = finishReasonOf(isRefused ? refusedFinish(event.finish) : event.finish);
        return this.choice(event.choice, '', word);
      }
      case 'usage':
        this.usage = event.usage;
        return '';
      default:
        return '';
    }
  }

  end(): string {
    const wanted = this.context.wantsStreamUsage && this.usage !== undefined;
    return `${wanted ? this.frame([]) : ''}data: [DONE]\n\n`;
  }

  private choice(index: number, text: string, finish: string | null): string {
    return this.frame([{ text, index, logprobs: null, finish_reason: finish }]);
  }

  private frame(choices: readonly unknown[]): string {
    const document = {
      id: replyId(this.id, this.context),
      object: 'text_completion',
      created: this.createdAtSeconds,
      model: this.model,
      choices,
      ...(choices.length === 0 && this.usage !== undefined ? { usage: writeUsage(this.usage) } : {}),
    };
    return `data: ${eventJson(document)}\n\n`;
  }
}
