import type { WholeVerdict } from '../contract/reply-meter.js';
import { vectorUsage } from '../shared/metering/vector-meter.js';
import { key, parseSpan, JsonEventMeter } from '../shared/metering/json-event-meter.js';

const PREDICTIONS = key('predictions');
const EMBEDDINGS = key('embeddings');
const VALUES = key('values');
const STATISTICS = key('statistics');
const TOKENS = ['token_count', 'tokenCount'].map(key);

/** Meter of Vertex's predictions of vectors: each one says how many tokens it read. */
export class VertexEmbedMeter extends JsonEventMeter {
  private tokens = 0;

  override readWhole(body: Buffer): WholeVerdict {
    const { cursor } = this;
    const isWhole = this.walk(body, 0, body.length, () => {
      if (cursor.keyIs(PREDICTIONS)) this.elements(this.prediction);
      else cursor.skipValue();
    });
    if (!isWhole) return 'malformed';
    if (!this.sawContent) return this.failedWith(parseSpan(body, 0, body.length));
    if (this.tokens > 0 && !this.usageIsInvalid) this.usage = vectorUsage(this.tokens);
    this.hasFinish = true;
    return 'answer';
  }

  private readonly prediction = (): void =>
    this.members(() => {
      if (this.cursor.keyIs(EMBEDDINGS)) this.members(this.embedding);
      else this.cursor.skipValue();
    });

  private readonly embedding = (): void => {
    const { cursor } = this;
    if (cursor.keyIs(VALUES)) this.sawContent = this.takePresence() || this.sawContent;
    else if (cursor.keyIs(STATISTICS)) {
      this.members(() => {
        if (cursor.keyIsOneOf(TOKENS)) this.count(this.takeValue());
        else cursor.skipValue();
      });
    } else cursor.skipValue();
  };

  private count(tokens: unknown): void {
    if (vectorUsage(tokens) === undefined) this.usageIsInvalid = true;
    else this.tokens += Number(tokens);
  }
}
