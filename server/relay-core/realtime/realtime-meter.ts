import { boundedOutput } from '../model/report-bound.js';
import type { Evidence, Usage } from '../model/usage.js';
import { documentOf, listOf, numberOf, textOf, type Document } from '../formats/shared/fields/json-fields.js';
import type { Estimate } from '../formats/contract/produced-text.js';
import { readTokenUsage } from '../formats/shared/metering/reported-usage.js';
import { AskedResponses, capSentFor } from './asked-responses.js';
import { Conversation } from './conversation.js';
import { sizeOf } from './item-size.js';
import { RealtimeFrame, type FrameFault } from './realtime-frame.js';
import { OpenResponses } from './open-responses.js';
import { RequestReader } from './request-reader.js';
import type { ResponseCount } from './response-count.js';
import { failureIn, idIn, reasoningIn } from './response-report.js';
import { SessionSettings, transcriptionIn } from './session-settings.js';
import { type Forecast, type MeteredModels, type NextWork, SessionUsage } from './session-usage.js';
import { asPcm, PCM_BYTES_PER_SECOND } from './sound-length.js';
import { Transcripts } from './transcripts.js';
import { TurnEnds } from './turn-ends.js';

/** No session holds more; a larger report is a lie. */
const MAX_INPUT_TOKENS = 1_000_000;

/** Meaning of an upstream's frame for the session. */
export type RealtimeVerdict =
  'response-done' | 'transcript-done' | 'settings' | 'error' | 'content' | 'other' | 'beyond-limits';

/**
 * Counts what a realtime session uses, frame by frame and response by response. The vendor's report of a response is taken
 * up to what the request allows; else what that response was seen to read and to bring. Sound is measured by its length, never
 * decoded; nothing is kept but counters and the requests that wait.
 */
export class RealtimeMeter {
  /** Failure in the frame read last, as a vendor's error document; undefined = none. */
  failure: Document | undefined;
  readonly settings = new SessionSettings();
  readonly transcripts: Transcripts;
  private unaskedResponses = 0;
  private readonly conversation: Conversation;
  private readonly asked = new AskedResponses();
  private readonly open: OpenResponses;
  private readonly turns = new TurnEnds();
  /** A tool the vendor runs has answered: it may go on by itself. */
  private mayGoOn = false;
  private readonly requests: RequestReader;
  private readonly totals: SessionUsage;

  constructor(
    estimate: Estimate,
    private readonly models: MeteredModels = {},
  ) {
    this.conversation = new Conversation(estimate, this.settings);
    this.requests = new RequestReader(this.conversation, this.settings);
    this.transcripts = new Transcripts(estimate, this.settings);
    this.open = new OpenResponses({
      estimate,
      begin: (response) => this.begin(response),
      settle: (response) => this.settleOwn(response),
    });
    const { settings, transcripts, conversation, asked, open, requests } = this;
    this.totals = new SessionUsage({ settings, transcripts, conversation, asked, open, requests, models });
  }

  /** Responses that ended. */
  get responses(): number {
    return this.totals.responses;
  }

  /** Responses whose figures are our own. */
  get counted(): number {
    return this.totals.counted;
  }

  /** Responses that were reported above what the request allows. */
  get boundedResponses(): number {
    return this.totals.boundedResponses;
  }

  /** True of a transcribing model whose work is part of the session: the session's own, or one without a name. */
  get isOwnModel(): (model: string | undefined) => boolean {
    return this.totals.isOwnModel;
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
        this.conversation.add(sizeOf(frame.members['item']));
        break;
      case 'response.create':
        this.conversation.addSent(frame.textBytes);
        this.asked.add(this.requests.read(frame));
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
      // Interpreters produce audio all the time, without responses.
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
    return this.totals.usage();
  }

  forecast(next: NextWork, pcmBytes = 0): Forecast {
    return this.totals.forecast(next, pcmBytes);
  }

  evidence(): Evidence {
    return this.totals.evidence();
  }

  /** Forgets the requests that wait: the vendor left, so they cost nothing. */
  dropAsked(): void {
    this.asked.drop();
  }

  private readonly wholeInput = (): Usage['input'] => this.conversation.whole();

  /** Sound in an event of the client, in bytes of PCM. */
  soundIn(frame: RealtimeFrame): number {
    return this.requests.soundIn(frame);
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

  /** Begins a response: the client requested it, or the vendor answers a turn. */
  private begin(response: ResponseCount): void {
    const until = this.turns.next(this.heardBytes);
    const isTurn = this.mayGoOn || this.turns.isLongEnough(until);
    const asked = this.asked.begin(isTurn);
    response.mark = this.conversation.mark();
    if (asked === undefined && !isTurn) return;
    response.isExpected = true;
    response.asked = asked;
    const readsConversation = asked?.readsConversation !== false;
    const input = readsConversation ? this.conversation.reading(asked?.setUp) : asked.input;
    response.input = () => input;
    if (asked === undefined) {
      this.turns.answered(until);
      this.mayGoOn = false;
      this.unaskedResponses += 1;
    }
    response.isUnnamed = readsConversation && this.conversation.context === undefined;
  }

  /** The vendor refused an event of the client. */
  private withdraw(error: Document): void {
    if (!this.transcripts.withdrawCommit(error)) this.asked.withdraw(textOf(error['event_id']));
  }

  /** The vendor detected the end of a turn; audio may have been sent ahead. @param ms  since the beginning of all audio */
  private endTurn(ms: number | undefined): void {
    if (ms === undefined || ms < 0) return;
    const end = Math.min(this.heardBytes, (ms / 1_000) * PCM_BYTES_PER_SECOND);
    this.transcripts.endTurn(this.heardBytes - end);
    this.turns.add(end);
  }

  /** @returns false when its end was reported before */
  private finishResponse(document: Document, id: string): boolean {
    const response = this.open.finish(id);
    if (response === undefined) return false;
    // A vendor that sends no pieces delivers everything at the end.
    if (!response.hasOutput)
      for (const item of listOf(document['output'])) response.text.appendText(sizeOf(item).texts.join(' '));
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
    else if (document['status'] === 'failed' && !response.hasOutput) this.totals.responses += 1;
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
      capSent: capSentFor(response.asked, this.settings.outputCap),
      choices: 1,
      ownCount: ownOutput,
      largestAnswer: this.models.largestAnswer,
      isReasoningBesideCap: false,
    });
    const isInputBelieved = (usage.input.total ?? 0) <= this.mostInput(response);
    const input = isInputBelieved ? this.conversation.believed(usage.input, response.asked?.own) : own.input;
    const output = response.isExpected ? tokens : Math.min(usage.output.total ?? 0, ownOutput);
    const isOutputWhole = !isBounded && output === usage.output.total;
    this.totals.add({
      ...usage,
      input,
      output: isOutputWhole ? usage.output : { ...own.output, total: output },
    });
    if (input !== usage.input || !isOutputWhole) this.totals.boundedResponses += 1;
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
    // One beside the conversation is no measure of what the others read.
    if (document['conversation_id'] === null || asked?.isApart === true) return;
    if (mark !== undefined && (input?.total ?? 0) > 0) this.conversation.name(input as Usage['input'], mark);
    this.conversation.addAnswer({ total, audio: Math.min(audio, total) });
  }

  private settleOwn(response: ResponseCount): void {
    const own = response.usage(this.conversation.context);
    this.totals.add(own);
    if ((own.input.total ?? 0) + (own.output.total ?? 0) > 0) this.totals.counted += 1;
    if (response.asked?.isApart !== true) this.conversation.addAnswer(own.output);
  }

  private readSession(session: Document): void {
    this.conversation.setUp(session);
    this.settings.readClient(session);
    this.transcripts.setPrompt(transcriptionIn(session)?.['prompt']);
  }
}
