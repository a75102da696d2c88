import type { CallShape } from '../../model/call.js';
import type { Usage } from '../../model/usage.js';
import { imagesAsUsage, TOKENS_PER_GOOGLE_IMAGE } from '../shared/metering/image-tokens.js';
import type { WholeVerdict } from '../contract/reply-meter.js';
import { parseSpan, JsonEventMeter } from '../shared/metering/json-event-meter.js';

const PREDICTIONS = Buffer.from('predictions');
const IMAGE_DATA = Buffer.from('bytesBase64Encoded');

/** Meter of Imagen's predictions: counts pictures without looking into them. Filtered ones have no bytes. */
export class ImagenMeter extends JsonEventMeter {
  constructor(private readonly shape: Pick<CallShape, 'promptTokens'>) {
    super();
    this.units = 0;
  }

  override ownCount(): Usage {
    return imagesAsUsage(this.units ?? 0, this.shape.promptTokens);
  }

  override readWhole(body: Buffer): WholeVerdict {
    const { cursor } = this;
    const isWhole = this.walk(body, 0, body.length, () => {
      if (cursor.keyIs(PREDICTIONS)) this.elements(this.prediction);
      else cursor.skipValue();
    });
    if (!isWhole) return 'malformed';
    if (this.units === 0) {
      // Also where every picture was filtered: why stands in the document.
      return this.failedWith(parseSpan(body, 0, body.length));
    }
    this.hasFinish = true;
    return 'answer';
  }

  private readonly prediction = (): void => {
    let hasPicture = false;
    this.members(() => {
      if (this.cursor.keyIs(IMAGE_DATA)) hasPicture = this.takePresence();
      else this.cursor.skipValue();
    });
    if (!hasPicture) return;
    this.units = (this.units ?? 0) + 1;
    this.produced.extraTokens += TOKENS_PER_GOOGLE_IMAGE;
  };
}
