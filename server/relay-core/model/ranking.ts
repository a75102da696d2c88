import type { Usage } from './usage.js';
import type { VendorOptions } from './vendor-options.js';

/** Documents to be ordered by how well they answer a question. */
export interface RerankRequest {
  readonly query: string;
  readonly documents: readonly string[];
  /** Documents as the caller gave them (texts or objects), to be given back. */
  readonly originals: readonly unknown[];
  readonly topN?: number;
  readonly returnsDocuments: boolean;
  readonly vendorOptions?: VendorOptions;
}

export interface RerankReply {
  readonly servedModel: string | undefined;
  readonly results: readonly {
    /** Place in the request's list. */
    readonly index: number;
    readonly score: number;
    readonly document?: unknown;
  }[];
  readonly usage: Usage | undefined;
  readonly vendorOptions?: VendorOptions;
}

/** Texts and images to be moderated. */
export interface ModerationRequest {
  readonly inputs: readonly string[];
  readonly vendorOptions?: VendorOptions;
}

export interface ModerationReply {
  readonly id: string;
  readonly servedModel: string;
  /** One per input, as the vendor gave it. */
  readonly results: readonly unknown[];
  readonly usage: Usage | undefined;
}
