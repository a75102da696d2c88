import type { ClientReply } from '../../../relay-core/ports/client-reply.js';
import type { Clock } from '../../../common/clock.js';

const MAX_BYTES = 256 * 1024;

/** A client that only collects: what a test of a channel is answered. */
export class CollectedReply implements ClientReply {
  status = 0;
  /** Media type of the answer; empty = none was named. */
  contentType = '';
  /** Moment of the first byte of content, monotonic; undefined = none came. */
  firstByteAtMs: number | undefined;
  private readonly parts: Buffer[] = [];
  /** All that came, also what was not kept. */
  sizeBytes = 0;
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

  writeHead(status: number, headers: Readonly<Record<string, string>>): void {
    this.status = status;
    this.contentType = headers['content-type'] ?? '';
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

  /** Sends nothing anyway. */
  onProbe(): void {}
}
