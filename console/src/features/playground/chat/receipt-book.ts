import type { Receipt } from '../store/conversation';

export type Receipts = Readonly<Record<string, Receipt>>;

/** Receipts of a conversation, by request id. A store for `useSyncExternalStore`: only what shows a receipt is drawn with it. */
export class ReceiptBook {
  private readonly listeners = new Set<() => void>();

  constructor(private present: Receipts) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  readonly all = (): Receipts => this.present;

  readonly add = (requestId: string, receipt: Receipt): void => {
    if (Object.hasOwn(this.present, requestId)) return;
    this.present = { ...this.present, [requestId]: receipt };
    for (const listener of this.listeners) listener();
  };
}
