import type { FinishReason } from '../../model/finish-reason.js';
import type { AcceptedTask } from '../../model/task.js';
import type { Usage } from '../../model/usage.js';
import type { JsonCursor } from '../../framing/json-cursor.js';
import { ProducedText } from './produced-text.js';
import { hasContentAt } from './unknown-content.js';

const QUOTE = 0x22;
export const ID_KEY = Buffer.from('id');

/**
 * What one event of a stream is to the relay:
 * `setup` may be forwarded but proves nothing yet; `content` proves that the upstream answers; `usage-only` carries
 * figures and nothing else; `end` is the format's end marker; `error` is a failure inside the stream; `malformed` cannot
 * be read; `silent` has no data.
 */
export type EventVerdict = 'setup' | 'content' | 'usage-only' | 'end' | 'error' | 'malformed' | 'silent';

/**
 * An id in an answer, by which a later request names what the vendor keeps. `always`: it keeps that in any case; `stored`: unless it
 * was asked not to store the answer; `asked`: only where the request asks to have it kept, for diagnostics or a thread.
 */
export interface IssuedId {
  readonly id: string;
  readonly kept: 'always' | 'stored' | 'asked';
}

/** More in one answer are not remembered. */
const MAX_HANDED_OUT = 512;
const MAX_ID_LENGTH = 512;

/** What a mended document needs to know of the reply it is of. */
export interface RepairFacts {
  /** Tools were called so far. */
  readonly hasToolCalls: boolean;
  /** Places of the calls this event's entries of `tool_calls` belong to, those of all choices after each other. */
  readonly places: readonly number[];
  /** Calls that end with this event and had no arguments, by their choice. */
  readonly endedWithoutArguments: ReadonlyMap<number, readonly number[]>;
  /** It says why the answer ended, and more of it came. */
  readonly isEarlyEnd?: true;
}

/** What a whole reply is: an answer, a failure dressed as one, nothing at all, or not readable. */
export type WholeVerdict = 'answer' | 'error' | 'empty' | 'malformed';

/**
 * Reads from a reply's bytes what a charge needs: usage, what was produced, how it ended. Never makes objects of what
 * it only passes by. The same meter runs on the pass-through and on the translated path, so both charge alike.
 */
export abstract class ReplyMeter {
  readonly produced = new ProducedText();
  private knownUsage: Usage | undefined;
  private knownIsInvalid = false;
  /** At least one answer said why it stopped. */
  hasFinish = false;
  /** The event that ends the stream by protocol came, where that is an event like others: what follows adds nothing. */
  sawLastEvent = false;
  /** Why the last one that said so stopped, where the format has words for it. */
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
  /** The event that was read says why its answer, the only one, ended; and whether it brings a piece of it. Told by formats that mend. */
  endsHere = false;
  goesOn = false;
  /** A tool was called so far, where the format's ends do not say it by themselves. */
  hasToolCalls = false;
  /** The parsed document of an `error` verdict. */
  errorDocument: unknown;

  /** What was read says that the call failed. */
  protected failedWith(document: unknown): 'error' {
    this.errorDocument = document;
    return 'error';
  }

  get repairFacts(): RepairFacts {
    return { hasToolCalls: this.hasToolCalls, places: [], endedWithoutArguments: new Map() };
  }

  /** Class of service the vendor says it served the call in; undefined = its usual one. */
  serviceTier: string | undefined;

  /** What was taken on to be finished later; undefined = nothing, it is an answer. */
  task: AcceptedTask | undefined;

  /** The vendor's ids of an answer that it goes on with until it is told to stop; undefined = none, or none is known yet. */
  underWay: Readonly<Record<string, string>> | undefined;

  /** Behind the vendor's key stands an application that adds what it keeps (documents, instructions of its own) to what it is asked. */
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

  /** Pictures made, for prices per picture; undefined = the format makes none. */
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

  /** For meters of vendors that report in every event: the last report may wait here until somebody asks for it. */
  protected readLate(): void {
    // Most meters keep nothing waiting.
  }

  /** The reply ended as if it were complete, with nothing in it: no output is reported, and yet something was used. */
  get endedInSilence(): boolean {
    if (!this.hasFinish || this.hasOutput) return false;
    const { usage } = this;
    // A report that says nothing was used is honoured: such an answer costs nothing.
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
   * Passes a member of an answer that is not known here. What says something proves an answer, though nobody can count it: to call
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

  /** Whether the whole reply that was read is an answer: it has something in it, or ended for a reason. */
  protected get isProvenAnswer(): boolean {
    return this.sawContent || (this.hasFinish && !this.endedInSilence);
  }

  /**
   * Our own count, for replies that are not measured in text (pictures, seconds of sound): charged when the vendor gave no
   * valid report. Undefined = the text produced is counted.
   */
  ownCount(): Usage | undefined {
    return undefined;
  }

  /** What our own count stands for where that does not show in the reply; empty = it does. */
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
