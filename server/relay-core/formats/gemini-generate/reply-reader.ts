import { parseFrame } from '../../framing/exact-json.js';
import type { FinishReason } from '../../model/finish-reason.js';
import type { StreamEvent } from '../../model/stream-event.js';
import type { Usage } from '../../model/usage.js';
import {
  documentOf,
  isDocument,
  listOf,
  numberOf,
  textOf,
  type Document,
  parseDocument,
} from '../shared/fields/json-fields.js';
import type { ReplyReader } from '../contract/api-format.js';
import { CallIds } from './call-ids.js';
import { camelled, camelFields } from '../shared/fields/proto-names.js';
import { readFinishReason } from './finish-reason.js';
import { hasSearched, markOf, readSources, sourceIn } from './grounding.js';
import { GENERATE_FORMAT } from './id.js';
import { PartialArguments } from './partial-arguments.js';
import { readLogprobs, refusedPrompt, secondsOf } from './read-reply.js';
import { readPart, readSignature } from './read-part.js';
import { readUsage, withSearch } from './usage.js';
import { RepeatedText } from './repeated-text.js';
import { parseJson } from '../../../common/parse-json.js';
import { laterUsage } from '../shared/metering/reported-usage.js';

type TextKind = 'text-delta' | 'reasoning-delta';

/** Open pieces of one answer, and the counters its sources need. */
interface OpenChoice {
  text: { readonly block: number; readonly kind: TextKind; isSigned?: boolean } | undefined;
  call: { readonly block: number; readonly pieces: PartialArguments } | undefined;
  lastTextBlock: number | undefined;
  hasCalls: boolean;
  finish: FinishReason | undefined;
  textBytes: number;
  textLength: number;
  /** Start of the last text. */
  textFrom: number;
  /** Sources already emitted, by their address and place. */
  readonly told: Set<string>;
}

/**
 * Frames of a generateContent stream → neutral events. Each frame is a whole document with the next parts; calls come
 * whole, or in pieces by JSON path; figures and grounding grow, and the last ones count.
 */
export class GenerateReplyReader implements ReplyReader {
  private readonly choices = new Map<number, OpenChoice>();
  private readonly ids = new CallIds();
  private replyId = '';
  private nextBlock = 0;
  private hasStarted = false;
  private usage: Usage | undefined;
  /** The last report, not read yet. */
  private lateUsage: Document | undefined;
  /** The frame it stands in, where that was not read either. */
  private lateData: string | undefined;
  private readonly repeated = new RepeatedText();
  /** Content of the last frame, when that was text and nothing else. */
  private before:
    | { readonly event: Extract<StreamEvent, { readonly text: string }>; readonly open: OpenChoice }
    | undefined;
  /** Figures were read that no event has passed on yet. */
  private hasNews = false;
  private hasFinish = false;
  private hasSearched = false;
  private isOver = false;
  private events: StreamEvent[] = [];

  read(data: string): readonly StreamEvent[] {
    if (this.isOver || data === '' || data === ']') return NO_EVENTS;
    const repeated = this.readRepeated(data);
    if (repeated !== undefined) return repeated;
    const sent = parseDocument(data, parseFrame);
    // Malformed frames are skipped; the meter counts them and ends the stream after three.
    if (sent === undefined) return NO_EVENTS;
    const document = camelFields(sent);
    this.events = [];
    this.start(document);
    for (const [position, item] of listOf(document['candidates']).entries()) {
      const candidate = camelFields(documentOf(item));
      this.candidate(candidate, numberOf(candidate['index']) ?? position);
    }
    const refusal = this.hasFinish ? undefined : refusedPrompt(document['promptFeedback']);
    if (refusal !== undefined && listOf(document['candidates']).length === 0) this.candidate(refusal, 0);
    this.report(document['usageMetadata']);
    if (this.hasFinish) this.emitUsage();
    this.rememberRepeated(data);
    return this.events;
  }

  /** A frame like the one before: only its words are new, and its figures are read if they are the last. */
  private readRepeated(data: string): readonly StreamEvent[] | undefined {
    const { before } = this;
    if (before === undefined) return undefined;
    const words = this.repeated.wordsOf(data);
    if (words === undefined) return undefined;
    this.lateData = data;
    before.open.textBytes += Buffer.byteLength(words);
    before.open.textLength += words.length;
    return [{ ...before.event, text: words }];
  }

  private rememberRepeated(data: string): void {
    const [event] = this.events;
    const open = event?.type === 'text-delta' ? this.choices.get(event.choice ?? 0) : undefined;
    const isPlain = this.events.length === 1 && this.choices.size === 1 && !this.hasFinish;
    if (event?.type !== 'text-delta' || open === undefined || !isPlain || event.logprobs !== undefined) {
      this.before = undefined;
      return;
    }
    this.before = { event, open };
    this.repeated.remember(data, event.text);
  }

  finish(): readonly StreamEvent[] {
    if (this.isOver) return NO_EVENTS;
    this.isOver = true;
    this.events = [];
    let finish: FinishReason | undefined;
    for (const [choice, open] of this.choices) {
      this.closeAll(choice, open);
      finish ??= open.finish;
    }
    this.emitUsage();
    this.events.push({ type: 'reply-end', finish: finish ?? { unified: 'other', raw: undefined } });
    return this.events;
  }

  private start(document: Document): void {
    if (this.hasStarted) return;
    this.hasStarted = true;
    this.replyId = textOf(document['responseId']) ?? '';
    const createdAtSeconds = secondsOf(document['createTime']);
    this.events.push({
      type: 'reply-start',
      id: this.replyId,
      servedModel: textOf(document['modelVersion']) ?? '',
      ...(createdAtSeconds === undefined ? {} : { createdAtSeconds }),
    });
  }

  private candidate(candidate: Document, choice: number): void {
    let open = this.choices.get(choice);
    if (open === undefined) {
      open = {
        text: undefined,
        call: undefined,
        lastTextBlock: undefined,
        finish: undefined,
        hasCalls: false,
        textBytes: 0,
        textLength: 0,
        textFrom: 0,
        told: new Set<string>(),
      };
      this.choices.set(choice, open);
    }
    const logprobs =
      candidate['logprobsResult'] == null ? undefined : readLogprobs(candidate['logprobsResult']);
    for (const item of listOf(documentOf(candidate['content'])['parts'])) {
      this.part(choice, open, documentOf(item), logprobs);
    }
    this.sources(choice, open, candidate['groundingMetadata']);
    const reason = textOf(candidate['finishReason']);
    if (reason === undefined || open.finish !== undefined) return;
    this.closeAll(choice, open);
    open.finish = readFinishReason(reason, open.hasCalls);
    this.hasFinish = true;
    this.events.push({ type: 'choice-end', choice, finish: open.finish });
  }

  private part(choice: number, open: OpenChoice, sent: Document, logprobs: unknown): void {
    const words = plainTextOf(sent);
    if (words !== undefined && open.call === undefined) {
      this.text(choice, open, 'text-delta', words, logprobs);
      return;
    }
    const document = camelFields(sent);
    const call = camelled(document['functionCall']);
    if (isDocument(call) && isPiece(call, open)) return this.callPiece(choice, open, document, call);
    const part = readPart(sent, () => this.ids.next(this.replyId));
    const signature = readSignature(document);
    switch (part.type) {
      case 'text':
      case 'reasoning': {
        const kind = part.type === 'text' ? 'text-delta' : 'reasoning-delta';
        this.text(choice, open, kind, part.text, logprobs);
        if (signature !== undefined) this.textSignature(choice, open, kind, signature);
        return;
      }
      case 'tool-call':
        this.closeText(choice, open);
        this.closeCall(choice, open);
        this.wholeCall(choice, open, part);
        return;
      case 'image':
      case 'audio':
      case 'video':
      case 'file':
        this.closeText(choice, open);
        this.events.push({ ...this.newBlock(choice), type: 'media', media: part.type, source: part.source });
        return;
      case 'vendor':
        if (Object.keys(document).length === 0) return;
        this.closeText(choice, open);
        this.events.push({
          ...this.newBlock(choice),
          type: 'vendor-part',
          apiFormat: GENERATE_FORMAT,
          value: sent,
        });
        return;
      case 'refusal':
      case 'source':
        return;
    }
  }

  private text(choice: number, open: OpenChoice, kind: TextKind, text: string, logprobs: unknown): void {
    if (text === '') return;
    // A signature belongs to the piece it came with: the next words begin another.
    if (open.text !== undefined && (open.text.kind !== kind || open.text.isSigned === true))
      this.closeText(choice, open);
    open.text ??= { block: this.newBlock(choice).block, kind };
    if (kind === 'text-delta') {
      if (open.lastTextBlock !== open.text.block) open.textFrom = open.textLength;
      open.lastTextBlock = open.text.block;
      open.textBytes += Buffer.byteLength(text);
      open.textLength += text.length;
    }
    const { block } = open.text;
    this.events.push({ type: kind, block, choice, text, ...(logprobs === undefined ? {} : { logprobs }) });
  }

  /** The piece stays open: the pages it rests on may come with it. */
  private textSignature(
    choice: number,
    open: OpenChoice,
    kind: TextKind,
    { signature, isRedacted }: NonNullable<ReturnType<typeof readSignature>>,
  ): void {
    if (open.text !== undefined && (open.text.kind !== kind || open.text.isSigned === true))
      this.closeText(choice, open);
    open.text ??= { block: this.newBlock(choice).block, kind };
    const of = kind === 'text-delta' ? 'text' : 'reasoning';
    const redacted = isRedacted ? { isRedacted } : {};
    this.events.push({ type: 'block-signature', block: open.text.block, choice, signature, of, ...redacted });
    open.text.isSigned = true;
  }

  private wholeCall(
    choice: number,
    open: OpenChoice,
    part: Extract<ReturnType<typeof readPart>, { type: 'tool-call' }>,
  ): void {
    open.hasCalls = true;
    const at = this.newBlock(choice);
    const { callId, name, json, signature } = part;
    this.events.push({ ...at, type: 'tool-input-start', callId, name });
    // Before its input: some dialects have a place for it ahead of the call only.
    if (signature !== undefined)
      this.events.push({ ...at, type: 'block-signature', signature, of: 'tool-call' });
    this.events.push({ ...at, type: 'tool-input-delta', json });
    this.events.push({ ...at, type: 'block-end' });
  }

  /** The first piece names the call, the last one has no mark of going on. */
  private callPiece(choice: number, open: OpenChoice, part: Document, call: Document): void {
    const name = textOf(call['name']);
    if (name !== undefined) {
      this.closeText(choice, open);
      this.closeCall(choice, open);
      open.hasCalls = true;
      const at = this.newBlock(choice);
      const callId = textOf(call['id']) ?? this.ids.next(this.replyId);
      this.events.push({ ...at, type: 'tool-input-start', callId, name });
      const signature = readSignature(part)?.signature;
      if (signature !== undefined)
        this.events.push({ ...at, type: 'block-signature', signature, of: 'tool-call' });
      open.call = { block: at.block, pieces: new PartialArguments() };
    }
    open.call?.pieces.add(call['partialArgs']);
    const goesOn = call['willContinue'] === true || listOf(call['partialArgs']).some(isUnfinished);
    if (!goesOn) this.closeCall(choice, open);
  }

  private sources(choice: number, open: OpenChoice, metadata: unknown): void {
    if (metadata === undefined || metadata === null) return;
    this.hasSearched ||= hasSearched(metadata);
    // The text is gone; where every character was one byte, places in it are still known.
    const place = (index: number): number | undefined =>
      open.textBytes === open.textLength ? Math.min(index, open.textLength) : undefined;
    for (const source of readSources(metadata, place)) {
      const mark = markOf(source);
      if (open.told.has(mark)) continue;
      open.told.add(mark);
      const block = open.lastTextBlock ?? this.newBlock(choice).block;
      open.lastTextBlock = block;
      this.events.push({ type: 'source', block, choice, source: sourceIn(source, open.textFrom) });
    }
  }

  private closeText(choice: number, open: OpenChoice): void {
    if (open.text !== undefined) this.events.push({ type: 'block-end', block: open.text.block, choice });
    open.text = undefined;
  }

  private closeCall(choice: number, open: OpenChoice): void {
    if (open.call === undefined) return;
    const { block, pieces } = open.call;
    this.events.push({ type: 'tool-input-delta', block, choice, json: pieces.json() });
    this.events.push({ type: 'block-end', block, choice });
    open.call = undefined;
  }

  private closeAll(choice: number, open: OpenChoice): void {
    this.closeText(choice, open);
    this.closeCall(choice, open);
  }

  private newBlock(choice: number): { readonly block: number; readonly choice: number } {
    const block = this.nextBlock;
    this.nextBlock += 1;
    return { block, choice };
  }

  /** Every frame has a report, and the last one counts: it is read when the answer ends. */
  private report(value: unknown): void {
    if (!isDocument(value)) return;
    const report = camelFields(value);
    // One without a prompt may be empty: what came before it must be known.
    if (numberOf(report['promptTokenCount']) === undefined || report['promptTokenCount'] === 0)
      this.readLate();
    this.lateData = undefined;
    this.lateUsage = report;
  }

  private readLate(): void {
    const { lateData } = this;
    const late = lateData === undefined ? undefined : reportIn(lateData);
    const lateUsage = late ?? this.lateUsage;
    this.lateData = undefined;
    this.lateUsage = undefined;
    if (lateUsage === undefined) return;
    const usage = readUsage(lateUsage);
    if (usage === undefined || usage === 'invalid') return;
    this.usage = laterUsage(this.usage, usage);
    this.hasNews = true;
  }

  private emitUsage(): void {
    this.readLate();
    if (!this.hasNews || this.usage === undefined) return;
    this.hasNews = false;
    this.events.push({ type: 'usage', usage: withSearch(this.usage, this.hasSearched) });
  }
}

/** A call that comes in pieces, or the next piece of one. */
function isPiece(call: Document, open: OpenChoice): boolean {
  if (call['partialArgs'] != null || call['willContinue'] === true) return true;
  return open.call !== undefined && textOf(call['name']) === undefined;
}

/** The report of a frame that is known to have the form of one that was read. */
function reportIn(data: string): Document | undefined {
  const report = documentOf(parseJson(data))['usageMetadata'];
  return isDocument(report) ? camelFields(report) : undefined;
}

/** The text of a part that is nothing else: nearly all of them. */
function plainTextOf(part: Document): string | undefined {
  for (const name in part) if (name !== 'text') return undefined;
  return typeof part['text'] === 'string' ? part['text'] : undefined;
}

const isUnfinished = (piece: unknown): boolean => documentOf(piece)['willContinue'] === true;

const NO_EVENTS: readonly StreamEvent[] = Object.freeze([]);
