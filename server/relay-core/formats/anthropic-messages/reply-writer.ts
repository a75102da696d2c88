import type { ThoughtSignature } from '../../model/content.js';
import { refusedFinish, type FinishReason } from '../../model/finish-reason.js';
import type { StreamEvent } from '../../model/stream-event.js';
import type { Usage } from '../../model/usage.js';
import type { VendorOptions } from '../../model/vendor-options.js';
import { eventJson } from '../shared/metering/event-data.js';
import { isDocument } from '../shared/fields/json-fields.js';
import type { ReplyContext, ReplyWriter } from '../contract/api-format.js';
import { writeCitation } from './citations.js';
import { writeStopReason } from './finish-reason.js';
import { MESSAGES_FORMAT } from './id.js';
import { JsonProgress } from './json-progress.js';
import { writeSignature } from './signatures.js';
import { writeFinalUsage, writeUsage } from './usage.js';
import { DIRECT, messageId, NULLABLE, imageText, thought, toolUseId } from './write-reply.js';

type BlockEvent = Extract<StreamEvent, { readonly block: number }>;

/** The one block that is open on the wire. */
interface Current {
  readonly block: number;
  readonly kind: 'text' | 'thinking' | 'tool_use';
  readonly index: number;
  /** Its signature was written. */
  readonly isSigned?: boolean;
  /** Its input is plain text, written as the one argument of `FREEFORM_PARAMETERS`. */
  readonly isFreeform?: boolean;
  /** True for an input that is an object; undefined = nothing of it came. */
  readonly isObject?: boolean | undefined;
}

/** A tool call that was announced; its block begins with what follows, because a signature would have to stand before it. */
interface Announced {
  readonly block: number;
  readonly callId: string;
  readonly name: string;
  readonly isFreeform: boolean;
  /** Members of the block that only this format has. */
  readonly own: Readonly<Record<string, unknown>> | undefined;
}

/** Wrapping of the plain text of a tool that takes no JSON. */
const FREEFORM_BEGIN = '{"input":"';
const FREEFORM_END = '"}';

/** Events that wait for the end of a call's arguments; pieces of one call are one event. */
const MAX_WAITING_EVENTS = 4_096;
/** Characters of arguments that wait, beyond what models answer. */
const MAX_WAITING_CHARACTERS = 2 * 1024 * 1024;
/** Citations kept until a text comes; more are left out. */
const MAX_EARLY_CITATIONS = 200;

/**
 * Neutral events → events of a Messages stream. One block is open at a time, as this vendor has it: pieces of another
 * block wait while a tool call's arguments are incomplete (vendors interleave parallel calls), and come in order behind it.
 * All other state is counters.
 */
export class MessagesReplyWriter implements ReplyWriter {
  private hasStarted = false;
  private current: Current | undefined;
  private announced: Announced | undefined;
  private nextIndex = 0;
  private hasToolCalls = false;
  private usage: Usage | undefined;
  private finish: FinishReason | undefined;
  private hasRefusal = false;
  private readonly progress = new JsonProgress();
  /** Citations of the open text. */
  private textSignature: ThoughtSignature | undefined;
  /** Citations of a finished text: written before the next block, and not at all at the end, where clients look for the text of the answer. */
  private trailing: ThoughtSignature | undefined;
  private waiting: BlockEvent[] = [];
  /** Places in `waiting` of the pieces of each call's arguments. */
  private readonly waitingInputs = new Map<number, number>();
  private waitingCharacters = 0;
  /** Calls that were closed before their arguments were complete. */
  private readonly cutCalls = new Set<number>();
  hasLostPiece = false;
  private vendorOptions: VendorOptions | undefined;
  private lateOptions: VendorOptions | undefined;
  /** Blocks that end while they wait need no second ending. */
  private lastClosed = -1;
  /** Citations that wait for a text. */
  private readonly early: unknown[] = [];

  constructor(private readonly context: ReplyContext) {}

  write(event: StreamEvent): string {
    switch (event.type) {
      case 'reply-start':
        if (event.usage !== undefined) this.usage = event.usage;
        this.vendorOptions = event.vendorOptions;
        return this.start(event.id, event.servedModel);
      case 'usage':
        this.usage = event.usage;
        return '';
      case 'choice-end':
        if (event.choice === 0) this.finish ??= event.finish;
        return '';
      case 'reply-end':
        this.finish ??= event.finish;
        this.lateOptions = event.vendorOptions;
        return '';
      case 'reply-error':
        return '';
      default:
        // This format has one answer.
        if ((event.choice ?? 0) !== 0) return '';
        return this.start('', '') + this.take(event);
    }
  }

  end(): string {
    if (!this.hasStarted) return frame('message_stop', { type: 'message_stop' });
    const blocks = this.flush();
    const finish = this.hasRefusal ? refusedFinish(this.finish) : this.finish;
    const { context_management: edits, ...members } = this.lateOptions?.[MESSAGES_FORMAT] ?? {};
    const delta = { ...NULLABLE, ...members, ...writeStopReason(finish, this.hasToolCalls) };
    const usage = writeFinalUsage(this.usage);
    return (
      blocks +
      frame('message_delta', {
        type: 'message_delta',
        delta,
        usage,
        ...(edits === undefined ? {} : { context_management: edits }),
      }) +
      frame('message_stop', { type: 'message_stop' })
    );
  }

  private start(id: string, servedModel: string): string {
    if (this.hasStarted) return '';
    this.hasStarted = true;
    const input = this.usage ?? {
      input: { total: this.context.promptTokens ?? 0 },
      output: { total: 0 },
    };
    return frame('message_start', {
      type: 'message_start',
      message: {
        ...NULLABLE,
        ...this.vendorOptions?.[MESSAGES_FORMAT],
        id: messageId(id, this.context),
        type: 'message',
        role: 'assistant',
        model: servedModel === '' ? this.context.model : servedModel,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: writeUsage(input),
      },
    });
  }

  /** An event of a block: written now, or kept until the arguments that are being written are complete. */
  private take(event: BlockEvent): string {
    if (event.type === 'tool-input-delta' && event.json !== '' && this.cutCalls.has(event.block))
      this.hasLostPiece = true;
    const isOther = this.current?.block !== event.block && this.announced?.block !== event.block;
    if (isOther && this.isMidCall()) {
      this.wait(event);
      // Arguments that never end must not fill the memory: what came of them is all there is.
      const begun = this.begin();
      const isFull =
        this.waiting.length >= MAX_WAITING_EVENTS || this.waitingCharacters > MAX_WAITING_CHARACTERS;
      if (!isFull) return begun;
      if (this.current !== undefined) this.cutCalls.add(this.current.block);
      return begun + this.close() + this.release();
    }
    return this.put(event) + this.release();
  }

  private wait(event: BlockEvent): void {
    const isInput = event.type === 'tool-input-delta';
    if (isInput) this.waitingCharacters += event.json.length;
    const at = isInput ? this.waitingInputs.get(event.block) : undefined;
    const before = at === undefined ? undefined : this.waiting[at];
    if (isInput && at !== undefined && before?.type === 'tool-input-delta')
      this.waiting[at] = { ...before, json: before.json + event.json };
    else {
      if (isInput) this.waitingInputs.set(event.block, this.waiting.length);
      this.waiting.push(event);
    }
  }

  private isMidCall(): boolean {
    const { announced, current } = this;
    return announced !== undefined || (current?.kind === 'tool_use' && !this.progress.isComplete);
  }

  /** Waiting events that may be written now. */
  private release(): string {
    let out = '';
    while (this.waiting.length > 0 && !this.isMidCall()) {
      const events = this.waiting;
      this.waiting = [];
      this.waitingInputs.clear();
      this.waitingCharacters = 0;
      for (const event of events) out += this.take(event);
    }
    return out;
  }

  /** Everything that still waits, however incomplete what stands before it is. */
  private flush(): string {
    let out = this.begin();
    for (;;) {
      out += this.close();
      if (this.waiting.length === 0) return out;
      out += this.release() + this.begin();
    }
  }

  private put(event: BlockEvent): string {
    switch (event.type) {
      case 'text-delta':
      case 'refusal-delta':
        this.hasRefusal ||= event.type === 'refusal-delta';
        return this.grow(event.block, 'text', { type: 'text_delta', text: event.text });
      case 'reasoning-delta':
        return this.grow(event.block, 'thinking', { type: 'thinking_delta', thinking: event.text });
      case 'block-signature':
        return this.blockSignature(event);
      case 'tool-input-start':
        this.hasToolCalls = true;
        return this.announce(event);
      case 'tool-input-delta':
        return this.begin() + this.addInput(event.block, event.json);
      case 'source':
        return this.cite(event);
      case 'media':
        return event.media === 'image'
          ? this.grow(event.block, 'text', { type: 'text_delta', text: imageText(event.source) })
          : '';
      case 'audio-delta': {
        const { transcript } = event.audio;
        return typeof transcript === 'string' && transcript !== ''
          ? this.grow(event.block, 'text', { type: 'text_delta', text: transcript })
          : '';
      }
      case 'vendor-part':
        return event.apiFormat === MESSAGES_FORMAT && isDocument(event.value)
          ? this.whole({ ...event.value })
          : '';
      case 'block-end': {
        const begun = this.announced?.block === event.block ? this.begin() : '';
        return this.current?.block === event.block ? begun + this.close() : begun;
      }
    }
  }

  private grow(block: number, kind: 'text' | 'thinking', delta: Record<string, unknown>): string {
    const opened = this.open(block, kind);
    return opened + this.delta(delta);
  }

  private open(block: number, kind: 'text' | 'thinking'): string {
    if (this.current?.block === block && this.current.kind === kind) return '';
    const begin = kind === 'text' ? { type: 'text', text: '', citations: [] } : thought('', '');
    const opened = this.begin() + this.startBlock(block, kind, begin);
    if (kind !== 'text') return opened;
    const citations = this.early.splice(0);
    return opened + citations.map((citation) => this.delta({ type: 'citations_delta', citation })).join('');
  }

  private announce(event: Extract<BlockEvent, { type: 'tool-input-start' }>): string {
    const before = this.begin();
    const { block, callId, name } = event;
    const own = event.vendorOptions?.[MESSAGES_FORMAT];
    this.announced = { block, callId, name, isFreeform: event.isFreeform === true, own };
    return before + this.close();
  }

  /** The block of an announced call begins. */
  private begin(): string {
    const { announced } = this;
    if (announced === undefined) return '';
    this.announced = undefined;
    const { block, callId, name, isFreeform, own } = announced;
    this.progress.reset();
    const id = toolUseId(callId, block, this.context);
    const call = { type: 'tool_use', id, name, input: {}, ...DIRECT, ...own };
    const begun = this.startBlock(block, 'tool_use', call);
    if (!isFreeform || this.current === undefined) return begun;
    this.current = { ...this.current, isFreeform };
    return begun + this.addJson(FREEFORM_BEGIN);
  }

  private addInput(block: number, input: string): string {
    if (this.current?.block !== block || input === '') return '';
    if (this.current.isFreeform === true) return this.addJson(JSON.stringify(input).slice(1, -1));
    // Arguments are an object or absent: `null` and lists, which some vendors write for none, are left out.
    const isObject = this.current.isObject ?? beginsObject(input);
    if (this.current.isObject === undefined) this.current = { ...this.current, isObject };
    return isObject === true ? this.addJson(input) : '';
  }

  private addJson(json: string): string {
    this.progress.add(json);
    return this.delta({ type: 'input_json_delta', partial_json: json });
  }

  /** A thought's signature stands in its block; other pieces have no field for one (signatures.ts). */
  private blockSignature(event: Extract<BlockEvent, { type: 'block-signature' }>): string {
    const { block, signature, of, isRedacted } = event;
    if (of === 'reasoning') {
      if (isRedacted === true && signature.by === 'anthropic') {
        return this.whole({ type: 'redacted_thinking', data: signature.data });
      }
      const opened = this.open(block, 'thinking');
      this.sign();
      return (
        opened +
        this.delta({ type: 'signature_delta', signature: writeSignature(signature, 'itself', isRedacted) })
      );
    }
    if (this.announced?.block === block) return this.carry(signature, 'next');
    // Behind the text, once it is over: its citations may come after its signature.
    if (this.current?.block === block && this.current.kind === 'text') {
      this.textSignature = signature;
      return '';
    }
    const isUnknown = this.current?.block !== block && this.lastClosed !== block;
    if (isUnknown && of === 'tool-call') return '';
    const closed = this.begin() + this.close();
    if (of === 'tool-call') return closed + this.carry(signature, 'previous');
    this.trailing = signature;
    return closed;
  }

  private carry(thoughtSignature: ThoughtSignature, of: 'next' | 'previous'): string {
    const closed = this.close();
    const begun = this.startBlock(-1, 'thinking', thought('', ''));
    const signature = writeSignature(thoughtSignature, of);
    this.sign();
    return closed + begun + this.delta({ type: 'signature_delta', signature }) + this.close();
  }

  private sign(): void {
    if (this.current !== undefined) this.current = { ...this.current, isSigned: true };
  }

  private cite(event: Extract<BlockEvent, { type: 'source' }>): string {
    const citation = writeCitation(event.source);
    if (citation === undefined) return '';
    if (this.current?.block === event.block && this.current.kind === 'text') {
      return this.delta({ type: 'citations_delta', citation });
    }
    // Sources may come before the words they stand for.
    if (this.early.length < MAX_EARLY_CITATIONS) this.early.push(citation);
    return '';
  }

  private whole(value: Record<string, unknown>): string {
    return this.begin() + this.startBlock(-1, 'text', value) + this.close();
  }

  private startBlock(block: number, kind: Current['kind'], value: Record<string, unknown>): string {
    const closed = this.close();
    const { trailing } = this;
    this.trailing = undefined;
    const before = trailing === undefined ? '' : this.carry(trailing, 'previous');
    const index = this.nextIndex;
    this.nextIndex += 1;
    this.current = { block, kind, index };
    return (
      closed +
      before +
      frame('content_block_start', { type: 'content_block_start', index, content_block: value })
    );
  }

  private delta(delta: Record<string, unknown>): string {
    const index = this.current?.index ?? 0;
    return frame('content_block_delta', { type: 'content_block_delta', index, delta });
  }

  private close(): string {
    const { current } = this;
    if (current === undefined) return '';
    let rest = current.isFreeform === true ? this.addJson(FREEFORM_END) : '';
    // Clients that see no signature take the thought for none and do not bring it back.
    if (current.kind === 'thinking' && current.isSigned !== true)
      rest += this.delta({ type: 'signature_delta', signature: '' });
    this.current = undefined;
    this.lastClosed = current.block;
    this.trailing = this.textSignature ?? this.trailing;
    this.textSignature = undefined;
    return rest + frame('content_block_stop', { type: 'content_block_stop', index: current.index });
  }
}

/** Returns true for a first piece of arguments that begins an object; undefined = it is blank. */
const beginsObject = (piece: string): boolean | undefined => {
  const begin = piece.trimStart();
  return begin === '' ? undefined : begin.startsWith('{');
};

const frame = (name: string, data: unknown): string => `event: ${name}\ndata: ${eventJson(data)}\n\n`;
