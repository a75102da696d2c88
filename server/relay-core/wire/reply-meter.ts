import type { Usage } from '../model/usage.js';
import { ProducedText } from './produced-text.js';

/**
 * What one event of a stream is to the relay:
 * `setup` may be forwarded but proves nothing yet; `content` proves that the upstream answers; `usage-only` carries
 * figures and nothing else; `end` is the wire's end marker; `error` is a failure inside the stream; `malformed` cannot
 * be read; `silent` has no data.
 */
export type EventVerdict = 'setup' | 'content' | 'usage-only' | 'end' | 'error' | 'malformed' | 'silent';

/** What a whole reply is: an answer, a failure dressed as one, nothing at all, or not readable. */
export type WholeVerdict = 'answer' | 'error' | 'empty' | 'malformed';

/**
 * Reads from a reply's bytes what a charge needs: usage, what was produced, how it ended. Never makes objects of what
 * it only passes by. The same meter runs on the pass-through and on the translated path, so both charge alike.
 */
export abstract class ReplyMeter {
  readonly produced = new ProducedText();
  /** The vendor's valid report; a later one replaced an earlier one. Undefined = none. */
  usage: Usage | undefined;
  /** A report came that cannot be true (UP-01). */
  usageIsInvalid = false;
  /** At least one answer said why it stopped. */
  hasFinish = false;
  /** The parsed document of an `error` verdict. */
  errorDocument: unknown;

  abstract readEvent(data: Buffer, start: number, end: number): EventVerdict;
  abstract readWhole(body: Buffer): WholeVerdict;
}
