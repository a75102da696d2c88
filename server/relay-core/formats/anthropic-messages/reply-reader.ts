import type { FinishReason } from '../../model/finish-reason.js';
import type { StreamEvent } from '../../model/stream-event.js';
import { keepUnknown, mergeOptions, type VendorOptions } from '../../model/vendor-options.js';
import {
  documentOf,
  given,
  isDocument,
  listOf,
  numberOf,
  parseDocument,
  textOf,
  type Document,
} from '../shared/fields/json-fields.js';
import type { ReplyReader } from '../contract/api-format.js';
import { ANSWER_TOOL } from './answer-tool.js';
import { readCitation } from './citations.js';
import { readStopReason } from './finish-reason.js';
import { FoundPages } from './found-pages.js';
import { MESSAGES_FORMAT } from './id.js';
import { optionsOf, TOOL_USE_FIELDS } from './read-blocks.js';
import { finishOfAnswer, KNOWN_REPLY_FIELDS } from './read-reply.js';
import { readSignature } from './signatures.js';
import { UsageReport } from './usage.js';

/** A content block that is being written. */
interface OpenBlock {
  readonly block: number;
  readonly kind: 'text' | 'reasoning' | 'tool-call' | 'answer' | 'vendor';
  /** The block at its start: it identifies a vendor's own block, and may hold arguments. */
  start: Document;
  /** Arguments of a vendor's own tool so far; other blocks keep nothing. */
  json: string;
  hasInput: boolean;
}

/** Members of `message_delta` that are understood. */
const DELTA_EVENT_FIELDS: ReadonlySet<string> = new Set(['type', 'delta', 'usage']);

/** Longest arguments of a vendor's own tool that are kept; longer ones leave the block as it began. */
const MAX_KEPT_JSON = 256 * 1024;

/** Events of a Messages stream → neutral events. Figures replace earlier ones, nothing is added up. */
export class MessagesReplyReader implements ReplyReader {
  private readonly open = new Map<number, OpenBlock>();
  private readonly report = new UsageReport();
  private readonly found = new FoundPages();
  /** A text whose end waits: it may be the last one, which gets the pages that no text cites. */
  private lastText: number | undefined;
  private nextBlock = 0;
  private hasStarted = false;
  private isOver = false;
  private hasAnswer = false;
  private hasCalls = false;
  private finishReason: FinishReason | undefined;
  /** Members of the reply that come with its end. */
  private lateOptions: VendorOptions | undefined;

  read(data: string): readonly StreamEvent[] {
    if (this.isOver || data === '') return NO_EVENTS;
    // Malformed events are skipped; the meter counts them and ends the stream after three.
    const event = parseDocument(data);
    if (event === undefined) return NO_EVENTS;
    const events: StreamEvent[] = [];
    switch (event['type']) {
      case 'message_start':
        this.start(documentOf(event['message']), events);
        break;
      case 'content_block_start':
        this.startBlock(numberOf(event['index']) ?? 0, documentOf(event['content_block']), events);
        break;
      case 'content_block_delta':
        this.delta(numberOf(event['index']) ?? 0, documentOf(event['delta']), events);
        break;
      case 'content_block_stop':
        this.stopBlock(numberOf(event['index']) ?? 0, events);
        break;
      case 'message_delta':
        this.end(documentOf(event['delta']), event['usage'], events);
        this.keepLate(documentOf(event['delta']), event);
        break;
      case 'message_stop':
        events.push(...this.finish());
        break;
    }
    return events;
  }

  finish(): readonly StreamEvent[] {
    if (this.isOver) return NO_EVENTS;
    this.isOver = true;
    const events: StreamEvent[] = [];
    this.closeBlocks(events);
    this.endText(events, true);
    events.push({
      type: 'reply-end',
      finish: this.finishReason ?? { unified: 'other', raw: undefined },
      ...given('vendorOptions', this.lateOptions),
    });
    return events;
  }

  /** Members of the reply stand in the delta (`container`) and beside it (`context_management`). */
  private keepLate(delta: Document, event: Document): void {
    for (const [holder, known] of [
      [delta, KNOWN_REPLY_FIELDS],
      [event, DELTA_EVENT_FIELDS],
    ] as const)
      this.lateOptions = mergeOptions(this.lateOptions, keepUnknown(MESSAGES_FORMAT, holder, known));
  }

  private start(message: Document, events: StreamEvent[]): void {
    if (this.hasStarted) return;
    this.hasStarted = true;
    const usage = this.report.merge(message['usage']);
    events.push({
      type: 'reply-start',
      id: textOf(message['id']) ?? '',
      servedModel: textOf(message['model']) ?? '',
      ...(usage === undefined || usage === 'invalid' ? {} : { usage }),
      ...optionsOf(message, KNOWN_REPLY_FIELDS),
    });
    // Answers of a running container come whole, with the message itself.
    for (const [index, block] of listOf(message['content']).entries()) {
      this.startBlock(index, documentOf(block), events);
      this.stopBlock(index, events);
    }
    if (message['stop_reason'] != null) this.end(message, undefined, events);
  }

  private startBlock(index: number, start: Document, events: StreamEvent[]): void {
    this.stopBlock(index, events);
    const kind = kindOf(start);
    this.endText(events, kind === 'tool-call');
    const block = this.nextBlock;
    this.nextBlock += 1;
    const open: OpenBlock = {
      block,
      kind,
      start: kind === 'text' || kind === 'reasoning' ? {} : start,
      json: '',
      hasInput: false,
    };
    this.open.set(index, open);
    if (kind === 'text') {
      this.text(open, start['text'], events);
      for (const citation of listOf(start['citations'])) this.cite(open, citation, events);
    } else if (kind === 'reasoning') {
      this.text(open, start['thinking'], events);
      this.addSignature(open, textOf(start['signature']), events);
      const data = textOf(start['data']);
      if (data !== undefined) {
        const signature = { by: 'anthropic', data } as const;
        events.push({ type: 'block-signature', block, signature, of: 'reasoning', isRedacted: true });
      }
    } else if (kind === 'tool-call') {
      this.hasCalls = true;
      const callId = textOf(start['id']) ?? '';
      const name = textOf(start['name']) ?? '';
      const options = optionsOf(start, TOOL_USE_FIELDS);
      events.push({ type: 'tool-input-start', block, callId, name, ...options });
    } else if (kind === 'answer') this.hasAnswer = true;
  }

  private delta(index: number, delta: Document, events: StreamEvent[]): void {
    const open = this.open.get(index) ?? this.openFor(index, delta, events);
    if (open === undefined) return;
    switch (delta['type']) {
      case 'text_delta':
        this.text(open, delta['text'], events);
        break;
      case 'thinking_delta':
        this.text(open, delta['thinking'], events);
        break;
      case 'signature_delta':
        this.addSignature(open, textOf(delta['signature']), events);
        break;
      case 'input_json_delta':
        this.input(open, textOf(delta['partial_json']), events);
        break;
      case 'citations_delta':
        this.cite(open, delta['citation'], events);
        break;
      case 'compaction_delta':
        if (open.kind === 'vendor') open.start = withSummary(open.start, delta);
        break;
    }
  }

  /** Compatible vendors omit the start of a block. */
  private openFor(index: number, delta: Document, events: StreamEvent[]): OpenBlock | undefined {
    const type =
      delta['type'] === 'text_delta' ? 'text' : delta['type'] === 'thinking_delta' ? 'thinking' : undefined;
    if (type === undefined) return undefined;
    this.startBlock(index, { type }, events);
    return this.open.get(index);
  }

  private text(open: OpenBlock, value: unknown, events: StreamEvent[]): void {
    const text = textOf(value);
    if (text === undefined) return;
    const { block } = open;
    events.push(
      open.kind === 'reasoning'
        ? { type: 'reasoning-delta', block, text, signatureBy: 'anthropic' }
        : { type: 'text-delta', block, text },
    );
  }

  private addSignature(open: OpenBlock, sealed: string | undefined, events: StreamEvent[]): void {
    if (sealed === undefined) return;
    const { signature, isRedacted } = readSignature(sealed);
    events.push({
      type: 'block-signature',
      block: open.block,
      signature,
      of: 'reasoning',
      ...(isRedacted ? { isRedacted } : {}),
    });
  }

  private cite(open: OpenBlock, citation: unknown, events: StreamEvent[]): void {
    if (!isDocument(citation)) return;
    this.found.cite();
    events.push({ type: 'source', block: open.block, source: readCitation(citation) });
  }

  private input(open: OpenBlock, json: string | undefined, events: StreamEvent[]): void {
    if (json === undefined) return;
    open.hasInput = true;
    if (open.kind === 'tool-call') events.push({ type: 'tool-input-delta', block: open.block, json });
    else if (open.kind === 'answer' && !this.hasCalls)
      events.push({ type: 'text-delta', block: open.block, text: json });
    else if (open.kind === 'vendor' && open.json.length < MAX_KEPT_JSON) open.json += json;
  }

  private stopBlock(index: number, events: StreamEvent[]): void {
    const open = this.open.get(index);
    if (open === undefined) return;
    this.open.delete(index);
    const { block, kind, start } = open;
    if (!open.hasInput && (kind === 'tool-call' || kind === 'answer')) {
      // Arguments may come whole, with the start of the block.
      const whole = isDocument(start['input']) && Object.keys(start['input']).length > 0;
      if (whole) this.input(open, JSON.stringify(start['input']), events);
    }
    if (kind === 'vendor') {
      const input = open.json === '' ? undefined : parseDocument(open.json);
      const value = input === undefined ? start : { ...start, input };
      events.push({ type: 'vendor-part', block, apiFormat: MESSAGES_FORMAT, value });
      this.found.add(start);
    }
    if (kind === 'text' && this.found.areSources) this.lastText = block;
    else events.push({ type: 'block-end', block });
  }

  private closeBlocks(events: StreamEvent[]): void {
    for (const index of this.open.keys()) this.stopBlock(index, events);
  }

  /** The end of a text that waits. @param isLast  no other text follows: the pages that no text cites are its sources */
  private endText(events: StreamEvent[], isLast: boolean): void {
    const block = this.lastText;
    if (block === undefined) return;
    this.lastText = undefined;
    if (isLast) for (const source of this.found.take()) events.push({ type: 'source', block, source });
    events.push({ type: 'block-end', block });
  }

  private end(delta: Document, report: unknown, events: StreamEvent[]): void {
    const raw = textOf(delta['stop_reason']);
    if (raw !== undefined && this.finishReason === undefined) {
      this.closeBlocks(events);
      this.endText(events, true);
      const finish = readStopReason(raw, delta['stop_sequence']);
      this.finishReason = this.hasAnswer ? (finishOfAnswer(finish, this.hasCalls) ?? finish) : finish;
      events.push({ type: 'choice-end', choice: 0, finish: this.finishReason });
    }
    const usage = this.report.merge(report);
    if (usage !== undefined && usage !== 'invalid') events.push({ type: 'usage', usage });
  }
}

/** A compaction with a further piece of its summary. */
const withSummary = (block: Document, delta: Document): Document => ({
  ...block,
  ...delta,
  type: block['type'],
  content: (textOf(block['content']) ?? '') + (textOf(delta['content']) ?? ''),
});

function kindOf(block: Document): OpenBlock['kind'] {
  switch (block['type']) {
    case 'text':
      return 'text';
    case 'thinking':
    case 'redacted_thinking':
      return 'reasoning';
    case 'tool_use':
      return block['name'] === ANSWER_TOOL ? 'answer' : 'tool-call';
    default:
      return 'vendor';
  }
}

const NO_EVENTS: readonly StreamEvent[] = Object.freeze([]);
