import { AudioLength } from '../audio-length.js';
import { JsonCursor } from '../../framing/json-cursor.js';
import type { CallShape } from '../../model/call.js';
import type { Usage } from '../../model/usage.js';
import { isDocument } from '../json-fields.js';
import { ReplyMeter, type EventVerdict, type WholeVerdict } from '../reply-meter.js';
import { readTokenUsage } from '../token-usage.js';

const QUOTE = 0x22;
const DONE = Buffer.from('[DONE]');

/** Meter of speech: how long the sound is, unless the vendor counts tokens in its stream. */
export class SpeechMeter extends ReplyMeter {
  private readonly cursor = new JsonCursor();
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
    const document = readJson(body, 0, body.length);
    if (document === undefined) {
      this.readBytes(body);
      return this.finishBytes();
    }
    this.errorDocument = document;
    return 'error';
  }

  override readEvent(data: Buffer, start: number, end: number): EventVerdict {
    if (start === end) return 'silent';
    if (end - start === DONE.length && data.compare(DONE, 0, DONE.length, start, end) === 0) return 'end';
    const { cursor } = this;
    cursor.reset(data, start, end);
    if (!cursor.enterObject()) return 'malformed';
    let type = '';
    let audioFrom = -1;
    let audioTo = -1;
    while (cursor.nextMember()) {
      const name = cursor.keyText();
      const first = cursor.peek();
      const from = cursor.at;
      if (!cursor.skipValue()) return 'malformed';
      if (name === 'type' && first === QUOTE) type = data.toString('latin1', from + 1, cursor.at - 1);
      else if ((name === 'audio' || name === 'delta') && first === QUOTE) {
        audioFrom = from + 1;
        audioTo = cursor.at - 1;
      } else if (name === 'usage') this.report(readJson(data, from, cursor.at));
      else if (name === 'error' && first !== 0x6e) type = 'error';
    }
    if (!cursor.isAtEnd()) return 'malformed';
    if (type === 'error') {
      this.errorDocument = readJson(data, start, end);
      return 'error';
    }
    if (audioTo > audioFrom)
      this.readBytes(Buffer.from(data.toString('latin1', audioFrom, audioTo), 'base64'));
    if (type.endsWith('.done')) this.hasFinish = true;
    return audioTo > audioFrom ? 'content' : 'setup';
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
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8', from, to));
    return isDocument(value) || Array.isArray(value) ? value : undefined;
  } catch {
    // Sound is no JSON.
    return undefined;
  }
}
