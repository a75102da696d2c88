import type { WholeVerdict } from '../../../formats/contract/reply-meter.js';
import { key, parseSpan, JsonEventMeter } from '../../../formats/shared/metering/json-event-meter.js';

const RESULT = key('result');
const TEXT = key('text');
const IMAGE = key('image');
const OPEN_OBJECT = 0x7b;

/** Meter of what models answer behind `ai/run`: `{result, success, errors}`, or a picture's bytes. */
export class CloudflareRunMeter extends JsonEventMeter {
  /** @param makesPictures  the answer is one picture, which is charged as one */
  constructor(private readonly makesPictures: boolean) {
    super();
  }

  override readWhole(body: Buffer): WholeVerdict {
    this.produced.borrow();
    if (this.makesPictures && body.length > 0 && body[0] !== OPEN_OBJECT) return this.answer();
    if (!this.walk(body, 0, body.length, this.member)) return 'malformed';
    if (this.sawContent) return this.answer();
    const document = parseSpan(body, 0, body.length) as { readonly success?: unknown };
    if (document.success === true) return 'empty';
    return this.failedWith(document);
  }

  private answer(): WholeVerdict {
    this.hasFinish = true;
    if (this.makesPictures) this.units = 1;
    return 'answer';
  }

  private readonly member = (): void => {
    if (this.cursor.keyIs(RESULT)) this.members(this.result);
    else this.cursor.skipValue();
  };

  private readonly result = (): void => {
    const { cursor } = this;
    if (cursor.keyIs(TEXT) && !this.makesPictures) this.takeText();
    else if (cursor.keyIs(IMAGE) && this.makesPictures) this.sawContent = this.takeString() !== undefined;
    else this.takeUnknown(cursor);
  };
}
