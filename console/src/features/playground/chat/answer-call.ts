import { readEvents } from '../../../api/events';
import { CallRefused } from '../../../api/open-call';
import { AnswerReader } from './answer-reader';
import type { Exchanges } from './exchanges';
import { failureOf } from './failure-of';
import {
  type AnswerCall,
  type ChatMessage,
  type MessageFacts,
  type MessagePart,
  withPiece,
} from './messages';
import { PacedDrawing } from './paced-drawing';

const CHAT_PATH = '/pg/chat/completions';

/** Reading a burst of events gives way to frames after so long. */
const SLICE_MS = 8;

export interface AnswerParts {
  readonly open: (body: unknown, signal: AbortSignal) => Promise<Response>;
  readonly bodyOf: (messages: readonly ChatMessage[]) => { readonly model: string; readonly body: unknown };
  readonly exchanges: Exchanges;
}

/** One call, from its request to its end. Failures become facts of the message, so what came stays beside them. */
export class AnswerCallRun {
  private readonly reader = new AnswerReader();
  private readonly startedMs = performance.now();
  private readonly earlier: readonly AnswerCall[];
  private call: AnswerCall = { requestId: '', startedAtMs: Date.now() };
  private message: ChatMessage;
  private readonly drawing: PacedDrawing;
  private sliceStartMs = 0;

  /**
   * @param message  the answer so far; a call that brings results of functions continues it
   * @param show  gets the message after each change
   */
  constructor(
    private readonly parts: AnswerParts,
    message: ChatMessage,
    private readonly show: (message: ChatMessage) => void,
  ) {
    this.earlier = message.metadata?.calls ?? [];
    this.message = message;
    this.drawing = new PacedDrawing(show);
  }

  /** Never fails. */
  async run(messages: readonly ChatMessage[], signal: AbortSignal): Promise<void> {
    const { model, body } = this.parts.bodyOf(messages);
    this.message = { ...this.message, parts: [...this.message.parts, { type: 'step' }] };
    this.note({ model });
    this.show(this.message);
    signal.addEventListener('abort', () => this.drawing.stop());
    let outcome: MessageFacts = {};
    try {
      await this.read(body, signal);
      const { failure, ending } = this.reader;
      outcome = { ...(failure && { failure }), ...(ending && { ending }) };
    } catch (error) {
      outcome = signal.aborted ? { ending: 'stopped' } : { failure: failureOf(error) };
      if (error instanceof CallRefused) this.recordRefusal(body, error);
    }
    this.call = { ...this.call, totalMs: performance.now() - this.startedMs };
    await this.drawing.finish();
    this.add(this.reader.end());
    this.note(outcome);
    this.show(this.message);
  }

  private async read(body: unknown, signal: AbortSignal): Promise<void> {
    const response = await this.parts.open(body, signal);
    const exchange = this.parts.exchanges.begin(CHAT_PATH, body, response);
    this.call = { ...this.call, requestId: response.headers.get('x-request-id') ?? '' };
    this.note({});
    if (response.body === null) return;
    for await (const data of readEvents(response.body)) {
      exchange.add(data);
      if (data === '[DONE]') return;
      this.add(this.reader.read(data));
      if (this.reader.hasContent && this.call.firstMs === undefined) {
        this.call = { ...this.call, firstMs: performance.now() - this.startedMs };
        this.note({});
      }
      if (this.reader.failure !== undefined) return;
      this.drawing.draw(this.message);
      await this.giveWay();
    }
  }

  /** Lets frames and input in. Timers of a hidden page are slow, and it has no frames. */
  private async giveWay(): Promise<void> {
    if (document.hidden || performance.now() - this.sliceStartMs < SLICE_MS) return;
    await new Promise((resolve) => setTimeout(resolve));
    this.sliceStartMs = performance.now();
  }

  private recordRefusal(body: unknown, { body: answer, response }: CallRefused): void {
    this.call = { ...this.call, requestId: response.headers.get('x-request-id') ?? '' };
    this.parts.exchanges.begin(CHAT_PATH, body, response).add(answer);
  }

  private add(pieces: readonly MessagePart[]): void {
    this.message = { ...this.message, parts: pieces.reduce(withPiece, this.message.parts) };
  }

  private note(facts: MessageFacts): void {
    const metadata = { ...this.message.metadata, ...facts, calls: [...this.earlier, this.call] };
    this.message = { ...this.message, metadata };
  }
}
