/** Our word beside the vendor's own. */
export interface FinishReason {
  readonly unified: 'stop' | 'length' | 'tool-calls' | 'content-filter' | 'error' | 'other';
  readonly raw: string | undefined;
}
