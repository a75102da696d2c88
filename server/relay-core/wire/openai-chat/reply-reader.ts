import type { FinishReason } from '../../model/finish-reason.js';
import type { StreamEvent } from '../../model/stream-event.js';
import type { Usage } from '../../model/usage.js';
import { documentOf, isDocument, listOf, numberOf, textOf, type Document } from '../json-fields.js';
import type { ReplyReader } from '../wire.js';
import { readFinishReason } from './finish-reason.js';
import { readArguments, readText } from './read-reply.js';
import { laterUsage, readUsage } from './usage.js';

/** Blocks one answer has open: at most one text-like block at a time, and its tool calls. */
interface OpenChoice {
  text: { readonly block: number; readonly kind: TextKind } | null;
  /** By the vendor's index, which may be missing, or 0 for several calls at once. */
  readonly tools: Map<number, { readonly block: number; readonly callId: string }>;
  lastTool: number;
  finish: FinishReason | undefined;
}
type TextKind = 'text-delta' | 'reasoning-delta' | 'refusal-delta';

/** Frames of a chat stream → neutral events. Tolerances as in the provider reference, section 24. */
export class ChatReplyReader implements ReplyReader {
  private readonly choices = new Map<number, OpenChoice>();
  private nextBlock = 0;
  private hasStarted = false;
  private usage: Usage | undefined;
  private isOver = false;

  read(data: string): readonly StreamEvent[] {
    if (this.isOver || data === '') return NO_EVENTS;
    if (data.trim() === '[DONE]') return this.finish();
    let document: unknown;
    try {
      document = JSON.parse(data);
    } catch {
      // Malformed frames are skipped; the meter counts them and ends the stream after three (relay reference 5.4).
      return NO_EVENTS;
    }
    if (!isDocument(document)) return NO_EVENTS;
    const events: StreamEvent[] = [];
    this.start(document, events);
    for (const item of listOf(document['choices'])) this.choice(documentOf(item), events);
    this.report(document['usage'], events);
    this.report(documentOf(document['x_groq'])['usage'], events);
    return events;
  }

  finish(): readonly StreamEvent[] {
    if (this.isOver) return NO_EVENTS;
    this.isOver = true;
    const events: StreamEvent[] = [];
    let finish: FinishReason | undefined;
    for (const [index, open] of this.choices) {
      this.closeBlocks(index, open, events);
      finish ??= open.finish;
    }
    events.push({ type: 'reply-end', finish: finish ?? { unified: 'other', raw: undefined } });
    return events;
  }

  private start(document: Document, events: StreamEvent[]): void {
    if (this.hasStarted) return;
    const id = textOf(document['id']);
    // Azure sends a frame about the prompt before the reply has an id.
    if (id === undefined && listOf(document['choices']).length === 0) return;
    this.hasStarted = true;
    const createdAtSeconds = numberOf(document['created']);
    events.push({
      type: 'reply-start',
      id: id ?? '',
      servedModel: textOf(document['model']) ?? '',
      ...(createdAtSeconds === undefined ? {} : { createdAtSeconds }),
    });
  }

  private choice(item: Document, events: StreamEvent[]): void {
    const index = numberOf(item['index']) ?? 0;
    let open = this.choices.get(index);
    if (open === undefined) {
      open = { text: null, tools: new Map(), lastTool: -1, finish: undefined };
      this.choices.set(index, open);
    }
    const delta = documentOf(item['delta'] ?? item['message']);
    const { thinking, text } = readText(delta['content']);
    const reasoning = textOf(delta['reasoning_content']) ?? textOf(delta['reasoning']) ?? '';
    this.text(index, open, 'reasoning-delta', reasoning + thinking, undefined, events);
    this.text(index, open, 'text-delta', text, item['logprobs'], events);
    this.text(index, open, 'refusal-delta', textOf(delta['refusal']) ?? '', undefined, events);
    if (isDocument(delta['audio'])) {
      events.push({ type: 'audio-delta', block: this.blockOfAudio(), choice: index, audio: delta['audio'] });
    }
    for (const call of listOf(delta['tool_calls'])) this.tool(index, open, documentOf(call), events);
    if (isDocument(delta['function_call'])) {
      this.tool(index, open, { index: 0, function: delta['function_call'] }, events);
    }
    const reason = textOf(item['finish_reason']);
    if (reason !== undefined && open.finish === undefined) {
      open.finish = readFinishReason(reason);
      this.closeBlocks(index, open, events);
      events.push({ type: 'choice-end', choice: index, finish: open.finish });
    }
    this.report(item['usage'], events);
  }

  private text(
    choice: number,
    open: OpenChoice,
    kind: TextKind,
    text: string,
    logprobs: unknown,
    events: StreamEvent[],
  ): void {
    if (text === '') return;
    if (open.text === null || open.text.kind !== kind) {
      if (open.text !== null) events.push({ type: 'block-end', block: open.text.block, choice });
      open.text = { block: this.nextBlock, kind };
      this.nextBlock += 1;
    }
    events.push({
      type: kind,
      block: open.text.block,
      choice,
      text,
      ...(logprobs === null || logprobs === undefined ? {} : { logprobs }),
    });
  }

  private tool(choice: number, open: OpenChoice, call: Document, events: StreamEvent[]): void {
    const body = documentOf(call['function'] ?? call['custom']);
    const callId = textOf(call['id']);
    const name = textOf(body['name']);
    let index =
      numberOf(call['index']) ?? (callId === undefined ? Math.max(0, open.lastTool) : open.lastTool + 1);
    const known = open.tools.get(index);
    // Vendors that give every call index 0: a new id is a new call.
    if (known !== undefined && callId !== undefined && callId !== known.callId && known.callId !== '') {
      const earlier = [...open.tools].find(([, tool]) => tool.callId === callId);
      index = earlier?.[0] ?? open.lastTool + 1;
    }
    open.lastTool = Math.max(open.lastTool, index);
    let tool = open.tools.get(index);
    if (tool === undefined) {
      if (open.text !== null) {
        events.push({ type: 'block-end', block: open.text.block, choice });
        open.text = null;
      }
      tool = { block: this.nextBlock, callId: callId ?? '' };
      this.nextBlock += 1;
      open.tools.set(index, tool);
      events.push({
        type: 'tool-input-start',
        block: tool.block,
        choice,
        callId: tool.callId,
        name: name ?? '',
      });
    }
    const json = readArguments(body['arguments'] ?? body['input']);
    if (json !== '') events.push({ type: 'tool-input-delta', block: tool.block, choice, json });
  }

  private closeBlocks(choice: number, open: OpenChoice, events: StreamEvent[]): void {
    if (open.text !== null) events.push({ type: 'block-end', block: open.text.block, choice });
    open.text = null;
    for (const tool of open.tools.values()) events.push({ type: 'block-end', block: tool.block, choice });
    open.tools.clear();
  }

  private blockOfAudio(): number {
    this.audioBlock ??= this.nextBlock++;
    return this.audioBlock;
  }
  private audioBlock: number | undefined;

  private report(value: unknown, events: StreamEvent[]): void {
    const usage = readUsage(value);
    if (usage === undefined || usage === 'invalid') return;
    this.usage = laterUsage(this.usage, usage);
    events.push({ type: 'usage', usage: this.usage });
  }
}

const NO_EVENTS: readonly StreamEvent[] = Object.freeze([]);
