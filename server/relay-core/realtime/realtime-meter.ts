import { JsonCursor } from '../framing/json-cursor.js';
import type { Usage } from '../model/usage.js';
import { documentOf, isDocument, listOf, numberOf, textOf, type Document } from '../wire/json-fields.js';
import { type Estimate, ProducedText } from '../wire/produced-text.js';
import { readTokenUsage } from '../wire/token-usage.js';

const QUOTE = 0x22;
/** Tokens of a second of sound, heard and spoken: 100 ÷ 0.06 and 200 ÷ 0.24 a minute (relay reference 4.9). */
const HEARD_TOKENS_PER_SECOND = 100 / 0.06 / 60;
const SPOKEN_TOKENS_PER_SECOND = 200 / 0.24 / 60;
const PCM_BYTES_PER_SECOND = 48_000;
const G711_BYTES_PER_SECOND = 8_000;
/** A transcribed minute, where the vendor names seconds (relay reference 4.8). */
const TRANSCRIBED_TOKENS_PER_MINUTE = 1_000;
const LONGEST_TURN_SECONDS = 3_600;
const TOKENS_PER_TOOL = 8;
/** No session holds more; a larger report is a lie (UP-01). */
const MAX_INPUT_TOKENS = 1_000_000;
const MAX_OUTPUT_TOKENS = 65_536;

/** What a frame of the upstream is to the session. */
export type RealtimeVerdict = 'response-done' | 'transcript-done' | 'error' | 'content' | 'other';

/**
 * Counts what a realtime session uses, frame by frame. The vendor's report of each response is taken when it can be
 * true; else what was heard and said since the one before. Sound is measured by its length, never decoded; nothing is
 * kept but counters and the tools.
 */
export class RealtimeMeter {
  /** Responses that ended. */
  responses = 0;
  /** Responses whose figures are our own. */
  counted = 0;
  private settled: Usage = { input: { total: 0 }, output: { total: 0 } };
  private heardBytes = 0;
  private spokenBytes = 0;
  private textIn = new ProducedText();
  private textOut = new ProducedText();
  private toolTokens = 0;
  private running = 0;
  private heardBytesPerSecond = PCM_BYTES_PER_SECOND;
  private spokenBytesPerSecond = PCM_BYTES_PER_SECOND;
  private readonly cursor = new JsonCursor();

  constructor(private readonly estimate: Estimate) {}

  /** A response is being made. */
  get isResponding(): boolean {
    return this.running > 0;
  }

  /** Texts of a client's frame that the operator's word filter looks at; reading them costs nothing when none is set. */
  static textsOf(frame: Buffer): readonly string[] {
    const texts: string[] = [];
    collectTexts(parse(frame), texts);
    return texts;
  }

  readClient(frame: Buffer): void {
    const found = this.scan(frame);
    if (found.type === 'input_audio_buffer.append') this.heardBytes += bytesOfBase64(found.audioLength);
    else if (found.type === 'session.update') this.readSession(parse(frame));
    else if (found.type === 'conversation.item.create') this.readItem(documentOf(parse(frame)['item']));
    else if (found.type === 'response.create') {
      const response = documentOf(parse(frame)['response']);
      this.readInstructions(response);
      for (const item of listOf(response['input'])) this.readItem(documentOf(item));
    }
  }

  readServer(frame: Buffer): RealtimeVerdict {
    const { type, deltaFrom, deltaTo } = this.scan(frame);
    switch (type) {
      case 'response.created':
        this.running += 1;
        return 'other';
      case 'response.audio.delta':
      case 'response.output_audio.delta':
      case 'session.output_audio.delta':
        this.spokenBytes += bytesOfBase64(deltaTo - deltaFrom);
        return 'content';
      case 'response.text.delta':
      case 'response.output_text.delta':
      case 'response.audio_transcript.delta':
      case 'response.output_audio_transcript.delta':
      case 'response.function_call_arguments.delta':
      // Interpreters speak all the time, without responses.
      case 'session.output_transcript.delta':
        this.textOut.append(frame, deltaFrom, deltaTo);
        return 'content';
      case 'session.created':
      case 'session.updated':
        this.readFormats(documentOf(parse(frame)['session']));
        return 'other';
      case 'response.done':
        this.finishResponse(documentOf(documentOf(parse(frame)['response'])['usage']), frame.length);
        return 'response-done';
      case 'conversation.item.input_audio_transcription.completed':
        this.finishTranscript(parse(frame));
        return 'transcript-done';
      case 'error':
        return 'error';
      default:
        return 'other';
    }
  }

  /** Everything so far; what is not reported yet by our own count. */
  usage(): Usage {
    return this.isUnreported ? sum(this.settled, this.sinceLast()) : this.settled;
  }

  /** Something was made since the last report, or is being made. */
  private get isUnreported(): boolean {
    return this.running > 0 || this.spokenBytes > 0 || this.textOut.totalBytes > 0;
  }

  /** Nothing was used, or everything by the vendor's report, or some of it by our own count. */
  evidence(): 'none' | 'reported' | 'counted' {
    const { input, output } = this.usage();
    if (input.total === 0 && output.total === 0) return 'none';
    return this.counted > 0 || this.isUnreported ? 'counted' : 'reported';
  }

  private finishResponse(report: Document, frameBytes: number): void {
    const usage = Object.keys(report).length === 0 ? undefined : readTokenUsage(report);
    const own = this.sinceLast();
    const isUsable =
      usage !== undefined &&
      usage !== 'invalid' &&
      (usage.input.total ?? 0) <= MAX_INPUT_TOKENS &&
      (usage.output.total ?? 0) <= Math.max(MAX_OUTPUT_TOKENS, frameBytes) &&
      ((usage.output.total ?? 0) > 0 || own.output.total === 0);
    if (isUsable) this.settled = sum(this.settled, usage);
    else {
      this.settled = sum(this.settled, own);
      if ((own.input.total ?? 0) + (own.output.total ?? 0) > 0) this.counted += 1;
    }
    this.responses += 1;
    this.running = Math.max(0, this.running - 1);
    this.heardBytes = 0;
    this.spokenBytes = 0;
    this.textIn = new ProducedText();
    this.textOut = new ProducedText();
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
    if (seconds !== undefined && seconds > 0 && seconds <= LONGEST_TURN_SECONDS) {
      const heard = Math.ceil((seconds * TRANSCRIBED_TOKENS_PER_MINUTE) / 60);
      this.settled = sum(this.settled, { input: { total: heard }, output: { total: 0 } });
    } else if (usage !== undefined && usage !== 'invalid' && isPossible(usage)) {
      const { input, output } = usage;
      this.settled = sum(this.settled, {
        input: { total: input.total ?? 0 },
        output: { total: output.total ?? 0 },
      });
    } else this.settled = sum(this.settled, written);
  }

  private sinceLast(): Usage {
    const heard = Math.ceil((this.heardBytes / this.heardBytesPerSecond) * HEARD_TOKENS_PER_SECOND);
    const spoken = Math.ceil((this.spokenBytes / this.spokenBytesPerSecond) * SPOKEN_TOKENS_PER_SECOND);
    // The tools stand in front of every turn but are written down in the first only.
    const tools = this.responses > 0 ? this.toolTokens : 0;
    const written = this.textIn.running(this.estimate) + tools;
    return {
      input: { total: heard + written, audio: heard },
      output: { total: spoken + this.textOut.running(this.estimate), audio: spoken },
    };
  }

  private readSession(frame: Document): void {
    const session = documentOf(frame['session']);
    this.readInstructions(session);
    this.readFormats(session);
    const tools = listOf(session['tools']);
    if (session['tools'] === undefined) return;
    let tokens = 0;
    for (const tool of tools) tokens += TOKENS_PER_TOOL + this.estimate(JSON.stringify(tool));
    if (this.responses === 0) this.textIn.extraTokens += Math.max(0, tokens - this.toolTokens);
    this.toolTokens = tokens;
  }

  private readInstructions(holder: Document): void {
    const instructions = textOf(holder['instructions']);
    if (instructions !== undefined) this.textIn.appendText(instructions);
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
    for (const part of listOf(item['content'])) {
      const document = documentOf(part);
      const text = textOf(document['text']) ?? textOf(document['transcript']);
      if (text !== undefined) this.textIn.appendText(text);
      const sound = textOf(document['audio']);
      if (sound !== undefined) this.heardBytes += bytesOfBase64(sound.length);
    }
    const output = textOf(item['output']) ?? textOf(item['arguments']);
    if (output !== undefined) this.textIn.appendText(output);
  }

  private scan(frame: Buffer): {
    readonly type: string;
    readonly audioLength: number;
    readonly deltaFrom: number;
    readonly deltaTo: number;
  } {
    const { cursor } = this;
    cursor.reset(frame, 0, frame.length);
    let type = '';
    let audioLength = 0;
    let deltaFrom = 0;
    let deltaTo = 0;
    if (cursor.enterObject()) {
      while (cursor.nextMember()) {
        const name = cursor.keyText();
        const isText = cursor.peek() === QUOTE;
        const from = cursor.at + 1;
        if (!cursor.skipValue()) break;
        if (!isText) continue;
        if (name === 'type') type = frame.toString('latin1', from, cursor.at - 1);
        else if (name === 'audio') audioLength = cursor.at - 1 - from;
        else if (name === 'delta') {
          deltaFrom = from;
          deltaTo = cursor.at - 1;
        }
      }
    }
    // A frame that is cut short says nothing; it passes all the same.
    return cursor.isAtEnd() ? { type, audioLength, deltaFrom, deltaTo } : UNREADABLE;
  }
}

const isPossible = ({ input, output }: Usage): boolean =>
  (input.total ?? 0) <= MAX_INPUT_TOKENS && (output.total ?? 0) <= MAX_OUTPUT_TOKENS;

const UNREADABLE = { type: '', audioLength: 0, deltaFrom: 0, deltaTo: 0 };

function parse(frame: Buffer): Document {
  try {
    return documentOf(JSON.parse(frame.toString('utf8')));
  } catch {
    // Not ours to judge: the frame passes untouched, and the other side says what it thinks of it.
    return {};
  }
}

/** Every text of a frame but sound. */
function collectTexts(value: unknown, texts: string[]): void {
  if (typeof value === 'string') texts.push(value);
  else if (Array.isArray(value)) for (const item of value) collectTexts(item, texts);
  else if (isDocument(value))
    for (const [name, member] of Object.entries(value)) if (name !== 'audio') collectTexts(member, texts);
}

const bytesOfBase64 = (length: number): number => Math.floor((Math.max(0, length) * 3) / 4);

const formatIn = (side: unknown): unknown => documentOf(documentOf(side)['format'])['type'];

function bytesPerSecond(format: unknown): number | undefined {
  if (typeof format !== 'string') return undefined;
  if (/g711|pcmu|pcma/i.test(format)) return G711_BYTES_PER_SECOND;
  return /pcm/i.test(format) ? PCM_BYTES_PER_SECOND : undefined;
}

function sum(left: Usage, right: Usage): Usage {
  const plus = (one: number | undefined, other: number | undefined): number => (one ?? 0) + (other ?? 0);
  return {
    input: {
      total: plus(left.input.total, right.input.total),
      cacheRead: plus(left.input.cacheRead, right.input.cacheRead),
      audio: plus(left.input.audio, right.input.audio),
      image: plus(left.input.image, right.input.image),
    },
    output: {
      total: plus(left.output.total, right.output.total),
      audio: plus(left.output.audio, right.output.audio),
    },
  };
}
