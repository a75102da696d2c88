import type { IncomingMessage } from 'node:http';

/** A request as it reached the vendor. */
export interface VendorRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}
