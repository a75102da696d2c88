import type { ChatSettings } from '../chat/chat-settings';
import type { VersionTree } from '../chat/versions';

export interface StoredLane {
  readonly id: string;
  readonly model: string;
  readonly tree: VersionTree;
}

/** Figures of a charged call. */
export interface Receipt {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly quota: number;
}

/** A conversation as this browser keeps it. */
export interface Conversation {
  readonly id: string;
  /** Beginning of the first question; empty until there is one. */
  readonly title: string;
  readonly updatedAtMs: number;
  readonly settings: ChatSettings;
  /** One for each model that is compared, 1 to 4. */
  readonly lanes: readonly StoredLane[];
  /** Receipts by request id. */
  readonly receipts: Readonly<Record<string, Receipt>>;
}

export type ConversationSummary = Pick<Conversation, 'id' | 'title' | 'updatedAtMs'> & {
  readonly bytes: number;
};

/** A system prompt of the reader's library. */
export interface StoredPrompt {
  readonly name: string;
  readonly text: string;
}
