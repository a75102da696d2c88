import { getOrAdd } from '../../../common/get-or-add.js';
import type { ChatChoice, ChatReply } from '../../model/chat.js';
import type { ContentPart, ThoughtSignature } from '../../model/content.js';
import type { FinishReason } from '../../model/finish-reason.js';
import type { StreamEvent } from '../../model/stream-event.js';
import type { Usage } from '../../model/usage.js';
import { mergeOptions, type VendorOptions } from '../../model/vendor-options.js';
import type { ReplyWriter } from '../../formats/contract/api-format.js';
import { AnswerAssembler } from './answer-assembler.js';

/** Adds the events of a stream up to a whole reply; for callers that asked for one and got a stream. */
export class ReplyCollector implements ReplyWriter {
  private id = '';
  private servedModel = '';
  private createdAtSeconds: number | undefined;
  private usage: Usage | undefined;
  private vendorOptions: VendorOptions | undefined;
  private readonly answers = new Map<number, AnswerAssembler>();

  write(event: StreamEvent): string {
    switch (event.type) {
      case 'reply-start':
        this.id = event.id;
        this.servedModel = event.servedModel;
        this.createdAtSeconds = event.createdAtSeconds;
        this.vendorOptions = event.vendorOptions;
        break;
      case 'usage':
        this.usage = event.usage;
        break;
      case 'choice-end':
        this.answer(event.choice).finish = event.finish;
        break;
      case 'reply-end':
        this.vendorOptions = mergeOptions(this.vendorOptions, event.vendorOptions);
        break;
      case 'reply-error':
        break;
      default:
        this.answer(event.choice).add(event);
    }
    return '';
  }

  end(): string {
    return '';
  }

  reply(): ChatReply {
    const choices: ChatChoice[] = [...this.answers]
      .sort(([left], [right]) => left - right)
      .map(([, answer]) => ({
        content: answer.content(),
        finish: answer.finish,
        ...(answer.logprobs.length === 0 ? {} : { logprobs: { content: answer.logprobs } }),
      }));
    return {
      id: this.id,
      servedModel: this.servedModel,
      createdAtSeconds: this.createdAtSeconds,
      choices,
      usage: this.usage,
      ...(this.vendorOptions === undefined ? {} : { vendorOptions: this.vendorOptions }),
    };
  }

  private answer(index: number | undefined): AnswerAssembler {
    return getOrAdd(this.answers, index ?? 0, () => new AnswerAssembler());
  }
}

/** A whole reply as the events of a stream; for callers that asked for one and got a whole reply. */
export function* replyToEvents(reply: ChatReply): Generator<StreamEvent> {
  const { createdAtSeconds, vendorOptions } = reply;
  yield {
    type: 'reply-start',
    id: reply.id,
    servedModel: reply.servedModel,
    ...(createdAtSeconds === undefined ? {} : { createdAtSeconds }),
    ...(vendorOptions === undefined ? {} : { vendorOptions }),
  };
  let nextBlock = 0;
  for (const [choice, answer] of reply.choices.entries()) {
    let logprobs = answer.logprobs;
    let isBehindText = false;
    for (const [at, part] of answer.content.entries()) {
      // Emitted with their text.
      if (part.type === 'source' && isBehindText) continue;
      isBehindText = part.type === 'text' || (isBehindText && part.type === 'source');
      const block = nextBlock++;
      yield* partToEvents(part, { block, choice }, part.type === 'text' ? logprobs : undefined);
      if (part.type === 'text') {
        logprobs = undefined;
        yield* sourcesAfter(answer.content, at, { block, choice });
      }
      yield { type: 'block-end', block, choice };
    }
    yield { type: 'choice-end', choice, finish: answer.finish ?? STOPPED };
  }
  if (reply.usage !== undefined) yield { type: 'usage', usage: reply.usage };
  yield { type: 'reply-end', finish: reply.choices[0]?.finish ?? STOPPED };
}

const STOPPED: FinishReason = { unified: 'stop', raw: undefined };

interface Place {
  readonly block: number;
  readonly choice: number;
}

function* sourcesAfter(content: readonly ContentPart[], at: number, place: Place): Generator<StreamEvent> {
  for (let next = at + 1; next < content.length; next += 1) {
    const part = content[next];
    if (part?.type !== 'source') return;
    yield { type: 'source', ...place, source: part.source };
  }
}

/** Anthropic signs the words themselves; other signatures need none. */
const originOf = (
  signature: ThoughtSignature | undefined,
): { readonly vendorId?: string; readonly signatureBy?: ThoughtSignature['by'] } => ({
  ...(signature?.id === undefined ? {} : { vendorId: signature.id }),
  ...(signature?.by === 'anthropic' ? { signatureBy: 'anthropic' } : {}),
});

function* partToEvents(part: ContentPart, place: Place, logprobs: unknown): Generator<StreamEvent> {
  switch (part.type) {
    case 'text':
    case 'reasoning':
    case 'refusal':
      if (part.text !== '') {
        yield {
          type: `${part.type}-delta`,
          ...place,
          text: part.text,
          ...(logprobs === undefined ? {} : { logprobs }),
          ...(part.type === 'reasoning' ? originOf(part.signature) : {}),
        };
      }
      break;
    case 'tool-call': {
      const { callId, name, json, isFreeform, vendorOptions } = part;
      const form = isFreeform === true ? { isFreeform } : {};
      const options = vendorOptions === undefined ? {} : { vendorOptions };
      yield { type: 'tool-input-start', ...place, callId, name, ...form, ...options };
      // Before its input: some dialects have a place for it ahead of the call only.
      if (part.signature !== undefined)
        yield { type: 'block-signature', ...place, signature: part.signature, of: 'tool-call' };
      if (json !== '') yield { type: 'tool-input-delta', ...place, json };
      return;
    }
    case 'audio':
      yield {
        type: 'audio-delta',
        ...place,
        audio: {
          ...Object.values(part.vendorOptions ?? {})[0],
          ...(part.source.kind === 'base64' ? { data: part.source.base64 } : {}),
          ...(part.transcript === undefined ? {} : { transcript: part.transcript }),
        },
      };
      break;
    case 'image':
    case 'video':
    case 'file':
      yield { type: 'media', ...place, media: part.type, source: part.source };
      break;
    case 'source':
      yield { type: 'source', ...place, source: part.source };
      break;
    case 'vendor':
      yield { type: 'vendor-part', ...place, apiFormat: part.apiFormat, value: part.value };
      return;
  }
  if (part.signature === undefined) return;
  const of = part.type === 'reasoning' ? part.type : 'text';
  const isRedacted = part.type === 'reasoning' && part.isRedacted === true;
  yield {
    type: 'block-signature',
    ...place,
    signature: part.signature,
    of,
    ...(isRedacted ? { isRedacted } : {}),
  };
}
