/** One answer in one vendor format. Chats: a thought, a word, a call; 40 tokens in, 20 out. */
export interface Answer {
  readonly whole?: object;
  readonly events?: readonly object[];
  /** Framing of its events. */
  readonly framing?: string;
  /** It reports no usage for both sides: the gateway counts. */
  readonly isCounted?: true;
  /** It can hold text only. */
  readonly isPlain?: true;
  /** Media instead of a document. */
  readonly bytes?: { readonly type: string; readonly body: Buffer };
}
