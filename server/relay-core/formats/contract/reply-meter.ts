import type { FinishReason } from '../../model/finish-reason.js';
import type { AcceptedTask } from '../../model/task.js';
import type { Usage } from '../../model/usage.js';
import type { JsonCursor } from '../../framing/json-cursor.js';
import { ProducedText } from './produced-text.js';
import { hasContentAt } from './unknown-content.js';

const QUOTE = 0x22;
export const ID_KEY = Buffer.from('id');

/**
 * Meaning of one event of a stream to the relay:
 * `setup` may be forwarded but proves nothing yet; `content` proves that the upstream answers; `usage-only` carries
 * figures and nothing else; `end` is the format's end marker; `error` is a failure inside the stream; `malformed` cannot
 * be read; `silent` has no data.
 */
export type EventVerdict = 'setup' | 'content' | 'usage-only' | 'end' | 'error' | 'malformed' | 'silent';

/**
 * An id in an answer, by which a later request names what the vendor keeps. `always`: it keeps that in any case; `stored`: unless
 * the request forbids to store the answer; `asked`: only where the request wants it kept, for diagnostics or a thread.
 */
export interface IssuedId {
  readonly id: string;
  readonly kept: 'always' | 'stored' | 'asked';
}

/** More in one answer are not remembered. */
const MAX_HANDED_OUT = 512;
const MAX_ID_LENGTH = 512;

/** Facts of the reply that repairs of its document need. */
export interface RepairFacts {
  /** Tools were called so far. */
  readonly hasToolCalls: boolean;
  /** Places of the calls this event's entries of `tool_calls` belong to, those of all choices after each other. */
  readonly places: readonly number[];
  /** Calls that end with this event and had no arguments, by their choice. */
  readonly endedWithoutArguments: ReadonlyMap<number, readonly number[]>;
  /** It gives the reason of the answer's end, and more came. */
  readonly isEarlyEnd?: true;
}

/** Kind of a whole reply: an answer, a failure in the form of one, nothing at all, or not readable. */
export type WholeVerdict = 'answer' | 'error' | 'empty' | 'malformed';

/**
 * Reads from a reply's bytes what a charge needs: usage, what was produced, how it ended. Never makes objects of what
 * it only passes by. The same meter runs on the pass-through and on the translated path, so both charge alike.
 */
export abstract class ReplyMeter {
  readonly produced = new ProducedText();
  private knownUsage: Usage | undefined;
  private knownIsInvalid = false;
  /** At least one answer has a finish reason. */
  hasFinish = false;
  /** The event that ends the stream by protocol came, where that is an event like others: what follows adds nothing. */
  sawLastEvent = false;
  /** The newest finish reason, where the format has words for it. */
  unifiedFinish: FinishReason['unified'] | undefined;
  /** The document being read holds something that proves an answer. */
  protected sawContent = false;
  private sawStop = false;
  /** Something of an answer came, or a reason to end without one. */
  private hasOutput = false;
  /** The answer holds content that is not counted here: parts and members this gateway does not know. */
  hasUnread = false;
  /** The answer has reasoning of which its text may not show everything. */
  mayHideReasoning = false;
  /** The vendor's events are in the form of another format: a caller of this one needs them written anew. */
  usesOtherFormat = false;
  /** Values came that strictly typed clients of the format's own API refuse; see `ClientFormat.mend`. */
  needsRepair = false;
  /** Finish reason of the only answer in the event just read, and whether it brings a piece of it. Set by formats that repair. */
  endsHere = false;
  goesOn = false;
  /** A tool was called so far, where the format's finish reasons do not show it. */
  hasToolCalls = false;
  /** The parsed document of an `error` verdict. */
  errorDocument: unknown;

  /** True when the event just read reports that the call failed. */
  protected failedWith(document: unknown): 'error' {
    this.errorDocument = document;
    return 'error';
  }

  get repairFacts(): RepairFacts {
    return { hasToolCalls: this.hasToolCalls, places: [], endedWithoutArguments: new Map() };
  }

  /** Class of service that the vendor reports; undefined = its usual one. */
  serviceTier: string | undefined;

  /** Id of a task that the vendor finishes later; undefined = none, it is an answer. */
  task: AcceptedTask | undefined;

  /** The vendor's ids of an answer that it continues until it is cancelled; undefined = none, or none yet. */
  underWay: Readonly<Record<string, string>> | undefined;

  /** Behind the vendor's key stands an application that adds its own input (documents, instructions) to the request. */
  readonly readsMore: boolean = false;

  /** Ids of things the vendor keeps, as the answer names them; undefined = none. */
  get handedOut(): readonly IssuedId[] | undefined {
    return this.ids;
  }

  private ids: IssuedId[] | undefined;

  protected recordIssuedId(id: string | undefined, kept: IssuedId['kept']): void {
    if (id === undefined || id === '' || id.length > MAX_ID_LENGTH) return;
    const ids = (this.ids ??= []);
    const known = ids.findIndex((one) => one.id === id);
    if (known === -1) {
      if (ids.length < MAX_HANDED_OUT) ids.push({ id, kept });
    } else if (kept === 'always') ids[known] = { id, kept };
  }

  /** As `handOut`, of the text the cursor stands on, which it passes. Ids have no escapes. */
  protected recordIssuedIdAt(cursor: JsonCursor, kept: IssuedId['kept']): void {
    const isText = cursor.peek() === QUOTE;
    const from = cursor.at + 1;
    if (cursor.skipValue() && isText)
      this.recordIssuedId(cursor.bytes.toString('utf8', from, cursor.at - 1), kept);
  }

  /** Images made, for prices per image; undefined = the format makes none. */
  units: number | undefined;

  /**
   * Uses of the vendor's own tools seen so far, where they come apart from the report: what a reply that was cut short has
   * used is paid for all the same. Undefined = none seen, or they are part of `usage`.
   */
  get toolUses(): Usage['tools'] {
    return undefined;
  }

  /** The vendor's valid report; a later one replaced an earlier one. Undefined = none. */
  get usage(): Usage | undefined {
    this.readLate();
    return this.knownUsage;
  }

  set usage(usage: Usage | undefined) {
    this.knownUsage = usage;
  }

  /** A report came that cannot be true. */
  get usageIsInvalid(): boolean {
    this.readLate();
    return this.knownIsInvalid;
  }

  set usageIsInvalid(isInvalid: boolean) {
    this.knownIsInvalid = isInvalid;
  }

  /** A signature or an encrypted block: reasoning that is not shown. */
  protected takeSealed(bytes: number): void {
    if (bytes <= 0) return;
    this.mayHideReasoning = true;
    this.produced.sealedBytes += bytes;
  }

  /** A report of the vendor's; a later one replaces an earlier one. @returns whether there is one */
  protected takeUsage(usage: Usage | 'invalid' | undefined): boolean {
    if (usage === undefined) return false;
    this.usageIsInvalid = usage === 'invalid';
    if (usage !== 'invalid') this.usage = usage;
    return true;
  }

  /** Usage that the vendor reported of a reply that is no answer: kept for the operator, never charged. Undefined = none. */
  get billedUsage(): Usage | undefined {
    return undefined;
  }

  /** For meters of vendors that report in every event: the last report may wait here until it is read. */
  protected readLate(): void {
    // Most meters keep nothing waiting.
  }

  /** The reply ended as if it were complete, with nothing in it: no output is reported, and yet something was used. */
  get endedInSilence(): boolean {
    if (!this.hasFinish || this.hasOutput) return false;
    const { usage } = this;
    // A report of no use is honoured: such an answer costs nothing.
    return usage === undefined || (usage.output.total === 0 && usage.input.total !== 0);
  }

  /** Before a document is read. */
  protected beginDocument(): void {
    this.sawContent = false;
    this.sawStop = false;
  }

  /**
   * The answer names the reason of its end. A mere "stop" after nothing proves nothing, nor does a word of no table; any other reason does.
   * @param isProof  the vendor's word proves an answer although it stands for a stop
   */
  protected takeFinish(
    reason: FinishReason['unified'],
    isProof = reason !== 'stop' && reason !== 'other',
  ): void {
    this.hasFinish = true;
    this.unifiedFinish = reason;
    if (isProof) this.sawContent = true;
    else this.sawStop = true;
  }

  /**
   * Passes an unknown member of an answer. A member with content proves an answer, though its tokens cannot be counted: to call
   * such an answer empty, and ask again, would be paid for twice.
   */
  protected takeUnknown(cursor: JsonCursor): void {
    cursor.peek();
    const from = cursor.at;
    if (!cursor.skipValue() || !hasContentAt(cursor.bytes, from, cursor.at)) return;
    this.sawContent = true;
    this.hasUnread = true;
  }

  /** After a document: the end of an answer proves it. */
  protected endDocument(): void {
    this.hasOutput ||= this.sawContent;
    if (this.sawStop && this.hasOutput) this.sawContent = true;
  }

  /** Returns true when the whole reply is an answer: it has content, or ended for a reason. */
  protected get isProvenAnswer(): boolean {
    return this.sawContent || (this.hasFinish && !this.endedInSilence);
  }

  /**
   * Our own count, for replies that are not measured in text (images, seconds of audio): charged when the vendor gave no
   * valid report. Undefined = the text produced is counted.
   */
  ownCount(): Usage | undefined {
    return undefined;
  }

  /** Basis of our own count where the reply does not show it; empty = it does. */
  get ownCountReason(): string {
    return '';
  }

  /**
   * For formats that have streams.
   * @param name  the frame's own name, from framings that have one beside the data; else empty
   */
  readEvent(_data: Buffer, _start: number, _end: number, _name: string): EventVerdict {
    return 'malformed';
  }

  abstract readWhole(body: Buffer): WholeVerdict;
  /** A piece of a reply of the `bytes` form. */
  readBytes(_chunk: Buffer): void {
    throw new Error('This format has no replies of bytes.');
  }
  /** The end of a reply of the `bytes` form. */
  finishBytes(): WholeVerdict {
    throw new Error('This format has no replies of bytes.');
  }
}
