import { Chat } from './chat';
import { chatRequest } from './chat-request';
import type { ChatSettings } from './chat-settings';
import type { Exchanges } from './exchanges';
import type { ChatMessage, MessagePart } from './messages';
import { EMPTY_TREE, showVersion, shownPath, type VersionTree, withPath } from './versions';

interface LaneParts {
  readonly id: string;
  readonly model: string;
  readonly tree: VersionTree;
  /** Read for each call. */
  readonly settings: () => ChatSettings;
  readonly exchanges: Exchanges;
  readonly open: (body: unknown, signal: AbortSignal) => Promise<Response>;
}

/** One model's side of a conversation: its messages, all their versions, and the call that runs. */
export class Lane {
  readonly id: string;
  readonly chat: Chat;
  /** Model it began with. */
  readonly firstModel: string;
  /** Model of the next call. */
  model: string;
  /** Versions that are not shown, and those that are as of the last `remember`. */
  private tree: VersionTree;
  private readonly settings: () => ChatSettings;

  constructor({ id, model, tree, settings, exchanges, open }: LaneParts) {
    this.id = id;
    this.firstModel = model;
    this.model = model;
    this.tree = tree;
    this.settings = settings;
    this.chat = new Chat(shownPath(tree), {
      open,
      exchanges,
      bodyOf: (messages) => ({ model: this.model, body: this.requestOf(messages) }),
    });
  }

  requestOf(messages: readonly ChatMessage[]): ReturnType<typeof chatRequest> {
    return chatRequest(messages, this.settings(), this.model);
  }

  get isRunning(): boolean {
    return this.chat.state().isRunning;
  }

  /** Every version, the messages on screen included. */
  versions(): VersionTree {
    this.tree = withPath(this.tree, this.chat.messages);
    return this.tree;
  }

  async ask(parts: readonly MessagePart[]): Promise<void> {
    await this.chat.ask(parts);
  }

  /** Asks for another version of an answer. */
  async repeat(messageId: string): Promise<void> {
    this.versions();
    await this.chat.repeat(messageId);
  }

  /** Asks a question anew in other words; its files stay. */
  async edit(messageId: string, text: string): Promise<void> {
    this.versions();
    const { messages } = this.chat;
    const index = messages.findIndex(({ id }) => id === messageId);
    const files = (messages[index]?.parts ?? []).filter(({ type }) => type === 'file');
    this.chat.messages = messages.slice(0, Math.max(0, index));
    await this.ask([{ type: 'text', text }, ...files]);
  }

  show(messageId: string): void {
    this.tree = showVersion(this.versions(), messageId);
    this.chat.messages = shownPath(this.tree);
  }

  mark(messageId: string, isBest: boolean): void {
    this.chat.messages = this.chat.messages.map((message) =>
      message.id === messageId ? { ...message, metadata: { ...message.metadata, isBest } } : message,
    );
  }

  clear(): void {
    this.tree = EMPTY_TREE;
    this.chat.stop();
    this.chat.messages = [];
  }

  stop(): void {
    this.chat.stop();
  }
}
