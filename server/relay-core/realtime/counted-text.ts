import { type Estimate, ProducedText } from '../formats/contract/produced-text.js';

/** Text that waits for its count; the count of many short pieces is that of the text they are. */
const WAITING_BYTES = 4_096;

/** A text that is counted as it grows, and not kept. */
export class CountedText {
  private readonly text = new ProducedText(WAITING_BYTES);

  constructor(private readonly estimate: Estimate) {}

  get isEmpty(): boolean {
    return this.text.totalBytes === 0;
  }

  /** The inside of a JSON string. */
  append(bytes: Buffer, from: number, to: number): void {
    this.text.append(bytes, from, to);
    if (this.text.uncounted > WAITING_BYTES) this.text.running(this.estimate);
  }

  appendText(text: string): void {
    this.text.appendText(text);
    if (this.text.uncounted > WAITING_BYTES) this.text.running(this.estimate);
  }

  tokens(): number {
    return this.text.running(this.estimate);
  }
}
