import { Readable } from 'node:stream';
import { fail, ok, type Result } from '../../common/result.js';
import type { OutboundClient } from '../../infra/http-client/outbound-client.js';
import type { UpstreamExchange, UpstreamFault, UpstreamSink } from '../../relay-core/ports/http-sender.js';
import { agreedMediaType } from '../channels/upstream/media-type.js';

const MAX_BYTES = 20 * 1024 * 1024;
const TIMEOUT_MS = 60_000;
const MAX_REDIRECTS = 3;
/** Enough to detect the type of an image. */
const FIRST_BYTES = 16;

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** An open image download. */
export interface TaskImage {
  readonly mediaType: string;
  readonly body: Readable;
}

/** Why there is none: what to answer, and in which words. */
export interface TaskImageFault {
  readonly status: number;
  readonly text: string;
}

type Outcome =
  | { readonly kind: 'picture'; readonly picture: TaskImage }
  | { readonly kind: 'redirect'; readonly address: string }
  | { readonly kind: 'fault'; readonly fault: TaskImageFault };

/**
 * Opens the image at an untrusted address: through the guard for hostile addresses, as are the few redirects it may make. Accepts
 * images by their own bytes and the declared type only, none of which can run as a page; at most 20 MB, within a minute.
 * Fails: the remote status, or 500.
 */
export async function openTaskImage(
  client: OutboundClient,
  url: string,
): Promise<Result<TaskImage, TaskImageFault>> {
  let address = url;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const outcome = await new Promise<Outcome>((resolve) => {
      new TaskImageReader(address, resolve).start(client);
    });
    if (outcome.kind === 'picture') return ok(outcome.picture);
    if (outcome.kind === 'fault') return fail(outcome.fault);
    address = outcome.address;
  }
  return fail({ status: 500, text: 'too_many_redirects' });
}

/** One request, from its head to its last byte. */
class TaskImageReader implements UpstreamSink {
  private readonly beginning: Buffer[] = [];
  private exchange: UpstreamExchange | undefined;
  private timer: NodeJS.Timeout | undefined;
  private declared: string | undefined;
  private sizeBytes = 0;
  private body: Readable | undefined;
  private isOver = false;

  constructor(
    private readonly address: string,
    private readonly resolve: (outcome: Outcome) => void,
  ) {}

  start(client: OutboundClient): void {
    this.timer = setTimeout(() => this.breakOff('fetch_timeout'), TIMEOUT_MS);
    this.exchange = client.send(
      'answer',
      {
        method: 'GET',
        url: this.address,
        headers: { accept: 'image/*', 'user-agent': 'tollgate' },
        body: undefined,
      },
      this,
    );
    if (this.isOver) this.exchange.abort();
  }

  onHead(status: number, headers: Readonly<Record<string, string | string[]>>): void {
    const location = [headers['location']].flat()[0];
    this.declared = [headers['content-type']].flat()[0];
    if (REDIRECTS.has(status) && location !== undefined && URL.canParse(location, this.address))
      this.leave({ kind: 'redirect', address: new URL(location, this.address).href });
    else if (status !== 200)
      this.leave({ kind: 'fault', fault: { status: shownStatus(status), text: `status ${status}` } });
  }

  onBytes(chunk: Buffer): boolean {
    if (this.isOver) return true;
    this.sizeBytes += chunk.length;
    if (this.sizeBytes > MAX_BYTES) {
      this.breakOff('too_large');
      return true;
    }
    if (this.body !== undefined) return this.body.push(chunk);
    this.beginning.push(chunk);
    return this.sizeBytes < FIRST_BYTES || this.begin();
  }

  onEnd(): void {
    if (this.isOver) return;
    if (this.body === undefined) this.begin();
    this.finish();
    this.body?.push(null);
  }

  onBroken(fault: UpstreamFault): void {
    this.breakOff(fault.kind === 'refused-by-policy' ? 'address_refused' : 'fetch_failed');
  }

  /** @returns false when no more is to come for now */
  private begin(): boolean {
    const first = Buffer.concat(this.beginning);
    const mediaType = agreedMediaType(first, this.declared, 'image');
    if (mediaType === undefined) {
      this.breakOff('not_an_image');
      return true;
    }
    this.body = new Readable({
      read: () => this.exchange?.resume(),
      destroy: (error, done) => {
        this.finish();
        this.exchange?.abort();
        done(error);
      },
    });
    this.resolve({ kind: 'picture', picture: { mediaType, body: this.body } });
    return this.body.push(first);
  }

  private breakOff(text: string): void {
    if (this.isOver) return;
    const { body } = this;
    this.leave({ kind: 'fault', fault: { status: 500, text } });
    body?.destroy(new Error(text));
  }

  private leave(outcome: Outcome): void {
    if (this.isOver) return;
    this.finish();
    this.exchange?.abort();
    this.resolve(outcome);
  }

  private finish(): void {
    this.isOver = true;
    clearTimeout(this.timer);
  }
}

/** A remote success or redirect without an image is a failure of ours. */
const shownStatus = (status: number): number => (status >= 400 && status <= 599 ? status : 500);
