/** Our word beside the vendor's own. */
export interface FinishReason {
  readonly unified: 'stop' | 'length' | 'tool-calls' | 'content-filter' | 'error' | 'other';
  readonly raw: string | undefined;
  /** The stop sequence that ended it, when the vendor names it. */
  readonly stopSequence?: string;
}

/** An end after a call: vendors give "stop", a word of no table, or nothing, although they ask for tools. */
export const finishWithCalls = (finish: FinishReason, hasCalls: boolean): FinishReason =>
  hasCalls && (finish.unified === 'stop' || finish.unified === 'other')
    ? { ...finish, unified: 'tool-calls' }
    : finish;

/**
 * The end in words that callers of another format know. A word of no table is no good end: the answer may lack its rest, so it counts as cut
 * off. An end that never came stays one.
 */
export const closedFinish = ({ unified, raw }: FinishReason): FinishReason['unified'] =>
  unified === 'other' && raw !== undefined ? 'length' : unified;

/** Finish reason of a refusal, for dialects that mark refusals by it alone: some vendors send "stop" after one. */
export const refusedFinish = (finish: FinishReason | undefined): FinishReason =>
  finish === undefined || finish.unified === 'stop' ? { unified: 'content-filter', raw: undefined } : finish;

/** Finish reason of an answer in such a dialect. */
export const shownFinish = <Finish extends FinishReason | undefined>(answer: {
  readonly content: readonly { readonly type: string }[];
  readonly finish: Finish;
}): Finish | FinishReason =>
  answer.content.some(({ type }) => type === 'refusal') ? refusedFinish(answer.finish) : answer.finish;
