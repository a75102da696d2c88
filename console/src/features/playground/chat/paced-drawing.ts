import { DrawBudget } from './draw-budget';
import type { ChatMessage } from './messages';

/** A frame that does not come within this time is not waited for. */
const LATEST_MS = 250;
/** A drawing adds at least this part of what waits, so that a slow machine is not seconds behind. */
const BACKLOG_PIECES = 64;

/**
 * Shows an arriving message: at most one drawing a frame, fewer when drawing is slow, and little more text at once than a frame has
 * time for. A hidden page gets everything, without frames.
 */
export class PacedDrawing {
  private readonly budget = new DrawBudget();
  private message: ChatMessage | undefined;
  /** Characters on screen of the part that grows. */
  private shown = { part: -1, characters: 0 };
  private cancel: (() => void) | undefined;
  private whenDone: (() => void) | undefined;

  constructor(private readonly show: (message: ChatMessage) => void) {}

  /** Wants this state of the message on screen. */
  draw(message: ChatMessage): void {
    this.message = message;
    if (this.cancel === undefined) this.awaitFrame();
  }

  /** Resolves once the last wanted state is on screen. */
  async finish(): Promise<void> {
    if (this.cancel === undefined) return;
    await new Promise<void>((resolve) => (this.whenDone = resolve));
  }

  /** Draws nothing more. */
  stop(): void {
    this.cancel?.();
    this.cancel = undefined;
    this.whenDone?.();
  }

  private awaitFrame(): void {
    const run = () => {
      cancel();
      this.drawOnce();
    };
    const timer = setTimeout(run, LATEST_MS);
    const frame = requestAnimationFrame(run);
    const cancel = () => {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
    };
    this.cancel = cancel;
  }

  private drawOnce(): void {
    const { message } = this;
    if (message === undefined) return;
    const startedMs = performance.now();
    const { piece, added, isWhole } = this.nextPiece(message);
    this.show(piece);
    // Runs once the frame is on screen.
    const painted = setTimeout(() => {
      this.budget.count(performance.now() - startedMs, added);
      if (isWhole && this.message === message) return this.stop();
      const rest = setTimeout(() => this.awaitFrame(), this.budget.restMs);
      this.cancel = () => clearTimeout(rest);
    });
    this.cancel = () => clearTimeout(painted);
  }

  /** The message with as much of its growing text as the budget allows. */
  private nextPiece(message: ChatMessage): { piece: ChatMessage; added: number; isWhole: boolean } {
    const part = message.parts.length - 1;
    const last = message.parts[part];
    if (last?.type !== 'text') return { piece: message, added: 0, isWhole: true };
    const before = this.shown.part === part ? this.shown.characters : 0;
    const share = Math.ceil((last.text.length - before) / BACKLOG_PIECES);
    const limit = document.hidden ? Infinity : before + Math.max(this.budget.characters, share);
    const characters = endOf(last.text, limit);
    this.shown = { part, characters };
    const added = characters - before;
    if (characters === last.text.length) return { piece: message, added, isWhole: true };
    const text = last.text.slice(0, characters);
    const parts = [...message.parts.slice(0, -1), { ...last, text }];
    return { piece: { ...message, parts }, added, isWhole: false };
  }
}

/** Cuts no character in two. */
function endOf(text: string, limit: number): number {
  if (limit >= text.length) return text.length;
  const isPair = /[\uD800-\uDBFF]/.test(text.charAt(limit - 1));
  return isPair ? limit - 1 : limit;
}
