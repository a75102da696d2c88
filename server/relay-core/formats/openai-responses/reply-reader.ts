import type { ContentPart } from '../../model/content.js';
import type { FinishReason } from '../../model/finish-reason.js';
import type { StreamEvent } from '../../model/stream-event.js';
import { keepUnknown, type VendorOptions } from '../../model/vendor-options.js';
import {
  documentOf,
  given,
  isDocument,
  listOf,
  numberOf,
  wholeSecondsOf,
  parseDocument,
  textOf,
  type Document,
} from '../shared/fields/json-fields.js';
import type { ReplyReader } from '../contract/api-format.js';
import { readSource } from './annotations.js';
import { clientActionOf, readFinishReason } from './finish-reason.js';
import { RESPONSES_FORMAT } from './id.js';
import { ItemPlaces } from './item-places.js';
import { isVendorRun, readTurnItem, reasoningText } from './read-items.js';
import { KNOWN_REPLY_FIELDS, readOutputItem } from './read-reply.js';
import { readUsage, ToolUses } from './usage.js';

type TextKind = 'text-delta' | 'reasoning-delta' | 'refusal-delta';

/** An item that is not done: its blocks, by part. Kept by its place, because some vendors change its id on the way. */
interface OpenItem {
  readonly type: string;
  readonly id: string | undefined;
  readonly blocks: Map<number, { readonly block: number; readonly kind: TextKind }>;
  /** Block of a call, or of reasoning. */
  block: number | undefined;
  /** Something of its text or arguments came. */
  hasPieces: boolean;
  /** Summary paragraph, or shown thought: only the first kind a vendor sends is read. */
  reasoningKind: string | undefined;
  paragraph: number;
}

/** A call as its first event names it. */
const nameOf = ({
  callId,
  name,
  isFreeform,
  vendorOptions,
}: Extract<ContentPart, { type: 'tool-call' }>): Pick<
  Extract<StreamEvent, { type: 'tool-input-start' }>,
  'callId' | 'name' | 'isFreeform' | 'vendorOptions'
> => ({
  callId,
  name,
  ...(isFreeform === true ? { isFreeform } : {}),
  ...given('vendorOptions', vendorOptions),
});

/** Events of a streamed response → neutral events. Unknown events are passed over. */
export class ResponsesReplyReader implements ReplyReader {
  private readonly items = new Map<number, OpenItem>();
  private readonly places = new ItemPlaces();
  private readonly uses = new ToolUses();
  private nextBlock = 0;
  private hasStarted = false;
  private hasCalls = false;
  private action: string | undefined;
  private hasItems = false;
  private finishReason: FinishReason | undefined;
  private lateOptions: VendorOptions | undefined;
  private isOver = false;

  read(data: string): readonly StreamEvent[] {
    const document = this.isOver ? undefined : parseDocument(data);
    if (document === undefined) return NO_EVENTS;
    const events: StreamEvent[] = [];
    this.event(textOf(document['type']) ?? '', document, events);
    return events;
  }

  finish(): readonly StreamEvent[] {
    if (this.isOver) return NO_EVENTS;
    this.isOver = true;
    const events: StreamEvent[] = [];
    for (const item of this.items.values()) this.closeBlocks(item, events);
    events.push({
      type: 'reply-end',
      finish: this.finishReason ?? { unified: 'other', raw: undefined },
      ...given('vendorOptions', this.lateOptions),
    });
    return events;
  }

  private event(type: string, document: Document, events: StreamEvent[]): void {
    const index = this.places.of(type, document, this.items);
    switch (type) {
      case 'response.created':
      case 'response.in_progress':
      case 'response.queued':
        this.start(documentOf(document['response']), events);
        return;
      case 'response.output_item.added':
        this.begin(index, documentOf(document['item']), events);
        return;
      case 'response.output_text.delta':
        this.text(index, document, 'text-delta', events);
        return;
      case 'response.refusal.delta':
        this.text(index, document, 'refusal-delta', events);
        return;
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        this.thought(index, document, type, events);
        return;
      case 'response.output_text.annotation.added':
        this.annotation(index, document, events);
        return;
      case 'response.function_call_arguments.delta':
      case 'response.custom_tool_call_input.delta':
        this.input(index, textOf(document['delta']), events);
        return;
      case 'response.function_call_arguments.done':
      case 'response.custom_tool_call_input.done':
        // Some vendors give them in one piece only.
        if (this.items.get(index)?.hasPieces === false)
          this.input(index, textOf(document['arguments']) ?? textOf(document['input']), events);
        return;
      case 'response.audio.delta':
        this.audio({ data: document['delta'] }, events);
        return;
      case 'response.audio.transcript.delta':
        this.audio({ transcript: document['delta'] }, events);
        return;
      case 'response.output_item.done':
        this.end(index, documentOf(document['item']), events);
        return;
      case 'response.done':
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        this.complete(documentOf(document['response']), events);
        return;
      default:
    }
  }

  private start(response: Document, events: StreamEvent[]): void {
    if (this.hasStarted) return;
    this.hasStarted = true;
    events.push({
      type: 'reply-start',
      id: textOf(response['id']) ?? '',
      servedModel: textOf(response['model']) ?? '',
      ...given('createdAtSeconds', wholeSecondsOf(response['created_at'])),
      ...given('vendorOptions', keepUnknown(RESPONSES_FORMAT, response, KNOWN_REPLY_FIELDS)),
    });
  }

  private begin(index: number, document: Document, events: StreamEvent[]): OpenItem {
    this.hasItems = true;
    const item: OpenItem = {
      type: isVendorRun(document) ? 'vendor' : (textOf(document['type']) ?? ''),
      id: textOf(document['id']),
      blocks: new Map(),
      block: undefined,
      hasPieces: false,
      reasoningKind: undefined,
      paragraph: 0,
    };
    this.items.set(index, item);
    if (item.type === 'function_call' || item.type === 'custom_tool_call') {
      this.hasCalls = true;
      item.block = this.nextBlock++;
      const call = readTurnItem(document, item.type);
      events.push({
        type: 'tool-input-start',
        block: item.block,
        choice: 0,
        ...(call.type === 'tool-call' ? nameOf(call) : { callId: item.id ?? '', name: '' }),
        ...given('vendorId', item.id),
      });
    }
    return item;
  }

  private itemAt(index: number, type: string, events: StreamEvent[]): OpenItem {
    return this.items.get(index) ?? this.begin(index, { type }, events);
  }

  private text(index: number, document: Document, kind: TextKind, events: StreamEvent[]): void {
    const text = textOf(document['delta']);
    if (text === undefined) return;
    const item = this.itemAt(index, 'message', events);
    const part = numberOf(document['content_index']) ?? 0;
    const logprobs = listOf(document['logprobs']);
    events.push({
      type: kind,
      block: this.blockOf(item, part, kind).block,
      choice: 0,
      text,
      ...(logprobs.length === 0 ? {} : { logprobs: { content: logprobs } }),
    });
  }

  private blockOf(item: OpenItem, part: number, kind: TextKind): { readonly block: number } {
    item.hasPieces = true;
    let open = item.blocks.get(part);
    if (open === undefined || open.kind !== kind) {
      open = { block: this.nextBlock++, kind };
      item.blocks.set(part, open);
    }
    return open;
  }

  private thought(index: number, document: Document, kind: string, events: StreamEvent[]): void {
    const text = textOf(document['delta']);
    if (text === undefined) return;
    const item = this.itemAt(index, 'reasoning', events);
    item.reasoningKind ??= kind;
    if (item.reasoningKind !== kind) return;
    const paragraph = numberOf(document['summary_index']) ?? numberOf(document['content_index']) ?? 0;
    const isNext = item.hasPieces && paragraph !== item.paragraph;
    item.paragraph = paragraph;
    item.hasPieces = true;
    item.block ??= this.nextBlock++;
    events.push({
      type: 'reasoning-delta',
      block: item.block,
      choice: 0,
      text: isNext ? `\n\n${text}` : text,
      ...given('vendorId', item.id),
    });
  }

  private annotation(index: number, document: Document, events: StreamEvent[]): void {
    const item = this.itemAt(index, 'message', events);
    const open = this.blockOf(item, numberOf(document['content_index']) ?? 0, 'text-delta');
    const source = readSource(documentOf(document['annotation']));
    events.push({ type: 'source', block: open.block, choice: 0, source });
  }

  private input(index: number, json: string | undefined, events: StreamEvent[]): void {
    const item = this.items.get(index);
    if (item?.block === undefined || json === undefined) return;
    item.hasPieces = true;
    events.push({ type: 'tool-input-delta', block: item.block, choice: 0, json });
  }

  private audioBlock: number | undefined;
  private audio(audio: Document, events: StreamEvent[]): void {
    this.audioBlock ??= this.nextBlock++;
    events.push({ type: 'audio-delta', block: this.audioBlock, choice: 0, audio });
  }

  private end(index: number, document: Document, events: StreamEvent[]): void {
    const type = textOf(document['type']) ?? '';
    this.uses.add(type, textOf(document['container_id']));
    const item = this.items.get(index) ?? this.begin(index, document, events);
    switch (item.type) {
      case 'message':
        if (!item.hasPieces) this.whole(readOutputItem(document), events);
        break;
      case 'function_call':
      case 'custom_tool_call':
        if (!item.hasPieces)
          this.input(index, textOf(document['arguments']) ?? textOf(document['input']), events);
        break;
      case 'reasoning':
        this.endReasoning(item, document, events);
        break;
      default:
        this.whole(readOutputItem(document), events);
    }
    this.closeBlocks(item, events);
    this.items.delete(index);
  }

  private endReasoning(item: OpenItem, document: Document, events: StreamEvent[]): void {
    const part = readTurnItem(document, 'reasoning');
    if (part.type !== 'reasoning') return;
    const text = item.hasPieces ? '' : reasoningText(document);
    if (text !== '') {
      item.block ??= this.nextBlock++;
      events.push({
        type: 'reasoning-delta',
        block: item.block,
        choice: 0,
        text,
        ...given('vendorId', item.id),
      });
    }
    if (part.signature === undefined) {
      // An id and nothing else: of use on this format only.
      if (item.block === undefined)
        this.whole([{ type: 'vendor', apiFormat: RESPONSES_FORMAT, value: document }], events);
      return;
    }
    item.block ??= this.nextBlock++;
    // The id it began with is the one clients saw.
    const id = item.id ?? part.signature.id;
    events.push({
      type: 'block-signature',
      block: item.block,
      choice: 0,
      of: 'reasoning',
      signature:
        part.signature.by === 'openai'
          ? { ...part.signature, ...given('id', part.signature.id ?? id) }
          : part.signature,
      ...(part.isRedacted === true ? { isRedacted: true } : {}),
    });
  }

  /** Parts that never came in pieces. */
  private whole(parts: readonly ContentPart[], events: StreamEvent[]): void {
    let textBlock = -1;
    for (const part of parts) {
      const block = part.type === 'source' && textBlock >= 0 ? textBlock : this.nextBlock++;
      switch (part.type) {
        case 'text':
          textBlock = block;
          if (part.text !== '') events.push({ type: 'text-delta', block, choice: 0, text: part.text });
          break;
        case 'refusal':
        case 'reasoning':
          if (part.text !== '')
            events.push({ type: `${part.type}-delta`, block, choice: 0, text: part.text });
          if (part.signature !== undefined)
            events.push({
              type: 'block-signature',
              block,
              choice: 0,
              of: 'reasoning',
              signature: part.signature,
            });
          break;
        case 'tool-call': {
          const { json } = part;
          this.hasCalls = true;
          events.push({ type: 'tool-input-start', block, choice: 0, ...nameOf(part) });
          if (json !== '') events.push({ type: 'tool-input-delta', block, choice: 0, json });
          break;
        }
        case 'source':
          events.push({ type: 'source', block, choice: 0, source: part.source });
          continue;
        case 'vendor':
          this.action ??= clientActionOf(part.value);
          events.push({
            type: 'vendor-part',
            block,
            choice: 0,
            apiFormat: RESPONSES_FORMAT,
            value: part.value,
          });
          break;
        case 'image':
        case 'audio':
        case 'video':
        case 'file':
          events.push({ type: 'media', block, choice: 0, media: part.type, source: part.source });
      }
      events.push({ type: 'block-end', block, choice: 0 });
    }
  }

  private closeBlocks(item: OpenItem, events: StreamEvent[]): void {
    for (const { block } of item.blocks.values()) events.push({ type: 'block-end', block, choice: 0 });
    if (item.block !== undefined) events.push({ type: 'block-end', block: item.block, choice: 0 });
    item.blocks.clear();
    item.block = undefined;
  }

  private complete(response: Document, events: StreamEvent[]): void {
    this.start(response, events);
    const output = listOf(response['output']).filter(isDocument);
    // Nothing came in pieces: the whole answer is here.
    if (!this.hasItems) {
      for (const item of output) {
        this.uses.add(textOf(item['type']) ?? '');
        this.whole(readOutputItem(item), events);
      }
    }
    for (const item of this.items.values()) this.closeBlocks(item, events);
    this.items.clear();
    const usage = readUsage(response['usage']);
    if (usage !== undefined && usage !== 'invalid')
      events.push({ type: 'usage', usage: this.uses.addTo(usage) });
    this.lateOptions = keepUnknown(RESPONSES_FORMAT, response, KNOWN_REPLY_FIELDS);
    this.finishReason = readFinishReason(response, this.hasCalls, this.action);
    events.push({ type: 'choice-end', choice: 0, finish: this.finishReason });
  }
}

const NO_EVENTS: readonly StreamEvent[] = Object.freeze([]);
