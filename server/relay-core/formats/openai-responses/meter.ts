import { JsonCursor } from '../../framing/json-cursor.js';
import type { EventVerdict, WholeVerdict } from '../contract/reply-meter.js';
import type { FinishReason } from '../../model/finish-reason.js';
import { documentOf, isDocument } from '../shared/fields/json-fields.js';
import { MediaCount, readServiceTier } from '../shared/metering/reported-usage.js';
import { key, JsonEventMeter, parseSpan, TOKENS_PER_TOOL_CALL } from '../shared/metering/json-event-meter.js';
import type { Usage } from '../../model/usage.js';
import { hasContentAt } from '../contract/unknown-content.js';
import { readUsage, ToolUses } from './usage.js';

const TYPE = key('type');
const DELTA = key('delta');
const ITEM = key('item');
const OUTPUT_INDEX = key('output_index');
const RESPONSE = key('response');
const ERROR = key('error');
const OUTPUT = key('output');
const USAGE = key('usage');
const STATUS = key('status');
const SERVICE_TIER = key('service_tier');
const CONTENT = key('content');
const SUMMARY = key('summary');
const TEXT = key('text');
const REFUSAL = key('refusal');
/** Beginning of the types of events about shown reasoning. */
const REASONING = 'response.reasoning';
const ITEM_ADDED = 'response.output_item.added';
const ID = key('id');
const ENCRYPTED_CONTENT = key('encrypted_content');
const CONTAINER_ID = key('container_id');
const CONVERSATION = key('conversation');
const NAME = key('name');
const ARGUMENTS = key('arguments');
const INPUT = key('input');
/** Members with the sentence of a failure at vendors without an `error` member. */
const SENTENCES = ['message', 'detail', 'msg', 'error_msg', 'error_message'].map(key);

/** Members of a part that are about it and not part of the answer. */
const ABOUT_PART = ['type', 'id', 'annotations', 'logprobs', 'status'].map(key);

/** Reads the inside of what the first walk only found. */
const inner = new JsonCursor();

/** Bytes of a member's value. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Meter of the `openai-responses` format. Steps over each event once; only figures, failures and names of items are made
 * objects. Tolerates vendors that give arguments or texts only when an item is done.
 */
export class ResponsesMeter extends JsonEventMeter {
  private readonly uses = new ToolUses();

  override get toolUses(): Usage['tools'] {
    return this.uses.soFar;
  }

  private type = '';
  private delta: Span | undefined;
  private item: Span | undefined;
  private response: Span | undefined;
  private error: Span | undefined;
  private hasSentence = false;
  /** Place of the item an event is about. */
  private index = 0;
  /** Places of open items of which pieces came: their ends only repeat them. */
  private readonly pieced = new Set<number>();
  /** Places of images that were shown before they were done: a client that leaves then has seen what is charged. */
  private readonly shown = new Set<number>();
  private readonly media = new MediaCount(this.produced);
  private sawItems = false;

  override readEvent(data: Buffer, start: number, end: number): EventVerdict {
    if (start >= end) return 'silent';
    this.type = '';
    this.delta = this.item = this.response = this.error = undefined;
    this.hasSentence = false;
    this.index = 0;
    // `[DONE]`, which some vendors send after the last event.
    if (data[start] === 0x5b) return 'silent';
    if (!this.walk(data, start, end, () => this.note())) return 'malformed';
    const verdict = this.judge(data, start, end);
    if (verdict === 'content') this.sawContent = true;
    this.endDocument();
    return verdict;
  }

  override readWhole(body: Buffer): WholeVerdict {
    this.produced.borrow();
    let status: string | undefined;
    let hasOutput = false;
    let error: unknown;
    this.hasSentence = false;
    const isRead = this.walk(body, 0, body.length, () => {
      if (this.cursor.keyIs(ID)) this.recordIssuedId(this.takeString(), 'stored');
      else if (this.cursor.keyIs(CONVERSATION)) this.conversation();
      else if (this.cursor.keyIs(OUTPUT)) {
        hasOutput = true;
        this.elements(() => this.outputItem());
      } else if (this.cursor.keyIs(USAGE)) this.report(this.takeValue());
      else if (this.cursor.keyIs(STATUS)) status = this.takeString();
      else if (this.cursor.keyIs(SERVICE_TIER)) this.serviceTier = readServiceTier(this.takeValue());
      else if (this.cursor.keyIs(ERROR)) error = this.takeValue();
      else this.noteSentence();
    });
    if (!isRead) return 'malformed';
    if (this.usage !== undefined) this.usage = this.uses.addTo(this.usage);
    if (hasContent(error) || status === 'failed' || (!hasOutput && this.hasSentence)) {
      const document = documentOf(parseSpan(body, 0, body.length));
      // A failed response holds a code and a sentence; its other members repeat the request.
      return this.failedWith(hasOutput && hasContent(error) ? { error } : document);
    }
    if ((status !== undefined || hasOutput) && status !== 'in_progress' && status !== 'queued')
      this.takeFinish(status === 'incomplete' ? 'length' : 'stop');
    this.endDocument();
    return hasOutput && this.isProvenAnswer ? 'answer' : 'empty';
  }

  private note(): void {
    const { cursor } = this;
    if (cursor.keyIs(TYPE)) this.type = this.takeString() ?? '';
    else if (cursor.keyIs(DELTA)) this.delta = this.span();
    else if (cursor.keyIs(OUTPUT_INDEX)) this.index = this.place();
    else if (cursor.keyIs(ITEM)) this.item = this.span();
    else if (cursor.keyIs(RESPONSE)) this.response = this.span();
    else if (cursor.keyIs(ERROR)) this.error = this.span();
    else this.noteSentence();
  }

  private noteSentence(): void {
    const isSentence = this.cursor.keyIsOneOf(SENTENCES);
    const isGiven = this.takePresence();
    if (isSentence && isGiven) this.hasSentence = true;
  }

  private span(): Span {
    this.cursor.peek();
    const start = this.cursor.at;
    this.cursor.skipValue();
    return { start, end: this.cursor.at };
  }

  /** A small whole number, read where it stands. */
  private place(): number {
    const { start, end } = this.span();
    let place = 0;
    for (let at = start; at < Math.min(end, start + MAX_DIGITS); at += 1)
      place = place * 10 + ((this.cursor.bytes[at] as number) - 0x30);
    return place;
  }

  private judge(data: Buffer, start: number, end: number): EventVerdict {
    const { type } = this;
    if (type.endsWith('.delta')) return this.piece(data);
    switch (type) {
      case ITEM_ADDED:
        this.pieced.delete(this.index);
        return this.begun(data);
      case 'response.output_item.done':
        this.sawItems = true;
        return this.finished(data);
      case 'response.created':
        this.named(data);
        return 'setup';
      case 'response.image_generation_call.partial_image':
        if (!this.shown.has(this.index)) this.uses.add('image_generation_call');
        this.shown.add(this.index);
        return 'content';
      // Some hosts end with the event of the Realtime API: https://github.com/jlcodes99/cockpit-tools/issues/2328 (read 2026-11-30).
      case 'response.done':
      case 'response.completed':
        this.ended(data, 'stop');
        return 'end';
      case 'response.incomplete':
        this.ended(data, 'length');
        return 'end';
      case 'response.failed':
        this.ended(data, 'error');
        this.hasFinish = false;
        return this.failedWith({ error: documentOf(this.parse(data, this.response))['error'] });
      case 'error':
        return this.failedWith({
          error: this.error === undefined ? parseSpan(data, start, end) : this.parse(data, this.error),
        });
      default:
    }
    const isFailure =
      hasContent(this.parse(data, this.error)) ||
      (type === '' && this.hasSentence && this.response === undefined);
    if (!isFailure) return 'setup';
    return this.failedWith(parseSpan(data, start, end));
  }

  /** A piece of text, arguments or code; sound has no text. */
  private piece(data: Buffer): EventVerdict {
    const { delta } = this;
    if (delta === undefined || delta.end - delta.start <= 2) return 'setup';
    if (data[delta.start] !== 0x22) {
      if (!hasContentAt(data, delta.start, delta.end)) return 'setup';
      this.hasUnread = true;
      return 'content';
    }
    this.pieced.add(this.index);
    if (this.type === 'response.audio.delta' || this.type === 'response.output_audio.delta')
      this.media.addRawAudio(delta.end - delta.start - 2);
    else {
      this.produced.append(data, delta.start + 1, delta.end - 1);
      if (this.type.startsWith(REASONING)) this.produced.shownReasoningBytes += delta.end - delta.start - 2;
    }
    return 'content';
  }

  /** The name of a call is part of the answer, and proves it. */
  private begun(data: Buffer): EventVerdict {
    if (this.item === undefined) return 'setup';
    let isCall = false;
    this.recordIssuedItem(data, this.item);
    inner.reset(data, this.item.start, this.item.end);
    if (!inner.enterObject()) return 'setup';
    while (inner.nextMember()) {
      if (!inner.keyIs(NAME)) {
        inner.skipValue();
        continue;
      }
      const first = inner.peek();
      const from = inner.at + 1;
      if (!inner.skipValue() || first !== 0x22 || inner.at - 1 <= from) continue;
      this.produced.append(data, from, inner.at - 1);
      this.produced.extraTokens += TOKENS_PER_TOOL_CALL;
      isCall = true;
    }
    return isCall ? 'content' : 'setup';
  }

  private finished(data: Buffer): EventVerdict {
    if (this.item === undefined) return 'setup';
    this.recordIssuedItem(data, this.item);
    // Was counted when it was shown first.
    if (this.shown.has(this.index)) return 'content';
    this.countUse(data, this.item);
    if (!this.pieced.delete(this.index)) {
      // Text that never came in pieces is counted now.
      this.cursor.reset(data, this.item.start, this.item.end);
      this.wholeItem(false);
    }
    return 'content';
  }

  private ended(data: Buffer, reason: FinishReason['unified']): void {
    const { response } = this;
    if (response !== undefined) {
      this.named(data);
      this.endedWith(data, response);
    }
    this.takeFinish(reason);
  }

  private endedWith(data: Buffer, response: Span): void {
    const isUnseen = this.produced.totalBytes === 0 && !this.sawItems && this.shown.size === 0;
    this.walk(data, response.start, response.end, () => {
      if (this.cursor.keyIs(USAGE)) this.report(this.takeValue());
      else if (this.cursor.keyIs(SERVICE_TIER)) this.serviceTier = readServiceTier(this.takeValue());
      else if (isUnseen && this.cursor.keyIs(OUTPUT)) this.elements(() => this.outputItem());
      else this.cursor.skipValue();
    });
  }

  /** Ids of the answer and its conversation. */
  private named(data: Buffer): void {
    const { response } = this;
    if (response === undefined) return;
    this.recordIssuedId(stringIn(data, response, ID), 'stored');
    const conversation = spanIn(data, response, CONVERSATION);
    if (conversation !== undefined) this.recordIssuedId(stringIn(data, conversation, ID), 'always');
  }

  private conversation(): void {
    const span = this.span();
    this.recordIssuedId(stringIn(this.cursor.bytes, span, ID), 'always');
  }

  /**
   * An item may be named again by its id, and the container a program ran in. A thought that does not come with all it needs is named by
   * its id even where nothing is stored.
   */
  private recordIssuedItem(data: Buffer, item: Span): void {
    const isReasoning = stringIn(data, item, TYPE) === 'reasoning';
    const sealedBytes = isReasoning ? textBytesIn(data, item, ENCRYPTED_CONTENT) : 0;
    if (isReasoning) this.mayHideReasoning = true;
    // An item that begins may repeat the seal it ends with.
    if (this.type !== ITEM_ADDED) this.takeSealed(sealedBytes);
    const isLoose = isReasoning && sealedBytes === 0;
    this.recordIssuedId(stringIn(data, item, ID), isLoose && this.type !== ITEM_ADDED ? 'always' : 'stored');
    this.recordIssuedId(stringIn(data, item, CONTAINER_ID), 'always');
  }

  private outputItem(): void {
    const { cursor } = this;
    cursor.peek();
    const start = cursor.at;
    this.wholeItem();
    const item = { start, end: cursor.at };
    this.countUse(cursor.bytes, item);
    this.recordIssuedItem(cursor.bytes, item);
  }

  /** An item of the output, all of it. @param withName  its name was not counted when it began */
  private wholeItem(withName = true): void {
    const { cursor } = this;
    this.members(() => {
      if (cursor.keyIs(TYPE)) this.noteType();
      else if (cursor.keyIs(CONTENT) || cursor.keyIs(SUMMARY)) this.elements(() => this.wholePart());
      else if (cursor.keyIs(NAME) && withName) this.takeToolName();
      else if (cursor.keyIs(ARGUMENTS) || cursor.keyIs(INPUT)) this.takeToolInput();
      else cursor.skipValue();
    });
  }

  private countUse(data: Buffer, item: Span): void {
    this.uses.add(stringIn(data, item, TYPE), stringIn(data, item, CONTAINER_ID));
  }

  /** Anything but a message proves an answer by being there: a message needs something in it. */
  private noteType(): void {
    const type = this.takeString() ?? '';
    if (type !== '' && type !== 'message') this.sawContent = true;
  }

  private wholePart(): void {
    this.members(() => {
      if (this.cursor.keyIs(TEXT) || this.cursor.keyIs(REFUSAL)) this.takeText();
      else if (this.cursor.keyIsOneOf(ABOUT_PART)) this.cursor.skipValue();
      else this.takeUnknown(this.cursor);
    });
  }

  private report(value: unknown): void {
    const usage = readUsage(value);
    this.takeUsage(usage === undefined || usage === 'invalid' ? usage : this.uses.addTo(usage));
  }

  private parse(data: Buffer, span: Span | undefined): unknown {
    return span === undefined ? undefined : parseSpan(data, span.start, span.end);
  }
}

const MAX_DIGITS = 6;

/** A short text member of an object. */
function stringIn(data: Buffer, span: Span, name: Buffer): string {
  const found = spanIn(data, span, name);
  const word = found === undefined ? undefined : parseSpan(data, found.start, found.end);
  return typeof word === 'string' ? word : '';
}

/** A member of an object; undefined = it has none of this name, or is no object. */
function spanIn(data: Buffer, span: Span, name: Buffer): Span | undefined {
  inner.reset(data, span.start, span.end);
  inner.peek();
  if (!inner.enterObject()) return undefined;
  while (inner.nextMember()) {
    const isIt = inner.keyIs(name);
    inner.peek();
    const start = inner.at;
    if (!inner.skipValue()) return undefined;
    if (isIt) return { start, end: inner.at };
  }
  return undefined;
}

/** Bytes of a text member; 0 = it is empty, or there is none. */
function textBytesIn(data: Buffer, span: Span, name: Buffer): number {
  const found = spanIn(data, span, name);
  return found !== undefined && data[found.start] === 0x22 ? found.end - found.start - 2 : 0;
}

/** An `error` member that is empty is a vendor's way of saying "none". */
function hasContent(error: unknown): boolean {
  if (typeof error === 'string') return error !== '' && error !== 'unreadable';
  return (
    isDocument(error) && Object.values(error).some((value) => value !== null && value !== '' && value !== 0)
  );
}
