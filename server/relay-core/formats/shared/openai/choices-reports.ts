import { ReplyMeter } from '../../contract/reply-meter.js';
import { wholeSecondsOf } from '../fields/json-fields.js';
import { parseSpan } from '../metering/json-event-meter.js';
import { isForeignTier, laterUsage, readServiceTier } from '../metering/reported-usage.js';
import { cursor, entersObject, hasContent, takeValue } from './choices-cursor.js';
import * as keys from './choices-cursor.js';
import { type CachedPlace, hasNullFigures, readUsage } from './openai-usage.js';

const LETTER_N = 0x6e;

/** The members of a reply in `choices` that stand beside the answer: usage, class of service, time, and failures. */
export abstract class ChoicesReports extends ReplyMeter {
  protected sawSentence = false;
  protected sawUsage = false;
  protected sawTime = false;
  protected sawError = false;
  /** The event did more than bring a text. */
  protected didMore = false;

  /** @param cached  place of cached tokens in the vendor's reports */
  constructor(private readonly cached: CachedPlace = 'inside') {
    super();
  }

  /** The same in every event of a stream: the first is looked at. */
  protected created(): void {
    this.sawTime = true;
    const time = takeValue();
    if (typeof time === 'number' && wholeSecondsOf(time) !== time) this.needsRepair = true;
  }

  protected sentence(): void {
    const first = cursor.peek();
    const from = cursor.at;
    if (cursor.skipValue() && first !== LETTER_N && cursor.at - from > 2) this.sawSentence = true;
  }

  protected report(): void {
    const first = cursor.peek();
    const from = cursor.at;
    if (!cursor.skipValue() || first === LETTER_N) return;
    this.didMore = true;
    this.sawUsage = true;
    const said = parseSpan(cursor.bytes, from, cursor.at);
    if (hasNullFigures(said)) this.needsRepair = true;
    const usage = readUsage(said, this.cached);
    this.takeUsage(usage === undefined || usage === 'invalid' ? usage : laterUsage(this.usage, usage));
  }

  protected nestedReport(): void {
    if (!entersObject()) return;
    while (cursor.nextMember()) {
      if (cursor.keyIs(keys.USAGE)) this.report();
      else cursor.skipValue();
    }
  }

  protected tier(value: unknown): void {
    this.serviceTier = readServiceTier(value);
    if (isForeignTier(value)) this.needsRepair = true;
  }

  protected error(start: number, end: number): void {
    const first = cursor.peek();
    const from = cursor.at;
    if (!cursor.skipValue() || first === LETTER_N) return;
    if (!hasContent(parseSpan(cursor.bytes, from, cursor.at))) return;
    this.sawError = true;
    this.errorDocument = parseSpan(cursor.bytes, start, end);
  }

  /** An error inside one choice (OpenRouter). */
  protected choiceError(): void {
    const error = takeValue();
    if (!hasContent(error)) return;
    this.sawError = true;
    this.errorDocument = { error };
  }

  /** MiniMax answers 200 and reports failures here; 0 is success. */
  protected baseResponse(start: number, end: number): void {
    const response = takeValue() as { readonly status_code?: unknown } | null | undefined;
    const code = response?.status_code;
    if (typeof code !== 'number' || code === 0) return;
    this.sawError = true;
    this.errorDocument = parseSpan(cursor.bytes, start, end);
  }
}
