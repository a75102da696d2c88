import type {
  HttpSender,
  UpstreamExchange,
  UpstreamFault,
  UpstreamRequest,
  UpstreamSink,
} from '../../ports/http-sender.js';
import type { FailedReply } from '../../providers/provider.js';

/** Most parts of one call at a time. */
export const MAX_PARTS_AT_ONCE = 4;

/** The parts of a call with more items than its vendor takes at once. */
export interface CallParts {
  /** One request a part, in the order of the items. */
  readonly requests: readonly UpstreamRequest[];
  /** A part leaves. */
  onSent(index: number): void;
  /** The whole reply to a part, whatever its status. @returns false when the call has failed: no further part is sent */
  take(index: number, reply: FailedReply): boolean;
}

/** Stands for the answer, which the parts keep; see PartAnswers. */
const JOINED = Buffer.from('{}');
const NOTHING = Buffer.alloc(0);
const JOINED_HEADERS = { 'content-type': 'application/json' };

/**
 * One exchange for all parts of a call: sends up to four at once and gives the sink one reply when the last of them has ended. After a
 * failed part none is sent any more; those already sent are read to their end, since the vendor charges for them.
 */
export class PartsExchange implements UpstreamExchange {
  private readonly underWay = new Map<number, UpstreamExchange | undefined>();
  private next = 0;
  private receivedBytes = 0;
  private hasHead = false;
  private isStopped = false;
  private isSending = false;
  private isOver = false;
  private fault: UpstreamFault | undefined;

  /** @param maxBytes  largest sum of all replies */
  constructor(
    private readonly ports: { readonly sender: HttpSender },
    private readonly parts: CallParts,
    private readonly sink: UpstreamSink,
    private readonly maxBytes: number,
  ) {}

  start(): this {
    this.sendMore();
    return this;
  }

  /** Parts are read whole and never paused. */
  resume(): void {
    return undefined;
  }

  abort(): void {
    this.isOver = true;
    const exchanges = [...this.underWay.values()];
    this.underWay.clear();
    for (const exchange of exchanges) exchange?.abort();
  }

  private sendMore(): void {
    // A reply may come while its request is being sent.
    if (this.isSending) return;
    this.isSending = true;
    while (this.mayStart()) this.send(this.next++);
    this.isSending = false;
    if (!this.isOver && this.underWay.size === 0) this.finish();
  }

  private mayStart(): boolean {
    const hasRoom = this.underWay.size < MAX_PARTS_AT_ONCE && this.next < this.parts.requests.length;
    return hasRoom && !this.isOver && !this.isStopped;
  }

  private send(index: number): void {
    const request = this.parts.requests[index];
    if (request === undefined) return;
    let status = 0;
    let headers: FailedReply['headers'] = {};
    const chunks: Buffer[] = [];
    this.underWay.set(index, undefined);
    this.parts.onSent(index);
    const exchange = this.ports.sender.send(request, {
      onHead: (answered, named) => {
        status = answered;
        headers = named;
        this.headCame();
      },
      onBytes: (chunk) => {
        this.receivedBytes += chunk.length;
        if (this.receivedBytes > this.maxBytes) this.breakOff({ kind: 'too-large' });
        else chunks.push(chunk);
        return true;
      },
      onEnd: () => {
        const body = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
        this.partEnded(index, () => this.parts.take(index, { status, headers, body }));
      },
      onBroken: (fault) =>
        this.partEnded(index, () => {
          this.fault ??= fault;
          return false;
        }),
    });
    if (this.isOver) exchange.abort();
    else if (this.underWay.has(index)) this.underWay.set(index, exchange);
  }

  /** The clocks of the call learn that the upstream is at work. */
  private headCame(): void {
    if (this.isOver || this.hasHead) return;
    this.hasHead = true;
    this.sink.onHead(200, JOINED_HEADERS);
  }

  private partEnded(index: number, take: () => boolean): void {
    if (this.isOver || !this.underWay.delete(index)) return;
    if (!take()) this.isStopped = true;
    else if (this.hasHead) this.sink.onBytes(NOTHING);
    this.sendMore();
  }

  private breakOff(fault: UpstreamFault): void {
    if (this.isOver) return;
    this.abort();
    this.sink.onBroken(fault);
  }

  private finish(): void {
    this.isOver = true;
    if (this.fault !== undefined) return this.sink.onBroken(this.fault);
    if (!this.hasHead) this.sink.onHead(200, JOINED_HEADERS);
    this.sink.onBytes(JOINED);
    this.sink.onEnd();
  }
}
