import { parseFrame } from '../../framing/exact-json.js';
import { finishWithCalls, type FinishReason } from '../../model/finish-reason.js';
import type { StreamEvent } from '../../model/stream-event.js';
import type { Usage } from '../../model/usage.js';
import { keepUnknown } from '../../model/vendor-options.js';
import {
  documentOf,
  filledDocument,
  given,
  isDocument,
  listOf,
  numberOf,
  textOf,
  type Document,
  wholeSecondsOf,
  parseDocument,
} from '../shared/fields/json-fields.js';
import type { ReplyReader } from '../contract/api-format.js';
import { CallPlaces } from '../shared/openai/call-track.js';
import { finishReasonIn, readFinishReason } from '../shared/openai/openai-finish-reason.js';
import { CHOICES_REPLY_FIELDS } from '../shared/openai/openai-members.js';
import { readAnnotation, readCitations } from './citations.js';
import { CHAT_FORMAT } from './id.js';
import { isCall, readArguments, readImage, readText } from './read-reply.js';
import { entriesOf, entryText, readCallSignature, readEntrySignature } from './reasoning-details.js';
import { type CachedPlace, readUsage } from '../shared/openai/openai-usage.js';
import { laterUsage } from '../shared/metering/reported-usage.js';

/** Blocks one answer has open: at most one text-like block at a time, and its tool calls. */
interface OpenChoice {
  text: { readonly block: number; readonly kind: TextKind } | null;
  readonly tools: Map<number, { readonly block: number; readonly callId: string }>;
  readonly places: CallPlaces;
  /** Pieces of calls whose names have not come yet, by their place: some vendors begin with the arguments. */
  readonly unnamed: Map<number, Document[]>;
  /** Block of the last text: citations may come after it ended. */
  lastText: number | undefined;
  /** Reasoning that waits for its signature: pieces of one index are one piece. */
  detail: DetailTrack;
  hasCalls: boolean;
  /** A reason to stop that is void when more of the answer comes: some relays put one behind every piece. */
  stopReason: string | undefined;
  finish: FinishReason | undefined;
}
/** State of a stream of reasoning entries. */
interface DetailTrack {
  readonly index: number | undefined;
  readonly isSigned: boolean;
}
type TextKind = 'text-delta' | 'reasoning-delta' | 'refusal-delta';

/** Pieces of a call that wait for its name. */
const MAX_UNNAMED = 100;

/** Signature and arguments of a piece of a call. */
function readPiece(
  call: Document,
  { choice, block }: { readonly choice: number; readonly block: number },
  events: StreamEvent[],
): void {
  const body = documentOf(call['function'] ?? call['custom']);
  const signature = readCallSignature(call);
  if (signature !== undefined)
    events.push({ type: 'block-signature', block, choice, of: 'tool-call', signature });
  const json = readArguments(body['arguments'] ?? body['input']);
  if (json !== '') events.push({ type: 'tool-input-delta', block, choice, json });
}

/** Frames of a chat stream → neutral events. What vendors of this format leave out or repeat is tolerated. */
export class ChatReplyReader implements ReplyReader {
  private readonly choices = new Map<number, OpenChoice>();
  private nextBlock = 0;
  private hasStarted = false;
  private usage: Usage | undefined;
  private isOver = false;

  /** @param cached  place of cached tokens in the vendor's reports */
  constructor(private readonly cached: CachedPlace = 'inside') {}

  read(data: string): readonly StreamEvent[] {
    if (this.isOver || data === '') return NO_EVENTS;
    if (data.trim() === '[DONE]') return this.finish();
    const document = parseDocument(data, parseFrame);
    // Malformed frames are skipped; the meter counts them and ends the stream after three.
    if (document === undefined) return NO_EVENTS;
    const events: StreamEvent[] = [];
    this.start(document, events);
    // Before the choices: the last of them may end the answer these belong to.
    this.citations(document, events);
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
    this.endChoices(events);
    for (const [index, open] of this.choices) {
      this.closeBlocks(index, open, events);
      finish ??= open.finish;
    }
    const hasCalls = [...this.choices.values()].some((open) => open.hasCalls);
    events.push({
      type: 'reply-end',
      finish: finish ?? finishWithCalls({ unified: 'other', raw: undefined }, hasCalls),
    });
    return events;
  }

  private start(document: Document, events: StreamEvent[]): void {
    if (this.hasStarted) return;
    const id = textOf(document['id']);
    // Azure sends a frame about the prompt before the reply has an id.
    if (id === undefined && listOf(document['choices']).length === 0) return;
    this.hasStarted = true;
    const createdAtSeconds = wholeSecondsOf(document['created']);
    events.push({
      type: 'reply-start',
      id: id ?? '',
      servedModel: textOf(document['model']) ?? '',
      ...(createdAtSeconds === undefined ? {} : { createdAtSeconds }),
      ...given('vendorOptions', keepUnknown(CHAT_FORMAT, document, CHOICES_REPLY_FIELDS)),
    });
  }

  private choice(item: Document, events: StreamEvent[]): void {
    const index = numberOf(item['index']) ?? 0;
    let open = this.choices.get(index);
    if (open === undefined) {
      open = {
        text: null,
        tools: new Map(),
        places: new CallPlaces(),
        unnamed: new Map(),
        lastText: undefined,
        detail: { index: undefined, isSigned: false },
        hasCalls: false,
        stopReason: undefined,
        finish: undefined,
      };
      this.choices.set(index, open);
    }
    const delta = documentOf(item['delta'] ?? item['message']);
    const told = events.length;
    const { thinking, text } = readText(delta['content']);
    const reasoning = textOf(delta['reasoning_content']) ?? textOf(delta['reasoning']) ?? '';
    const details = entriesOf(delta);
    if (details.length > 0) this.details(index, open, details, reasoning, events);
    else this.text(index, open, 'reasoning-delta', reasoning + thinking, undefined, events);
    this.text(index, open, 'text-delta', text, item['logprobs'], events);
    this.text(index, open, 'refusal-delta', textOf(delta['refusal']) ?? '', undefined, events);
    const audio = filledDocument(delta['audio']);
    if (audio !== undefined) {
      events.push({ type: 'audio-delta', block: this.blockOfAudio(), choice: index, audio });
    }
    for (const item of listOf(delta['annotations'])) {
      const source = readAnnotation(documentOf(item));
      events.push({ type: 'source', block: this.blockOfSource(open), choice: index, source });
    }
    for (const image of listOf(delta['images'])) this.images(index, documentOf(image), events);
    for (const call of listOf(delta['tool_calls']).filter(isCall))
      this.tool(index, open, documentOf(call), events);
    const legacy = filledDocument(delta['function_call']);
    if (legacy !== undefined) {
      this.tool(index, open, { index: 0, function: legacy }, events);
    }
    if (events.length > told) open.stopReason = undefined;
    open.stopReason ??= finishReasonIn(item['finish_reason']);
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
      if (kind === 'text-delta') open.lastText = this.nextBlock;
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

  /** Reasoning in entries (OpenRouter): texts, and the signatures that end or replace them. */
  private details(
    choice: number,
    open: OpenChoice,
    details: readonly Document[],
    plain: string,
    events: StreamEvent[],
  ): void {
    const hasText = details.some((entry) => entryText(entry) !== '');
    if (!hasText) this.text(choice, open, 'reasoning-delta', plain, undefined, events);
    for (const entry of details) {
      const index = numberOf(entry['index']);
      const read = readEntrySignature(entry);
      const isNext = index !== open.detail.index && open.detail.index !== undefined;
      // A signed piece is whole: what follows is another.
      if ((isNext || open.detail.isSigned) && open.text?.kind === 'reasoning-delta') {
        events.push({ type: 'block-end', block: open.text.block, choice });
        open.text = null;
      }
      open.detail = { index, isSigned: read !== undefined };
      this.text(choice, open, 'reasoning-delta', entryText(entry), undefined, events);
      if (read === undefined) continue;
      const tool = [...open.tools.values()].find(({ callId }) => callId !== '' && callId === entry['id']);
      const { signature, isRedacted } = read;
      if (tool !== undefined) {
        events.push({ type: 'block-signature', block: tool.block, choice, of: 'tool-call', signature });
        continue;
      }
      const isOpen = open.text?.kind === 'reasoning-delta' && !isRedacted;
      const block = isOpen && open.text !== null ? open.text.block : this.nextBlock++;
      events.push({
        type: 'block-signature',
        block,
        choice,
        of: 'reasoning',
        signature,
        ...(isRedacted ? { isRedacted } : {}),
      });
      if (!isOpen) events.push({ type: 'block-end', block, choice });
    }
  }

  private images(choice: number, image: Document, events: StreamEvent[]): void {
    for (const part of readImage(image)) {
      if (part.type !== 'image') continue;
      const block = this.nextBlock++;
      events.push({ type: 'media', block, choice, media: 'image', source: part.source });
      events.push({ type: 'block-end', block, choice });
    }
  }

  /** Sources beside the choices; vendors that repeat them in every chunk are read once each. */
  private citations(document: Document, events: StreamEvent[]): void {
    if (document['citations'] === undefined && document['search_results'] === undefined) return;
    const open = this.choices.get(0);
    if (open?.lastText === undefined || open.finish !== undefined) return;
    for (const source of readCitations(document)) {
      const url = source.url ?? '';
      if (this.cited.has(url) || this.cited.size >= MAX_CITATIONS) continue;
      this.cited.add(url);
      events.push({ type: 'source', block: open.lastText, choice: 0, source });
    }
  }
  private readonly cited = new Set<string>();

  private blockOfSource(open: OpenChoice): number {
    open.lastText ??= this.nextBlock++;
    return open.lastText;
  }

  private tool(choice: number, open: OpenChoice, call: Document, events: StreamEvent[]): void {
    const body = documentOf(call['function'] ?? call['custom']);
    const callId = textOf(call['id']);
    const name = textOf(body['name']);
    const index = open.places.placeOf(call['index'], callId, name !== undefined);
    open.hasCalls = true;
    let tool = open.tools.get(index);
    if (tool === undefined) {
      const before = open.unnamed.get(index) ?? [];
      if (name === undefined && before.length < MAX_UNNAMED) {
        open.unnamed.set(index, [...before, call]);
        return;
      }
      tool = this.begin(choice, open, [...before, call], events);
      open.tools.set(index, tool);
      open.unnamed.delete(index);
      for (const piece of before) readPiece(piece, { choice, block: tool.block }, events);
    }
    readPiece(call, { choice, block: tool.block }, events);
  }

  /** @param pieces  of the call, as they came so far */
  private begin(
    choice: number,
    open: OpenChoice,
    pieces: readonly Document[],
    events: StreamEvent[],
  ): { readonly block: number; readonly callId: string } {
    if (open.text !== null) events.push({ type: 'block-end', block: open.text.block, choice });
    open.text = null;
    const tool = {
      block: this.nextBlock,
      callId: pieces.map((piece) => textOf(piece['id'])).find((id) => id !== undefined) ?? '',
    };
    this.nextBlock += 1;
    const bodies = pieces.map((piece) => documentOf(piece['function'] ?? piece['custom']));
    events.push({
      type: 'tool-input-start',
      block: tool.block,
      choice,
      callId: tool.callId,
      name: bodies.map((body) => textOf(body['name'])).find((name) => name !== undefined) ?? '',
      ...(pieces.some((piece) => isDocument(piece['custom'])) ? { isFreeform: true } : {}),
    });
    return tool;
  }

  /** Figures, or the end of the stream, show that the last word of a choice was its last. */
  private endChoices(events: StreamEvent[]): void {
    for (const [index, open] of this.choices) {
      if (open.stopReason === undefined || open.finish !== undefined) continue;
      open.finish = readFinishReason(open.stopReason, open.hasCalls);
      this.closeBlocks(index, open, events);
      events.push({ type: 'choice-end', choice: index, finish: open.finish });
    }
  }

  private closeBlocks(choice: number, open: OpenChoice, events: StreamEvent[]): void {
    if (open.text !== null) events.push({ type: 'block-end', block: open.text.block, choice });
    open.text = null;
    for (const [index, pieces] of open.unnamed) {
      const tool = this.begin(choice, open, pieces, events);
      open.tools.set(index, tool);
      for (const piece of pieces) readPiece(piece, { choice, block: tool.block }, events);
    }
    open.unnamed.clear();
    for (const tool of open.tools.values()) events.push({ type: 'block-end', block: tool.block, choice });
    open.tools.clear();
  }

  private blockOfAudio(): number {
    this.audioBlock ??= this.nextBlock++;
    return this.audioBlock;
  }
  private audioBlock: number | undefined;

  private report(value: unknown, events: StreamEvent[]): void {
    const usage = readUsage(value, this.cached);
    if (usage === undefined || usage === 'invalid') return;
    this.usage = laterUsage(this.usage, usage);
    this.endChoices(events);
    events.push({ type: 'usage', usage: this.usage });
  }
}

/** Addresses remembered so that none is emitted twice. */
const MAX_CITATIONS = 1_000;

const NO_EVENTS: readonly StreamEvent[] = Object.freeze([]);
