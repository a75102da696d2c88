import type { VendorOptions } from './vendor-options.js';

/** Something the model may call. */
export type Tool =
  | {
      readonly type: 'function';
      readonly name: string;
      readonly description?: string;
      /** JSON schema of the arguments; undefined = none. */
      readonly parameters?: unknown;
      readonly isStrict?: boolean;
      readonly vendorOptions?: VendorOptions;
    }
  /** A tool the vendor runs itself, or of a kind only one wire knows. */
  | { readonly type: 'vendor'; readonly wire: string; readonly value: unknown };

export type ToolChoice =
  | { readonly type: 'auto' | 'none' | 'required' }
  | { readonly type: 'named'; readonly name: string }
  | { readonly type: 'vendor'; readonly wire: string; readonly value: unknown };
