import type { Usage } from './usage.js';
import type { VendorOptions } from './vendor-options.js';

/** Texts, or texts already cut into token numbers. */
export type EmbeddingInput = string | readonly number[];

export interface EmbeddingRequest {
  readonly inputs: readonly EmbeddingInput[];
  /** False when the caller gave one input without a list around it. */
  readonly isList: boolean;
  readonly dimensions?: number;
  readonly encoding?: 'float' | 'base64';
  readonly user?: string;
  readonly vendorOptions?: VendorOptions;
}

export interface EmbeddingReply {
  readonly servedModel: string;
  /** In the order of the inputs. A vector is numbers, or little-endian float32 in base64. */
  readonly vectors: readonly (readonly number[] | string)[];
  readonly usage: Usage | undefined;
  readonly vendorOptions?: VendorOptions;
}
