import type { ReceiptBook } from '../chat/receipt-book';

/** Actions and facts the messages of all lanes share. Its identity changes only with the settings or the number of lanes. */
export interface LaneTools {
  readonly isComparing: boolean;
  readonly receipts: ReceiptBook;
  /** Opens request, response and receipt of a call. */
  onInspect(requestIds: readonly string[]): void;
  /** Continues in a new conversation that ends with this message. */
  onBranch(laneId: string, messageId: string): void;
  onVote(laneId: string, messageId: string): void;
}
