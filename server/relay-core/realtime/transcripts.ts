import { sumUsage } from '../model/usage.js';
import { boundedOutput, TOKENS_PER_OWN_TOKEN } from '../model/report-bound.js';
import type { Usage } from '../model/usage.js';
import { documentOf, numberOf, textOf, type Document } from '../formats/shared/fields/json-fields.js';
import type { Estimate } from '../formats/contract/produced-text.js';
import { readTokenUsage } from '../formats/shared/metering/reported-usage.js';
import { CountedText } from './counted-text.js';
import type { SessionSettings } from './session-settings.js';
import { heardTokens, PCM_BYTES_PER_SECOND, secondsOf, transcribedTokens } from './sound-length.js';

/** Turns that wait for their transcript; a vendor writes one while the next one comes. */
const MAX_OPEN = 64;
/** Transcripts that are remembered, so that one reported twice is charged once. */
const MAX_REMEMBERED = 4_096;
/** Vendors transcribe a little more than the sound of a turn, and count sound in their own way. */
const HEARD_SLACK = 1.25;
const MORE_SECONDS = 1;
/** Tokens of speech in a second, of the fastest speaker in the language with the most tokens. */
const MOST_WRITTEN_PER_SECOND = 50;
/** OpenAI's code for a commit without sound. */
const EMPTY_COMMIT = 'input_audio_buffer_commit_empty';
/** No vendor's id begins with a blank. */
const UNNAMED = ' ';
const NOTHING: Usage = { input: { total: 0 }, output: { total: 0 } };

/** A turn whose sound was committed, or whose transcript began. */
interface OpenItem {
  readonly model: string | undefined;
  readonly heardBytes: number;
  /** The transcript so far, where it comes in pieces. */
  readonly text: CountedText;
  /** The client asked for it, or the vendor committed it while it transcribes. */
  readonly isExpected: boolean;
  /** Id the client gave its commit; undefined = none, or the vendor committed it. */
  readonly eventId: string | undefined;
}

/** Transcripts: how many, and how many of them by our own count, and by a report above its bound. */
export interface TranscriptCounts {
  readonly all: number;
  readonly counted: number;
  readonly bounded: number;
}

/** Transcripts of one model. */
interface ModelTranscripts {
  settled: Usage;
  done: number;
  counted: number;
  bounded: number;
}

/**
 * Speech of callers, written down by a model beside the session's own: the vendor charges it whether or not a response follows.
 * Counted turn by turn and model by model. A report is believed up to the sound of its turn; a turn whose transcript was cut costs its
 * sound and the text that came.
 */
export class Transcripts {
  /** Reports above their bound, of all models. */
  bounded = 0;
  /** Turns the vendor began to transcribe that no event of the client asked for. */
  unasked = 0;
  private readonly open = new Map<string, OpenItem>();
  private readonly ended = new Set<string>();
  private readonly models = new Map<string | undefined, ModelTranscripts>();
  private heardBytes = 0;
  /** Part of it that came after the end of the turn about to be committed; undefined = the vendor named no end. */
  private afterTurn: number | undefined;
  private unnamed = 0;
  private promptBytes = 0;

  constructor(
    private readonly estimate: Estimate,
    private readonly settings: SessionSettings,
  ) {}

  /** Sound was sent that belongs to no turn yet. */
  hear(pcmBytes: number): void {
    this.heardBytes += pcmBytes;
    if (this.afterTurn !== undefined) this.afterTurn += pcmBytes;
  }

  /** A turn ended: sound that was sent ahead belongs to the next one. */
  endTurn(bytesAfter: number): void {
    this.afterTurn = Math.min(this.heardBytes, bytesAfter);
  }

  /** A turn began: the silence before it is no part of it. @param startMs  since the beginning of all sound that was sent */
  beginTurn(startMs: number, allPcmBytes: number): void {
    const turnBytes = allPcmBytes - (startMs / 1_000) * PCM_BYTES_PER_SECOND;
    if (turnBytes < 0) return;
    this.heardBytes = Math.min(this.heardBytes, turnBytes);
    this.afterTurn = undefined;
  }

  /** Sets the prompt of the transcribing model. */
  setPrompt(prompt: unknown): void {
    this.promptBytes = Math.max(this.promptBytes, Buffer.byteLength(textOf(prompt) ?? ''));
  }

  /** The client commits its sound: where transcription is on, it is transcribed. */
  commitByClient(eventId: string | undefined): void {
    // A turn that is not transcribed takes its sound along.
    if (!this.settings.isTranscribing) {
      this.heardBytes = 0;
      this.afterTurn = undefined;
      return;
    }
    this.unnamed += 1;
    this.begin(`${UNNAMED}${this.unnamed}`, true, eventId);
  }

  /**
   * The vendor refused an event. Where it was a commit, its sound belongs to the next turn.
   * @returns true when it was a commit
   */
  withdrawCommit(error: Document): boolean {
    const eventId = textOf(error['event_id']);
    const isEmpty = error['code'] === EMPTY_COMMIT;
    if (eventId === undefined && !isEmpty) return false;
    for (const [name, item] of this.open) {
      if (!name.startsWith(UNNAMED) || (eventId !== undefined && item.eventId !== eventId)) continue;
      this.open.delete(name);
      this.heardBytes += item.heardBytes;
      return true;
    }
    return isEmpty;
  }

  /** The vendor committed the sound of a turn, which has a name from now on. */
  commitByVendor(id: string): void {
    if (!this.settings.isTranscribing || id === '' || this.ended.has(id) || this.open.has(id)) return;
    // An update of the client may have been confirmed since its commit.
    if (this.nameOldest(id, this.settings.transcriptionModel)) return;
    this.unasked += 1;
    this.begin(id, true);
  }

  piece(id: string, bytes: Buffer, from: number, to: number): void {
    if (id !== '' && this.ended.has(id)) return;
    this.itemOf(id).text.append(bytes, from, to);
  }

  /** A transcript is complete. @returns false when its end was reported before */
  finish(id: string, frame: Document): boolean {
    if (id !== '' && this.ended.has(id)) return false;
    const item = this.itemOf(id);
    this.close(id);
    this.settle(item, documentOf(frame['usage']), this.writtenIn(item, textOf(frame['transcript']) ?? ''));
    return true;
  }

  /** A turn could not be transcribed: only what came of it is charged. */
  fail(id: string): void {
    const item = this.open.get(id);
    if (item === undefined) return;
    this.close(id);
    const written = item.text.tokens();
    if (written > 0) this.charge(item.model, this.ownCount(item, written), 'counted');
  }

  /** Usage of these models, cut transcripts included. */
  usageOf(isOf: (model: string | undefined) => boolean): Usage {
    let sum = NOTHING;
    for (const [model, { settled }] of this.models) if (isOf(model)) sum = sumUsage(sum, settled);
    for (const item of this.open.values())
      if (isOf(item.model)) sum = sumUsage(sum, this.ownCount(item, item.text.tokens()));
    return sum;
  }

  /** Transcripts of these models: how many there were, and how many of them by our own count or cut. */
  countsOf(isOf: (model: string | undefined) => boolean): TranscriptCounts {
    let all = 0;
    let bounded = 0;
    let counted = 0;
    for (const [model, transcripts] of this.models) {
      if (!isOf(model)) continue;
      all += transcripts.done;
      counted += transcripts.counted;
      bounded += transcripts.bounded;
    }
    for (const { model } of this.open.values()) {
      if (!isOf(model)) continue;
      all += 1;
      counted += 1;
    }
    return { all, counted, bounded };
  }

  /** Estimates the transcript of the sound that belongs to no turn yet. @param pcmBytes  sound that is about to be added */
  forecast(pcmBytes: number): Usage {
    const bytes = this.heardBytes + pcmBytes;
    const tokens = heardTokens(bytes) + this.promptBytes;
    return {
      input: { total: tokens, audio: tokens },
      output: { total: transcribedTokens(secondsOf(bytes)) },
    };
  }

  private itemOf(id: string): OpenItem {
    const known = this.open.get(id);
    if (known !== undefined) return known;
    if (this.nameOldest(id)) return this.open.get(id) as OpenItem;
    return this.begin(id, false);
  }

  /** Sound that a client committed waits under no name until the vendor gives it one. */
  private nameOldest(id: string, model?: string): boolean {
    for (const [name, item] of this.open) {
      if (!name.startsWith(UNNAMED)) continue;
      this.open.delete(name);
      this.open.set(id, { ...item, model: model ?? item.model });
      return true;
    }
    return false;
  }

  private begin(id: string, isExpected: boolean, eventId?: string): OpenItem {
    if (this.open.size >= MAX_OPEN) this.settleOldest();
    const after = this.afterTurn ?? 0;
    const item: OpenItem = {
      model: this.settings.transcriptionModel,
      heardBytes: this.heardBytes - after,
      text: new CountedText(this.estimate),
      isExpected,
      eventId,
    };
    this.heardBytes = after;
    this.afterTurn = undefined;
    this.open.set(id, item);
    return item;
  }

  private close(id: string): void {
    this.open.delete(id);
    if (id === '') return;
    this.ended.add(id);
    if (this.ended.size <= MAX_REMEMBERED) return;
    for (const oldest of this.ended) {
      this.ended.delete(oldest);
      return;
    }
  }

  private settleOldest(): void {
    for (const [id, item] of this.open) {
      this.close(id);
      this.charge(item.model, this.ownCount(item, item.text.tokens()), 'counted');
      return;
    }
  }

  private settle(item: OpenItem, report: Document, written: number): void {
    const own = this.ownCount(item, written);
    const named = this.reported(item.model, report);
    if (named === undefined) return this.charge(item.model, own, 'counted');
    const { tokens, isBounded } = boundedOutput({
      reportedOutput: named.output.total ?? 0,
      reportedReasoning: 0,
      capSent: undefined,
      choices: 1,
      ownCount: written,
      largestAnswer: undefined,
      isReasoningBesideCap: false,
    });
    // A turn has no more words than its sound has room for; without sound what came is all there is.
    const isTooMuch = tokens > written * TOKENS_PER_OWN_TOKEN + this.mostUnseen(item);
    const output = item.heardBytes === 0 || isTooMuch ? Math.min(tokens, written) : tokens;
    const isInputBounded = (named.input.total ?? 0) > this.most(item);
    const usage: Usage = {
      input: isInputBounded ? own.input : named.input,
      output: { total: output },
    };
    const isWhole = !isInputBounded && !isBounded && output === named.output.total;
    this.charge(item.model, usage, isWhole ? 'reported' : 'bounded');
  }

  /** The vendor's figures; undefined = none, or none that can be true. */
  private reported(model: string | undefined, report: Document): Usage | undefined {
    if (report['type'] === 'duration') {
      const seconds = numberOf(report['seconds']);
      if (seconds === undefined || seconds <= 0) return undefined;
      return { input: { total: transcribedTokens(seconds) }, output: { total: 0 } };
    }
    const usage = readTokenUsage(report);
    if (usage === undefined || usage === 'invalid') return undefined;
    // Far cheaper than the sound of the session: its tokens are text where no price of its own is known.
    return model === undefined
      ? { input: { total: usage.input.total }, output: { total: usage.output.total } }
      : usage;
  }

  /** Most input tokens that may truly be reported for a turn: no number of the client lowers it. */
  private most({ heardBytes }: OpenItem): number {
    if (heardBytes === 0) return 0;
    const longest = (heardBytes * PCM_BYTES_PER_SECOND) / this.settings.slowestBytesPerSecond;
    const seconds = secondsOf(longest) * HEARD_SLACK + MORE_SECONDS;
    return heardTokens(seconds * PCM_BYTES_PER_SECOND) + this.promptBytes;
  }

  /** Most tokens that may be reported beside those of the text that came. */
  private mostUnseen({ heardBytes }: OpenItem): number {
    if (heardBytes === 0) return 0;
    const seconds = secondsOf((heardBytes * PCM_BYTES_PER_SECOND) / this.settings.slowestBytesPerSecond);
    return Math.ceil((seconds + MORE_SECONDS) * MOST_WRITTEN_PER_SECOND);
  }

  private writtenIn(item: OpenItem, transcript: string): number {
    return Math.max(item.text.tokens(), transcript === '' ? 0 : this.estimate(transcript));
  }

  /** Counts only the text of a transcript without a request. */
  private ownCount({ heardBytes, isExpected }: OpenItem, written: number): Usage {
    const heard = isExpected ? transcribedTokens(secondsOf(heardBytes)) : 0;
    return { input: { total: heard }, output: { total: written } };
  }

  private charge(model: string | undefined, usage: Usage, by: 'reported' | 'counted' | 'bounded'): void {
    const transcripts = this.models.get(model) ?? { settled: NOTHING, done: 0, counted: 0, bounded: 0 };
    transcripts.settled = sumUsage(transcripts.settled, usage);
    transcripts.done += 1;
    const isNothing = (usage.input.total ?? 0) + (usage.output.total ?? 0) === 0;
    if (by !== 'reported' && !isNothing) transcripts[by] += 1;
    if (by === 'bounded') this.bounded += 1;
    this.models.set(model, transcripts);
  }
}
