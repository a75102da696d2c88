import { AnswerCallRun, type AnswerParts } from './answer-call';
import { type ChatMessage, hasAllResults, type MessagePart } from './messages';

export interface ChatState {
  readonly messages: readonly ChatMessage[];
  /** A call runs; its answer is the last message. */
  readonly isRunning: boolean;
}

/** One chat with a model: its messages and the call that runs. A store for `useSyncExternalStore`. */
export class Chat {
  private present: ChatState;
  private running: AbortController | undefined;
  private readonly listeners = new Set<() => void>();

  constructor(
    messages: readonly ChatMessage[],
    private readonly parts: AnswerParts,
  ) {
    this.present = { messages, isRunning: false };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  readonly state = (): ChatState => this.present;

  get messages(): readonly ChatMessage[] {
    return this.present.messages;
  }

  set messages(messages: readonly ChatMessage[]) {
    this.change({ ...this.present, messages });
  }

  /** Adds a question and asks it. Resolves when its answer is over, however it ends. */
  ask(parts: readonly MessagePart[]): Promise<void> {
    this.messages = [...this.messages, { id: crypto.randomUUID(), role: 'user', parts }];
    return this.answer();
  }

  /** Asks again for an answer, in place of it and of what follows it. */
  repeat(messageId: string): Promise<void> {
    const index = this.messages.findIndex(({ id }) => id === messageId);
    if (index > 0) this.messages = this.messages.slice(0, index);
    return this.answer();
  }

  /** Enters the result of a function; with the last one of its call the model goes on. */
  async answerTool(toolCallId: string, output: unknown): Promise<void> {
    this.messages = this.messages.map((message) => ({
      ...message,
      parts: message.parts.map((part) =>
        part.type === 'tool' && part.toolCallId === toolCallId ? { ...part, output } : part,
      ),
    }));
    const last = this.messages.at(-1);
    if (last !== undefined && hasAllResults(last)) await this.answer();
  }

  /** Ends the call that runs; what came of its answer stays. */
  stop(): void {
    this.running?.abort();
  }

  private async answer(): Promise<void> {
    if (this.running !== undefined) return;
    const asked = this.messages;
    const last = asked.at(-1);
    const isContinued = last?.role === 'assistant';
    const earlier = isContinued ? asked.slice(0, -1) : asked;
    const controller = new AbortController();
    this.running = controller;
    this.change({ messages: asked, isRunning: true });
    const shown: ChatMessage = isContinued ? last : { id: crypto.randomUUID(), role: 'assistant', parts: [] };
    const run = new AnswerCallRun(this.parts, shown, (message) => {
      // A conversation that was cleared meanwhile stays empty.
      if (this.messages.length >= earlier.length && this.messages[0] === asked[0])
        this.messages = [...earlier, message];
    });
    await run.run(asked, controller.signal);
    this.running = undefined;
    this.change({ ...this.present, isRunning: false });
  }

  private change(next: ChatState): void {
    this.present = next;
    for (const listener of this.listeners) listener();
  }
}
