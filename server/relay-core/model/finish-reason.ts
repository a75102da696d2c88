/** Our word beside the vendor's own. */
export interface FinishReason {
  readonly unified: 'stop' | 'length' | 'tool-calls' | 'content-filter' | 'error' | 'other';
  readonly raw: string | undefined;
  /** The stop sequence that ended it, when the vendor says which. */
  readonly stopSequence?: string;
}
