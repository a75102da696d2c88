import type { ChatChoice, ChatReply } from '../../model/chat.js';
import type { StreamEvent } from '../../model/stream-event.js';
import type { Usage } from '../../model/usage.js';
import { documentOf } from '../json-fields.js';
import type { ReplyContext, ReplyWriter } from '../wire.js';
import { writeFinishReason } from './finish-reason.js';
import { CHAT_WIRE } from './id.js';

/** Neutral reply → `chat.completion`. */
export function writeChatReply(reply: ChatReply, context: ReplyContext): Buffer {
  return Buffer.from(
    JSON.stringify({
      ...reply.vendorOptions?.[CHAT_WIRE],
      id: replyId(reply.id, context),
      object: 'chat.completion',
      created: reply.createdAtSeconds ?? context.createdAtSeconds,
      model: reply.servedModel === '' ? context.model : reply.servedModel,
      choices: reply.choices.map(writeChoice),
      ...(reply.usage === undefined ? {} : { usage: writeUsage(reply.usage) }),
    }),
  );
}

function writeChoice(choice: ChatChoice, index: number): Record<string, unknown> {
  const message: Record<string, unknown> = { role: 'assistant', content: null };
  const calls: Record<string, unknown>[] = [];
  for (const part of choice.content) {
    if (part.type === 'text') message['content'] = join(message['content'], part.text);
    else if (part.type === 'reasoning')
      message['reasoning_content'] = join(message['reasoning_content'], part.text);
    else if (part.type === 'refusal') message['refusal'] = join(message['refusal'], part.text);
    else if (part.type === 'vendor' && part.wire === CHAT_WIRE)
      Object.assign(message, documentOf(part.value));
    else if (part.type === 'tool-call') {
      if (part.callId === '') message['function_call'] = { name: part.name, arguments: part.json };
      else if (part.isFreeform === true) {
        calls.push({ id: part.callId, type: 'custom', custom: { name: part.name, input: part.json } });
      } else
        calls.push({
          id: part.callId,
          type: 'function',
          function: { name: part.name, arguments: part.json },
        });
    }
  }
  if (calls.length > 0) message['tool_calls'] = calls;
  return {
    ...choice.vendorOptions?.[CHAT_WIRE],
    index,
    message,
    logprobs: choice.logprobs ?? null,
    finish_reason: choice.finish === undefined ? 'stop' : writeFinishReason(choice.finish),
  };
}

const join = (before: unknown, text: string): string => (typeof before === 'string' ? before + text : text);

const replyId = (id: string, context: ReplyContext): string =>
  id === '' ? `chatcmpl-${context.callId}` : id;

/** Neutral figures in this wire's words; totals include their parts, as the wire has it. */
export function writeUsage(usage: Usage): Record<string, unknown> {
  const input = usage.input.total ?? 0;
  const output = usage.output.total ?? 0;
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: {
      cached_tokens: usage.input.cacheRead ?? 0,
      ...(usage.input.cacheWrite === undefined ? {} : { cache_write_tokens: usage.input.cacheWrite }),
      audio_tokens: usage.input.audio ?? 0,
      ...(usage.input.image === undefined ? {} : { image_tokens: usage.input.image }),
    },
    completion_tokens_details: {
      reasoning_tokens: usage.output.reasoning ?? 0,
      audio_tokens: usage.output.audio ?? 0,
      ...(usage.output.image === undefined ? {} : { image_tokens: usage.output.image }),
    },
  };
}

/** Neutral events → `chat.completion.chunk` frames. */
export class ChatReplyWriter implements ReplyWriter {
  private id = '';
  private model: string;
  private createdAtSeconds: number;
  private usage: Usage | undefined;
  private readonly greeted = new Set<number>();
  /** Index of a tool call inside its choice, by block. */
  private readonly toolIndexes = new Map<number, number>();
  private readonly toolCounts = new Map<number, number>();

  constructor(private readonly context: ReplyContext) {
    this.model = context.model;
    this.createdAtSeconds = context.createdAtSeconds;
  }

  write(event: StreamEvent): string {
    switch (event.type) {
      case 'reply-start':
        this.id = event.id;
        if (event.servedModel !== '') this.model = event.servedModel;
        this.createdAtSeconds = event.createdAtSeconds ?? this.createdAtSeconds;
        return '';
      case 'text-delta':
        return this.delta(event.choice, { content: event.text }, event.logprobs);
      case 'reasoning-delta':
        return this.delta(event.choice, { reasoning_content: event.text });
      case 'refusal-delta':
        return this.delta(event.choice, { refusal: event.text });
      case 'audio-delta':
        return this.delta(event.choice, { audio: event.audio });
      case 'tool-input-start': {
        const index = this.toolCounts.get(event.choice ?? 0) ?? 0;
        this.toolCounts.set(event.choice ?? 0, index + 1);
        this.toolIndexes.set(event.block, index);
        const id = event.callId === '' ? `call_${this.context.callId}_${event.block}` : event.callId;
        const call = { index, id, type: 'function', function: { name: event.name, arguments: '' } };
        return this.delta(event.choice, { tool_calls: [call] });
      }
      case 'tool-input-delta': {
        const index = this.toolIndexes.get(event.block) ?? 0;
        return this.delta(event.choice, { tool_calls: [{ index, function: { arguments: event.json } }] });
      }
      case 'choice-end':
        return this.frame([
          { index: event.choice, delta: {}, logprobs: null, finish_reason: writeFinishReason(event.finish) },
        ]);
      case 'usage':
        this.usage = event.usage;
        return '';
      case 'block-proof':
      case 'media':
      case 'source':
      case 'vendor-part':
      case 'block-end':
      case 'reply-end':
      case 'reply-error':
        return '';
    }
  }

  end(): string {
    const wanted = this.context.wantsStreamUsage && this.usage !== undefined;
    return `${wanted ? this.frame([]) : ''}data: [DONE]\n\n`;
  }

  private delta(choice: number | undefined, delta: Record<string, unknown>, logprobs?: unknown): string {
    const index = choice ?? 0;
    let first = delta;
    if (!this.greeted.has(index)) {
      this.greeted.add(index);
      first = { role: 'assistant', ...delta };
    }
    return this.frame([{ index, delta: first, logprobs: logprobs ?? null, finish_reason: null }]);
  }

  private frame(choices: readonly unknown[]): string {
    const usage = choices.length === 0 && this.usage !== undefined ? { usage: writeUsage(this.usage) } : {};
    const document = {
      id: replyId(this.id, this.context),
      object: 'chat.completion.chunk',
      created: this.createdAtSeconds,
      model: this.model,
      choices,
      ...usage,
    };
    return `data: ${JSON.stringify(document)}\n\n`;
  }
}
