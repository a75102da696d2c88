import type { ChatChoice, ChatReply } from '../model/chat.js';
import type { ContentPart } from '../model/content.js';
import type { FinishReason } from '../model/finish-reason.js';
import type { StreamEvent } from '../model/stream-event.js';
import type { Usage } from '../model/usage.js';
import type { ReplyWriter } from '../wire/wire.js';

interface GrowingChoice {
  /** By block, in order of appearance. */
  readonly parts: Map<number, ContentPart>;
  finish: FinishReason | undefined;
}

/** Adds the events of a stream up to a whole reply; for callers that asked for one and got a stream. */
export class ReplyCollector implements ReplyWriter {
  private id = '';
  private servedModel = '';
  private createdAtSeconds: number | undefined;
  private usage: Usage | undefined;
  private readonly choices = new Map<number, GrowingChoice>();

  write(event: StreamEvent): string {
    switch (event.type) {
      case 'reply-start':
        this.id = event.id;
        this.servedModel = event.servedModel;
        this.createdAtSeconds = event.createdAtSeconds;
        break;
      case 'text-delta':
        this.grow(event.choice, event.block, { type: 'text', text: event.text });
        break;
      case 'reasoning-delta':
        this.grow(event.choice, event.block, { type: 'reasoning', text: event.text });
        break;
      case 'refusal-delta':
        this.grow(event.choice, event.block, { type: 'refusal', text: event.text });
        break;
      case 'tool-input-start':
        this.grow(event.choice, event.block, {
          type: 'tool-call',
          callId: event.callId,
          name: event.name,
          json: '',
        });
        break;
      case 'tool-input-delta':
        this.addArguments(event.choice, event.block, event.json);
        break;
      case 'choice-end':
        this.choice(event.choice).finish = event.finish;
        break;
      case 'usage':
        this.usage = event.usage;
        break;
      case 'audio-delta':
      case 'block-end':
      case 'reply-end':
      case 'reply-error':
        break;
    }
    return '';
  }

  end(): string {
    return '';
  }

  reply(): ChatReply {
    const choices: ChatChoice[] = [...this.choices]
      .sort(([left], [right]) => left - right)
      .map(([, { parts, finish }]) => ({ content: [...parts.values()], finish }));
    return {
      id: this.id,
      servedModel: this.servedModel,
      createdAtSeconds: this.createdAtSeconds,
      choices,
      usage: this.usage,
    };
  }

  private choice(index: number | undefined): GrowingChoice {
    let choice = this.choices.get(index ?? 0);
    if (choice === undefined) {
      choice = { parts: new Map(), finish: undefined };
      this.choices.set(index ?? 0, choice);
    }
    return choice;
  }

  private grow(index: number | undefined, block: number, part: ContentPart): void {
    const { parts } = this.choice(index);
    const before = parts.get(block);
    parts.set(
      block,
      before !== undefined && 'text' in before && 'text' in part
        ? { ...before, text: before.text + part.text }
        : part,
    );
  }

  private addArguments(index: number | undefined, block: number, json: string): void {
    const { parts } = this.choice(index);
    const before = parts.get(block);
    if (before?.type === 'tool-call') parts.set(block, { ...before, json: before.json + json });
  }
}

/** A whole reply as the events of a stream; for callers that asked for one and got a whole reply. */
export function* replyToEvents(reply: ChatReply): Generator<StreamEvent> {
  const { createdAtSeconds } = reply;
  yield {
    type: 'reply-start',
    id: reply.id,
    servedModel: reply.servedModel,
    ...(createdAtSeconds === undefined ? {} : { createdAtSeconds }),
  };
  let block = 0;
  for (const [choice, { content, finish }] of reply.choices.entries()) {
    for (const part of content) {
      if (part.type === 'text') yield { type: 'text-delta', block, choice, text: part.text };
      else if (part.type === 'reasoning') yield { type: 'reasoning-delta', block, choice, text: part.text };
      else if (part.type === 'refusal') yield { type: 'refusal-delta', block, choice, text: part.text };
      else if (part.type === 'tool-call') {
        yield { type: 'tool-input-start', block, choice, callId: part.callId, name: part.name };
        yield { type: 'tool-input-delta', block, choice, json: part.json };
      } else continue;
      yield { type: 'block-end', block, choice };
      block += 1;
    }
    yield { type: 'choice-end', choice, finish: finish ?? { unified: 'stop', raw: undefined } };
  }
  if (reply.usage !== undefined) yield { type: 'usage', usage: reply.usage };
  yield { type: 'reply-end', finish: reply.choices[0]?.finish ?? { unified: 'stop', raw: undefined } };
}
