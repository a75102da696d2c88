import type { Usage } from '../model/usage.js';
import { type Estimate, ProducedText } from '../formats/contract/produced-text.js';

/** Tokens of a second of sound, heard and spoken: 100 ÷ 0.06 and 200 ÷ 0.24 a minute. */
const HEARD_TOKENS_PER_SECOND = 100 / 0.06 / 60;
const SPOKEN_TOKENS_PER_SECOND = 200 / 0.24 / 60;
/** 24 kHz, 16 bits: sound of other formats is counted as so many bytes of this one. */
export const PCM_BYTES_PER_SECOND = 48_000;
/** Text that waits for its count; the count of many short pieces is that of the text they are. */
const WAITING_BYTES = 4_096;

/** A text that is counted as it grows, and not kept. */
class CountedText {
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

  addTokens(tokens: number): void {
    this.text.extraTokens += tokens;
  }

  tokens(): number {
    return this.text.running(this.estimate);
  }
}

/** What was heard and written for the model and no response has read yet. */
export class WaitingInput {
  heardBytes = 0;
  readonly text: CountedText;

  get isEmpty(): boolean {
    return this.heardBytes === 0 && this.text.tokens() === 0;
  }

  constructor(estimate: Estimate) {
    this.text = new CountedText(estimate);
  }
}

/** Input a report named: the conversation as far as the model had read it. */
export type NamedContext = Usage['input'];

/** Our own count of one response: what it read, and what it has brought so far. */
export class ResponseCount {
  spokenBytes = 0;
  /** Its end was told and settled by our own count before these pieces came. */
  isLate = false;
  /** Of tools it reads again. */
  toolTokens = 0;
  readonly text: CountedText;
  private heardBytes = 0;
  private readTokens = 0;

  /** @param isAnnounced  the upstream said that it is being made; false = only its pieces came */
  constructor(
    estimate: Estimate,
    public isAnnounced: boolean,
  ) {
    this.text = new CountedText(estimate);
  }

  /** It reads what waited. */
  read(input: WaitingInput): void {
    this.heardBytes += input.heardBytes;
    this.readTokens += input.text.tokens();
  }

  get hasOutput(): boolean {
    return this.spokenBytes > 0 || !this.text.isEmpty;
  }

  /** @param named  what the last report named: whatever follows in a conversation reads that again; undefined = none did */
  usage(named: NamedContext | undefined): Usage {
    const heard = Math.ceil((this.heardBytes / PCM_BYTES_PER_SECOND) * HEARD_TOKENS_PER_SECOND);
    const spoken = Math.ceil((this.spokenBytes / PCM_BYTES_PER_SECOND) * SPOKEN_TOKENS_PER_SECOND);
    const context = this.isLate ? undefined : named;
    // A report that was named holds the tools.
    const tools = context === undefined ? this.toolTokens : 0;
    return {
      input: {
        ...context,
        total: (context?.total ?? 0) + heard + this.readTokens + tools,
        audio: (context?.audio ?? 0) + heard,
      },
      output: { total: spoken + this.text.tokens(), audio: spoken },
    };
  }
}
