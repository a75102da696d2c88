import { Worker } from 'node:worker_threads';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../../../common/clock.js';
import { TokenCounter } from '../../../relay-core/ports/token-counter.js';
import { estimateTokens } from '../../../relay-core/framing/estimate-tokens.js';

/** Longest wait of a caller for a count, and for the first one, which loads the vocabulary. */
const BUDGET_MS = 100;
const FIRST_BUDGET_MS = 2_000;
/** A thread that has not answered for so long is replaced. */
const STUCK_MS = 5_000;
const MAX_WAITING = 200;
/** Longer texts are estimated by size: 3 bytes a token errs to the expensive side. */
const MAX_BYTES = 256 * 1024;
const BYTES_PER_TOKEN = 3;

interface Waiting {
  readonly settle: (tokens: number | null) => void;
  readonly askedAtMs: number;
}

/** Counts in a thread of its own, started when first needed; whenever that would take too long, the estimate holds. */
@Injectable()
export class WorkerTokenCounter extends TokenCounter implements OnApplicationShutdown {
  private readonly logger = new Logger('TokenCounter');
  private readonly waiting = new Map<number, Waiting>();
  private worker: Worker | undefined;
  private hasAnswered = false;
  private nextId = 1;

  constructor(private readonly clock: Clock) {
    super();
  }

  override estimate(text: string, _model: string): number {
    return text.length > MAX_BYTES
      ? Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN)
      : estimateTokens(text);
  }

  override async count(text: string, model: string): Promise<number> {
    if (text === '') return 0;
    if (text.length > MAX_BYTES || this.waiting.size >= MAX_WAITING) return this.estimate(text, model);
    this.replaceStuckWorker();
    return (await this.ask(text, encodingOf(model))) ?? this.estimate(text, model);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.worker?.terminate();
  }

  /** Null = no answer within the budget. */
  private ask(text: string, encoding: string): Promise<number | null> {
    return new Promise((resolve) => {
      const id = this.nextId;
      this.nextId += 1;
      const cancel = this.clock.after(this.hasAnswered ? BUDGET_MS : FIRST_BUDGET_MS, () => {
        // Still in the list of waiting questions, which is how a stuck thread is noticed.
        resolve(null);
      });
      const settle = (tokens: number | null): void => {
        cancel();
        resolve(tokens);
      };
      this.waiting.set(id, { settle, askedAtMs: this.clock.monotonicMs() });
      this.worker ??= this.startWorker();
      this.worker.postMessage({ id, text, encoding });
    });
  }

  private startWorker(): Worker {
    // Tests run the sources, which Node reads by stripping the types; the build runs what was compiled.
    const file = import.meta.url.endsWith('.ts') ? './tokenizer-worker.ts' : './tokenizer-worker.js';
    const worker = new Worker(new URL(file, import.meta.url));
    worker.unref();
    worker.on('message', (answer: { id: number; tokens?: number; failure?: string }) => {
      this.hasAnswered = true;
      if (answer.failure !== undefined) this.logger.warn(`a text could not be counted: ${answer.failure}`);
      this.waiting.get(answer.id)?.settle(answer.tokens ?? null);
      this.waiting.delete(answer.id);
    });
    worker.on('error', (error) => {
      this.logger.error(`the counting thread failed: ${String(error)}`);
      if (this.worker === worker) this.dropWorker();
    });
    return worker;
  }

  private replaceStuckWorker(): void {
    const oldest = this.waiting.values().next().value;
    if (oldest === undefined || this.clock.monotonicMs() - oldest.askedAtMs < STUCK_MS) return;
    this.logger.warn('the counting thread did not answer and is replaced');
    // Terminating only fails for a thread that is gone already.
    void this.worker?.terminate();
    this.dropWorker();
  }

  private dropWorker(): void {
    this.worker = undefined;
    this.hasAnswered = false;
    for (const { settle } of this.waiting.values()) settle(null);
    this.waiting.clear();
  }
}

/** Vocabulary of a model family; everything newer or unknown is counted with the current one. */
const encodingOf = (model: string): string =>
  /^(gpt-3\.5|gpt-4(?!o|\.|-o)|text-embedding)/.test(model) ? 'cl100k_base' : 'o200k_base';
