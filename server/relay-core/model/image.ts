import type { MediaSource } from './content.js';
import type { Usage } from './usage.js';
import type { VendorOptions } from './vendor-options.js';

/** Requested images: made anew, or made from others. */
export interface ImageRequest {
  readonly model: string;
  readonly task: 'generate' | 'edit' | 'vary';
  readonly prompt: string;
  /** Input images; empty when made anew. */
  readonly images: readonly MediaSource[];
  readonly mask?: MediaSource;
  readonly count: number;
  /** `1024x1024` and the like, or a vendor's word. */
  readonly size?: string;
  readonly quality?: string;
  readonly style?: string;
  readonly background?: string;
  /** Delivery of the images. */
  readonly delivery?: 'url' | 'base64';
  readonly outputFormat?: string;
  readonly user?: string;
  readonly vendorOptions?: VendorOptions;
}

export interface ImageReply {
  readonly createdAtSeconds: number | undefined;
  readonly images: readonly {
    readonly source: MediaSource;
    readonly revisedPrompt?: string;
  }[];
  /** Tokens, from vendors that count them. */
  readonly usage: Usage | undefined;
  readonly vendorOptions?: VendorOptions;
}
