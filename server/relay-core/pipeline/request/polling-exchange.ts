import type { Clock } from '../../../common/clock.js';
import type {
  HttpSender,
  UpstreamExchange,
  UpstreamFault,
  UpstreamRequest,
  UpstreamSink,
} from '../../ports/http-sender.js';

/** A whole reply that is not the answer yet: what to ask next, and when. */
export interface Poll {
  readonly request: UpstreamRequest;
  readonly afterMs: number;
}

/** Undefined = this reply is the answer. An empty body stands for a question that failed. */
export type FindPoll = (reply: {
  readonly body: Buffer;
  /** Number of polls after the first. */
  readonly asked: number;
  readonly last: UpstreamRequest | undefined;
}) => Poll | undefined;

/** Replies of tasks are words about images, not the images. */
const MAX_TASK_BYTES = 4 * 1024 * 1024;

/**
 * An exchange with an upstream that answers later: asks again until the answer is there, and gives the sink one reply.
 * The first reply's head is passed on at once, so that the call's clocks know the upstream is at work. A failure between
 * (429, 5xx) is polled again; cancelling ends the waiting too.
 */
export class PollingExchange implements UpstreamExchange, UpstreamSink {
  private exchange: UpstreamExchange | undefined;
  private cancelTimer: () => void = () => undefined;
  private chunks: Buffer[] = [];
  private size = 0;
  private asked = 0;
  private status = 0;
  /** The reply goes through as it comes: a failure, or the answer. */
  private passes = false;
  private isOver = false;
  private next: Poll | undefined;

  constructor(
    private readonly ports: { readonly sender: HttpSender; readonly clock: Clock },
    private readonly find: FindPoll,
    private readonly sink: UpstreamSink,
  ) {}

  start(request: UpstreamRequest): this {
    this.exchange = this.ports.sender.send(request, this);
    return this;
  }

  resume(): void {
    this.exchange?.resume();
  }

  abort(): void {
    this.isOver = true;
    this.cancelTimer();
    this.exchange?.abort();
  }

  onHead(status: number, headers: Readonly<Record<string, string | string[]>>): void {
    this.status = status;
    if (this.asked > 0) return;
    this.passes = status < 200 || status > 299;
    this.sink.onHead(status, headers);
  }

  onBytes(chunk: Buffer): boolean {
    if (this.passes) return this.sink.onBytes(chunk);
    this.size += chunk.length;
    if (this.size > MAX_TASK_BYTES) this.break({ kind: 'too-large' });
    else this.chunks.push(chunk);
    return true;
  }

  onEnd(): void {
    if (this.isOver) return;
    if (this.passes) return this.sink.onEnd();
    const body = Buffer.concat(this.chunks);
    this.chunks = [];
    this.size = 0;
    const isGood = this.status >= 200 && this.status <= 299;
    if (!isGood) return this.pollAgain();
    this.next = this.find({ body, asked: this.asked, last: this.next?.request });
    if (this.next === undefined) {
      this.isOver = true;
      this.sink.onBytes(body);
      this.sink.onEnd();
      return;
    }
    this.wait(this.next);
  }

  onBroken(fault: UpstreamFault): void {
    if (this.isOver) return;
    // The task goes on without this connection; the vendor charges for it, so its answer is worth another look.
    if (this.asked > 0 && (fault.kind === 'reset' || fault.kind === 'no-room')) this.pollAgain();
    else this.break(fault);
  }

  /** The question failed, not the task. */
  private pollAgain(): void {
    const isFinal = this.status >= 400 && this.status < 500 && this.status !== 429 && this.status !== 408;
    const { asked } = this;
    const again = this.find({ body: NOT_READ, asked, last: this.next?.request });
    if (isFinal || again === undefined) this.break({ kind: 'reset' });
    else this.wait(again);
  }

  private wait({ request, afterMs }: Poll): void {
    this.cancelTimer = this.ports.clock.after(afterMs, () => {
      if (this.isOver) return;
      this.asked += 1;
      this.status = 0;
      this.start(request);
    });
  }

  private break(fault: UpstreamFault): void {
    if (this.isOver) return;
    this.abort();
    this.sink.onBroken(fault);
  }
}

/** Replaces a reply that could not be read: the poll before it is sent again. */
const NOT_READ = Buffer.alloc(0);
