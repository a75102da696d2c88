import type { Framer, FrameSink, Framing } from '../../framing/framer.js';
import { openFramer } from '../../framing/open-framer.js';
import type { StreamEvent } from '../../model/stream-event.js';
import type { RepairFacts, ReplyMeter } from '../../formats/contract/reply-meter.js';
import type { ReplyReader, ReplyWriter } from '../../formats/contract/api-format.js';
import { MAX_ANSWER_PARTS } from '../../formats/contract/answer-limits.js';
import { FinishedCalls } from './finished-calls.js';
import { MAX_MALFORMED_EVENTS } from '../context/limits.js';
import { refusal } from '../../model/refusals.js';

/** State of a stream after some of its bytes. */
export type StreamState = 'open' | 'done' | 'error' | 'malformed' | 'too-large';

/** Turns neutral events into others on their way; for channels that rewrite their answers. */
export type EventAdapter = (event: StreamEvent) => readonly StreamEvent[];

/** Settings of reading and passing on the body of a stream. */
export interface StreamBodyOptions {
  /** The usage frame is ours, not the client's. */
  readonly hidesUsage: boolean;
  /** Data of events with values that strictly typed clients refuse; absent = they pass as they are. */
  readonly mend?: (data: string, facts: RepairFacts, first: string) => string;
  /** Absent = an event stream. */
  readonly framing?: Framing;
  /** Frames of an ending without figures are kept: as copies, or held back. Absent = none are. */
  readonly lastFrames?: 'copy' | 'hold';
  readonly keepsFirst?: boolean;
  /** Present: the reply is translated. */
  readonly translation?: BodyTranslation;
  /** Asked once, when the vendor's events turn out to be in another format's form; undefined = they pass as they are. */
  readonly openForOtherForm?: () => BodyTranslation | undefined;
}

/** The event as it came, and its repair. */
interface EndingEvent {
  readonly bytes: Buffer;
  readonly rawStart: number;
  readonly rawEnd: number;
  readonly data: string;
  readonly facts: RepairFacts;
}

interface BodyTranslation {
  readonly reader: ReplyReader;
  readonly writer: ReplyWriter;
  readonly adapt?: EventAdapter;
}

/**
 * The body of one streamed reply: meters every event and chooses the bytes for the client. Two ways out, one meter:
 * untouched bytes (whole events only, so that nothing of ours ever falls inside one), or frames written anew from
 * neutral events.
 */
export class StreamBody implements FrameSink {
  state: StreamState = 'open';
  /** An event proved that the upstream answers. */
  hasContent = false;
  /** Bytes of the vendor's own end marker; null = none came. */
  endMarker: Buffer | null = null;
  /** Events seen, comments not counted. */
  events = 0;
  /** Events that could not be read: they are left out. */
  unreadEvents = 0;

  /** The first event, where the end of a failed stream refers to it. */
  private first: Buffer | null = null;
  /** An event with the reason of the answer's end: it waits for what follows, which may be more of the answer. */
  private ending: EndingEvent | undefined;
  /** Frames of the ending whose figures are not known yet; see `StreamTail`. */
  private lastFrames: Buffer[] = [];
  private lastBytes = 0;

  private translation: BodyTranslation | undefined;
  private isFormKnown = false;
  private readonly calls = new FinishedCalls();
  private readonly framer: Framer;
  private isEnding = false;
  private malformedInRow = 0;
  /** Parts of a translated answer so far. */
  private parts = 0;
  private out: (Buffer | string)[] = [];
  private runBytes: Buffer | null = null;
  private runStart = 0;
  private runEnd = 0;

  constructor(
    private readonly meter: ReplyMeter,
    private readonly options: StreamBodyOptions,
  ) {
    this.translation = options.translation;
    this.framer = openFramer(options.framing, this);
  }

  /** @returns pieces for the client, in order; the list is the caller's */
  push(chunk: Buffer): readonly (Buffer | string)[] {
    this.framer.push(chunk);
    this.keepEnding();
    return this.takeOut();
  }

  /** Data of the first event; empty = none was kept. */
  get firstEvent(): string {
    return this.first?.toString('utf8') ?? '';
  }

  /** Frames of the ending whose figures the vendor never gave; empty = it gave them. */
  takeLastFrames(): string {
    const frames = Buffer.concat(this.lastFrames).toString('utf8');
    this.lastFrames = [];
    return frames;
  }

  /** The upstream closed the stream. */
  finish(): readonly (Buffer | string)[] {
    this.isEnding = true;
    if (this.state === 'open') this.framer.finish();
    this.releaseEnding(false);
    if (this.state === 'open' && this.meter.hasFinish) this.endTranslation('', '');
    return this.takeOut();
  }

  onEvent(
    bytes: Buffer,
    rawStart: number,
    rawEnd: number,
    data: Buffer,
    dataStart: number,
    dataEnd: number,
    name: string,
  ): boolean {
    let verdict = this.meter.readEvent(data, dataStart, dataEnd, name);
    // Only what shows no answer is looked at: the words of an answer never cost this.
    if ((verdict === 'setup' || verdict === 'malformed') && isNamedError(bytes, rawStart, rawEnd)) {
      verdict = 'error';
      this.meter.errorDocument = UNNAMED_ERROR;
    }
    if (verdict !== 'silent') this.releaseEnding(verdict === 'content' && this.meter.goesOn);
    switch (verdict) {
      case 'silent':
        // An event that is cut off before its data would run into the gateway's own frames behind it.
        if (this.hasContent && !this.isEnding && this.translation === undefined) {
          this.forward(bytes, rawStart, rawEnd);
        }
        return true;
      case 'malformed':
        this.malformedInRow += 1;
        this.unreadEvents += 1;
        if (this.malformedInRow >= MAX_MALFORMED_EVENTS) this.state = 'malformed';
        return this.state === 'open';
      case 'end':
        this.state = 'done';
        this.endMarker = Buffer.from(bytes.subarray(rawStart, rawEnd));
        // Some formats' last event carries figures and the ending.
        this.endTranslation(data.toString('utf8', dataStart, dataEnd), name);
        return false;
      case 'error':
        this.state = 'error';
        return false;
      case 'usage-only':
      case 'setup':
      case 'content':
        this.malformedInRow = 0;
        this.events += 1;
        if (this.events === 1 && this.keepsFirst && dataEnd - dataStart <= MAX_FIRST_BYTES)
          this.first = Buffer.from(data.subarray(dataStart, dataEnd));
        if (verdict === 'content') this.hasContent = true;
        this.deliver(verdict === 'usage-only', bytes, rawStart, rawEnd, data, dataStart, dataEnd, name);
        return this.state === 'open';
    }
  }

  private deliver(
    isUsageOnly: boolean,
    bytes: Buffer,
    rawStart: number,
    rawEnd: number,
    data: Buffer,
    dataStart: number,
    dataEnd: number,
    name: string,
  ): void {
    const { hidesUsage, mend } = this.options;
    if (this.meter.usesOtherFormat && !this.isFormKnown) this.detectForm();
    const { translation } = this;
    if (translation !== undefined) {
      this.translate(translation.reader.read(data.toString('utf8', dataStart, dataEnd), name));
      return;
    }
    if (isUsageOnly && hidesUsage) return;
    if (this.meter.endsHere && mend !== undefined)
      this.ending = {
        bytes,
        rawStart,
        rawEnd,
        data: data.toString('utf8', dataStart, dataEnd),
        facts: this.meter.repairFacts,
      };
    else if (this.meter.needsRepair && mend !== undefined)
      this.passRepaired(data.toString('utf8', dataStart, dataEnd), this.meter.repairFacts);
    else this.pass(bytes, rawStart, rawEnd);
  }

  /** @param isEarly  more of the answer came behind it */
  private releaseEnding(isEarly: boolean): void {
    const { ending } = this;
    if (ending === undefined) return;
    this.ending = undefined;
    const { bytes, rawStart, rawEnd, data, facts } = ending;
    if (isEarly) this.passRepaired(data, { ...facts, isEarlyEnd: true });
    else if (this.meter.needsRepair) this.passRepaired(data, facts);
    else this.pass(bytes, rawStart, rawEnd);
  }

  /** The next bytes decide: these are the upstream's no longer. */
  private keepEnding(): void {
    if (this.ending === undefined) return;
    const { bytes, rawStart, rawEnd } = this.ending;
    const kept = Buffer.from(bytes.subarray(rawStart, rawEnd));
    this.ending = { ...this.ending, bytes: kept, rawStart: 0, rawEnd: kept.length };
  }

  private passRepaired(data: string, facts: RepairFacts): void {
    const mended = this.options.mend?.(data, facts, this.firstEvent) ?? data;
    const frame = Buffer.from(`data: ${mended}\n\n`);
    this.pass(frame, 0, frame.length);
  }

  private get keepsFirst(): boolean {
    return this.options.keepsFirst === true || this.options.mend !== undefined;
  }

  private pass(bytes: Buffer, start: number, end: number): void {
    if (!this.meter.hasFinish || !this.holdsBack(bytes, start, end)) this.forward(bytes, start, end);
  }

  private detectForm(): void {
    this.isFormKnown = true;
    this.translation ??= this.options.openForOtherForm?.();
  }

  /** Keeps a frame of the ending as long as no figures are known. @returns true when it must not go out yet */
  private holdsBack(bytes: Buffer, start: number, end: number): boolean {
    const { lastFrames } = this.options;
    if (lastFrames === undefined) return false;
    const isHeld = lastFrames === 'hold';
    this.lastBytes += end - start;
    if (this.meter.usage !== undefined || this.lastBytes > MAX_LAST_BYTES) {
      if (isHeld) for (const held of this.lastFrames) this.forward(held, 0, held.length);
      this.lastFrames = [];
      return false;
    }
    const frame = Buffer.from(bytes.subarray(start, end));
    // The newest copy is enough: it identifies the frames.
    if (isHeld) this.lastFrames.push(frame);
    else this.lastFrames = [frame];
    return isHeld;
  }

  /** @param data  of the vendor's end marker; empty = it gave none */
  private endTranslation(data: string, name: string): void {
    const reader = this.translation?.reader;
    if (reader === undefined) return;
    if (data !== '') this.translate(reader.read(data, name));
    this.translate(reader.finish());
  }

  private translate(events: readonly StreamEvent[]): void {
    const { translation } = this;
    if (translation === undefined) return;
    const { writer, adapt } = translation;
    let frames = '';
    for (const event of events) {
      if (this.hasTooManyParts(event)) {
        this.state = 'too-large';
        break;
      }
      const missing = this.calls.before(event);
      if (missing !== undefined) frames += writer.write(missing);
      if (adapt === undefined) frames += writer.write(event);
      else for (const adapted of adapt(event)) frames += writer.write(adapted);
    }
    frames += writer.endFrame?.() ?? '';
    if (writer.hasLostPiece === true) this.state = 'too-large';
    if (frames === '') return;
    // Frames of one chunk leave as one piece.
    const last = this.out.length - 1;
    const before = this.out[last];
    if (typeof before === 'string') this.out[last] = before + frames;
    else this.out.push(frames);
  }

  /** Blocks are numbered in turn, so that the highest number is their count. */
  private hasTooManyParts(event: StreamEvent): boolean {
    if (isPart(event)) this.parts += 1;
    return (
      this.parts > MAX_ANSWER_PARTS ||
      ('block' in event && event.block > MAX_ANSWER_PARTS) ||
      ('choice' in event && (event.choice ?? 0) > MAX_ANSWER_PARTS)
    );
  }

  /** Events side by side in one chunk leave as one piece. */
  private forward(bytes: Buffer, start: number, end: number): void {
    if (this.runBytes === bytes && this.runEnd === start) {
      this.runEnd = end;
      return;
    }
    this.flushRun();
    this.runBytes = bytes;
    this.runStart = start;
    this.runEnd = end;
  }

  private flushRun(): void {
    const { runBytes, runStart, runEnd } = this;
    if (runBytes === null) return;
    this.out.push(
      runStart === 0 && runEnd === runBytes.length ? runBytes : runBytes.subarray(runStart, runEnd),
    );
    this.runBytes = null;
  }

  private takeOut(): readonly (Buffer | string)[] {
    this.flushRun();
    if (this.framer.isTooLarge) this.state = 'too-large';
    else if (this.framer.isBroken && this.state === 'open') this.state = 'malformed';
    if (this.out.length === 0) return NOTHING;
    const pieces = this.out;
    this.out = [];
    return pieces;
  }
}

/** Longest first event that is kept: it may repeat the tools of its call. */
const MAX_FIRST_BYTES = 1024 * 1024;

/** Longest ending that is kept for its figures. */
const MAX_LAST_BYTES = 64 * 1024;

/** An error without a sentence of its own; its data may hold anything and is not shown. */
const UNNAMED_ERROR = Object.freeze({ error: { message: refusal('ended-with-error').message } });
const EVENT_FIELD = Buffer.from('event:');

/** Returns true for a block with `event: error`. */
function isNamedError(bytes: Buffer, start: number, end: number): boolean {
  const block = bytes.subarray(start, end);
  return block.includes(EVENT_FIELD) && /(?:^|[\r\n])event: ?error[\r\n]/.test(block.toString('latin1'));
}

/** True for events that open, close or annotate something; a text may come in any number of pieces. */
function isPart({ type }: StreamEvent): boolean {
  switch (type) {
    case 'tool-input-start':
    case 'block-end':
    case 'block-signature':
    case 'choice-end':
    case 'media':
    case 'source':
    case 'vendor-part':
      return true;
    default:
      return false;
  }
}

const NOTHING: readonly (Buffer | string)[] = Object.freeze([]);
