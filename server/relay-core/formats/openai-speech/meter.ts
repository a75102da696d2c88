import { AudioLength } from '../shared/audio/audio-length.js';
import type { CallShape } from '../../model/call.js';
import type { Usage } from '../../model/usage.js';
import { isDocument } from '../shared/fields/json-fields.js';
import { isWebPage } from '../shared/fields/web-page.js';
import { ReplyMeter, type EventVerdict, type WholeVerdict } from '../contract/reply-meter.js';
import { readAudioEvent } from '../shared/metering/audio-event.js';
import { readTokenUsage } from '../shared/metering/token-usage.js';
import { parseJson } from '../../../common/parse-json.js';

/** Vendors name the piece one way or the other. */
const PIECES = ['audio', 'delta'];

/** Meter of speech: how long the sound is, unless the vendor counts tokens in its stream. */
export class SpeechMeter extends ReplyMeter {
  private readonly length: AudioLength;

  constructor(
    private readonly shape: CallShape,
    format: string,
  ) {
    super();
    this.length = new AudioLength(format);
  }

  override ownCount(): Usage {
    const tokens = this.length.tokens();
    return { input: { total: this.shape.promptTokens }, output: { total: tokens, audio: tokens } };
  }

  override readBytes(chunk: Buffer): void {
    this.length.push(chunk);
  }

  override finishBytes(): WholeVerdict {
    this.hasFinish = this.length.totalBytes > 0;
    return this.hasFinish ? 'answer' : 'empty';
  }

  /** A whole document instead of sound is a failure, or sound whose type the vendor forgot. */
  override readWhole(body: Buffer): WholeVerdict {
    if (body.length === 0) return 'empty';
    if (isWebPage(body)) return 'malformed';
    const document = readJson(body, 0, body.length);
    if (document === undefined) {
      this.readBytes(body);
      return this.finishBytes();
    }
    return this.failedWith(document);
  }

  override readEvent(data: Buffer, start: number, end: number): EventVerdict {
    const event = readAudioEvent(data, start, end, PIECES);
    if (typeof event === 'string') return event;
    const { type, pieceFrom, pieceTo, usage } = event;
    if (usage !== undefined) this.report(readJson(data, usage.from, usage.to));
    if (type === 'error') return this.failedWith(readJson(data, start, end));
    if (pieceTo > pieceFrom)
      this.readBytes(Buffer.from(data.toString('latin1', pieceFrom, pieceTo), 'base64'));
    if (type.endsWith('.done')) this.hasFinish = this.sawLastEvent = true;
    return pieceTo > pieceFrom ? 'content' : 'setup';
  }

  private report(document: unknown): void {
    const usage = readTokenUsage(document);
    if (usage === 'invalid') this.usageIsInvalid = true;
    else if (usage !== undefined) {
      // What is written is spoken: the vendor's figure is of sound, though it does not say so.
      const { total, audio } = usage.output;
      this.usage =
        audio === undefined && total !== undefined ? { ...usage, output: { total, audio: total } } : usage;
    }
  }
}

function readJson(bytes: Buffer, from: number, to: number): unknown {
  const value = parseJson(bytes.subarray(from, to));
  return isDocument(value) || Array.isArray(value) ? value : undefined;
}
