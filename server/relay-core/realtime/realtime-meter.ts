import { boundedOutput } from '../model/report-bound.js';
import { sumUsage } from '../model/sum-usage.js';
import type { Evidence, Usage } from '../model/usage.js';
import { documentOf, listOf, numberOf, textOf, type Document } from '../formats/shared/fields/json-fields.js';
import type { Estimate } from '../formats/contract/produced-text.js';
import { readTokenUsage } from '../formats/shared/metering/token-usage.js';
import { type AskedResponse, AskedResponses } from './asked-responses.js';
import { Conversation, sumInput } from './conversation.js';
import { addItem, type ItemSize, newItemSize } from './item-size.js';
import { RealtimeFrame, type FrameFault } from './realtime-frame.js';
import { OpenResponses } from './open-responses.js';
import type { ResponseCount } from './response-count.js';
import { formatsIn, outputCapIn, SessionSettings, transcriptionIn } from './session-settings.js';
import { asPcm, heardTokens, PCM_BYTES_PER_SECOND } from './sound-length.js';
import { Transcripts } from './transcripts.js';

/** No session holds more; a larger report is a lie. */
const MAX_INPUT_TOKENS = 1_000_000;
/** Output one response is held for without a cap: about a minute and a half of speech. */
const ANSWER_TOKENS = 2_000;
/** Turns that wait for an answer, where sound was sent ahead. */
const MAX_TURNS = 64;
/** A tenth of a second: no vendor takes less for a turn. */
const SHORTEST_TURN_BYTES = PCM_BYTES_PER_SECOND / 10;
const NOTHING: Usage = { input: { total: 0 }, output: { total: 0 } };

/** What a frame of the upstream is to the session. */
export type RealtimeVerdict =
  'response-done' | 'transcript-done' | 'settings' | 'error' | 'content' | 'other' | 'beyond-limits';

/** Facts of the models of a session. */
export interface MeteredModels {
  /** Name that callers know the session's model by. */
  readonly model?: string | undefined;
  /** Largest answer of the model that serves it, in tokens; undefined = unknown. */
  readonly largestAnswer?: number | undefined;
  /** The session is priced by the response, not by the token. */
  readonly countsUnits?: boolean | undefined;
}

/**
 * Counts what a realtime session uses, frame by frame and response by response. The vendor's report of a response is taken
 * up to what the request allows; else what that response was seen to read and to bring. Sound is measured by its length, never
 * decoded; nothing is kept but counters and the requests that wait.
 */
export class RealtimeMeter {
  /** Responses that ended. */
  responses = 0;
  /** Responses whose figures are our own. */
  counted = 0;
  /** Responses that were reported above what the request allows. */
  boundedResponses = 0;
  /** What the frame read last says went wrong, as a vendor's error document; undefined = nothing. */
  failure: Document | undefined;
  readonly settings = new SessionSettings();
  readonly transcripts: Transcripts;
  private unaskedResponses = 0;
  private settled: Usage = NOTHING;
  private readonly conversation: Conversation;
  private readonly asked = new AskedResponses();
  private readonly open: OpenResponses;
  /** Bytes of sound when the vendor last began a response by itself. */
  private answeredBytes = 0;
  /** Ends of turns without an answer, in bytes of all sound. */
  private readonly turnEnds: number[] = [];
  /** A tool the vendor runs has answered: it may go on by itself. */
  private mayGoOn = false;
  /** Requests read before they pass; a refused frame is not kept for it. */
  private readonly read = new WeakMap<RealtimeFrame, AskedResponse>();

  constructor(
    estimate: Estimate,
    private readonly models: MeteredModels = {},
  ) {
    this.conversation = new Conversation(estimate, this.settings);
    this.transcripts = new Transcripts(estimate, this.settings);
    this.open = new OpenResponses({
      estimate,
      begin: (response) => this.begin(response),
      settle: (response) => this.settleOwn(response),
    });
  }

  /** A response is being made. */
  get isResponding(): boolean {
    return this.open.isResponding;
  }

  /** A response is being made, or a request for one waits. */
  get isWorking(): boolean {
    return this.isResponding || this.asked.all.length > 0;
  }

  /** Requests whose response has not begun. */
  get waitingResponses(): number {
    return this.asked.all.length;
  }

  /** Reports of responses and transcripts above their bound. */
  get bounded(): number {
    return this.boundedResponses + this.transcripts.bounded;
  }

  /** Responses and transcripts the vendor began by itself. */
  get unasked(): number {
    return this.unaskedResponses + this.transcripts.unasked;
  }

  /** Bytes of PCM in all sound so far. */
  get heardBytes(): number {
    return this.conversation.heardBytes;
  }

  /** @returns why it must not be passed on, or that it cannot be read here */
  readClient(bytes: Buffer, frame = RealtimeFrame.read(bytes)): FrameFault | 'unreadable' | undefined {
    if (frame.fault !== undefined) return frame.fault;
    if (!frame.isReadable) return 'unreadable';
    switch (frame.type) {
      case 'input_audio_buffer.append':
        this.hear(frame);
        break;
      case 'input_audio_buffer.commit':
        this.transcripts.commitByClient(textOf(frame.members['event_id']));
        break;
      case 'session.update':
      case 'transcription_session.update':
        this.conversation.addSent(frame.textBytes);
        this.readSession(documentOf(frame.members['session']));
        break;
      case 'conversation.item.create':
        this.conversation.addSent(frame.textBytes);
        // Sound of an item is no part of the buffer: it is not transcribed.
        this.conversation.heardBytes += this.soundIn(frame);
        this.conversation.add(this.sizeOf(frame.members['item']));
        break;
      case 'response.create':
        this.conversation.addSent(frame.textBytes);
        this.asked.add(this.askedIn(frame));
        break;
      default:
    }
    return undefined;
  }

  readServer(bytes: Buffer, frame = RealtimeFrame.readServer(bytes)): RealtimeVerdict {
    this.failure = undefined;
    if (frame.fault !== undefined) return 'beyond-limits';
    switch (frame.type) {
      case 'response.created':
        this.open.announce(idIn(frame));
        return 'other';
      case 'response.audio.delta':
      case 'response.output_audio.delta':
      case 'response.text.delta':
      case 'response.output_text.delta':
      case 'response.audio_transcript.delta':
      case 'response.output_audio_transcript.delta':
      case 'response.function_call_arguments.delta':
      case 'response.mcp_call_arguments.delta':
        this.countPiece(this.open.pieceOf(frame.responseId), frame);
        return 'content';
      // Interpreters speak all the time, without responses.
      case 'session.output_audio.delta':
      case 'session.output_transcript.delta':
        this.countPiece(this.open.interpreter(this.wholeInput), frame);
        return 'content';
      case 'session.created':
      case 'session.updated':
      case 'transcription_session.created':
      case 'transcription_session.updated':
        this.settings.readServer(documentOf(frame.members['session']));
        this.conversation.confirm(documentOf(frame.members['session']));
        return 'settings';
      case 'response.done':
        this.failure = failureIn(documentOf(frame.members['response']));
        return this.finishResponse(documentOf(frame.members['response']), idIn(frame))
          ? 'response-done'
          : 'other';
      case 'error':
        this.failure = frame.members;
        this.withdraw(documentOf(frame.members['error']));
        return 'error';
      default:
        return this.readTranscript(frame);
    }
  }

  private readTranscript(frame: RealtimeFrame): RealtimeVerdict {
    switch (frame.type) {
      case 'conversation.item.input_audio_transcription.delta':
        this.transcripts.piece(frame.itemId, frame.bytes, frame.delta.from, frame.delta.to);
        return 'content';
      case 'response.mcp_call.completed':
        this.mayGoOn = this.conversation.namesMore;
        return 'other';
      case 'input_audio_buffer.speech_started':
        this.transcripts.beginTurn(numberOf(frame.members['audio_start_ms']) ?? 0, this.heardBytes);
        return 'other';
      case 'input_audio_buffer.speech_stopped':
        this.endTurn(numberOf(frame.members['audio_end_ms']));
        return 'other';
      case 'input_audio_buffer.committed':
        this.transcripts.commitByVendor(frame.itemId);
        return 'other';
      case 'conversation.item.input_audio_transcription.completed':
        return this.transcripts.finish(frame.itemId, frame.members) ? 'transcript-done' : 'other';
      case 'conversation.item.input_audio_transcription.failed':
        this.transcripts.fail(frame.itemId);
        return 'other';
      default:
        return 'other';
    }
  }

  /** Everything so far that the session's own price is for; what is not reported yet by our own count. */
  usage(): Usage {
    let all = sumUsage(this.settled, this.transcripts.usageOf(this.isOwnModel));
    for (const response of this.open.unreported())
      all = sumUsage(all, response.usage(this.conversation.context));
    for (const { input } of this.asked.all) all = sumUsage(all, { input, output: { total: 0 } });
    return this.withUnits(all, 0);
  }

  /**
   * Estimates the usage once everything that is open, and what may begin, has been answered.
   * @param next      the request for a response, the end of a turn by the vendor, or by the client
   * @param pcmBytes  sound that is about to be added
   */
  forecast(
    next: RealtimeFrame | 'turn' | 'transcript',
    pcmBytes = 0,
  ): { readonly sound: Usage; readonly words: Usage } {
    let all = sumUsage(this.settled, this.transcripts.usageOf(this.isOwnModel));
    let answers = 0;
    let begun = 0;
    for (const response of this.open.unreported()) {
      const usage = response.usage(this.conversation.context);
      all = sumUsage(all, usage);
      answers += Math.max(0, this.capOf(response.asked) - (usage.output.total ?? 0));
    }
    const waiting = [...this.asked.all];
    if (next instanceof RealtimeFrame) waiting.push(this.askedIn(next));
    for (const asked of waiting) {
      all = sumUsage(all, { input: asked.input, output: { total: 0 } });
      answers += this.capOf(asked);
      begun += 1;
    }
    if (next === 'turn') {
      const more = heardTokens(pcmBytes);
      const input = sumInput(this.conversation.reading(), { total: more, audio: more });
      all = sumUsage(all, { input, output: { total: 0 } });
      answers += this.capOf(undefined);
      begun += 1;
    }
    const { isTranscribing, transcriptionModel } = this.settings;
    if (!(next instanceof RealtimeFrame) && isTranscribing && this.isOwnModel(transcriptionModel))
      all = sumUsage(all, this.transcripts.forecast(pcmBytes));
    const counted = this.withUnits(all, begun);
    return {
      sound: sumUsage(counted, { input: { total: 0 }, output: { total: answers, audio: answers } }),
      words: sumUsage(counted, { input: { total: 0 }, output: { total: answers } }),
    };
  }

  /** Nothing was used, or everything by the vendor's report, or some of it by our own count or up to a bound. */
  evidence(): Evidence {
    const { input, output } = this.usage();
    if (input.total === 0 && output.total === 0) return 'none';
    if (this.boundedResponses + this.transcripts.countsOf(this.isOwnModel).bounded > 0) return 'bounded';
    const isCounted = this.counted > 0 || this.open.hasUnreported || this.asked.all.length > 0;
    return isCounted || this.transcripts.countsOf(this.isOwnModel).counted > 0 ? 'counted' : 'reported';
  }

  /** Forgets the requests that wait: the vendor left, so they cost nothing. */
  dropAsked(): void {
    this.asked.drop();
  }

  /** True of a transcribing model whose work is part of the session: the session's own, or one without a name. */
  readonly isOwnModel = (model: string | undefined): boolean =>
    model === undefined || model === this.models.model;

  private readonly wholeInput = (): Usage['input'] => this.conversation.whole();

  private withUnits(usage: Usage, begun: number): Usage {
    if (this.models.countsUnits !== true) return usage;
    let units = this.responses + begun + this.asked.all.length * (begun === 0 ? 1 : 0);
    for (const response of this.open.unreported()) if (response.isExpected) units += 1;
    return { ...usage, units: Math.max(1, units) };
  }

  private capOf(asked: AskedResponse | undefined): number {
    return this.capSentFor(asked) ?? ANSWER_TOKENS;
  }

  private capSentFor(asked: AskedResponse | undefined): number | undefined {
    return asked?.cap === undefined ? this.settings.outputCap : (asked.cap ?? undefined);
  }

  /** Sound in an event of the client, in bytes of PCM. */
  soundIn(frame: RealtimeFrame): number {
    return asPcm(frame.audioLength, this.settings.heardBytesPerSecond);
  }

  private hear(frame: RealtimeFrame): void {
    const heard = this.soundIn(frame);
    this.conversation.heardBytes += heard;
    this.transcripts.hear(heard);
  }

  private countPiece(response: ResponseCount | undefined, { bytes, delta, isSpoken }: RealtimeFrame): void {
    if (response === undefined) return;
    if (isSpoken) response.spokenBytes += asPcm(delta.to - delta.from, this.spokenRateOf(response));
    else response.text.append(bytes, delta.from, delta.to);
  }

  /** Bytes a second of its sound: the format of the request or of the session, whichever is slower. */
  private spokenRateOf({ asked }: ResponseCount): number {
    const own = asked?.spokenBytesPerSecond ?? Number.POSITIVE_INFINITY;
    return Math.min(own, this.settings.spokenBytesPerSecond);
  }

  /** The client's request that an event makes. */
  private askedIn(frame: RealtimeFrame): AskedResponse {
    const known = this.read.get(frame);
    if (known !== undefined) return known;
    const asked = this.readAsked(frame);
    this.read.set(frame, asked);
    return asked;
  }

  private readAsked(frame: RealtimeFrame): AskedResponse {
    const response = documentOf(frame.members['response']);
    const setUp = this.conversation.setUpIn(response);
    const items = this.sizeOf(response['input']);
    const heardBytes = this.soundIn(frame);
    const hasOwn = Array.isArray(response['input']) || items.texts.length > 0;
    const own = this.conversation.readingOf(setUp, items, heardBytes);
    const all = this.conversation.reading(setUp);
    return {
      eventId: textOf(frame.members['event_id']),
      cap: outputCapIn(response),
      spokenBytesPerSecond: formatsIn(response).spoken,
      isApart: response['conversation'] === 'none' || hasOwn,
      setUp,
      readsConversation: !hasOwn,
      own: { images: items.images, heardBytes },
      // Items that are named stand in the conversation.
      input: !hasOwn ? all : items.isReference ? sumInput(own, all) : own,
    };
  }

  private sizeOf(items: unknown): ItemSize {
    const size = newItemSize();
    addItem(size, items);
    return size;
  }

  /** Begins a response: the client requested it, or the vendor answers a turn. */
  private begin(response: ResponseCount): void {
    const until = this.nextTurnEnd();
    const isTurn = this.mayGoOn || until - this.answeredBytes >= SHORTEST_TURN_BYTES;
    const asked = this.asked.begin(isTurn);
    response.mark = this.conversation.mark();
    if (asked === undefined && !isTurn) return;
    response.isExpected = true;
    response.asked = asked;
    const readsConversation = asked?.readsConversation !== false;
    const input = readsConversation ? this.conversation.reading(asked?.setUp) : asked.input;
    response.input = () => input;
    if (asked === undefined) {
      this.answeredBytes = until;
      this.mayGoOn = false;
      this.unaskedResponses += 1;
    }
    response.isUnnamed = readsConversation && this.conversation.context === undefined;
  }

  /** The vendor refused an event of the client. */
  private withdraw(error: Document): void {
    if (!this.transcripts.withdrawCommit(error)) this.asked.withdraw(textOf(error['event_id']));
  }

  /** The vendor heard the end of a turn; sound may have been sent ahead. @param ms  since the beginning of all sound */
  private endTurn(ms: number | undefined): void {
    if (ms === undefined || ms < 0) return;
    const end = Math.min(this.heardBytes, (ms / 1_000) * PCM_BYTES_PER_SECOND);
    this.transcripts.endTurn(this.heardBytes - end);
    const last = this.turnEnds.at(-1) ?? this.answeredBytes;
    if (end - last >= SHORTEST_TURN_BYTES && this.turnEnds.length < MAX_TURNS) this.turnEnds.push(end);
  }

  /** The end of the first turn that has no answer, in bytes of all sound; without one, all that was heard. */
  private nextTurnEnd(): number {
    while ((this.turnEnds[0] ?? Number.POSITIVE_INFINITY) <= this.answeredBytes) this.turnEnds.shift();
    return this.turnEnds[0] ?? this.heardBytes;
  }

  /** @returns false when its end was reported before */
  private finishResponse(document: Document, id: string): boolean {
    const response = this.open.finish(id);
    if (response === undefined) return false;
    // A vendor that sends no pieces delivers everything at the end.
    if (!response.hasOutput)
      for (const item of listOf(document['output']))
        response.text.appendText(this.sizeOf(item).texts.join(' '));
    const report = documentOf(document['usage']);
    const usage = Object.keys(report).length === 0 ? undefined : readTokenUsage(report);
    const isUsable =
      !response.isLate &&
      usage !== undefined &&
      usage !== 'invalid' &&
      ((usage.output.total ?? 0) > 0 || !response.hasOutput);
    this.open.remember(id, isUsable);
    if (isUsable) this.settleReport(response, document, usage);
    // Vendors do not charge what failed before it delivered anything.
    else if (document['status'] === 'failed' && !response.hasOutput) this.responses += 1;
    else this.settleOwn(response);
    return true;
  }

  /** Charges what the vendor reports, as far as the request allows it. */
  private settleReport(response: ResponseCount, document: Document, usage: Usage): void {
    const own = response.usage(this.conversation.context);
    const ownOutput = own.output.total ?? 0;
    const { tokens, isBounded } = boundedOutput({
      reportedOutput: usage.output.total ?? 0,
      reportedReasoning: reasoningIn(document),
      capSent: this.capSentFor(response.asked),
      choices: 1,
      ownCount: ownOutput,
      largestAnswer: this.models.largestAnswer,
      isReasoningBesideCap: false,
    });
    const isInputBelieved = (usage.input.total ?? 0) <= this.mostInput(response);
    const input = isInputBelieved ? this.conversation.believed(usage.input, response.asked?.own) : own.input;
    const output = response.isExpected ? tokens : Math.min(usage.output.total ?? 0, ownOutput);
    const isOutputWhole = !isBounded && output === usage.output.total;
    this.settled = sumUsage(this.settled, {
      ...usage,
      input,
      output: isOutputWhole ? usage.output : { ...own.output, total: output },
    });
    if (input !== usage.input || !isOutputWhole) this.boundedResponses += 1;
    this.responses += 1;
    this.joinConversation(response, document, isInputBelieved ? input : undefined, output);
  }

  private mostInput({ isExpected, asked }: ResponseCount): number {
    if (!isExpected) return 0;
    const { images, heardBytes } = asked?.own ?? { images: 0, heardBytes: 0 };
    return Math.min(MAX_INPUT_TOKENS, this.conversation.most(images, heardBytes));
  }

  /** Adds its input and its answer to what the next response reads. */
  private joinConversation(
    { mark, asked, output: { audio } }: ResponseCount,
    document: Document,
    input: Usage['input'] | undefined,
    total: number,
  ): void {
    // One beside the conversation says nothing about what the others read.
    if (document['conversation_id'] === null || asked?.isApart === true) return;
    if (mark !== undefined && (input?.total ?? 0) > 0) this.conversation.name(input as Usage['input'], mark);
    this.conversation.addAnswer({ total, audio: Math.min(audio, total) });
  }

  private settleOwn(response: ResponseCount): void {
    const own = response.usage(this.conversation.context);
    this.settled = sumUsage(this.settled, own);
    if ((own.input.total ?? 0) + (own.output.total ?? 0) > 0) this.counted += 1;
    this.responses += 1;
    if (response.asked?.isApart !== true) this.conversation.addAnswer(own.output);
  }

  private readSession(session: Document): void {
    this.conversation.setUp(session);
    this.settings.readClient(session);
    this.transcripts.setPrompt(transcriptionIn(session)?.['prompt']);
  }
}

/** Why a response failed; undefined = it did not, or the vendor gave no reason. */
function failureIn(response: Document): Document | undefined {
  if (response['status'] !== 'failed') return undefined;
  const error = documentOf(documentOf(response['status_details'])['error']);
  return Object.keys(error).length === 0 ? undefined : { error };
}

/** Reasoning that a vendor reports apart. */
function reasoningIn(response: Document): number {
  const usage = documentOf(response['usage']);
  const details = documentOf(usage['output_token_details'] ?? usage['output_tokens_details']);
  const tokens = numberOf(details['reasoning_tokens']) ?? 0;
  return Number.isSafeInteger(tokens) && tokens > 0 ? tokens : 0;
}

/** The response an announcement or an end speaks of; empty = it has no name. */
const idIn = (frame: RealtimeFrame): string =>
  textOf(documentOf(frame.members['response'])['id']) ?? frame.responseId;
