import { containFaults } from '../../common/contain-faults.js';
import type { GatewayReply } from '../../relay-core/dialects/dialect.js';
import type { RelayError } from '../../relay-core/model/relay-error.js';
import type { ClientReply } from '../../relay-core/ports/client-reply.js';
import type { RawReply } from '../http/relay-replies.js';

const noop = (): void => undefined;

/**
 * The client's side of a call over a hijacked reply. Listeners are added to the socket only when a call asks for them, and
 * nothing is buffered here: what the socket does not take stays upstream.
 */
export class ReplySink implements ClientReply {
  private isGone = false;
  private isStream = false;
  /** True once the client has to wait: no drain listener before. */
  private isWaiting = false;
  private notifyGone: (ended?: RelayError) => void = noop;
  private notifyDrained = noop;

  constructor(
    private readonly response: RawReply,
    /** Headers every relay reply carries. */
    private readonly common: Readonly<Record<string, string>>,
  ) {}

  get isCommitted(): boolean {
    return this.response.headersSent;
  }

  /** Events are on their way to a client. */
  get isStreaming(): boolean {
    return this.isStream && !this.isClosed;
  }

  get isClosed(): boolean {
    return this.isGone || this.response.writableEnded || this.response.destroyed;
  }

  writeHead(status: number, headers: Readonly<Record<string, string>>): void {
    if (this.isCommitted || this.isClosed) return;
    this.isStream = headers['content-type']?.startsWith('text/event-stream') === true;
    this.response.begin(status, this.common, headers);
  }

  write(bytes: Buffer | string): boolean {
    if (this.isClosed || this.response.write(bytes)) return true;
    if (!this.isWaiting) this.response.once('drain', this.onTaken);
    this.isWaiting = true;
    return false;
  }

  end(bytes?: Buffer | string): void {
    if (this.isClosed) return;
    this.response.end(bytes);
  }

  onDrain(listener: () => void): void {
    this.notifyDrained = listener;
  }

  onClientGone(listener: (ended?: RelayError) => void): void {
    this.notifyGone = listener;
    const tell = (): void => {
      // 'close' also follows a reply that was sent whole.
      if (this.isGone || this.response.writableFinished) return;
      this.isGone = true;
      containFaults(() => listener(), this.cut);
    };
    if (this.response.destroyed) tell();
    // Called once; `once` would make a wrapper for each call.
    else this.response.on('close', tell);
  }

  onProbe(listener: () => boolean): void {
    this.response.onProbe(listener);
  }

  abort(): void {
    this.response.destroy();
  }

  private readonly onTaken = (): void => {
    this.isWaiting = false;
    containFaults(this.notifyDrained, this.cut);
  };

  private readonly cut = (): void => {
    this.response.destroy();
  };

  /**
   * Terminates the reply from the gateway's side with an error; one whose client has left may still be read, and ends, too.
   * @param error  the reason, passed to the call
   * @param whole  the refusal when nothing was sent yet
   * @param frame  the error event for a running stream
   */
  cutShort(error: RelayError, whole: GatewayReply, frame: string): void {
    if (this.isGone || this.response.destroyed) return this.notifyGone(error);
    if (this.isClosed) return;
    if (this.isCommitted) {
      // A blank line first: the last write may have stopped inside an event. A whole reply cannot be ended early, only cut.
      if (this.isStream) this.response.end(`\n\n${frame}`);
      else this.response.destroy();
    } else {
      this.response.begin(whole.status, this.common, { ...whole.headers, connection: 'close' });
      this.response.end(whole.body);
    }
    this.isGone = true;
    this.notifyGone(error);
  }
}
