import { randomUUID } from 'node:crypto';

/**
 * Gemini's calls had no ids before its third generation, and other grammars cannot do without. Ids we make begin like
 * this, so that they are known on their way back and left out again.
 */
const MADE_ID = 'call_gm_';

const UNSAFE = /[^A-Za-z0-9_-]/g;

/** Makes the ids of one reply's calls: the same reply gives the same ids, two replies never do. */
export class CallIds {
  private count = 0;
  private replyId = '';

  /** @param replyId  the vendor's id of the reply; empty = it has none, and chance takes its place */
  next(replyId: string): string {
    if (this.replyId === '') this.replyId = replyId === '' ? randomUUID() : replyId.replace(UNSAFE, '_');
    this.count += 1;
    return `${MADE_ID}${this.replyId}_${this.count}`;
  }
}

/** Id of a call in a conversation whose client sent none: where it stands, so that a longer history keeps its ids. */
export const historicCallId = (content: number, part: number): string => `${MADE_ID}h${content}_${part}`;

/** The id as the vendor gave it; undefined when we made it. */
export const vendorCallId = (callId: string): string | undefined =>
  callId === '' || callId.startsWith(MADE_ID) ? undefined : callId;
