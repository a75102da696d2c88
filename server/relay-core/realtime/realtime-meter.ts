import { sumUsage } from '../model/sum-usage.js';
import type { Usage } from '../model/usage.js';
import { documentOf, listOf, numberOf, textOf, type Document } from '../formats/shared/fields/json-fields.js';
import type { Estimate } from '../formats/contract/produced-text.js';
import { readTokenUsage } from '../formats/shared/metering/token-usage.js';
import { RealtimeFrame, type FrameFault } from './realtime-frame.js';
import { OpenResponses } from './open-responses.js';
import {
  type NamedContext,
  PCM_BYTES_PER_SECOND,
  type ResponseCount,
  WaitingInput,
} from './response-count.js';

const G711_BYTES_PER_SECOND = 8_000;
/** A transcribed minute, where the vendor names seconds. */
const TRANSCRIBED_TOKENS_PER_MINUTE = 1_000;
const MAX_TURN_SECONDS = 3_600;
const TOKENS_PER_TOOL = 8;
/** No session holds more; a larger report is a lie. */
const MAX_INPUT_TOKENS = 1_000_000;
const MAX_OUTPUT_TOKENS = 65_536;

/** What a frame of the upstream is to the session. */
export type RealtimeVerdict =
  'response-done' | 'transcript-done' | 'error' | 'content' | 'other' | 'beyond-limits';

/**
 * Counts what a realtime session uses, frame by frame and response by response. The vendor's report of a response is taken
 * when it can be true; else what that response was seen to read and to bring. Sound is measured by its length, never
 * decoded; nothing is kept but counters and the tools.
 */
export class RealtimeMeter {
  /** Responses that ended. */
  responses = 0;
  /** Responses whose figures are our own. */
  counted = 0;
  /** What the frame read last says went wrong, as a vendor's error document; undefined = nothing. */
  failure: Document | undefined;
  private settled: Usage = { input: { total: 0 }, output: { total: 0 } };
  /** Input the last report named. */
  private context: NamedContext | undefined;
  private waiting: WaitingInput;
  private toolTokens = 0;
  private heardBytesPerSecond = PCM_BYTES_PER_SECOND;
  private spokenBytesPerSecond = PCM_BYTES_PER_SECOND;
  private readonly open: OpenResponses;

  constructor(private readonly estimate: Estimate) {
    this.waiting = new WaitingInput(estimate);
    this.open = new OpenResponses({
      estimate,
      read: (response) => this.readWaiting(response),
      settle: (response) => this.settleOwn(response),
    });
  }

  /** A response is being made. */
  get isResponding(): boolean {
    return this.open.isResponding;
  }

  /** Texts of a client's frame that the operator's word filter looks at; reading them costs nothing when none is set. */
  static textsOf(bytes: Buffer): readonly string[] {
    const frame = RealtimeFrame.read(bytes, true);
    // Lenient readers find words where strict ones see no JSON.
    return frame.isReadable ? frame.texts : [...frame.texts, bytes.toString('utf8')];
  }

  /** @returns why it must not be passed on, or that nobody here can read it */
  readClient(bytes: Buffer, frame = RealtimeFrame.read(bytes)): FrameFault | 'unreadable' | undefined {
    if (frame.fault !== undefined) return frame.fault;
    if (!frame.isReadable) return 'unreadable';
    if (frame.type === 'input_audio_buffer.append') this.hear(frame.audioLength);
    else if (frame.type === 'session.update') this.readSession(documentOf(frame.members['session']));
    else if (frame.type === 'conversation.item.create') {
      this.hear(frame.audioLength);
      this.readItem(documentOf(frame.members['item']));
    } else if (frame.type === 'response.create') {
      const response = documentOf(frame.members['response']);
      this.hear(frame.audioLength);
      this.readInstructions(response);
      for (const item of listOf(response['input'])) this.readItem(documentOf(item));
    }
    return undefined;
  }

  readServer(bytes: Buffer): RealtimeVerdict {
    const frame = RealtimeFrame.read(bytes);
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
        this.countPiece(this.open.interpreter(), frame);
        return 'content';
      case 'session.created':
      case 'session.updated':
        this.readFormats(documentOf(frame.members['session']));
        return 'other';
      case 'response.done':
        this.failure = failureIn(documentOf(frame.members['response']));
        this.finishResponse(documentOf(frame.members['response']), idIn(frame), bytes.length);
        return 'response-done';
      case 'conversation.item.input_audio_transcription.completed':
        this.finishTranscript(frame.members);
        return 'transcript-done';
      case 'error':
        this.failure = frame.members;
        return 'error';
      default:
        return 'other';
    }
  }

  /** Everything so far; what is not reported yet by our own count. */
  usage(): Usage {
    let all = this.settled;
    for (const response of this.open.unreported()) all = sumUsage(all, response.usage(this.context));
    return all;
  }

  /** Nothing was used, or everything by the vendor's report, or some of it by our own count. */
  evidence(): 'none' | 'reported' | 'counted' {
    const { input, output } = this.usage();
    if (input.total === 0 && output.total === 0) return 'none';
    return this.counted > 0 || this.open.hasUnreported ? 'counted' : 'reported';
  }

  private hear(soundLength: number): void {
    this.waiting.heardBytes += asPcm(soundLength, this.heardBytesPerSecond);
  }

  private countPiece(response: ResponseCount | undefined, { bytes, delta, isSpoken }: RealtimeFrame): void {
    if (response === undefined) return;
    if (isSpoken) response.spokenBytes += asPcm(delta.to - delta.from, this.spokenBytesPerSecond);
    else response.text.append(bytes, delta.from, delta.to);
  }

  /** What waited is read by this response, and by no other. */
  private readWaiting(response: ResponseCount): void {
    if (!this.waiting.isEmpty) {
      response.read(this.waiting);
      this.waiting = new WaitingInput(this.estimate);
    }
    // The tools stand in front of every turn but are written down in the first only.
    if (this.responses > 0) response.toolTokens = this.toolTokens;
  }

  private finishResponse(document: Document, id: string, frameBytes: number): void {
    const response = this.open.finish(id);
    if (response === undefined) return;
    const report = documentOf(document['usage']);
    const usage = Object.keys(report).length === 0 ? undefined : readTokenUsage(report);
    const isUsable =
      !response.isLate &&
      usage !== undefined &&
      usage !== 'invalid' &&
      (usage.input.total ?? 0) <= MAX_INPUT_TOKENS &&
      (usage.output.total ?? 0) <= Math.max(MAX_OUTPUT_TOKENS, frameBytes) &&
      ((usage.output.total ?? 0) > 0 || !response.hasOutput);
    this.open.remember(id, isUsable);
    if (isUsable) {
      this.settled = sumUsage(this.settled, usage);
      // One beside the conversation says nothing about what the others read.
      if (document['conversation_id'] !== null && (usage.input.total ?? 0) > 0) this.context = usage.input;
      this.responses += 1;
      return;
    }
    if (!response.hasOutput) {
      for (const item of listOf(document['output'])) this.readOutput(response, documentOf(item));
      // Vendors do not charge what failed before it said a word.
      if (document['status'] === 'failed' && !response.hasOutput) {
        this.responses += 1;
        return;
      }
    }
    this.settleOwn(response);
  }

  private settleOwn(response: ResponseCount): void {
    const own = response.usage(this.context);
    this.settled = sumUsage(this.settled, own);
    if ((own.input.total ?? 0) + (own.output.total ?? 0) > 0) this.counted += 1;
    this.responses += 1;
  }

  /** A vendor that sends no pieces says everything at the end. */
  private readOutput(response: ResponseCount, item: Document): void {
    response.text.appendText(textsOfItem(item).join(' '));
  }

  /**
   * What callers said, written down by another model beside the session's own: the vendor charges it whether or not a
   * response follows. It is far cheaper than sound, so its tokens count as text.
   */
  private finishTranscript(frame: Document): void {
    const report = documentOf(frame['usage']);
    const seconds = report['type'] === 'duration' ? numberOf(report['seconds']) : undefined;
    const usage = readTokenUsage(report);
    const written = {
      input: { total: 0 },
      output: { total: this.estimate(textOf(frame['transcript']) ?? '') },
    };
    if (seconds !== undefined && seconds > 0 && seconds <= MAX_TURN_SECONDS) {
      const heard = Math.ceil((seconds * TRANSCRIBED_TOKENS_PER_MINUTE) / 60);
      this.settled = sumUsage(this.settled, { input: { total: heard }, output: { total: 0 } });
    } else if (usage !== undefined && usage !== 'invalid' && isPossible(usage)) {
      const { input, output } = usage;
      this.settled = sumUsage(this.settled, {
        input: { total: input.total ?? 0 },
        output: { total: output.total ?? 0 },
      });
    } else this.settled = sumUsage(this.settled, written);
  }

  private readSession(session: Document): void {
    this.readInstructions(session);
    this.readFormats(session);
    const tools = listOf(session['tools']);
    if (session['tools'] === undefined) return;
    let tokens = 0;
    for (const tool of tools) tokens += TOKENS_PER_TOOL + this.estimate(JSON.stringify(tool));
    if (this.responses === 0) this.waiting.text.addTokens(Math.max(0, tokens - this.toolTokens));
    this.toolTokens = tokens;
  }

  private readInstructions(holder: Document): void {
    const instructions = textOf(holder['instructions']);
    if (instructions !== undefined) this.waiting.text.appendText(instructions);
  }

  /** Words of the beta (`g711_ulaw`), and objects of the general interface (`audio.input.format.type: audio/pcmu`). */
  private readFormats(session: Document): void {
    const audio = documentOf(session['audio']);
    const heard = session['input_audio_format'] ?? formatIn(audio['input']);
    const spoken = session['output_audio_format'] ?? formatIn(audio['output']);
    this.heardBytesPerSecond = bytesPerSecond(heard) ?? this.heardBytesPerSecond;
    this.spokenBytesPerSecond = bytesPerSecond(spoken) ?? this.spokenBytesPerSecond;
  }

  private readItem(item: Document): void {
    this.waiting.text.appendText(textsOfItem(item).join(' '));
  }
}

/** Why a response failed; undefined = it did not, or nobody said why. */
function failureIn(response: Document): Document | undefined {
  if (response['status'] !== 'failed') return undefined;
  const error = documentOf(documentOf(response['status_details'])['error']);
  return Object.keys(error).length === 0 ? undefined : { error };
}

function textsOfItem(item: Document): readonly string[] {
  const texts: string[] = [];
  for (const part of listOf(item['content'])) {
    const document = documentOf(part);
    const text = textOf(document['text']) ?? textOf(document['transcript']);
    if (text !== undefined) texts.push(text);
  }
  const output = textOf(item['output']) ?? textOf(item['arguments']);
  if (output !== undefined) texts.push(output);
  return texts;
}

/** The response an announcement or an end speaks of; empty = it has no name. */
const idIn = (frame: RealtimeFrame): string =>
  textOf(documentOf(frame.members['response'])['id']) ?? frame.responseId;

const isPossible = ({ input, output }: Usage): boolean =>
  (input.total ?? 0) <= MAX_INPUT_TOKENS && (output.total ?? 0) <= MAX_OUTPUT_TOKENS;

/** Sound in base64, as bytes of PCM that sound as long. */
const asPcm = (base64Length: number, bytesPerSecond: number): number =>
  Math.floor((Math.max(0, base64Length) * 3) / 4) * (PCM_BYTES_PER_SECOND / bytesPerSecond);

const formatIn = (side: unknown): unknown => documentOf(documentOf(side)['format'])['type'];

function bytesPerSecond(format: unknown): number | undefined {
  if (typeof format !== 'string') return undefined;
  if (/g711|pcmu|pcma/i.test(format)) return G711_BYTES_PER_SECOND;
  return /pcm/i.test(format) ? PCM_BYTES_PER_SECOND : undefined;
}
