import type { Usage } from '../../../model/usage.js';
import { MAX_PLAUSIBLE_TOKENS } from '../../../model/usage.js';
import type { WholeVerdict } from '../../contract/reply-meter.js';
import { parseSpan, JsonEventMeter } from './json-event-meter.js';

/** Places of charged figures in a vendor's embedding reply. */
export interface VectorPlaces {
  /** Top-level members that hold the vectors. */
  readonly vectors: readonly string[];
  /** Path to the number of input tokens; empty = not reported. */
  readonly tokens: readonly string[];
}

const OPEN_ARRAY = 0x5b;
const OPEN_OBJECT = 0x7b;

/** Meter of embedding replies whose vectors and figures stand at fixed places. */
export class VectorMeter extends JsonEventMeter {
  private readonly vectorKeys: readonly Buffer[];
  private readonly tokenKeys: readonly Buffer[];
  private depth = 0;

  constructor(places: VectorPlaces) {
    super();
    this.vectorKeys = places.vectors.map((name) => Buffer.from(name));
    this.tokenKeys = places.tokens.map((name) => Buffer.from(name));
  }

  override readWhole(body: Buffer): WholeVerdict {
    this.depth = 0;
    if (!this.walk(body, 0, body.length, this.member)) return 'malformed';
    if (!this.sawContent) return this.failedWith(parseSpan(body, 0, body.length));
    this.hasFinish = true;
    return 'answer';
  }

  private readonly member = (): void => {
    const { cursor } = this;
    if (this.depth === 0 && cursor.keyIsOneOf(this.vectorKeys)) {
      const first = cursor.peek();
      const from = cursor.at;
      if (cursor.skipValue() && (first === OPEN_ARRAY || first === OPEN_OBJECT) && cursor.at - from > 2)
        this.sawContent = true;
      return;
    }
    const name = this.tokenKeys[this.depth];
    if (name === undefined || !cursor.keyIs(name)) {
      cursor.skipValue();
      return;
    }
    if (this.depth === this.tokenKeys.length - 1) {
      this.report(this.takeValue());
      return;
    }
    this.depth += 1;
    this.members(this.member);
    this.depth -= 1;
  };

  private report(tokens: unknown): void {
    if (tokens === null || tokens === undefined) return;
    this.takeUsage(vectorUsage(tokens) ?? 'invalid');
  }
}

/** Input tokens as a usage; undefined when the figure cannot be true. */
export function vectorUsage(tokens: unknown): Usage | undefined {
  const isCount =
    typeof tokens === 'number' &&
    Number.isSafeInteger(tokens) &&
    tokens >= 0 &&
    tokens <= MAX_PLAUSIBLE_TOKENS;
  return isCount ? { input: { total: tokens }, output: { total: 0 } } : undefined;
}
