import type { ClientReply } from '../../relay-core/ports/client-reply.js';
import type { Clock } from '../../relay-core/ports/clock.js';

const MAX_BYTES = 256 * 1024;

/** A client that only collects: what a test of a channel is answered. */
export class CollectedReply implements ClientReply {
  status = 0;
  /** Moment of the first byte of content, monotonic; undefined = none came. */
  firstByteAtMs: number | undefined;
  private readonly parts: Buffer[] = [];
  private sizeBytes = 0;
  private hasEnded = false;

  constructor(private readonly clock: Clock) {}

  get isCommitted(): boolean {
    return this.status !== 0;
  }

  get isClosed(): boolean {
    return this.hasEnded;
  }

  get text(): string {
    return Buffer.concat(this.parts).toString('utf8');
  }

  writeHead(status: number): void {
    this.status = status;
  }

  write(bytes: Buffer | string): boolean {
    this.firstByteAtMs ??= this.clock.monotonicMs();
    if (this.sizeBytes < MAX_BYTES) this.parts.push(Buffer.from(bytes));
    this.sizeBytes += bytes.length;
    return true;
  }

  end(bytes?: Buffer | string): void {
    if (bytes !== undefined && bytes.length > 0) this.write(bytes);
    this.hasEnded = true;
  }

  abort(): void {
    this.hasEnded = true;
  }

  /** Never full, so never drained. */
  onDrain(): void {}

  /** Never leaves. */
  onClientGone(): void {}
}

/** Text of an answer in OpenAI's shape: whole, streamed, or of embeddings (then how many there were). */
export function answerTextOf(text: string, isStream: boolean): string {
  if (!isStream) return contentOf(parse(text));
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => contentOf(parse(line.slice('data: '.length))))
    .join('');
}

interface Answer {
  readonly data?: readonly unknown[];
  readonly choices?: readonly {
    readonly message?: { readonly content?: unknown };
    readonly delta?: { readonly content?: unknown };
  }[];
}

function contentOf(answer: Answer): string {
  if (Array.isArray(answer.data)) return `${answer.data.length} embedding(s)`;
  const choice = answer.choices?.[0];
  const content = choice?.message?.content ?? choice?.delta?.content;
  return typeof content === 'string' ? content : '';
}

function parse(text: string): Answer {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {}; // the relay let it pass, so there is an answer; there is just no text to show
  }
}
