import type { StreamEvent } from '../../model/stream-event.js';
import type { Usage } from '../../model/usage.js';
import { eventJson } from '../shared/metering/event-data.js';
import { freeformInputOf } from '../shared/fields/freeform-tools.js';
import { documentOf, type Document } from '../shared/fields/json-fields.js';
import { writeMediaAddress } from '../shared/fields/media-address.js';
import type { ParsedCall, ReplyContext, ReplyWriter } from '../contract/api-format.js';
import { CitationPlaces } from './citation-places.js';
import { writeFinishReason } from '../shared/openai/openai-finish-reason.js';
import { CHAT_FORMAT } from './id.js';
import { signatureEntry, textEntry, writeCallSignature } from './reasoning-details.js';
import { placeFields } from './thought-places.js';
import { writeUsage } from '../shared/openai/openai-usage.js';
import { freeformOf, replyId } from './write-reply.js';

/** A tool call in progress. */
interface OpenCall {
  readonly index: number;
  readonly isFreeform: boolean;
  /** Plain text that comes inside JSON arguments: opened when all of them are there. Null = pieces go out as they come. */
  wrapped: string | null;
}

/** Neutral events → `chat.completion.chunk` frames. */
export class ChatReplyWriter implements ReplyWriter {
  private id = '';
  private model: string;
  private createdAtSeconds: number;
  private usage: Usage | undefined;
  /** Members of every chunk that only this format has, such as `system_fingerprint`. */
  private own: Document | undefined;
  private readonly greeted = new Set<number>();
  /** State by block. */
  private readonly calls = new Map<number, OpenCall>();
  private readonly callCounts = new Map<number, number>();
  private readonly textLengths = new Map<number, number>();
  private readonly freeform: ReadonlySet<string> | undefined;
  private readonly citations = new CitationPlaces();
  /** A call that began: its first piece goes out with the next event of its frame, which may be its signature. */
  private named: { readonly block: number; readonly choice: number; readonly call: Document } | undefined;
  private imageCount = 0;
  private textFrame: { readonly choice: number; readonly before: string; readonly after: string } | undefined;
  /** UTF-16 units of reasoning whose signature is still to come, by block. */
  private readonly reasoningLengths = new Map<number, number>();

  constructor(
    private readonly context: ReplyContext,
    call?: ParsedCall<'chat'>,
  ) {
    this.model = context.model;
    this.createdAtSeconds = context.createdAtSeconds;
    this.freeform = call === undefined ? undefined : freeformOf(call);
  }

  write(event: StreamEvent): string {
    const { named } = this;
    if (named === undefined) return this.put(event);
    this.named = undefined;
    // A signature belongs to the first piece of its call: clients take a piece of its own for another call.
    const signature =
      event.type === 'block-signature' && event.of === 'tool-call' && event.block === named.block
        ? event.signature
        : undefined;
    const isFromGoogle = signature?.by === 'google';
    const call = isFromGoogle ? { ...named.call, ...writeCallSignature(signature) } : named.call;
    const first = this.delta(named.choice, { tool_calls: [call] });
    return isFromGoogle ? first : first + this.put(event);
  }

  private put(event: StreamEvent): string {
    switch (event.type) {
      case 'reply-start':
        this.id = event.id;
        if (event.servedModel !== '') this.model = event.servedModel;
        this.createdAtSeconds = event.createdAtSeconds ?? this.createdAtSeconds;
        this.own = event.vendorOptions?.[CHAT_FORMAT];
        this.textFrame = undefined;
        return '';
      case 'text-delta':
        this.citations.grow(event);
        this.textLengths.set(
          event.choice ?? 0,
          (this.textLengths.get(event.choice ?? 0) ?? 0) + event.text.length,
        );
        return this.writeText(event);
      case 'reasoning-delta':
        this.reasoningLengths.set(
          event.block,
          (this.reasoningLengths.get(event.block) ?? 0) + event.text.length,
        );
        return this.delta(event.choice, {
          reasoning_content: event.text,
          ...(event.signatureBy === undefined
            ? {}
            : {
                reasoning_details: [
                  {
                    ...textEntry(event.text, event.signatureBy, event.block),
                    ...this.placeIn(event.choice),
                  },
                ],
              }),
        });
      case 'refusal-delta':
        return this.delta(event.choice, { refusal: event.text });
      case 'audio-delta':
        return this.delta(event.choice, { audio: event.audio });
      case 'block-signature':
        return this.signature(event);
      case 'source':
        // A file the vendor cites has no address to show here.
        if (event.source.url === undefined && event.source.vendorOptions?.[CHAT_FORMAT] === undefined)
          return '';
        return this.cite(event.choice ?? 0, this.citations.add(event));
      case 'media': {
        if (event.media !== 'image') return '';
        const url = writeMediaAddress(event.source, 'image/png');
        const image = { type: 'image_url', image_url: { url }, index: this.imageCount++ };
        return this.delta(event.choice, { images: [image] });
      }
      case 'tool-input-start':
        return this.startCall(event);
      case 'tool-input-delta':
        return this.callInput(event);
      case 'vendor-part':
        return event.apiFormat === CHAT_FORMAT
          ? this.delta(event.choice, { ...documentOf(event.value) })
          : '';
      case 'block-end':
        return this.cite(event.choice ?? 0, this.citations.end(event.block)) + this.endCall(event);
      case 'choice-end':
        return (
          this.cite(event.choice, this.citations.endAll(event.choice)) +
          this.frame([
            {
              index: event.choice,
              delta: {},
              logprobs: null,
              finish_reason: writeFinishReason(event.finish, (this.callCounts.get(event.choice) ?? 0) > 0),
            },
          ])
        );
      case 'usage':
        this.usage = event.usage;
        return '';
      case 'reply-end':
      case 'reply-error':
        return '';
    }
  }

  endFrame(): string {
    const { named } = this;
    this.named = undefined;
    return named === undefined ? '' : this.delta(named.choice, { tool_calls: [named.call] });
  }

  end(): string {
    const wanted = this.context.wantsStreamUsage && this.usage !== undefined;
    return `${this.endFrame()}${wanted ? this.frame([]) : ''}data: [DONE]\n\n`;
  }

  private cite(choice: number, annotations: readonly Document[]): string {
    return annotations.map((annotation) => this.delta(choice, { annotations: [annotation] })).join('');
  }

  private startCall(event: Extract<StreamEvent, { type: 'tool-input-start' }>): string {
    const choice = event.choice ?? 0;
    const index = this.callCounts.get(choice) ?? 0;
    this.callCounts.set(choice, index + 1);
    const isFreeform = event.isFreeform === true || this.freeform?.has(event.name) === true;
    const isWrapped = isFreeform && event.isFreeform !== true;
    this.calls.set(event.block, { index, isFreeform, wrapped: isWrapped ? '' : null });
    const id = event.callId === '' ? `call_${this.context.callId}_${event.block}` : event.callId;
    const call = isFreeform
      ? { index, id, type: 'custom', custom: { name: event.name, input: '' } }
      : { index, id, type: 'function', function: { name: event.name, arguments: '' } };
    this.named = { block: event.block, choice, call };
    return '';
  }

  private callInput(event: Extract<StreamEvent, { type: 'tool-input-delta' }>): string {
    const call = this.calls.get(event.block);
    if (call !== undefined && call.wrapped !== null) {
      call.wrapped += event.json;
      return '';
    }
    const input =
      call?.isFreeform === true ? { custom: { input: event.json } } : { function: { arguments: event.json } };
    return this.delta(event.choice, { tool_calls: [{ index: call?.index ?? 0, ...input }] });
  }

  private endCall(event: Extract<StreamEvent, { type: 'block-end' }>): string {
    this.reasoningLengths.delete(event.block);
    const call = this.calls.get(event.block);
    this.calls.delete(event.block);
    if (call === undefined || call.wrapped === null) return '';
    const input = freeformInputOf(call.wrapped);
    return this.delta(event.choice, { tool_calls: [{ index: call.index, custom: { input } }] });
  }

  /** The signature alone: its words went out before it, as entries of the same index where they belong together. */
  private signature(event: Extract<StreamEvent, { type: 'block-signature' }>): string {
    const { signature, choice } = event;
    if (event.of === 'tool-call') {
      const index = this.calls.get(event.block)?.index;
      if (index === undefined || signature.by !== 'google') return '';
      // Clients want a function in every piece of a call.
      const call = { index, function: { arguments: '' }, ...writeCallSignature(signature) };
      return this.delta(choice, { tool_calls: [call] });
    }
    const wordsLength = this.reasoningLengths.get(event.block);
    const place = event.of === 'reasoning' ? this.placeIn(choice) : {};
    const entry = {
      ...signatureEntry(signature, event.isRedacted === true, wordsLength),
      index: event.block,
      ...place,
    };
    return this.delta(choice, { reasoning_details: [entry] });
  }

  private placeIn(choice = 0): Document {
    return placeFields({
      text: this.textLengths.get(choice) ?? 0,
      calls: this.callCounts.get(choice) ?? 0,
    });
  }

  /** Nearly all of a stream: only the words differ from the frame before, so what stands around them is written once. */
  private writeText(
    event: Extract<StreamEvent, { type: 'text-delta' | 'reasoning-delta' | 'refusal-delta' }>,
  ): string {
    const choice = event.choice ?? 0;
    if (event.logprobs !== undefined || !this.greeted.has(choice))
      return this.delta(choice, { content: event.text }, event.logprobs);
    if (this.textFrame?.choice !== choice) {
      const frame = this.delta(choice, { content: '' });
      const at = frame.lastIndexOf('"content":"') + '"content":'.length;
      this.textFrame = { choice, before: frame.slice(0, at), after: frame.slice(at + 2) };
    }
    const { before, after } = this.textFrame;
    return before + eventJson(event.text) + after;
  }

  private delta(choice: number | undefined, delta: Document, logprobs?: unknown): string {
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
      ...this.own,
      id: replyId(this.id, this.context),
      object: 'chat.completion.chunk',
      created: this.createdAtSeconds,
      model: this.model,
      choices,
      ...usage,
    };
    return `data: ${eventJson(document)}\n\n`;
  }
}
