import type { Usage } from '../model/usage.js';
import type { Estimate } from '../formats/contract/produced-text.js';
import type { AskedResponse } from './asked-responses.js';
import type { ConversationMark, NamedContext } from './conversation.js';
import { CountedText } from './counted-text.js';
import { spokenTokens } from './sound-length.js';

const NO_INPUT: Usage['input'] = { total: 0 };

/** Our own count of one response: what it read, and what it has brought so far. */
export class ResponseCount {
  spokenBytes = 0;
  /** Its end was reported and settled by our own count before these pieces came. */
  isLate = false;
  /** The client asked for it, or sent something that the vendor answers by itself. */
  isExpected = false;
  /** Request of the client; undefined = the vendor began by itself. */
  asked: AskedResponse | undefined;
  /** Totals of the conversation when it began. */
  mark: ConversationMark | undefined;
  /** It began in the conversation before any report named what that holds. */
  isUnnamed = false;
  /** Input by our own count when it began. */
  input: () => Usage['input'] = () => NO_INPUT;
  readonly text: CountedText;

  /** @param isAnnounced  the upstream announced it; false = only its pieces came */
  constructor(
    estimate: Estimate,
    public isAnnounced: boolean,
  ) {
    this.text = new CountedText(estimate);
  }

  get hasOutput(): boolean {
    return this.spokenBytes > 0 || !this.text.isEmpty;
  }

  get output(): { readonly total: number; readonly audio: number } {
    const audio = spokenTokens(this.spokenBytes);
    return { total: audio + this.text.tokens(), audio };
  }

  /** @param named  what the last report named: what was read at the same time is as much; undefined = none did */
  usage(named: NamedContext | undefined): Usage {
    const own = this.input();
    const isNamed = this.isUnnamed && named !== undefined && (named.total ?? 0) > (own.total ?? 0);
    return { input: isNamed ? named : own, output: this.output };
  }
}
