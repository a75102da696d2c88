import { RepeatedEvent } from '../metering/json-event-meter.js';
import { MediaCount } from '../metering/reported-usage.js';
import { CallTrack } from './call-track.js';
import { cursor, entersArray, entersObject, isOtherRole, takeValue, isDone } from './choices-cursor.js';
import { ChoicesReports } from './choices-reports.js';
import * as keys from './choices-cursor.js';
import {
  ID_KEY,
  type EventVerdict,
  type RepairFacts,
  type WholeVerdict,
} from '../../contract/reply-meter.js';
import { parseSpan, TOKENS_PER_TOOL_CALL } from '../metering/json-event-meter.js';
import { finishReasonIn, isOpenaiFinishReason, readFinishReason } from './openai-finish-reason.js';
import { MAX_ANSWER_PARTS } from '../../contract/answer-limits.js';
import { MAX_CHOICES } from '../fields/request-fields.js';
import { refusal } from '../../../model/refusals.js';

const QUOTE = 0x22;
const OPEN_OBJECT = 0x7b;
const OPEN_ARRAY = 0x5b;

/**
 * Meter of the formats whose replies are `choices`: chat and text completions. Steps over each event's bytes once; objects are made of usage reports and errors
 * only. Tolerates what vendors do: usage on every chunk, in `choices[0].usage` or in `x_groq`, content as a list of
 * parts, tool arguments as an object, an error inside a choice.
 */
export class ChoicesMeter extends ChoicesReports {
  private sawChoices = false;
  private sawChoicesMember = false;
  private sawReasoning = false;
  private sawName = false;
  private sawArguments = false;
  private hasSeveral = false;
  private readonly calls = new CallTrack();
  /** Strings of the event that were produced text, and the last of them. */
  private texts = 0;
  private textFrom = 0;
  private textTo = 0;
  private readonly repeated = new RepeatedEvent();
  private repeatedPlaces: readonly number[] = [];
  private isWhole = false;
  private readonly media = new MediaCount(this.produced);

  override readEvent(data: Buffer, start: number, end: number): EventVerdict {
    if (start >= end) return 'silent';
    if (this.repeated.recognises(data, start, end)) {
      this.produced.append(data, this.repeated.from, this.repeated.to);
      this.calls.repeatEvent(this.repeatedPlaces);
      this.endsHere = false;
      this.goesOn = !this.hasSeveral;
      return 'content';
    }
    if (isDone(data, start, end)) return 'end';
    if (!this.walk(data, start, end)) return 'malformed';
    if (this.sawError) return 'error';
    if (this.sawContent) {
      if (this.texts === 1 && !this.didMore && this.repeated.isWorthwhile) {
        this.repeated.remember(data, start, end, this.textFrom, this.textTo);
        this.repeatedPlaces = this.calls.places;
      }
      return 'content';
    }
    if (this.sawSentence && !this.sawChoicesMember && !this.sawUsage) {
      // A failure that does not call itself one: forwarded as it stands it could show the channel's key.
      return this.failedWith(parseSpan(data, start, end));
    }
    return this.sawUsage && !this.sawChoices ? 'usage-only' : 'setup';
  }

  override readWhole(body: Buffer): WholeVerdict {
    this.isWhole = true;
    this.produced.borrow();
    if (!this.walk(body, 0, body.length)) return 'malformed';
    if (this.sawError) return 'error';
    return this.sawChoices && this.isProvenAnswer ? 'answer' : 'empty';
  }

  private walk(bytes: Buffer, start: number, end: number): boolean {
    this.sawChoices = false;
    this.sawChoicesMember = false;
    this.sawSentence = false;
    this.sawUsage = false;
    this.sawError = false;
    this.beginDocument();
    this.calls.beginEvent();
    this.texts = 0;
    this.didMore = this.endsHere = false;
    cursor.reset(bytes, start, end);
    if (!cursor.enterObject()) return false;
    while (cursor.nextMember()) {
      if (cursor.keyIs(keys.CHOICES)) this.choices();
      else if (cursor.keyIs(keys.USAGE)) this.report();
      else if (cursor.keyIs(keys.ERROR)) this.error(start, end);
      else if (cursor.keyIs(keys.SERVICE_TIER)) this.tier(takeValue());
      else if (!this.sawTime && cursor.keyIs(keys.CREATED)) this.created();
      else if (cursor.keyIs(keys.X_GROQ)) this.nestedReport();
      else if (cursor.keyIs(keys.BASE_RESP)) this.baseResponse(start, end);
      else if (cursor.keyIsOneOf(keys.SENTENCES)) this.sentence();
      else cursor.skipValue();
    }
    this.endDocument();
    this.endsHere &&= !this.hasSeveral;
    this.goesOn = !this.hasSeveral && (this.texts > 0 || this.calls.places.length > 0);
    if (!this.sawChoicesMember || this.calls.endsBare.size > 0) this.needsRepair = true;
    return cursor.isAtEnd();
  }

  override get repairFacts(): RepairFacts {
    const { places, endsBare: endedWithoutArguments } = this.calls;
    return { hasToolCalls: this.hasToolCalls, places, endedWithoutArguments };
  }

  private choices(): void {
    if (!entersArray()) {
      this.needsRepair = true;
      return;
    }
    this.sawChoicesMember = true;
    let count = 0;
    while (cursor.nextElement()) {
      count += 1;
      // No request can ask for so many: reading them on would only take time.
      if (count > MAX_CHOICES) {
        cursor.fault = 'too-many-values';
        return;
      }
      if (!entersObject()) continue;
      this.sawChoices = true;
      let index: unknown;
      let isUsual = false;
      while (cursor.nextMember()) {
        if (cursor.keyIs(keys.DELTA) || cursor.keyIs(keys.MESSAGE)) {
          isUsual = this.isWhole || cursor.keyIs(keys.DELTA);
          this.message();
        } else if (cursor.keyIs(keys.INDEX)) index = takeValue();
        else if (cursor.keyIs(keys.TEXT)) this.text();
        else if (cursor.keyIs(keys.FINISH_REASON)) this.finishReason();
        else if (cursor.keyIs(keys.USAGE)) this.report();
        else if (cursor.keyIs(keys.ERROR)) this.choiceError();
        else cursor.skipValue();
      }
      if (typeof index !== 'number' || !isUsual) this.needsRepair = true;
      this.hasSeveral ||= count > 1 || (typeof index === 'number' && index > 0);
      if (!this.calls.hasNews) continue;
      const isRight = this.calls.endChoice(typeof index === 'number' ? index : count - 1);
      if (!isRight && !this.isWhole) this.needsRepair = true;
    }
  }

  private message(): void {
    if (!entersObject()) {
      this.needsRepair = true;
      return;
    }
    this.sawReasoning = false;
    while (cursor.nextMember()) {
      if (cursor.keyIs(keys.CONTENT) || cursor.keyIs(keys.REFUSAL)) {
        if (cursor.peek() === OPEN_ARRAY) this.needsRepair = true;
        this.text();
      } else if (cursor.keyIs(keys.ROLE)) {
        if (isOtherRole()) this.needsRepair = true;
      } else if (
        cursor.keyIs(keys.REASONING_CONTENT) ||
        cursor.keyIs(keys.REASONING) ||
        cursor.keyIs(keys.REASONING_DETAILS)
      ) {
        // Some vendors write the same reasoning under several names.
        if (this.sawReasoning) cursor.skipValue();
        else this.sawReasoning = this.text(true);
      } else if (cursor.keyIs(keys.TOOL_CALLS)) this.toolCalls();
      else if (cursor.keyIs(keys.FUNCTION_CALL)) this.call();
      else if (cursor.keyIs(keys.AUDIO)) this.audio();
      else if (cursor.keyIs(keys.IMAGES)) this.images();
      else if (cursor.keyIsOneOf(keys.MORE_REASONING)) {
        if (this.sawReasoning) cursor.skipValue();
        else this.sawReasoning = this.text();
      } else this.unknown(keys.ABOUT_MESSAGE);
    }
  }

  /** @param about  names of members without content of the answer */
  private unknown(about: readonly Buffer[]): void {
    if (cursor.keyIsOneOf(about)) {
      cursor.skipValue();
      return;
    }
    this.didMore = true;
    this.takeUnknown(cursor);
  }

  /** A string, or a list of parts that hold strings. @param isReasoning  its parts may be sealed @returns true when text came */
  private text(isReasoning = false): boolean {
    const first = cursor.peek();
    if (first === QUOTE) {
      const from = cursor.at + 1;
      if (!cursor.skipValue() || cursor.at - 1 <= from) return false;
      this.textFrom = from;
      this.textTo = cursor.at - 1;
      this.texts += 1;
      this.produced.append(cursor.bytes, from, this.textTo);
      this.sawContent = true;
      return true;
    }
    if (first !== OPEN_ARRAY) {
      cursor.skipValue();
      return false;
    }
    let came = false;
    const before = this.produced.totalBytes;
    cursor.enterArray();
    while (cursor.nextElement()) {
      if (!entersObject()) continue;
      while (cursor.nextMember()) {
        if (cursor.keyIs(keys.TEXT) || cursor.keyIs(keys.THINKING)) came = this.text() || came;
        else if (isReasoning && cursor.keyIsOneOf(keys.SEALS)) this.seal();
        else this.unknown(keys.ABOUT_PART);
      }
    }
    if (isReasoning) this.produced.shownReasoningBytes += this.produced.totalBytes - before;
    return came;
  }

  private seal(): void {
    const isText = cursor.peek() === QUOTE;
    const from = cursor.at;
    this.unknown(keys.ABOUT_PART);
    if (isText) this.takeSealed(cursor.at - from - 2);
  }

  private toolCalls(): void {
    if (!entersArray()) return;
    while (cursor.nextElement()) {
      if (!entersObject()) continue;
      let index: unknown;
      let id: unknown;
      this.sawName = false;
      this.sawArguments = false;
      while (cursor.nextMember()) {
        if (cursor.keyIs(keys.FUNCTION)) this.call();
        else if (cursor.keyIs(keys.CUSTOM)) {
          this.call();
          // Its input is a text, which may be empty.
          this.sawArguments = true;
        } else if (cursor.keyIs(keys.INDEX)) index = takeValue();
        else if (cursor.keyIs(ID_KEY)) id = takeValue();
        else this.unknown(keys.ABOUT_PART);
      }
      const { sawName: isNamed, sawArguments: hasArguments } = this;
      this.calls.add({ index, id, isNamed, hasArguments });
      if (this.calls.hasTooMany) {
        cursor.fault = 'too-many-values';
        return;
      }
      if (this.isWhole && !hasArguments) this.needsRepair = true;
    }
  }

  private call(): void {
    if (!entersObject()) return;
    while (cursor.nextMember()) {
      if (cursor.keyIs(keys.NAME)) {
        this.didMore = true;
        if (!this.text()) continue;
        this.sawName = true;
        this.produced.extraTokens += TOKENS_PER_TOOL_CALL;
        this.hasToolCalls = true;
      } else if (cursor.keyIs(keys.ARGUMENTS) || cursor.keyIs(keys.INPUT)) this.callArguments();
      else cursor.skipValue();
    }
  }

  private callArguments(): void {
    const first = cursor.peek();
    if (first !== OPEN_OBJECT) {
      if (first !== QUOTE) this.needsRepair = true;
      this.sawArguments = this.text() || this.sawArguments;
      return;
    }
    const from = cursor.at;
    this.didMore = true;
    this.sawArguments = true;
    this.needsRepair = true;
    if (!cursor.skipValue()) return;
    this.produced.appendText(JSON.stringify(parseSpan(cursor.bytes, from, cursor.at)));
    this.sawContent = true;
  }

  private audio(): void {
    if (!entersObject()) return;
    this.sawContent = true;
    while (cursor.nextMember()) {
      if (cursor.keyIs(keys.TRANSCRIPT)) this.text();
      else if (cursor.keyIs(keys.DATA)) this.sound();
      else if (cursor.keyIs(ID_KEY)) this.recordIssuedIdAt(cursor, 'always');
      else cursor.skipValue();
    }
  }

  /** Streamed sound is raw (`pcm16`); a whole answer's may be a file whose length stands in its header. */
  private sound(): void {
    const first = cursor.peek();
    const from = cursor.at + 1;
    if (!cursor.skipValue() || first !== QUOTE || cursor.at - 1 <= from) return;
    this.didMore = true;
    if (this.isWhole) this.media.addAudio(cursor.bytes.toString('latin1', from, cursor.at - 1));
    else this.media.addRawAudio(cursor.at - 1 - from);
  }

  private images(): void {
    if (!entersArray()) return;
    this.didMore = true;
    let count = 0;
    while (cursor.nextElement()) {
      this.sawContent = true;
      count += 1;
      if (count > MAX_ANSWER_PARTS) {
        cursor.fault = 'too-many-values';
        return;
      }
      if (!cursor.skipValue()) return;
      this.media.addImage();
    }
  }

  private finishReason(): void {
    const first = cursor.peek();
    const from = cursor.at + 1;
    if (!cursor.skipValue() || first !== QUOTE) return;
    const reason = finishReasonIn(cursor.bytes.toString('latin1', from, cursor.at - 1));
    if (reason === undefined) {
      this.needsRepair = true;
      return;
    }
    this.didMore = true;
    this.calls.end();
    const { unified } = readFinishReason(reason);
    if (!isOpenaiFinishReason(reason)) this.needsRepair = true;
    if (unified === 'error') {
      this.sawError = true;
      this.errorDocument ??= {
        error: { message: refusal('ended-with-error').message, code: reason },
      };
      return;
    }
    this.endsHere = true;
    this.takeFinish(unified);
  }
}
